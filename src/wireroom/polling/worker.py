"""The polling loop: lease due lanes, and work on each lane one feed after the other.

A lane is a host, so one host never sees two of our requests at once (promise 5). The loop sleeps
until the next lane is ready, a bell rings, or a tick has passed, because another process may have
made something due.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from wireroom.errors import LeaseLost, StoreError
from wireroom.polling.commit import Committer
from wireroom.polling.refresh import Polling, refresh
from wireroom.store import claims, feeds
from wireroom.store.bell import Bell
from wireroom.store.claims import LaneLease
from wireroom.store.feeds import FeedToPoll

log = structlog.get_logger(__name__)

#: Feeds of one lane that are looked up at a time.
_FEEDS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Pace:
    """How wide and how tight the loop runs."""

    concurrency: int = 32
    tick: timedelta = timedelta(seconds=30)
    #: Least time between two requests to one host.
    spacing: timedelta = timedelta(seconds=1)


async def poll_forever(
    tools: Polling, committer: Committer, bell: Bell, *, owner: str, pace: Pace
) -> None:
    """Poll until cancelled; lanes under way give their leases back then."""
    running: set[asyncio.Task[None]] = set()
    try:
        while True:
            heard = bell.rings
            free = pace.concurrency - len(running)
            leases = await _claim(tools, owner, free) if free else []
            for lease in leases:
                task = asyncio.create_task(_work_lane(lease, tools, committer, pace))
                running.add(task)
                task.add_done_callback(running.discard)
            if not leases:
                await _sleep(tools, bell, heard, running, pace)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _claim(tools: Polling, owner: str, limit: int) -> list[LaneLease]:
    try:
        return await tools.database.write(
            lambda connection: claims.claim_lanes(
                connection, owner=owner, now=tools.now(), limit=limit
            )
        )
    except StoreError as error:
        log.warning("no lanes claimed", error=str(error))
        return []


async def _sleep(
    tools: Polling, bell: Bell, heard: int, running: set[asyncio.Task[None]], pace: Pace
) -> None:
    """Until a lane is ready, a place is free, a bell rings, or the tick is over."""
    seconds = pace.tick.total_seconds()
    with contextlib.suppress(StoreError):
        ready_at = await tools.database.read(claims.next_lane_at)
        if ready_at is not None and len(running) < pace.concurrency:
            seconds = min(seconds, max((ready_at - tools.now()).total_seconds(), 0.05))
    ring = asyncio.create_task(bell.wait(heard, seconds))
    full = running if len(running) >= pace.concurrency else set()
    await asyncio.wait({ring, *full}, return_when=asyncio.FIRST_COMPLETED)
    ring.cancel()


async def _work_lane(lease: LaneLease, tools: Polling, committer: Committer, pace: Pace) -> None:
    """All due feeds of one host, one after the other; then the lane is given back."""
    try:
        async with giving_back(lease, tools):
            async for feed in _due(lease, tools, pace):
                if not await _poll(feed, lease, tools, committer):
                    break
    except LeaseLost:
        log.warning("lease lost, work dropped", lane=lease.lane)
    except StoreError as error:
        log.warning("lane left until its lease runs out", lane=lease.lane, error=str(error))
    except Exception:
        log.exception("lane left until its lease runs out", lane=lease.lane)


@contextlib.asynccontextmanager
async def giving_back(lease: LaneLease, tools: Polling) -> AsyncIterator[None]:
    """Release the lane at the end, also when the work was cancelled or failed."""
    try:
        yield
    finally:
        await asyncio.shield(
            tools.database.write(
                lambda connection: claims.release_lane(connection, lease, now=tools.now())
            )
        )


async def _due(lease: LaneLease, tools: Polling, pace: Pace) -> AsyncIterator[FeedToPoll]:
    """Due feeds of the lane, spaced, longest overdue first; ends when none is left."""
    polled: set[int] = set()
    while True:
        due = await tools.database.read(_due_feeds, lease.lane, tools.now())
        fresh = [feed for feed in due if feed.id not in polled]
        if not fresh:
            return
        for feed in fresh:
            if polled:
                await asyncio.sleep(pace.spacing.total_seconds())
            polled.add(feed.id)
            yield feed


def _due_feeds(connection: object, lane: str, now: datetime) -> list[FeedToPoll]:
    return feeds.due_on(connection, lane, now=now, limit=_FEEDS_AT_ONCE)  # type: ignore[arg-type]


async def _poll(feed: FeedToPoll, lease: LaneLease, tools: Polling, committer: Committer) -> bool:
    """Poll one feed and store what came of it; False when the host wants to be left alone."""
    finished = await refresh(feed, lease, tools)
    await committer.commit(finished)
    log.info(
        "polled",
        feed=feed.id,
        url=feed.url,
        outcome=finished.outcome,
        status=finished.status,
        new=len(finished.reading.changes.new) if finished.reading else 0,
        next=finished.next_poll_at and finished.next_poll_at.isoformat(timespec="seconds"),
        why=finished.next_poll_reason,
        error=finished.error or None,
    )
    return finished.pause_lane_until is None

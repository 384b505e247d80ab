"""The polling loop: lease due lanes, and work on each lane one feed after the other.

A lane is a host, so one host never sees two of our requests at once (promise 5). The loop sleeps
until the next lane is ready, a bell rings, or a tick has passed, because another process may have
made something due.
"""

import asyncio
import contextlib
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection

from wireroom.errors import LeaseLost, StoreError
from wireroom.polling.commit import Committer
from wireroom.polling.refresh import Polling, mishap, refresh
from wireroom.store import claims, feeds, switches
from wireroom.store.bell import Bell
from wireroom.store.claims import LaneLease
from wireroom.store.feeds import FeedToPoll
from wireroom.store.ingest import Finished

log = structlog.get_logger(__name__)


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
        ending = list(running)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


async def _claim(tools: Polling, owner: str, limit: int) -> list[LaneLease]:
    try:
        if await tools.database.read(switches.is_polling_paused):
            return []
        return await tools.lanes.claim_due(owner, limit)
    except StoreError as error:
        log.warning("no lanes claimed", error=str(error))
        return []


async def _sleep(
    tools: Polling, bell: Bell, heard: int, running: set[asyncio.Task[None]], pace: Pace
) -> None:
    """Until a lane is ready, a place is free, a bell rings, or the tick is over."""
    seconds = pace.tick.total_seconds()
    with contextlib.suppress(StoreError):
        ready_at = await tools.database.read(_next_lane_at)
        if ready_at is not None and len(running) < pace.concurrency:
            seconds = min(seconds, max((ready_at - tools.now()).total_seconds(), 0.05))
    ring = asyncio.create_task(bell.wait(heard, seconds))
    full = running if len(running) >= pace.concurrency else set()
    try:
        await asyncio.wait({ring, *full}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ring.cancel()


def _next_lane_at(connection: Connection) -> datetime | None:
    if switches.is_polling_paused(connection):
        return None
    return claims.next_lane_at(connection)


async def _work_lane(lease: LaneLease, tools: Polling, committer: Committer, pace: Pace) -> None:
    """All due feeds of one host, one after the other; then the lane is given back."""
    polled: set[int] = set()
    try:
        async with tools.lanes.held(lease, rest=pace.spacing):
            feed = await _next(lease, tools, polled)
            while feed is not None:
                polled.add(feed.id)
                await _poll(feed, lease, tools, committer)
                feed = await _next(lease, tools, polled)
                if feed is not None:
                    await asyncio.sleep(pace.spacing.total_seconds())
                    # Looked up at the last moment: a feed may have gone or changed meanwhile.
                    feed = await _next(lease, tools, polled)
    except LeaseLost:
        log.warning("lease lost, work dropped", lane=lease.lane)
    except StoreError as error:
        log.warning("lane's turn ended early", lane=lease.lane, error=str(error))
    except Exception:
        log.exception("lane's turn failed", lane=lease.lane)


async def _next(lease: LaneLease, tools: Polling, polled: set[int]) -> FeedToPoll | None:
    """The next due feed; None also when the host, or the operator, asked for silence."""

    def look(connection: Connection) -> FeedToPoll | None:
        if switches.is_polling_paused(connection):
            return None
        return feeds.next_due(connection, lease, now=tools.now(), but=polled)

    return await tools.database.read(look)


async def _poll(feed: FeedToPoll, lease: LaneLease, tools: Polling, committer: Committer) -> None:
    """Poll one feed and store what came of it."""
    if not feed.is_followed and await _forget(feed, tools):
        return
    try:
        finished = await refresh(feed, lease, tools)
        await committer.commit(finished)
    except (LeaseLost, StoreError):
        raise
    except Exception:  # a mistake of ours: this feed waits, the others do not
        log.exception("feed not taken in", feed=feed.id, url=feed.url)
        finished = mishap(feed, lease, tools)
        await committer.commit(finished)
    _tell(finished)


async def _forget(feed: FeedToPoll, tools: Polling) -> bool:
    """Nobody follows it any more: it goes, and its publisher hears nothing (SCH-37, SCH-39)."""
    return await tools.database.write(
        lambda connection: feeds.purge_if_unfollowed(connection, feed.id, now=tools.now())
    )


def _tell(finished: Finished) -> None:
    feed = finished.feed
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

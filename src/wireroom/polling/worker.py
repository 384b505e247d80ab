"""The polling loop: lease due lanes, and work on each lane one feed after the other.

A lane is a host, so one host never sees two of our requests at once (promise 5). The loop sleeps
until the next lane is ready, a bell rings, or a tick has passed, because another process may have
made something due.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection

from wireroom.errors import LeaseLost, StoreError
from wireroom.meters import Meters
from wireroom.polling.commit import Committer
from wireroom.polling.judging import mishap
from wireroom.polling.refresh import refresh
from wireroom.polling.tools import Polling
from wireroom.store import claims, feeds, switches
from wireroom.store.bell import Bell
from wireroom.store.claims import LaneLease
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.finished import Committed, Finished
from wireroom.store.turns import Turn

log = structlog.get_logger(__name__)
_standard = logging.getLogger(__name__)

#: What the last commit said of the next feed holds for so long: it may have gone or changed.
_FRESH = timedelta(seconds=2)

#: Lanes that are taken together at most, however wide the loop runs (SCH-36).
MOST_AT_ONCE = 500

#: How long a free place waits for others.
_PATIENCE_SECONDS = 0.25


async def poll_forever(tools: Polling, committer: Committer, bell: Bell, *, owner: str) -> None:
    """Poll until cancelled; lanes under way give their leases back then."""
    places = _Places(tools)
    try:
        while True:
            heard = bell.rings
            await places.some_free()
            claimed = await _claim(tools, owner, min(places.free, MOST_AT_ONCE))
            tools.meters.lanes += len(claimed)
            log.debug("lanes claimed", lanes=len(claimed))
            for turn in claimed:
                places.take(_work_lane(turn, tools, committer))
            if not claimed:
                await _sleep(tools, bell, heard)
    finally:
        await places.clear()


class _Places:
    """The lanes that are worked on, and room for more.

    Room is waited for until there is some for several, since lanes are claimed together; but not
    long, because the others may be slow. Where the pace became narrower meanwhile, more lanes may
    be under way than there is room for.
    """

    def __init__(self, tools: Polling) -> None:
        self._tools = tools
        self._running: set[asyncio.Task[None]] = set()
        self._freed = asyncio.Event()

    @property
    def free(self) -> int:
        return max(self._tools.pace.concurrency - len(self._running), 0)

    @property
    def _several(self) -> int:
        return max(self._tools.pace.concurrency // 8, 1)

    def take(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if self.free >= self._several:
            self._freed.set()

    async def some_free(self) -> None:
        while self.free < self._several:
            self._freed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    await self._freed.wait()
            if self.free:
                return

    async def clear(self) -> None:
        ending = list(self._running)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


async def _claim(tools: Polling, owner: str, limit: int) -> list[Turn]:
    try:
        return await tools.lanes.claim_due(owner, limit)
    except StoreError as error:
        log.warning("no lanes claimed", error=str(error))
        return []


async def _sleep(tools: Polling, bell: Bell, heard: int) -> None:
    """Until a lane is ready, a bell rings, or the tick is over."""
    seconds = tools.pace.tick.total_seconds()
    with contextlib.suppress(StoreError):
        ready_at = await tools.database.read(_next_lane_at)
        if ready_at is not None:
            seconds = min(seconds, max((ready_at - tools.now()).total_seconds(), 0.05))
    await bell.wait(heard, seconds)


def _next_lane_at(connection: Connection) -> datetime | None:
    if switches.is_polling_paused(connection):
        return None
    return claims.next_lane_at(connection)


async def _work_lane(turn: Turn, tools: Polling, committer: Committer) -> None:
    """All due feeds of one host, one after the other; then the lane is given back."""
    lease, polled, spacing = turn.lease, set[int](), tools.pace.spacing
    try:
        async with tools.lanes.held(lease, rest=spacing) as hold:
            feed = turn.feed
            while feed is not None:
                polled.add(feed.id)
                ended = await _poll(feed, lease, tools, committer)
                if ended is None:  # nobody was asked, so that nobody needs a rest
                    feed = await _next(lease, tools, polled)
                    continue
                finished, committed = ended
                hold.given_back = lease.lane in committed.given_back
                feed = committed.next.get(lease.lane)
                if feed is not None:
                    # The wait for the commit was rest for the host already.
                    rest = finished.at + spacing - tools.now()
                    await asyncio.sleep(rest.total_seconds())
                    if spacing > _FRESH or feed.id in polled:
                        feed = await _next(lease, tools, polled)
    except LeaseLost:
        log.warning("lease lost, work dropped", lane=lease.lane)
    except StoreError as error:
        log.warning("lane's turn ended early", lane=lease.lane, error=str(error))
    except Exception:
        log.exception("lane's turn failed", lane=lease.lane)


async def _next(lease: LaneLease, tools: Polling, polled: set[int]) -> FeedToPoll | None:
    """The next due feed that did not have its turn; None also when the host, or the operator,
    asked for silence."""

    def look(connection: Connection) -> FeedToPoll | None:
        if switches.is_polling_paused(connection):
            return None
        return feeds.next_due(connection, lease, now=tools.now(), but=polled)

    return await tools.database.read(look)


async def _poll(
    feed: FeedToPoll, lease: LaneLease, tools: Polling, committer: Committer
) -> tuple[Finished, Committed] | None:
    """Poll one feed and store what came of it; None: nobody was asked."""
    if not feed.is_followed and await _forget(feed, tools):
        return None
    try:
        finished = await refresh(feed, lease, tools)
        committed = await committer.commit(finished)
    except (LeaseLost, StoreError):
        raise
    except Exception:  # a mistake of ours: this feed waits, the others do not
        log.exception("feed not taken in", feed=feed.id, url=feed.url)
        finished = mishap(feed, lease, tools)
        committed = await committer.commit(finished)
    _count(finished, tools.meters)
    _tell(finished)
    return finished, committed


async def _forget(feed: FeedToPoll, tools: Polling) -> bool:
    """Nobody follows it any more: it goes, and its publisher hears nothing (SCH-37, SCH-39)."""
    return await tools.database.write(
        lambda connection: feeds.purge_if_unfollowed(connection, feed.id, now=tools.now())
    )


def _count(finished: Finished, meters: Meters) -> None:
    meters.polls["not_modified" if finished.status == 304 else finished.outcome] += 1
    meters.fetched_bytes += finished.body_bytes
    if finished.reading is not None:
        meters.new_items += len(finished.reading.changes.new)
        meters.changed_items += len(finished.reading.changes.changed)


def _tell(finished: Finished) -> None:
    feed = finished.feed
    quiet = finished.outcome == "unchanged"
    # Most polls find nothing new, and writing a line costs more than storing that.
    if quiet and not _standard.isEnabledFor(logging.DEBUG):
        return
    tell = log.debug if quiet else log.info
    tell(
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

"""Finished feeds go into the database together: whatever finished while the last commit ran, or
within a moment. Lanes with nothing more to do are given back in the same transaction.

A transaction costs as much as what fifteen feeds that have not changed add to it, so these wait
for company (docs/notes/a-poll.md). Whoever has read a document does not, and takes along who
waits. When a batch fails, its feeds are tried one by one, so that one bad row, or one lost lease,
harms nobody else.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from wireroom.errors import LeaseLost, StoreUnavailable
from wireroom.polling.tools import Pace
from wireroom.store import claims, ingest
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.ingest import Committed, Finished
from wireroom.values import value

log = structlog.get_logger(__name__)

#: How long a feed that has not changed waits for others, while there are some.
_COMPANY_SECONDS = 0.25

#: Most feeds in one transaction.
BATCH = 100

#: How long a database that does not answer is waited for: well within a lease.
PATIENCE = claims.LEASE / 3
_LONGEST_PAUSE_SECONDS = 8.0


@value
class _Waiting:
    finished: Finished
    done: asyncio.Future[Committed]


class Committer:
    """Takes finished feeds from any task of one event loop; use as an async context manager.

    `pace` gives the pace as it is by now: a lane that is given back rests for its spacing, and so
    many as are `several` by it do not wait for more.
    """

    def __init__(
        self,
        database: Database,
        bell: Bell,
        now: Callable[[], datetime],
        *,
        pace: Callable[[], Pace],
        patience: timedelta = PATIENCE,
    ) -> None:
        self._database = database
        self._bell = bell
        self._now = now
        self._pace = pace
        self._patience_seconds = patience.total_seconds()
        self._queue: deque[_Waiting] = deque()
        self._some, self._enough = asyncio.Event(), asyncio.Event()
        self._unanswered: set[asyncio.Future[Committed]] = set()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Committer":
        self._task = asyncio.create_task(self._work(), name="committer")
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for waiting in self._unanswered:
            waiting.cancel()

    async def commit(self, finished: Finished) -> Committed:
        """Store one feed's result; returns after the commit.

        Raises LeaseLost, or StoreUnavailable after a minute of trying; then nothing was stored,
        and the feed stays due.
        """
        done: asyncio.Future[Committed] = asyncio.get_running_loop().create_future()
        self._unanswered.add(done)
        self._queue.append(_Waiting(finished, done))
        self._some.set()
        if (
            finished.reading is not None
            or finished.notices
            or len(self._queue) >= min(self._pace().several, BATCH)
        ):
            self._enough.set()
        try:
            return await done
        finally:
            self._unanswered.discard(done)

    async def _work(self) -> None:
        alone = True
        while True:
            await self._some.wait()
            if not alone:
                await self._company()
            batch = self._taken()
            alone = len(batch) == 1
            # Who asked may have been cancelled, and given the lane back.
            batch = [each for each in batch if not each.done.done()]
            if batch:
                await self._store(batch)

    async def _company(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_COMPANY_SECONDS):
                await self._enough.wait()

    def _taken(self) -> list[_Waiting]:
        """The next batch; for what is left of a long queue there is enough already."""
        batch = [self._queue.popleft() for _ in range(min(len(self._queue), BATCH))]
        if not self._queue:
            self._some.clear()
            self._enough.clear()
        return batch

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        try:
            committed = await self._patiently([each.finished for each in batch])
        except Exception as error:  # noqa: BLE001 - told to whoever waits; see `commit`
            if len(batch) == 1 or isinstance(error, StoreUnavailable):
                for each in batch:
                    _answer(each, error)
                return
            if not isinstance(error, LeaseLost):
                log.warning(
                    "batch failed, trying feed by feed", feeds=len(batch), error=str(error)
                )
            for each in batch:
                await self._store([each])
            return
        if committed.news_feed_ids:
            self._bell.ring()
        for each in batch:
            _answer(each, committed)

    async def _patiently(self, finished: list[Finished]) -> Committed:
        clock = asyncio.get_running_loop().time
        give_up_at = clock() + self._patience_seconds
        pause = 0.25
        while True:
            try:
                rest = self._pace().spacing
                return await self._database.write(ingest.commit, finished, self._now(), rest)
            except StoreUnavailable as error:
                pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
                if clock() + pause > give_up_at:
                    raise
                log.warning("the database does not answer; waiting", error=str(error))
                await asyncio.sleep(pause)


def _answer(waiting: _Waiting, result: Committed | Exception) -> None:
    if waiting.done.done():
        return  # whoever asked has gone
    if isinstance(result, Exception):
        waiting.done.set_exception(result)
    else:
        waiting.done.set_result(result)

"""Finished feeds go into the database together: whatever finished while the last commit ran.

One transaction for many feeds costs little more than one for a single feed. When a batch fails, its
feeds are tried one by one, so that one bad row, or one lost lease, harms nobody else.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from wireroom.errors import LeaseLost, StoreUnavailable
from wireroom.store import ingest
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.ingest import Committed, Finished

log = structlog.get_logger(__name__)

#: Most feeds in one transaction.
BATCH = 100

#: Waits between tries while the database does not answer; together shorter than a lease.
_PATIENCE_SECONDS = (0.5, 1, 2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class _Waiting:
    finished: Finished
    done: asyncio.Future[Committed]


class Committer:
    """Takes finished feeds from any task of one event loop; use as an async context manager."""

    def __init__(self, database: Database, bell: Bell, now: Callable[[], datetime]) -> None:
        self._database = database
        self._bell = bell
        self._now = now
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Committer":
        self._task = asyncio.create_task(self._work(), name="committer")
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def commit(self, finished: Finished) -> Committed:
        """Store one feed's result; returns after the commit.

        Raises LeaseLost, or StoreUnavailable after a minute of trying; then nothing was stored, and
        the feed is due again when its lease runs out.
        """
        waiting = _Waiting(finished, asyncio.get_running_loop().create_future())
        self._queue.put_nowait(waiting)
        return await waiting.done

    async def _work(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            await self._store(batch)

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        try:
            committed = await self._patiently([each.finished for each in batch])
        except Exception as error:  # told to whoever waits; see `commit`
            if len(batch) == 1:
                _answer(batch[0], error)
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
        for pause in _PATIENCE_SECONDS:
            try:
                return await self._database.write(ingest.commit, finished, self._now())
            except StoreUnavailable as error:
                log.warning("the database does not answer; waiting", error=str(error))
                await asyncio.sleep(pause)
        return await self._database.write(ingest.commit, finished, self._now())


def _answer(waiting: _Waiting, result: Committed | Exception) -> None:
    if waiting.done.done():
        return  # whoever asked has gone
    if isinstance(result, Exception):
        waiting.done.set_exception(result)
    else:
        waiting.done.set_result(result)

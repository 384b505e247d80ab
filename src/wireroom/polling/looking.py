"""Which feed of a lane comes next: the questions of many lanes at once, answered by one read."""

import asyncio
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection

from wireroom.store import turns
from wireroom.store.claims import LaneLease
from wireroom.store.engine import Database
from wireroom.store.feeds import FeedToPoll

#: How long a question waits for others.
_COMPANY_SECONDS = 0.01

_Answer = asyncio.Future[FeedToPoll | None]


class Looking:
    """Takes questions from any task of one event loop."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self._asked: list[tuple[LaneLease, _Answer]] = []
        self._task: asyncio.Task[None] | None = None

    async def next(self, lease: LaneLease) -> FeedToPoll | None:
        """The lane's longest overdue feed; None also when the host, or the operator, asked for
        silence, or the lease was lost. Raises StoreError.
        """
        answer: _Answer = asyncio.get_running_loop().create_future()
        self._asked.append((lease, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._answer_all(), name="looking")
        return await answer

    async def _answer_all(self) -> None:
        try:
            while self._asked:
                await asyncio.sleep(_COMPANY_SECONDS)
                asked, self._asked = self._asked, []
                await self._answer(asked)
        finally:
            self._task = None

    async def _answer(self, asked: list[tuple[LaneLease, _Answer]]) -> None:
        leases = [lease for lease, _ in asked]

        def look(connection: Connection) -> dict[str, FeedToPoll]:
            return turns.look(connection, leases, now=self._now())

        try:
            found = await self._database.read(look)
        except Exception as error:  # noqa: BLE001 - told to whoever asked
            for _, answer in asked:
                if not answer.done():
                    answer.set_exception(error)
            return
        for lease, answer in asked:
            if not answer.done():
                answer.set_result(found.get(lease.lane))

"""The time that leases run by: one for all processes that share a database.

A lease is a moment in the database, so two processes whose clocks differ by more than a lease
would take a host from each other in the middle of a request. On PostgreSQL every process
therefore goes by the server's clock, read now and then and carried on between by a clock that
nobody can set. The machine's own may be wrong, or be set, without harm. All processes on one
SQLite file are on one machine, and share its clock.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy import Connection, text

from wireroom.errors import StoreError
from wireroom.store.engine import Database

log = structlog.get_logger(__name__)

#: Quartz drifts by a second in a day at worst: this is for servers whose own clock is put right.
READ_EVERY_SECONDS = 60.0
#: An answer that took longer says too little about what time it is.
_MOST_SECONDS = 1.0
#: Further off than this is worth a word in the log.
_WORTH_A_WORD = timedelta(seconds=5)

#: Goes on while the machine sleeps, where the system has such a clock.
_steady: Callable[[], float] = (
    (lambda: time.clock_gettime(time.CLOCK_BOOTTIME))
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic
)


class ServerClock:
    """The database server's time, as last read and carried on; call it for the time.

    `machine` is asked only until the server was, and never again.
    """

    def __init__(
        self,
        database: Database,
        machine: Callable[[], datetime],
        steady: Callable[[], float] = _steady,
    ) -> None:
        self._database = database
        self._machine = machine
        self._steady = steady
        self._zero: datetime | None = None

    def __call__(self) -> datetime:
        if self._zero is None:
            return self._machine()
        return self._zero + timedelta(seconds=self._steady())

    async def read(self) -> None:
        """Ask the server for the time. Raises StoreError."""
        theirs, halfway, took = await self._database.read(self._ask)
        if took <= _MOST_SECONDS or self._zero is None:
            before = self()
            self._zero = theirs - timedelta(seconds=halfway)
            off = self() - before
            if abs(off) > _WORTH_A_WORD:
                log.warning(
                    "the time is the database's", seconds_off=round(off.total_seconds(), 1)
                )

    def _ask(self, connection: Connection) -> tuple[datetime, float, float]:
        asked_at = self._steady()
        theirs: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        answered_at = self._steady()
        return theirs.astimezone(UTC), (asked_at + answered_at) / 2, answered_at - asked_at

    async def keep(self) -> None:
        """Read the server's clock again and again, until cancelled."""
        while True:
            await asyncio.sleep(READ_EVERY_SECONDS)
            with contextlib.suppress(StoreError):  # carried on; polling says what is wrong
                await self.read()


@contextlib.asynccontextmanager
async def of(
    database: Database, machine: Callable[[], datetime]
) -> AsyncIterator[Callable[[], datetime]]:
    """The clock for everything that works on this database. Raises StoreError."""
    if database.is_sqlite:
        yield machine
        return
    clock = ServerClock(database, machine)
    await clock.read()
    keeping = asyncio.create_task(clock.keep(), name="clock")
    try:
        yield clock
    finally:
        keeping.cancel()

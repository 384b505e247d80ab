"""A bell in the wire room: tells waiting loops that there is something new, over processes too.

It carries no content: whoever wakes looks into the database, so a missed or a needless ring costs
a query and never an entry. Loops also wake by themselves after a while.

`announce` rings in other processes and `hear_others` hears them: by NOTIFY on PostgreSQL; on
SQLite by a counter in the file, which costs no more than reading a few bytes.
"""

import asyncio

import structlog
from sqlalchemy import Connection, text

from wireroom.errors import StoreError
from wireroom.store.engine import Database

log = structlog.get_logger(__name__)

_CHANNEL = "wireroom"
#: How often the counter of a SQLite file is looked at.
LOOK_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0


class Bell:
    """Rung by whoever committed something; waited for by any number of tasks of one event loop."""

    def __init__(self) -> None:
        self._rings = 0
        self._rung = asyncio.Event()

    @property
    def rings(self) -> int:
        """How often it has rung; pass it to `wait` so that no ring in between is missed."""
        return self._rings

    def ring(self) -> None:
        """Wake everyone. Call it from the event loop, after the commit."""
        self._rings += 1
        self._rung.set()
        self._rung = asyncio.Event()

    async def wait(self, heard: int, timeout_seconds: float) -> int:
        """Return at the first ring after `heard`, or after the timeout; gives the new count."""
        if self._rings == heard:
            rung = self._rung
            try:
                async with asyncio.timeout(timeout_seconds):
                    await rung.wait()
            except TimeoutError:
                pass
        return self._rings


def announce(connection: Connection) -> None:
    """Ring in all processes when this transaction commits. On SQLite the commit itself tells."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_notify(:channel, '')"), {"channel": _CHANNEL})


async def hear_others(
    database: Database, bell: Bell, *, look_seconds: float = LOOK_SECONDS
) -> None:
    """Ring the bell whenever another process has written, until cancelled."""
    pause = 1.0
    while True:
        try:
            if database.is_sqlite:
                await _look(database, bell, look_seconds)
            else:
                await _listen(database, bell)
        except (StoreError, database.driver_error, OSError) as error:
            log.warning("other processes are not heard; trying again", error=str(error))
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
        bell.ring()  # for whatever was missed


async def _look(database: Database, bell: Bell, look_seconds: float) -> None:
    seen = await database.version_of_others()
    while True:
        await asyncio.sleep(look_seconds)
        version = await database.version_of_others()
        if version != seen:
            seen = version
            bell.ring()


async def _listen(database: Database, bell: Bell) -> None:
    import psycopg

    address = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await psycopg.AsyncConnection.connect(
        address, autocommit=True, connect_timeout=10, keepalives_idle=20, tcp_user_timeout=60_000
    )
    try:
        await connection.execute(f"LISTEN {_CHANNEL}")
        bell.ring()  # what came before we listened
        async for _ in connection.notifies():
            bell.ring()
    finally:
        await connection.close()

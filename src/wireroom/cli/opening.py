"""What most commands do first: read the settings, set up logging, open the room."""

import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from wireroom.settings import Settings
    from wireroom.store.engine import Database
    from wireroom.wiring import Room

T = TypeVar("T")


def settings(passed_over: Callable[[str], None] | None = None) -> "Settings":
    """The settings of this process; `passed_over` is told of each whose default holds instead,
    the log by default. Raises SettingsError."""
    from wireroom.settings import read

    return read(os.environ, dotenv=Path(".env"), passed_over=passed_over or _warn)


def _warn(sentence: str) -> None:
    import structlog

    structlog.get_logger(__name__).warning("setting passed over; its default holds", why=sentence)


def settings_and_logs(*, at_least: str | None = None) -> "Settings":
    """The settings, with logging set up by them; `at_least` keeps a command's own output clean."""
    from wireroom import logs

    wrong: list[str] = []
    chosen = settings(wrong.append)
    # Files are for what runs on and on; what a command has to say is on the screen before it.
    folder = None if at_least else chosen.log_dir
    logs.configure(
        at_least or chosen.log_level,
        chosen.log_format,
        folder=folder,
        kept=chosen.log_backup_count,
    )
    for sentence in wrong:
        _warn(sentence)
    return chosen


@asynccontextmanager
async def operators_room() -> "AsyncIterator[tuple[Room, int]]":
    """The opened room, and the account that the command line acts for: the operator's."""
    from wireroom import records, wiring
    from wireroom.store import accounts

    async with wiring.open_room(settings_and_logs(at_least="WARNING")) as room:
        account_id = await room.database.write(accounts.operator_account, records.now())
        yield room, account_id


@asynccontextmanager
async def operators_database() -> "AsyncIterator[tuple[Database, int]]":
    """The same for what only looks into the database or writes there, and starts in no time."""
    from wireroom import records
    from wireroom.store import accounts

    database = records.open_database(settings_and_logs(at_least="WARNING"))
    try:
        yield database, await database.write(accounts.operator_account, records.now())
    finally:
        database.close()


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine on uvloop where there is one."""
    import asyncio

    try:
        import uvloop
    except ImportError:
        return asyncio.run(work())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work())

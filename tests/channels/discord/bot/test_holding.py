"""One process answers for a bot, whoever else has its token."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from tests.polling.newsroom import Clock
from wireroom.channels.discord.bot import holding
from wireroom.channels.discord.bot.holding import Hold, while_held
from wireroom.errors import StoreUnavailable
from wireroom.store import speaking
from wireroom.store.engine import Database


@dataclass
class Process:
    """One of several that have the bot's token."""

    owner: str
    database: Database
    clock: Clock
    works: asyncio.Event = field(default_factory=asyncio.Event)
    begun: int = 0
    shared: bool | None = None

    async def work(self) -> None:
        self.begun += 1
        self.works.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.works.clear()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        def tell(is_shared: bool) -> None:
            self.shared = is_shared

        hold = Hold(self.database, self.owner, self.clock, tell, "11", pulse_seconds=0.02)
        task = asyncio.create_task(while_held(hold, self.work))
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def until(self, works: bool) -> None:
        async with asyncio.timeout(10):
            while self.works.is_set() is not works:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def one(sqlite_database: Database, clock: Clock) -> Process:
    return Process("one", sqlite_database, clock)


@pytest.fixture
def other(sqlite_database: Database, clock: Clock) -> Process:
    return Process("other", sqlite_database, clock)


async def test_the_second_stands_by(one: Process, other: Process) -> None:
    """It works as soon as the first has ended, and never beside it."""
    async with one.running():
        await one.until(works=True)
        async with other.running():
            await asyncio.sleep(0.1)
            assert 0 == other.begun
            assert other.shared
    async with other.running():
        await other.until(works=True)

    assert (1, 1) == (one.begun, other.begun)


async def test_whoever_is_silent_is_taken_over(
    one: Process, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever prolongs nothing for a while has lost their turn, and stops on hearing so."""
    hold = ["discord gateway 11"]
    with one.database.writing() as connection:
        assert hold == speaking.held(connection, hold, owner="frozen", now=clock())
    async with one.running():
        await asyncio.sleep(0.1)
        assert 0 == one.begun
        clock.move(speaking.LEASE)
        await one.until(works=True)
        monkeypatch.setattr(holding, "_is_ours", _lost)
        await one.until(works=False)


async def _lost(_: Hold) -> bool:
    return False


async def test_a_database_that_is_away(
    one: Process, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a moment it stops nothing; once the lease has run out, somebody else may answer."""

    async def away(*_: object) -> None:
        raise StoreUnavailable("away")

    async with one.running():
        await one.until(works=True)
        monkeypatch.setattr(one.database, "write", away)
        await asyncio.sleep(0.1)
        assert one.works.is_set()
        clock.move(speaking.LEASE)
        await one.until(works=False)
        monkeypatch.undo()
        await one.until(works=True)


async def test_who_sends_the_news(one: Process, clock: Clock) -> None:
    """Where that is another process, the limits are divided between the two."""
    async with one.running():
        await one.until(works=True)
        alone = one.shared
        with one.database.writing() as connection:
            speaking.held(connection, ["discord"], owner="deliverer", now=clock())
        await asyncio.sleep(0.1)
        beside = one.shared
        with one.database.writing() as connection:
            speaking.let_go(connection, ["discord"], owner="deliverer")
            speaking.held(connection, ["discord"], owner="one", now=clock())
        await asyncio.sleep(0.1)

    assert (False, True, False) == (alone, beside, one.shared)


async def test_what_the_work_raises_ends_it(one: Process) -> None:
    """A wrong token is told, and others may try theirs at once."""

    async def work() -> None:
        raise ValueError("no token")

    hold = Hold(one.database, "one", one.clock, lambda _: None, "11")
    with pytest.raises(ValueError, match="no token"):
        await while_held(hold, work)
    with one.database.reading() as connection:
        assert "" == speaking.holder(connection, "discord gateway 11", now=one.clock())

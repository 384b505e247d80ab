"""What can befall a running program's database: it waits, says what is wrong, and goes on."""

import asyncio
import contextlib
import resource
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from aiohttp import ClientError, ClientSession

from tests.acceptance.conftest import World
from tests.acceptance.program import until
from tests.servers import postgresql
from tests.servers.postgresql import Postgresql


async def health(world: World) -> tuple[int, str]:
    """Status of /health, and what the login page says."""
    async with ClientSession() as session:
        async with session.get(f"{world.program.address}health") as answer:
            status = answer.status
        async with session.get(world.program.address) as page:
            return status, await page.text()


async def until_health(world: World, status: int) -> str:
    """Wait for this status; gives the page of that moment."""
    async with asyncio.timeout(40):
        while True:
            with contextlib.suppress(ClientError):
                found, page = await health(world)
                if found == status:
                    return page
            await asyncio.sleep(0.2)


async def publish_and_wait(world: World, *numbers: int) -> None:
    """New stories, and both places have them."""
    world.publisher.items += numbers
    await until(lambda: numbers[-1] in world.told_on_telegram(), "the story on Telegram")
    await until(lambda: numbers[-1] in world.told_on_discord(), "the story on Discord")


def told_once(world: World, *numbers: int) -> None:
    assert list(numbers) == world.told_on_telegram()
    assert list(numbers) == world.told_on_discord()


@pytest.mark.parametrize(
    "seconds",
    [2, pytest.param(33, marks=pytest.mark.soak)],
    ids=["briefly", "longer than we wait"],
)
async def test_a_locked_file_is_waited_for(world: World, seconds: float) -> None:
    """Another program holds the lock: the page goes on, news come when it lets go, each once."""
    await world.program.start()
    await world.subscribe()
    await publish_and_wait(world, 4)
    other = sqlite3.connect(world.program.folder / "wireroom.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    world.publisher.items += [5]
    status, _ = await health(world)
    await asyncio.sleep(seconds)
    during = world.told_on_telegram()
    other.execute("ROLLBACK")
    other.close()
    await publish_and_wait(world, 6)

    assert (200, [4]) == (status, during)
    told_once(world, 4, 5, 6)


async def test_a_disk_that_takes_no_more_is_waited_for(world: World) -> None:
    """Nothing can be written: reading goes on, and with room again news come, each once."""
    await world.program.start()
    await world.subscribe()
    await publish_and_wait(world, 4)
    most = resource.prlimit(
        world.program.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY)
    )
    world.publisher.items += [5]
    await until(lambda: b"disk" in world.program.log, "a word about the disk")
    status, _ = await health(world)
    resource.prlimit(world.program.pid, resource.RLIMIT_FSIZE, most)
    await publish_and_wait(world, 6)

    assert 200 == status
    told_once(world, 4, 5, 6)


@pytest.fixture
def server() -> Iterator[Postgresql]:
    """A PostgreSQL server that may be stopped under the program."""
    programs = postgresql.programs()
    if programs is None:
        pytest.skip("no PostgreSQL of the test's own")
    with postgresql.running(programs) as running:
        yield running


@pytest.mark.postgresql
@pytest.mark.parametrize("how", ["immediate", "fast"], ids=["crash", "orderly"])
async def test_a_database_that_is_gone_and_back(
    world: World, server: Postgresql, how: str
) -> None:
    """The page says what is wrong; afterwards news come, each once, and the page is there."""
    world.program.settings["DATABASE"] = server.address
    await world.program.start()
    await world.subscribe()
    await publish_and_wait(world, 4)
    await asyncio.to_thread(server.stop, how)
    world.publisher.items += [5]
    page = await until_health(world, 503)
    await asyncio.to_thread(server.start)
    await until_health(world, 200)
    await publish_and_wait(world, 6)

    assert "The database" in page
    told_once(world, 4, 5, 6)


@pytest.mark.postgresql
async def test_a_network_that_is_cut_and_mended(world: World, server: Postgresql) -> None:
    """What was on its way is lost, then nobody answers: the same as a database that is gone."""
    async with Wire(server.folder).open() as wire:
        world.program.settings["DATABASE"] = (
            f"postgresql://wireroom@127.0.0.1:{wire.port}/postgres"
        )
        await world.program.start()
        await world.subscribe()
        await publish_and_wait(world, 4)
        wire.swallow()
        world.publisher.items += [5]
        await asyncio.sleep(1.5)
        await wire.cut()
        page = await until_health(world, 503)
        await wire.mend()
        await until_health(world, 200)
        await publish_and_wait(world, 6)
        await world.program.stop()

    assert "The database" in page
    told_once(world, 4, 5, 6)


class Wire:
    """A network between program and database: passes bytes on, swallows them, or is cut."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / ".s.PGSQL.5432")
        self._passing = asyncio.Event()
        self._passing.set()
        self._ends: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["Wire"]:
        await self.mend()
        try:
            yield self
        finally:
            await self.cut()

    async def mend(self) -> None:
        self._passing.set()
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def swallow(self) -> None:
        """Nothing comes through any more, and nobody is told."""
        self._passing.clear()

    async def cut(self) -> None:
        """Both ends find out, and nobody answers."""
        self._server.close()
        for end in list(self._ends):
            end.transport.abort()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        their_reader, their_writer = await asyncio.open_unix_connection(self._socket)
        for source, target in ((reader, their_writer), (their_reader, writer)):
            self._ends.add(target)
            task = asyncio.create_task(self._pass_on(source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError):
                while data := await source.read(65_536):
                    await self._passing.wait()
                    target.write(data)
                    await target.drain()
        finally:
            target.transport.abort()
            self._ends.discard(target)

"""The bell wakes whoever waits, in this process and in others."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import Connection, text

from tests.rows import NOON
from tests.store.polled import item, make_feed, read
from wireroom.store import ingest
from wireroom.store.bell import Bell, announce, hear_others
from wireroom.store.engine import Database, connect

PATIENCE_SECONDS = 30


@contextlib.asynccontextmanager
async def hearing(database: Database, bell: Bell) -> AsyncIterator[int]:
    """Other processes are heard; gives the rings so far."""
    task = asyncio.create_task(hear_others(database, bell, look_seconds=0.02))
    try:
        if database.is_sqlite:
            await database.version_of_others()
            await asyncio.sleep(0.05)
            yield bell.rings
        else:
            yield await bell.wait(0, PATIENCE_SECONDS)  # it listens
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def other(database: Database) -> AsyncIterator[Database]:
    """Another process's connections to the same database."""
    other = connect(database.url.render_as_string(hide_password=False))
    yield other  # type: ignore[misc]
    other.close()


async def test_a_ring_between_look_and_wait_is_not_missed() -> None:
    """Whoever heard n rings waits for the next one only if it has not come yet."""
    bell = Bell()
    heard = bell.rings
    bell.ring()

    assert heard + 1 == await bell.wait(heard, 0)


async def test_all_who_wait_are_woken() -> None:
    """One ring, any number of tasks."""
    bell = Bell()
    waiting = [asyncio.create_task(bell.wait(0, PATIENCE_SECONDS)) for _ in range(3)]
    await asyncio.sleep(0)
    bell.ring()

    assert [1, 1, 1] == await asyncio.gather(*waiting)


async def test_news_of_another_process_ring_here(database: Database, other: Database) -> None:
    """Another process commits news, and the bell rings without a look at the tables."""
    bell = Bell()
    await other.write(make_feed)
    async with hearing(database, bell) as heard:
        finished = await other.write(lambda connection: read(connection, 1, item("a")))
        await other.write(ingest.commit, [finished], NOON)

        assert heard < await bell.wait(heard, PATIENCE_SECONDS)


async def test_our_own_writes_do_not_ring_on_sqlite(sqlite_database: Database) -> None:
    """Whoever commits here rings by hand; the file's counter is for others."""
    bell = Bell()
    async with hearing(sqlite_database, bell) as heard:
        await sqlite_database.write(make_feed)
        before = await sqlite_database.version_of_others()
        await sqlite_database.write(
            lambda c: c.execute(text("UPDATE feeds SET title = 'x'")).rowcount
        )

        assert before == await sqlite_database.version_of_others()
        assert heard == bell.rings


@pytest.mark.postgresql
async def test_nothing_rings_for_what_was_rolled_back(
    postgresql_database: Database,
) -> None:
    """An announcement is part of its transaction."""
    database, bell = postgresql_database, Bell()

    def fail(connection: Connection) -> None:
        announce(connection)
        raise LookupError

    async with hearing(database, bell) as heard:
        with pytest.raises(LookupError):
            await database.write(fail)
        assert heard == bell.rings
        await database.write(announce)
        assert heard + 1 == await bell.wait(heard, PATIENCE_SECONDS)


@pytest.mark.postgresql
async def test_a_lost_ear_is_grown_again(postgresql_database: Database) -> None:
    """The listening connection is cut; it comes back and rings for what was missed."""
    database, bell = postgresql_database, Bell()
    async with hearing(database, bell) as heard:
        await database.write(
            lambda connection: connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
                )
            ).all()
        )

        assert heard < await bell.wait(heard, PATIENCE_SECONDS)
        again = bell.rings
        await bell.wait(again, PATIENCE_SECONDS)
        await database.write(announce)
        assert again < await bell.wait(again, PATIENCE_SECONDS)

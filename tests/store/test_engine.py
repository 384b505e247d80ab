"""The two engines behave alike, and their errors are sorted by what helps."""

import asyncio
import gc
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from wireroom.errors import SettingsError, StoreCorrupt
from wireroom.store.engine import Database, connect


async def test_a_write_is_seen_by_a_read(database: Database) -> None:
    """What one transaction committed, the next reader sees."""
    insert = text("INSERT INTO facts (key, value, updated_at) VALUES ('a', '1', 0)")

    await database.write(lambda connection: connection.execute(insert).rowcount)
    count = await database.read(lambda c: c.execute(text("SELECT count(*) FROM facts")).scalar())

    assert 1 == count


async def test_a_failed_write_leaves_nothing(database: Database) -> None:
    """An exception in the middle rolls back all that the work did before it."""

    def fail(connection: object) -> None:
        connection.execute(text("INSERT INTO facts (key, value, updated_at) VALUES ('a', '1', 0)"))
        raise LookupError("on purpose")

    with pytest.raises(LookupError):
        await database.write(fail)
    count = await database.read(lambda c: c.execute(text("SELECT count(*) FROM facts")).scalar())

    assert 0 == count


async def test_a_write_after_the_end_takes_no_other_s_turn(tmp_path: Path) -> None:
    """It is refused, and what was queued before is done to its last."""
    database = connect(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    begun, goes_on, order = threading.Event(), threading.Event(), list[str]()

    def hold(_: object) -> None:
        begun.set()
        assert goes_on.wait(10)

    holding = asyncio.create_task(database.write(hold))
    assert await asyncio.to_thread(begun.wait, 10)
    queued = asyncio.create_task(database.write(lambda _: order.append("queued")))
    await asyncio.sleep(0)
    database._write_threads.shutdown(wait=False)
    with pytest.raises(RuntimeError):
        await database.write_first(lambda _: order.append("late"))
    goes_on.set()
    await asyncio.wait_for(asyncio.gather(holding, queued), 10)
    database.close()

    assert ["queued"] == order


async def test_what_comes_first_waits_for_nothing_but_what_runs(tmp_path: Path) -> None:
    """With one writer, a note of what was sent goes ahead of all that is queued."""
    database = connect(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    begun, goes_on, order = threading.Event(), threading.Event(), list[str]()

    def hold(_: object) -> None:
        begun.set()
        assert goes_on.wait(10)

    holding = asyncio.create_task(database.write(hold))
    assert await asyncio.to_thread(begun.wait, 10)
    waiting = [
        asyncio.create_task(database.write(lambda _, name: order.append(name), name))
        for name in ("batch", "other")
    ]
    await asyncio.sleep(0)
    waiting.append(asyncio.create_task(database.write_first(lambda _: order.append("note"))))
    await asyncio.sleep(0)
    goes_on.set()
    await asyncio.gather(holding, *waiting)
    database.close()

    assert ["note", "batch", "other"] == order


async def test_what_fails_after_its_task_has_gone_is_nobodys_news(database: Database) -> None:
    """A cancelled task's write goes on to its end; its error is not shouted into the log."""
    shouted: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: shouted.append(context))
    begun, go_on = threading.Event(), threading.Event()

    def fail(connection: object) -> None:
        begun.set()
        assert go_on.wait(10)
        raise LookupError("on purpose")

    writing = asyncio.create_task(database.write(fail))
    await asyncio.to_thread(begun.wait, 10)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    go_on.set()
    await database.write(lambda connection: None)  # the next one comes after it
    del writing
    gc.collect()

    assert [] == shouted


@pytest.mark.parametrize("address", ["mysql://localhost/x", "not an address", ""])
def test_an_impossible_address_is_refused_in_words(address: str) -> None:
    """Whoever sets a database that we cannot use learns what to write instead."""
    with pytest.raises(SettingsError, match=r"sqlite:///.*postgresql://"):
        connect(address)


def test_a_damaged_file_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """A file that is no database names the way back instead of being overwritten."""
    file = tmp_path / "wireroom.sqlite3"
    file.write_bytes(b"this is not a database, but somebody's letter" * 100)
    database = connect(f"sqlite:///{file}")

    with pytest.raises(StoreCorrupt, match="restore"), database.writing():
        pass

    database.close()


def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Neither file nor folder can be read by other accounts of the machine."""
    file = tmp_path / "data" / "wireroom.sqlite3"
    database = connect(f"sqlite:///{file}")
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE x (y INTEGER)"))
    rights = {each.name: each.stat().st_mode & 0o077 for each in file.parent.iterdir()}
    database.close()

    assert 0 == file.parent.stat().st_mode & 0o077
    assert {0} == set(rights.values()), rights

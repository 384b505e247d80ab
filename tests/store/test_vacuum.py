"""Room goes back to the disk, while others work or at one go, and it is said how much."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete

from tests.rows import add_entry, add_feed, at
from wireroom.errors import StoreUnavailable
from wireroom.store import vacuum
from wireroom.store.engine import Database, connect
from wireroom.store.migrate import migrate
from wireroom.store.schema import entries

_BODY = "<p>" + "words " * 1_500 + "</p>"


def fill(connection: Connection, title: str = "Harbour News") -> None:
    feed_id = add_feed(connection, title)
    for number in range(300):
        add_entry(connection, feed_id, at(number), content=_BODY)


def empty(connection: Connection) -> None:
    connection.execute(delete(entries))


@pytest.fixture
def new_file(tmp_path: Path) -> Database:
    database = connect(f"sqlite:///{tmp_path / 'new' / 'wireroom.sqlite3'}")
    migrate(database)
    return database


async def test_a_file_shrinks_while_others_write(new_file: Database) -> None:
    """What was deleted goes back to the disk in steps; a writer comes in between."""
    await new_file.write(fill)
    await new_file.write(empty)
    reclaimed = await vacuum.reclaim(new_file)
    await new_file.write(fill, "Second")
    new_file.close()

    assert reclaimed.after_bytes < reclaimed.before_bytes / 2
    assert 0 == reclaimed.left_bytes


async def test_an_old_file_is_made_small_at_one_go(tmp_path: Path) -> None:
    """A file of an older Wireroom keeps its holes, and says so, until it is written anew once."""
    file = tmp_path / "wireroom.sqlite3"
    with sqlite3.connect(file) as old:
        old.execute("PRAGMA auto_vacuum = NONE")
        old.execute("CREATE TABLE of_old (x)")
    old.close()
    database = connect(f"sqlite:///{file}")
    migrate(database)
    await database.write(fill)
    await database.write(empty)
    in_steps = await vacuum.reclaim(database)
    anew = await vacuum.rewrite(database)
    await database.write(fill, "Second")
    await database.write(empty)
    afterwards = await vacuum.reclaim(database)
    database.close()

    assert in_steps.before_bytes == in_steps.after_bytes
    assert in_steps.left_bytes > in_steps.after_bytes / 2
    assert anew.after_bytes < anew.before_bytes / 2
    assert 0 == afterwards.left_bytes


@pytest.mark.postgresql
async def test_postgresql_is_tidied_and_rewritten(postgresql_database: Database) -> None:
    """The same two ways; a transaction works on the same connections afterwards."""
    database = postgresql_database
    await database.write(fill)
    await database.write(empty)
    tidied = await vacuum.reclaim(database)
    anew = await vacuum.rewrite(database)
    await database.write(fill, "Second")

    assert tidied.after_bytes <= tidied.before_bytes + 1_000_000
    assert anew.after_bytes <= tidied.after_bytes


async def test_a_lock_is_told_in_words(new_file: Database) -> None:
    """Errors of statements outside transactions are sorted as all others are."""
    impatient = connect(new_file.url.render_as_string(), busy_timeout_ms=20)
    with new_file.writing(), pytest.raises(StoreUnavailable, match="locked"):
        await impatient.administer(lambda run: run("VACUUM"))
    impatient.close()
    new_file.close()

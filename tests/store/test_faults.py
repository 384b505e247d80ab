"""What can befall a database: each fault is told in words, and work goes on when it is over."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from wireroom.errors import StoreCorrupt, StoreUnavailable
from wireroom.store.engine import Database, connect

_NOBODY = 65_534

PUT = text("INSERT INTO facts (key, value, updated_at) VALUES (:key, :value, 0)")


def put(database: Database, key: str, value: str = '"x"') -> None:
    with database.writing() as connection:
        connection.execute(PUT, {"key": key, "value": value})


def count(database: Database) -> int:
    with database.reading() as connection:
        return int(connection.execute(text("SELECT count(*) FROM facts")).scalar_one())


def file_of(database: Database) -> Path:
    assert database.url.database
    return Path(database.url.database)


def test_a_full_disk_is_said_and_leaves_the_store_whole(sqlite_database: Database) -> None:
    """A write that does not fit is refused as a whole; reading goes on; with room, writing too."""
    database = sqlite_database
    with database.writing() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(StoreUnavailable, match="full"), database.writing() as connection:
        connection.execute(PUT, {"key": "small", "value": "1"})
        connection.execute(PUT, {"key": "large", "value": f'"{"x" * 1_000_000}"'})
    assert 0 == count(database)
    with database.writing() as connection:
        connection.execute(text("PRAGMA max_page_count = 1000000"))
    put(database, "large", f'"{"x" * 1_000_000}"')

    assert 1 == count(database)


def test_another_programs_lock_is_waited_for_and_then_said(sqlite_database: Database) -> None:
    """Readers go on; a writer waits for its time and says who is in the way; afterwards it
    works.
    """
    patient = connect(sqlite_database.url.render_as_string(), busy_timeout_ms=50)
    other = sqlite3.connect(file_of(sqlite_database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked by another program"):
        put(patient, "a")
    assert 0 == count(patient)
    other.execute("ROLLBACK")
    put(patient, "a")

    assert 1 == count(patient)
    other.close()
    patient.close()


@pytest.mark.postgresql
def test_a_lock_on_a_row_is_waited_for_and_then_said(postgresql_database: Database) -> None:
    """The same on PostgreSQL, where only the row is locked."""
    database = postgresql_database
    put(database, "a")
    patient = connect(database.url.render_as_string(hide_password=False), busy_timeout_ms=50)
    change = text("UPDATE facts SET value = '2' WHERE key = 'a'")

    with database.writing() as connection:
        connection.execute(change)
        with pytest.raises(StoreUnavailable, match="locked"), patient.writing() as other:
            other.execute(change)
    with patient.writing() as other:
        other.execute(change)
    patient.close()


@pytest.mark.postgresql
def test_a_database_that_went_away_is_found_again(postgresql_database: Database) -> None:
    """The connection is cut in the middle: that work is refused, the next one goes through."""
    database = postgresql_database

    def cut_all_others(connection: Connection) -> None:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )

    with pytest.raises(StoreUnavailable), database.writing() as connection:
        connection.execute(PUT, {"key": "lost", "value": "1"})
        with database.writing() as other:
            cut_all_others(other)
        connection.execute(PUT, {"key": "lost too", "value": "1"})
    with database.writing() as other:
        cut_all_others(other)
    put(database, "kept")

    assert 1 == count(database)


@pytest.mark.postgresql
def test_a_server_that_is_not_there_is_said() -> None:
    """Nothing listens: one sentence, no stack of the driver's."""
    database = connect("postgresql://nobody@127.0.0.1:9/nothing")

    with pytest.raises(StoreUnavailable, match="does not answer"), database.writing():
        pass
    database.close()


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("53100", "disk .* full"),
        ("53300", "no room"),
        ("57P01", "restarts"),
        ("25006", "only be read"),
        ("40P01", "in the way"),
        ("40001", "in the way"),
        ("58030", "disk"),
        ("42501", "lacks a right"),
    ],
)
def test_what_postgresql_reports_is_put_in_words(
    postgresql_database: Database, state: str, words: str
) -> None:
    """Each state that passes by itself, or that an operator mends, says so."""
    raises = text(f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END $$")

    with pytest.raises(StoreUnavailable, match=words), postgresql_database.writing() as connection:
        connection.execute(raises)


def test_a_damaged_page_is_told_with_the_way_out(sqlite_database: Database) -> None:
    """Damage in the middle of the file is noticed when it is read, and never written over."""
    file = file_of(sqlite_database)
    put(sqlite_database, "a", f'"{"x" * 100_000}"')
    sqlite_database.close()
    content = bytearray(file.read_bytes())
    content[4096 : len(content)] = os.urandom(len(content) - 4096)
    file.write_bytes(content)
    database = connect(f"sqlite:///{file}")

    with pytest.raises(StoreCorrupt, match=r"restore .*backup"):
        put(database, "b")
    database.close()


def test_a_place_where_no_file_can_be_is_said(tmp_path: Path) -> None:
    """A folder where the database should be: check folder and rights."""
    (tmp_path / "taken").mkdir()
    database = connect(f"sqlite:///{tmp_path / 'taken'}")

    with pytest.raises(StoreUnavailable, match="cannot be opened"), database.writing():
        pass
    database.close()


def test_a_folder_under_a_file_is_said(tmp_path: Path) -> None:
    """The data folder cannot be made."""
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreUnavailable, match="cannot be made"):
        connect(f"sqlite:///{tmp_path / 'file' / 'wireroom.sqlite3'}")


def test_a_folder_that_may_only_be_read_is_said(sqlite_database: Database) -> None:
    """No write-ahead log can be made beside the file."""
    sqlite_database.close()
    with tempfile.TemporaryDirectory(prefix="wireroom-") as name:
        file = Path(name) / "wireroom.sqlite3"
        shutil.copyfile(file_of(sqlite_database), file)
        with bound_by_rights(file):
            database = connect(f"sqlite:///{file}")
            with pytest.raises(StoreUnavailable, match="rights"):
                put(database, "a")
            database.close()


@contextlib.contextmanager
def bound_by_rights(file: Path) -> Iterator[None]:
    """The folder may only be read, and we are an account that this binds."""
    is_root = os.geteuid() == 0
    if is_root:
        for each in (file.parent, file):
            os.chown(each, _NOBODY, -1)
        os.seteuid(_NOBODY)
    file.parent.chmod(0o500)
    try:
        yield
    finally:
        file.parent.chmod(0o700)
        if is_root:
            os.seteuid(0)


def test_a_file_that_may_only_be_read_is_said(sqlite_database: Database) -> None:
    """A write on a connection that may not write."""
    with (
        pytest.raises(StoreUnavailable, match="only be read"),
        sqlite_database.reading() as connection,
    ):
        connection.execute(PUT, {"key": "a", "value": "1"})


def test_mistakes_of_the_program_are_not_taken_for_the_databases(database: Database) -> None:
    """A wrong statement or a doubled row does not make anybody wait for better times."""
    with (
        pytest.raises((OperationalError, ProgrammingError)),
        database.writing() as connection,
    ):
        connection.execute(text("SELECT nothing FROM nowhere"))
    put(database, "a")
    with pytest.raises(IntegrityError):
        put(database, "a")


@pytest.mark.postgresql
def test_a_read_sees_one_moment_on_postgresql(postgresql_database: Database) -> None:
    """What others commit between two statements of a read is not in it, as on SQLite."""
    database = postgresql_database
    with database.reading() as connection:
        before = connection.execute(text("SELECT count(*) FROM facts")).scalar_one()
        put(database, "a")
        after = connection.execute(text("SELECT count(*) FROM facts")).scalar_one()

    assert (0, 0, 1) == (before, after, count(database))

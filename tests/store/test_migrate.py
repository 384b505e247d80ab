"""Migrations and `schema` make the same tables; starting twice or a downgrade does no harm."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from wireroom.errors import StoreTooNew
from wireroom.store import migrate, schema
from wireroom.store.engine import Database, connect


@pytest.fixture
def empty(database: Database) -> Database:
    """A database without any table."""
    with database.writing() as connection:
        schema.metadata.drop_all(connection)
    return database


def test_migrations_make_the_tables_of_the_schema(empty: Database) -> None:
    """Nothing is left to change after all migrations ran: column for column, index for index."""
    migrate.migrate(empty)

    with empty.writing() as connection:
        is_ours = {"include_name": lambda name, *_: not str(name).startswith("entry_search")}
        context = MigrationContext.configure(connection, opts=is_ours)
        differences = compare_metadata(context, schema.metadata)
    assert [] == differences


def test_sqlite_tables_are_made_word_for_word(tmp_path: Path) -> None:
    """What autogeneration cannot see, such as WITHOUT ROWID, is the same in both as well."""
    made = connect(f"sqlite:///{tmp_path / 'made.sqlite3'}")
    migrated = connect(f"sqlite:///{tmp_path / 'migrated.sqlite3'}")
    with made.writing() as connection:
        schema.metadata.create_all(connection)
    migrate.migrate(migrated)

    with made.reading() as one, migrated.reading() as other:
        assert _definitions(one) == _definitions(other)
    made.close()
    migrated.close()


def _definitions(connection: Connection) -> dict[str, list[str]]:
    rows = connection.execute(
        text("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%alembic%'")
    )
    return {
        # In parts, because ALTER TABLE puts a column behind the last line.
        name: sorted(filter(None, (part.strip(" \t)") for part in re.split(r"[,\n]", sql or ""))))
        for name, sql in rows
    }


def test_the_head_is_the_newest_migration() -> None:
    """`migrate.HEAD` names the last file, so that a start without work stays quick."""
    scripts = ScriptDirectory(str(migrate._SCRIPTS))

    assert [migrate.HEAD] == scripts.get_heads()


def test_a_second_start_has_nothing_to_do(empty: Database) -> None:
    """The first run tells what it applied, the second applies nothing."""
    assert migrate.HEAD == migrate.migrate(empty)[-1]
    assert [] == migrate.migrate(empty)


def test_two_starts_at_once_are_safe(empty: Database) -> None:
    """Two processes that migrate the same database: one does it, the other finds it done."""
    others = [connect(empty.url.render_as_string(hide_password=False)) for _ in range(2)]
    with ThreadPoolExecutor(2) as threads:
        applied = list(threads.map(migrate.migrate, others))
    for other in others:
        other.close()

    assert [[], migrate.HEAD] == [min(applied), max(applied)[-1]]


def test_a_newer_database_is_refused(empty: Database) -> None:
    """A downgrade would damage data, so an older Wireroom says which version to start."""
    migrate.migrate(empty)
    with empty.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(StoreTooNew, match="newer Wireroom"):
        migrate.migrate(empty)

"""Migrations and `schema` make the same tables; starting twice or a downgrade does no harm."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, select, text

from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from tests.store.filled import fill_tables, rows_of, tables_of
from wireroom.errors import StoreTooNew
from wireroom.store import labels, migrate, read_states, schema
from wireroom.store.engine import Database, connect
from wireroom.store.read_states import StateChange


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
    """Two processes that migrate one database: one does it, the other finds it done (STO-01)."""
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


def test_what_the_first_version_kept_comes_along(empty: Database) -> None:
    """An installation of the first version starts with this one, every row in its place
    (STO-01)."""
    assert ["0001"] == migrate.migrate(empty, through="0001")
    with empty.writing() as connection:
        tables = tables_of(connection)
        fill_tables(connection, tables)
        before = [rows_of(connection, table) for table in tables]

    assert migrate.HEAD == migrate.migrate(empty)[-1]
    with empty.reading() as connection:
        assert before == [rows_of(connection, table) for table in tables]


def test_rules_go_on_where_routes_left_them(empty: Database) -> None:
    """Migration 0011: behind the last entry that a route dealt with, or else behind all."""
    migrate.migrate(empty)
    with empty.writing() as connection:
        ada, eve = add_account(connection), add_account(connection, "eve", "member")
        feeds = [add_feed(connection, title, last_seq=9) for title in ("One", "Two", "Three")]
        for feed in feeds:
            own = {"rules": "rust -> read"} if feed != feeds[2] else {}
            follow(connection, ada, feed, settings=own)
        follow(connection, eve, feeds[0])
        for address, cursor in (("1", 3), ("2", 5)):
            there = connection.execute(
                insert(schema.destinations)
                .values(account_id=ada, channel="telegram", address=address, created_at=NOON)
                .returning(schema.destinations.c.id)
            ).scalar_one()
            route = {"subscription_id": 1, "feed_id": feeds[0], "destination_id": there}
            connection.execute(
                insert(schema.routes).values(cursor=cursor, created_at=NOON, **route)
            )
        for undone in (
            "DROP INDEX ix_subscriptions_ruled_through",
            "ALTER TABLE subscriptions DROP COLUMN ruled_through",
            "ALTER TABLE routes DROP COLUMN marked_through",
            "DROP TABLE site_icons",
            "UPDATE alembic_version SET version_num = '0010'",
        ):
            connection.execute(text(undone))

    assert "0011" in migrate.migrate(empty)
    with empty.reading() as connection:
        cursor = select(schema.subscriptions.c.ruled_through).order_by(schema.subscriptions.c.id)
        assert [5, 9, None, None] == list(connection.execute(cursor).scalars())


def test_labels_get_the_dates_of_their_entries_and_are_told(empty: Database) -> None:
    """Migration 0014: what was said of an entry stays, and state sync has it once more."""
    migrate.migrate(empty)
    with empty.writing() as connection:
        ada = add_account(connection)
        feed, left = add_feed(connection, "One"), add_feed(connection, "Two")
        follow(connection, ada, feed)
        for minute in range(3):
            add_entry(connection, feed, at(minute))
        add_entry(connection, left, at(9))
        said = StateChange(feed, 1, is_favorite=True)
        read_states.set_states(connection, ada, [said], NOON)
        label = labels.add(connection, ada, "work", now=NOON)
        for undone in (
            "DROP TABLE entry_tags",
            "CREATE TABLE entry_tags (tag_id INTEGER, feed_id BIGINT, seq BIGINT)",
            *(
                f"INSERT INTO entry_tags VALUES ({label}, {there}, {seq})"
                for there, seq in ((feed, 1), (feed, 2), (left, 1), (feed, 99))
            ),
            "UPDATE alembic_version SET version_num = '0013'",
        ):
            connection.execute(text(undone))

    migrate.migrate(empty)

    carried, states = schema.entry_tags.c, schema.entry_states.c
    with empty.reading() as connection:
        dated = connection.execute(
            select(carried.feed_id, carried.seq, carried.sort_at).order_by(carried.sort_at)
        )
        assert [(feed, 1, at(0)), (feed, 2, at(1)), (left, 1, at(9))] == dated.all()
        told = connection.execute(
            select(states.feed_id, states.seq, states.is_read, states.is_favorite)
            .where(states.updated_at != NOON)
            .order_by(states.seq)
        )
        assert [(feed, 1, None, True), (feed, 2, None, False)] == told.all()

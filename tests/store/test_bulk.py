"""Rows that go past SQLAlchemy come out as if they had not."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from tests.rows import NOON, add_feed, at
from tests.store.filled import fill_every_table
from wireroom.store import bulk
from wireroom.store.engine import Database
from wireroom.store.schema import entries, facts, feeds, lanes, metadata


def rows_of(connection: Connection, table: Any) -> list[Any]:
    return [dict(row._mapping) for row in connection.execute(select(table))]


@pytest.mark.parametrize("name", ["tokens", "entries", "entry_states", "facts", "unindexed"])
def test_every_type_is_kept_alike(database: Database, name: str) -> None:
    """Instants, JSON, bytes, booleans and NULL: the same rows as SQLAlchemy's own insert gives."""
    table = metadata.tables[name]
    with database.writing() as connection:
        fill_every_table(connection)
        expected = rows_of(connection, table)
        connection.execute(table.delete())
        bulk.insert(connection, table, expected)

        assert expected == rows_of(connection, table)


@pytest.mark.parametrize("value", [[], {}, None, 0, "", [0], {"a": None}, "ü😀", True])
def test_json_comes_back_as_it_went(database: Database, value: Any) -> None:
    """Also what is false and empty."""
    with database.writing() as connection:
        bulk.insert(connection, facts, [{"key": "a", "value": value, "updated_at": NOON}])

        kept = connection.scalar(select(facts.c.value))
    assert (value, type(value)) == (kept, type(kept))


def test_an_update_sets_what_the_rows_hold(database: Database) -> None:
    """Each row its own feed; NULL is a value; other columns stay."""
    with database.writing() as connection:
        ids = [add_feed(connection, str(number), failing_since=NOON) for number in range(3)]
        changed = [
            {"id": ids[0], "next_poll_at": at(1), "failing_since": None, "hints": {"ttl": 5}},
            {"id": ids[2], "next_poll_at": None, "failing_since": at(2), "hints": {}},
        ]
        bulk.update(connection, feeds, changed)

        rows = connection.execute(
            select(feeds.c.title, feeds.c.next_poll_at, feeds.c.failing_since, feeds.c.hints)
            .where(feeds.c.id.in_(ids))
            .order_by(feeds.c.id)
        ).all()
    assert [("0", at(1), None, {"ttl": 5}), ("1", None, NOON, {}), ("2", None, at(2), {})] == [
        tuple(row) for row in rows
    ]


def test_an_update_finds_rows_by_a_key_of_several_columns(database: Database) -> None:
    """It sets what stands besides as well, and tells how many rows there were."""
    with database.writing() as connection:
        fill_every_table(connection)
        place = connection.execute(select(entries.c.feed_id, entries.c.seq)).first()
        assert place is not None
        row = {"feed_id": place.feed_id, "seq": place.seq, "title": "Anew"}
        key, more = ("feed_id", "seq"), ", revision = revision + 1"
        here = (entries.c.feed_id == place.feed_id, entries.c.seq == place.seq)
        before = connection.scalar(select(entries.c.revision).where(*here))

        met = bulk.update(connection, entries, [row, {**row, "seq": 10**6}], key, more)

        kept = connection.execute(select(entries.c.title, entries.c.revision).where(*here)).one()
    assert (1, "Anew", before + 1) == (met, kept.title, kept.revision)


@pytest.mark.parametrize("among", [["plain"], ["ü😀", "x" * 512], []], ids=["plain", "any", "one"])
def test_texts_become_what_an_engine_can_keep(database: Database, among: list[str]) -> None:
    """NUL, half surrogates and what is too long for the column, whatever stands beside them."""
    wrong = {"a\0b": "a\ufffdb", "a\ud83d": "a\ufffd", "x" * 513: "x" * 512, "": ""}
    titles = [*among, *wrong]
    with database.writing() as connection:
        ids = [add_feed(connection, str(number)) for number in range(len(titles))]
        rows = [{"id": each, "title": title} for each, title in zip(ids, titles, strict=True)]
        bulk.update(connection, feeds, rows)

        kept = connection.scalars(select(feeds.c.title).where(feeds.c.id.in_(ids))).all()
    assert sorted([*among, *wrong.values()]) == sorted(kept)


def test_no_rows_are_no_statement(database: Database) -> None:
    """Nothing to insert or update is not an error."""
    with database.writing() as connection:
        bulk.insert(connection, entries, [])
        bulk.update(connection, feeds, [])


@pytest.mark.parametrize("year", [1900, 1969, 1970, 2026, 9998])
def test_instants_are_those_of_the_schema(database: Database, year: int) -> None:
    """Milliseconds are cut and never rounded, before 1970 too, as `Instant` does it."""
    moment = datetime(year, 2, 3, 4, 5, 6, 789_999, tzinfo=UTC)
    with database.writing() as connection:
        bulk.insert(connection, lanes, [{"key": "one", "ready_at": moment}])
        connection.execute(insert(lanes).values(key="other", ready_at=moment))

        assert 1 == len(set(connection.scalars(select(lanes.c.ready_at))))


def test_a_naive_instant_is_refused(database: Database) -> None:
    """Nobody knows which moment it means."""
    with database.writing() as connection, pytest.raises(TypeError):
        bulk.insert(connection, lanes, [{"key": "one", "ready_at": datetime(2026, 1, 1)}])

"""What is remembered of a feed's entries, and how they come out again."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert

from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from wireroom.feeds.changes import Known
from wireroom.feeds.model import Enclosure
from wireroom.feeds.traits import ItemKey
from wireroom.store import entries
from wireroom.store.engine import Database
from wireroom.store.schema import entry_keys


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


def key(number: int) -> ItemKey:
    return ItemKey(number.to_bytes(16, "big"))


def name_it(connection: Connection, feed_id: int, seq: int | None, *numbers: int) -> None:
    for number in numbers:
        row = {"feed_id": feed_id, "key": key(number), "seq": seq}
        connection.execute(insert(entry_keys).values(row))


def test_only_keys_of_the_feed_are_known(connection: Connection) -> None:
    """Two feeds may have the same key for two different things."""
    one, other = add_feed(connection, "One"), add_feed(connection, "Other")
    add_entry(connection, one, NOON, "Mine")
    add_entry(connection, other, NOON, "Theirs")
    name_it(connection, one, 1, 1, 2)
    name_it(connection, other, 1, 1, 3)

    memory = entries.remember(connection, one, [key(1), key(2), key(3)])
    assert {key(1): "Mine", key(2): "Mine"} == {k: v.title for k, v in memory.known.items()}


def test_a_name_without_an_entry_is_a_tombstone(connection: Connection) -> None:
    """Whether its number was taken away, or the entry is gone under it."""
    feed_id = add_feed(connection)
    name_it(connection, feed_id, None, 1)
    name_it(connection, feed_id, 99, 2)

    known = entries.remember(connection, feed_id, [key(1), key(2)]).known
    assert {key(1): Known(seq=None), key(2): Known(seq=None)} == known


def test_more_keys_than_one_statement_takes(connection: Connection) -> None:
    """All are looked up, in pieces (B33)."""
    feed_id = add_feed(connection)
    add_entry(connection, feed_id, NOON)
    name_it(connection, feed_id, 1, 0, 49_999)

    known = entries.remember(connection, feed_id, [key(n) for n in range(50_000)]).known
    assert {key(0), key(49_999)} == set(known)


def test_the_oldest_date_and_the_longest_follower_are_remembered(connection: Connection) -> None:
    """None of both for a feed that has neither."""
    feed_id = add_feed(connection)
    memory = entries.remember(connection, feed_id, [])
    assert (None, None) == (memory.followed_since, memory.oldest_published)
    for name, minute in (("ada", 5), ("bob", 3)):
        follow(connection, add_account(connection, name), feed_id, created_at=at(minute))
    for minute in (9, 7, 8):
        add_entry(connection, feed_id, at(minute))

    memory = entries.remember(connection, feed_id, [])
    assert (at(3), at(7)) == (memory.followed_since, memory.oldest_published)


def test_entries_come_in_the_order_of_their_numbers(connection: Connection) -> None:
    """From one number on, so many at a time, whatever their dates say."""
    feed_id = add_feed(connection)
    for minute in (5, 1, 3, 2):
        add_entry(connection, feed_id, at(minute), large_body="long" if minute == 3 else None)

    found = entries.after(connection, feed_id, 1, 2)
    assert [(2, "<p>Text of Entry 2</p>"), (3, "long")] == [(e.seq, e.content) for e in found]
    assert entries.one(connection, feed_id, 9) is None


@pytest.mark.parametrize(
    "enclosure",
    [
        Enclosure("https://x.example/a"),
        Enclosure("https://x.example/a", "audio/mpeg", 0, 0, "Episode", 0, 0),
        Enclosure("https://x.example/a", length_bytes=2**40),
    ],
)
def test_an_enclosure_comes_back(enclosure: Enclosure) -> None:
    """Nothing that is known of it is lost, zero included; what is unknown takes no room."""
    kept = entries.enclosure_as_json(enclosure)

    assert enclosure == entries.enclosure_from_json(kept)
    assert None not in kept.values()

"""Statements that go past SQLAlchemy say and give the same as with it."""

from datetime import timedelta

import pytest
from sqlalchemy import Select, insert, select, update

from tests.rows import NOON
from tests.store.polled import make_feed
from wireroom.store import claims, feeds, turns
from wireroom.store.engine import Database
from wireroom.store.prepared import Keys, Prepared
from wireroom.store.schema import feed_access, lanes
from wireroom.store.schema import feeds as feeds_table


@pytest.mark.parametrize("count", [0, 1, 3, 4], ids=str)
def test_keys(database: Database, count: int) -> None:
    """Any number of keys meets just those rows, also the same number with other keys."""
    several = Prepared(lambda keys: select(lanes.c.key).where(lanes.c.key.in_(keys)))
    with database.writing() as connection:
        for name in "abcd":
            connection.execute(insert(lanes).values(key=name))

        for names in ("abcd"[:count], "dcba"[:count]):
            found = {key for (key,) in several.rows(connection, list(names))}
            assert set(names) == found


def test_few_texts(database: Database) -> None:
    """Batches of all sizes share their statements: one text for each power of two."""
    written = []

    def make(keys: Keys) -> Select[str]:
        written.append(len(keys))
        return select(lanes.c.key).where(lanes.c.key.in_(keys))

    several = Prepared(make)
    with database.reading() as connection:
        for count in range(1, 101):
            several.rows(connection, [str(key) for key in range(count)])

    assert [1, 2, 4, 8, 16, 32, 64, 128] == written


def test_a_feed_is_the_same(database: Database) -> None:
    """Every column of a due feed, read past SQLAlchemy and with it."""
    filled = {
        "etag": '"ü"',
        "body_hash": b"\x00\xff" * 8,
        "item_digests": b"\x01" * 32,
        "hints": {"ttl": 60, "sy": None, "hours": [1, 2], "days": [6]},
        "history": {"unchanged": 2, "gaps": [1_700_000_000, 60]},
        "health": {"success": 1_700_000_000},
        "wanted_interval_seconds": 600,
        "wanted_by_all": True,
        "last_success_at": NOON - timedelta(hours=1, milliseconds=7),
        "announced_url": "https://elsewhere.example/feed",
        "announced_times": 2,
    }
    with database.writing() as connection:
        feed_id = make_feed(connection)
        connection.execute(update(feeds_table).where(feeds_table.c.id == feed_id).values(**filled))
        connection.execute(insert(feed_access).values(feed_id=feed_id, sealed=b"\x05sealed"))
        expected = feeds.to_poll(connection, feed_id)
        leases = claims.claim_lanes(connection, owner="me", now=NOON, limit=5)

        assert {"harbour.example": expected} == turns.next_due(connection, leases, now=NOON)

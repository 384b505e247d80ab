"""Feeds are made once, go with everything of theirs, and are asked when somebody wants it."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, func, select

from tests.rows import NOON, add_account, at
from tests.store.polled import make_feed
from tests.store.stepping import count_statements, let_in
from wireroom.feeds.model import Hints
from wireroom.store import claims, feed_to_poll, feeds, subscriptions
from wireroom.store.engine import Database
from wireroom.store.schema import feeds as feed_rows
from wireroom.store.schema import lanes


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


def test_a_feed_is_its_address_its_adapter_and_its_owner(connection: Connection) -> None:
    """The same three find the same row; any other makes another one (IDN-01, ADP-16)."""
    account_id = add_account(connection)
    made = [
        make_feed(connection),
        make_feed(connection),
        make_feed(connection, adapter="f5"),
        make_feed(connection, owner_account_id=account_id),
    ]

    assert made[0] == made[1]
    assert 3 == len(set(made))


def test_a_new_feed_is_due_at_once(connection: Connection) -> None:
    """Its lane is ready, whatever else is on it."""
    make_feed(connection)

    (lease,) = claims.claim_lanes(connection, owner="me", now=NOON, limit=9)
    assert "harbour.example" == lease.lane


def test_long_and_odd_texts_of_a_feed_are_cut(connection: Connection) -> None:
    """Titles are what people type into lists of subscriptions."""
    feed_id = make_feed(connection, title="x" * 9_000 + "\0")

    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    assert "x" * 512 == feed.title


def test_hints_come_back_as_they_were(connection: Connection) -> None:
    """A 304 has no hints; those of the last document hold (SCH-27)."""
    hints = Hints(60, 30, frozenset({0, 23}), frozenset({5, 6}))
    feed_id = make_feed(connection)
    kept = feed_to_poll.hints_as_json(hints)
    connection.execute(feed_rows.update().values(hints=kept))

    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    assert hints == feed.hints


def test_a_followed_feed_is_not_purged(connection: Connection) -> None:
    """Whoever asks for it to go is told that it stays."""
    feed_id = make_feed(connection)
    subscriptions.add(connection, account_id=add_account(connection), feed_id=feed_id, now=NOON)

    assert not feeds.purge_if_unfollowed(connection, feed_id, now=NOON)
    assert not feeds.purge_if_unfollowed(connection, 4711, now=NOON)


def test_a_lane_that_is_worked_on_or_silent_stays(connection: Connection) -> None:
    """The last feed of a host goes; a promise to the host, and the lease of a worker, do not."""
    for name in ("leased", "silent", "free"):
        make_feed(connection, name)
    claims.claim_lane(connection, "leased.example", owner="me", now=NOON)
    claims.pause_lane(connection, "silent.example", until=at(60))
    for feed_id in connection.scalars(select(feed_rows.c.id)).all():
        assert feeds.purge_if_unfollowed(connection, feed_id, now=NOON)

    left = connection.scalars(select(lanes.c.key).order_by(lanes.c.key))
    assert ["leased.example", "silent.example"] == list(left)


def test_asking_by_hand_respects_a_silence(connection: Connection) -> None:
    """The feed is due, the lane is not before the host's time is over (SCH-41)."""
    feed_id = make_feed(connection)
    claims.pause_lane(connection, "harbour.example", until=at(60))

    assert feeds.make_due(connection, feed_id, now=at(1), reason="asked for by hand")
    assert [] == claims.claim_lanes(connection, owner="me", now=at(59), limit=1)
    assert not feeds.make_due(connection, 4711, now=at(1), reason="asked for by hand")


def test_a_crash_does_not_end_a_silence(connection: Connection) -> None:
    """The worker was told to wait for an hour and died: its lease ends, the hour does not."""
    make_feed(connection)
    (lease,) = claims.claim_lanes(connection, owner="dead", now=NOON, limit=1)
    claims.pause_lane(connection, lease.lane, until=at(60))

    assert [] == claims.claim_lanes(connection, owner="me", now=at(30), limit=1)
    assert 1 == len(claims.claim_lanes(connection, owner="me", now=at(60), limit=1))


@pytest.mark.postgresql
def test_two_make_the_same_feed_at_once(postgresql_database: Database) -> None:
    """One row, one lane, and both get its number, wherever they meet."""
    database = postgresql_database
    for number in range(1, count_statements(database, make_feed) + 1):
        assert 1 == len(set(let_in(database, make_feed, number, make_feed)))
        with database.writing() as connection:
            for feed_id in connection.scalars(select(feed_rows.c.id)).all():
                feeds.purge_if_unfollowed(connection, feed_id, now=NOON)


@pytest.mark.postgresql
def test_a_feed_is_made_while_its_lane_goes(postgresql_database: Database) -> None:
    """A worker gives an empty lane back at the moment when a feed of that host is added."""
    database = postgresql_database

    def begin(connection: Connection) -> claims.LaneLease:
        for feed_id in connection.scalars(select(feed_rows.c.id)).all():
            feeds.purge_if_unfollowed(connection, feed_id, now=at(10))
        lease = claims.claim_lane(connection, "harbour.example", owner="me", now=at(10))
        assert lease is not None
        return lease

    with database.writing() as connection:
        lease = begin(connection)
    release = count_statements(
        database, lambda connection: claims.release_lane(connection, lease, now=at(1))
    )
    for number in range(1, release + 1):
        let_in(
            database,
            lambda connection, mine=lease: claims.release_lane(connection, mine, now=at(1)),
            number,
            make_feed,
        )
        with database.writing() as connection:
            assert 1 == connection.scalar(select(func.count()).select_from(feed_rows))
            ready = connection.scalar(select(lanes.c.ready_at))
            assert ready is not None, f"let in before statement {number}"
            assert ready <= at(1)
            lease = begin(connection)


@pytest.mark.postgresql
def test_a_lane_is_given_back_while_a_feed_of_it_is_made(postgresql_database: Database) -> None:
    """The other way round: the release falls between any two statements of the making."""
    database = postgresql_database

    def begin(connection: Connection) -> claims.LaneLease:
        for feed_id in connection.scalars(select(feed_rows.c.id)).all():
            feeds.purge_if_unfollowed(connection, feed_id, now=at(10))
        lease = claims.claim_lane(connection, "harbour.example", owner="me", now=at(10))
        assert lease is not None
        return lease

    with database.writing() as connection:
        lease = begin(connection)
    for number in range(1, count_statements(database, make_feed) + 1):
        let_in(
            database,
            make_feed,
            number,
            lambda connection, mine=lease: claims.release_lane(connection, mine, now=at(1)),
        )
        with database.writing() as connection:
            ready = connection.scalar(select(lanes.c.ready_at))
            assert ready is not None, f"let in before statement {number}"
            assert ready <= at(1)
            lease = begin(connection)

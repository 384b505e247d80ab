"""States of one account in one feed, in both orders, on SQLite and PostgreSQL."""

import pytest

from tests.rows import add_account, add_entry, add_feed, at, follow
from wireroom.store import read_states, reading, syncing
from wireroom.store.engine import Database
from wireroom.store.read_states import StateChange
from wireroom.store.syncing import START, Partition, Point


@pytest.fixture
def which(database: Database) -> Partition:
    """Four entries, dated 3, 1, 2, 2 minutes ago; all but the last were spoken of, 4 to 2 first.

    Another account said something of each at the same moments.
    """
    with database.writing() as connection:
        ada, bob = add_account(connection), add_account(connection, "bob")
        feed_id = add_feed(connection)
        subscription = follow(connection, ada, feed_id)
        follow(connection, bob, feed_id)
        for minutes in (3, 1, 2, 2):
            add_entry(connection, feed_id, at(-minutes))
        for minute, seq in ((1, 4), (1, 3), (2, 1)):
            for account in (ada, bob):
                change = StateChange(feed_id, seq, is_favorite=True)
                read_states.set_states(connection, account, [change], at(minute))
        found = syncing.partition(connection, ada, subscription)
        assert found is not None
    return found


@pytest.mark.parametrize("limit", [1, 2, 3, 9])
def test_both_orders_are_walked_without_gap_or_repeat(
    database: Database, which: Partition, limit: int
) -> None:
    """By place: date, then number. By change: moment, then number."""
    places: list[int] = []
    changes: list[int] = []
    with database.reading() as connection:
        point = START
        while page := syncing.states_by_place(connection, which, point, limit):
            places += [state.seq for state in page]
            point = Point(page[-1].sort_at, page[-1].seq)
        point = START
        while page := syncing.states_by_change(connection, which, point, limit):
            changes += [state.seq for state in page]
            point = Point(page[-1].updated_at, page[-1].seq)

    assert [1, 3, 4] == places
    assert [3, 4, 1] == changes


def test_a_partition_is_its_owners(database: Database, which: Partition) -> None:
    """Nobody else gets at it by the subscription's number."""
    with database.reading() as connection:
        assert syncing.partition(connection, which.account_id + 1, 1) is None
        assert syncing.partition(connection, which.account_id, 77) is None


def test_entries_past_a_number(database: Database, which: Partition) -> None:
    """In the order in which they came, dates aside, for those who follow the feed."""
    with database.reading() as connection:
        ours = reading.entries_past(connection, which.account_id, which.feed_id, 1, 2)
        strangers = reading.entries_past(connection, 77, which.feed_id, 0, 9)

    assert [2, 3] == [entry.seq for entry in ours]
    assert [] == strangers

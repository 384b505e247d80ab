"""Coming and going: counts are right, feeds go with their last follower and never under a new
one.
"""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, func, insert, select

from tests.rows import NOON, add_account, at
from tests.store.polled import item, make_feed, read
from tests.store.stepping import count_statements, let_in
from wireroom.errors import Conflict
from wireroom.store import feeds, ingest, subscriptions
from wireroom.store.engine import Database
from wireroom.store.schema import entries as entry_rows
from wireroom.store.schema import entry_keys, entry_states, lanes
from wireroom.store.schema import feeds as feed_rows
from wireroom.store.schema import subscriptions as subscription_rows


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


def count_of(connection: Connection, feed_id: int) -> int | None:
    return connection.scalar(select(feed_rows.c.subscriber_count).where(feed_rows.c.id == feed_id))


def leave(connection: Connection, account_id: int, subscription_id: int, feed_id: int) -> bool:
    subscriptions.remove(connection, account_id=account_id, subscription_id=subscription_id)
    return feeds.purge_if_unfollowed(connection, feed_id, now=NOON)


def test_following_twice_is_following_once(connection: Connection) -> None:
    """The second call answers with the first one's row (IDN-20)."""
    account_id, feed_id = add_account(connection), make_feed(connection)
    first = subscriptions.add(connection, account_id=account_id, feed_id=feed_id, now=NOON)
    again = subscriptions.add(connection, account_id=account_id, feed_id=feed_id, now=at(1))

    assert (False, True) == (first.existing, again.existing)
    assert first.subscription_id == again.subscription_id
    assert 1 == count_of(connection, feed_id)


def test_a_strangers_subscription_cannot_be_ended(connection: Connection) -> None:
    """It is the same as one that does not exist (promise 10)."""
    ada, bob = add_account(connection), add_account(connection, "bob")
    feed_id = make_feed(connection)
    made = subscriptions.add(connection, account_id=ada, feed_id=feed_id, now=NOON)
    for subscription_id in (made.subscription_id, 4711):
        ended = subscriptions.remove(connection, account_id=bob, subscription_id=subscription_id)
        assert ended is None

    assert 1 == count_of(connection, feed_id)


def test_marks_go_with_the_subscription(connection: Connection) -> None:
    """Who follows again later finds no old marks; those of others stay (STO-19)."""
    ada, bob = add_account(connection), add_account(connection, "bob")
    feed_id = make_feed(connection)
    made = [
        subscriptions.add(connection, account_id=account_id, feed_id=feed_id, now=NOON)
        for account_id in (ada, bob)
    ]
    for account_id in (ada, bob):
        connection.execute(
            insert(entry_states).values(
                account_id=account_id, feed_id=feed_id, seq=1, is_read=True, updated_at=NOON
            )
        )
    subscriptions.remove(connection, account_id=ada, subscription_id=made[0].subscription_id)

    assert [bob] == list(connection.scalars(select(entry_states.c.account_id)))
    assert 1 == count_of(connection, feed_id)


def test_everything_of_a_feed_goes_with_its_last_follower(connection: Connection) -> None:
    """Rows, names, marks and the lane; whoever follows again starts fresh (STO-06, STO-11)."""
    account_id, feed_id = add_account(connection), make_feed(connection)
    made = subscriptions.add(connection, account_id=account_id, feed_id=feed_id, now=NOON)
    finished = read(connection, feed_id, item("a"), item("b"))
    ingest.commit(connection, [finished], NOON)
    connection.execute(lanes.update().values(lease_owner=None))

    assert leave(connection, account_id, made.subscription_id, feed_id)
    for table in (feed_rows, entry_rows, entry_keys, lanes):
        assert 0 == connection.scalar(select(func.count()).select_from(table))


def test_a_feed_that_was_forgotten_cannot_be_followed(connection: Connection) -> None:
    """Whoever was a moment too late is told so, and may try again."""
    account_id = add_account(connection)

    with pytest.raises(Conflict, match="try again"):
        subscriptions.add(connection, account_id=account_id, feed_id=4711, now=NOON)


@pytest.mark.postgresql
def test_one_comes_while_the_last_one_goes(postgresql_database: Database) -> None:
    """Between any two statements: no deadlock, and either the feed is gone or it has a
    follower.
    """
    database = postgresql_database
    with database.writing() as connection:
        ada, bob = add_account(connection), add_account(connection, "bob")

    def prepare(connection: Connection) -> tuple[int, int]:
        feed_id = make_feed(connection)
        made = subscriptions.add(connection, account_id=ada, feed_id=feed_id, now=NOON)
        return feed_id, made.subscription_id

    def come(connection: Connection) -> int:
        feed_id = make_feed(connection)
        subscriptions.add(connection, account_id=bob, feed_id=feed_id, now=NOON)
        return feed_id

    with database.writing() as connection:
        feed_id, subscription_id = prepare(connection)
    steps = count_statements(database, lambda c: leave(c, ada, subscription_id, feed_id))
    for number in range(1, steps + 1):
        purged, followed = let_in(
            database,
            lambda c, s=subscription_id, f=feed_id: leave(c, ada, s, f),
            number,
            come,
        )
        with database.writing() as connection:
            assert 1 == count_of(connection, followed), f"let in before statement {number}"
            assert purged == (followed != feed_id)
            for each in connection.scalars(select(subscription_rows.c.id)).all():
                leave(connection, bob, each, followed)
            feed_id, subscription_id = prepare(connection)


@pytest.mark.postgresql
def test_two_come_at_once_and_both_are_counted(postgresql_database: Database) -> None:
    """The count is that of both, wherever the second one comes in between."""
    database = postgresql_database
    with database.writing() as connection:
        accounts = [add_account(connection, str(number)) for number in range(20)]
        feed_id = make_feed(connection)

    def come(account_id: int) -> object:
        return lambda c: subscriptions.add(c, account_id=account_id, feed_id=feed_id, now=NOON)

    for number in range(1, 6):
        let_in(database, come(accounts.pop()), number, come(accounts.pop()))  # type: ignore[arg-type]

    with database.reading() as connection:
        assert 10 == count_of(connection, feed_id)

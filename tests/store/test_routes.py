"""Routes begin where they were asked to, once, and news reach those who wait."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, func, select

from tests.rows import NOON, add_account, at
from tests.store.polled import item, make_feed, read
from tests.store.stepping import count_statements, let_in
from wireroom.store import entries, feeds, ingest, routes, subscriptions
from wireroom.store.engine import Database
from wireroom.store.schema import destinations
from wireroom.store.schema import routes as route_rows


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


def followed(connection: Connection) -> tuple[int, int, int]:
    """A feed that was not read yet, its subscription, and a destination."""
    account_id, feed_id = add_account(connection), make_feed(connection)
    made = subscriptions.add(connection, account_id=account_id, feed_id=feed_id, now=NOON)
    return feed_id, made.subscription_id, add_destination(connection, account_id)


def add_destination(connection: Connection, account_id: int, secret: bytes | None = None) -> int:
    return routes.add_destination(
        connection,
        account_id=account_id,
        channel="telegram",
        address="4711",
        secret=secret,
        title="",
        now=NOON,
    )


def route(connection: Connection, subscription_id: int, destination_id: int, newest: int) -> int:
    return routes.add_route(
        connection,
        subscription_id=subscription_id,
        destination_id=destination_id,
        initial_items=newest,
        now=at(1),
    )


def cursor(connection: Connection) -> tuple[int | None, int]:
    row = connection.execute(select(route_rows.c.cursor, route_rows.c.asked_through)).one()
    return tuple(row)


def store(connection: Connection, feed_id: int, *names: str, minute: int = 0) -> None:
    items = [item(name) for name in names]
    finished = read(connection, feed_id, *items, now=at(minute))
    ingest.commit(connection, [finished], at(minute))


@pytest.mark.parametrize(
    ("newest", "expected"), [(0, (3, 3)), (1, (2, 3)), (3, (0, 3)), (50, (0, 3))]
)
@pytest.mark.parametrize("first", ["route", "reading"])
def test_a_route_begins_with_as_many_items_as_were_asked_for(
    connection: Connection, first: str, newest: int, expected: tuple[int, int]
) -> None:
    """Whichever comes first, the route or the first reading: 0, 1 or N items, never a flood."""
    feed_id, subscription_id, destination_id = followed(connection)
    steps = {
        "route": lambda: route(connection, subscription_id, destination_id, newest),
        "reading": lambda: store(connection, feed_id, "c", "b", "a"),
    }
    steps.pop(first)()
    for step in steps.values():
        step()

    assert expected == cursor(connection)


@pytest.mark.parametrize(
    ("newest", "expected"),
    [
        pytest.param(0, (3, 0), id="only the news"),
        pytest.param(1, (3, 5), id="fewer than the news"),
        pytest.param(4, (1, 5), id="more than the news"),
    ],
)
def test_what_came_since_an_import_is_ahead_of_the_cursor(
    connection: Connection, newest: int, expected: tuple[int, int]
) -> None:
    """Above rss-bot's marker everything is delivered at the first reading, and only then
    (IDN-21).
    """
    feed_id, subscription_id, destination_id = followed(connection)
    assert feeds.mark_announced(connection, feed_id, "urn:c")
    route(connection, subscription_id, destination_id, newest)
    store(connection, feed_id, "e", "d", "c", "b", "a")

    assert expected == cursor(connection)
    assert [False, False, False, True, True] == [
        entry.is_news for entry in entries.after(connection, feed_id, 0, 9)
    ]
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    assert "" == feed.import_marker
    assert not feeds.mark_announced(connection, feed_id, "urn:a")


def test_a_route_waits_for_a_first_reading_that_fails(connection: Connection) -> None:
    """Without a reading there is nothing to count from."""
    _, subscription_id, destination_id = followed(connection)
    route(connection, subscription_id, destination_id, 1)

    assert (None, 0) == cursor(connection)


def test_a_first_reading_without_items_lets_the_next_one_through(connection: Connection) -> None:
    """An empty feed is read: what comes later is news and is ahead of the cursor."""
    feed_id, subscription_id, destination_id = followed(connection)
    route(connection, subscription_id, destination_id, 0)
    store(connection, feed_id)

    assert (0, 0) == cursor(connection)


def test_initial_items_wake_the_destination_at_once(connection: Connection) -> None:
    """Nobody waits for the next news to get what was asked for."""
    feed_id, subscription_id, destination_id = followed(connection)
    store(connection, feed_id, "a")
    route(connection, subscription_id, destination_id, 1)

    assert at(1) == connection.scalar(select(destinations.c.ready_at))


def test_a_secret_given_again_replaces_the_old_one(connection: Connection) -> None:
    """A webhook was made anew under its old address; without a secret the old one stays."""
    account_id = add_account(connection)
    made = [add_destination(connection, account_id, secret) for secret in (b"1", b"2", None)]

    assert 1 == len(set(made))
    assert b"2" == connection.scalar(select(destinations.c.secret))


@pytest.mark.postgresql
def test_the_same_route_asked_for_twice_at_once_is_made_once(
    postgresql_database: Database,
) -> None:
    """Two clicks, two processes: one row, whichever statement the second one falls between."""
    database = postgresql_database
    with database.writing() as connection:
        feed_id, subscription_id, destination_id = followed(connection)
        store(connection, feed_id, "a", "b")

    def ask(connection: Connection) -> int:
        return route(connection, subscription_id, destination_id, 1)

    for number in range(1, count_statements(database, ask) + 1):
        assert 1 == len(set(let_in(database, ask, number, ask)))
        with database.writing() as connection:
            assert 1 == connection.scalar(select(func.count()).select_from(route_rows))
            connection.execute(route_rows.delete())


@pytest.mark.postgresql
def test_a_route_made_during_the_first_reading_gets_its_items(
    postgresql_database: Database,
) -> None:
    """The cursor is placed once, by the reading or by the route, wherever they meet (promise
    8).
    """
    database = postgresql_database
    with database.writing() as connection:
        feed_id, _, destination_id = followed(connection)
        finished = read(connection, feed_id, item("c"), item("b"), item("a"))

    def commit(connection: Connection) -> None:
        ingest.commit(connection, [finished], NOON)

    total = count_statements(database, commit)
    for number in sorted({1, 2, total // 2, total}):
        with database.writing() as connection:
            fresh = make_feed(connection, f"other{number}")
            account_id = connection.scalar(select(destinations.c.account_id))
            assert account_id is not None
            made = subscriptions.add(connection, account_id=account_id, feed_id=fresh, now=NOON)
            reading = read(connection, fresh, item("c"), item("b"), item("a"))
        let_in(
            database,
            lambda c, reading=reading: ingest.commit(c, [reading], NOON),
            number,
            lambda c, made=made: route(c, made.subscription_id, destination_id, 2),
        )
        with database.reading() as connection:
            placed = select(route_rows.c.cursor).where(route_rows.c.feed_id == fresh)
            assert 1 == connection.scalar(placed), f"let in before statement {number}"

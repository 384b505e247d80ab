"""A process may die inside any transaction: what it did there is as if it had never begun.

The transaction that takes in news has a test of its own in `test_ingest`.
"""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update

from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from tests.store.stepping import count_statements, everything, kill_before
from wireroom.store import (
    claims,
    feeds,
    house,
    indexing,
    owners,
    retention,
    routes,
    schema,
    subscriptions,
    switches,
    trimming,
    turns,
)
from wireroom.store.claims import LaneLease
from wireroom.store.engine import Database
from wireroom.store.retention import Keep

LEASE = LaneLease("harbour-news.example", "me", 1)
LANE, ACCOUNT, FEED, ROUTE, PLACE = "harbour-news.example", 1, 1, 1, 1


def furnish(connection: Connection) -> None:
    """One account that follows one feed with entries, sent to one place."""
    account_id = add_account(connection)
    feed_id = add_feed(connection, next_poll_at=NOON)
    subscription_id = follow(connection, account_id, feed_id)
    for number in range(4):
        add_entry(connection, feed_id, at(number - 60))
    indexing.note(connection, [(feed_id, seq) for seq in range(1, 5)])
    state = {"feed_id": feed_id, "seq": 1, "is_read": True, "updated_at": NOON}
    connection.execute(insert(schema.entry_states).values(account_id=account_id, **state))
    place = routes.add_destination(
        connection,
        account_id=account_id,
        channel="discord",
        address="1",
        secret=b"x",
        title="",
        now=NOON,
    )
    made = {"subscription_id": subscription_id, "feed_id": feed_id, "destination_id": place}
    connection.execute(insert(schema.routes).values(cursor=1, created_at=NOON, **made))
    connection.execute(
        update(schema.lanes).values(ready_at=at(3), lease_owner="me", lease_token=1)
    )
    connection.execute(update(schema.destinations).values(ready_at=NOON))


def claim_lanes(connection: Connection) -> None:
    turns.claim(connection, owner="other", now=at(4), limit=10)


def release_lane(connection: Connection) -> None:
    claims.release_lane(connection, LEASE, now=NOON)


def pause_lane(connection: Connection) -> None:
    claims.pause_lane(connection, "elsewhere.example", until=at(5))


def claim_destinations(connection: Connection) -> None:
    claims.claim_destinations(connection, owner="me", channels=["discord"], now=NOON, limit=9)


def write_down_a_message(connection: Connection) -> None:
    route = routes.find(connection, ROUTE)
    assert route is not None
    notes = {2: routes.Note("sent", "")}
    routes.advance(connection, route, notes=notes, message_ids=["m1"], now=NOON)


def suspend(connection: Connection) -> None:
    routes.suspend(connection, PLACE, reason="gone", now=NOON)


def free_the_dead(connection: Connection) -> None:
    owners.free_leases_of_the_dead(connection, NOON)


def make_a_feed(connection: Connection) -> None:
    url = "https://quay.example/feed"
    feed_id = feeds.make(connection, url=url, canonical_key=url, lane="quay.example", now=NOON)
    subscriptions.add(connection, account_id=ACCOUNT, feed_id=feed_id, now=NOON)


def leave_and_purge(connection: Connection) -> None:
    subscription_id = connection.scalar(select(schema.subscriptions.c.id))
    assert subscription_id is not None
    subscriptions.remove(connection, account_id=ACCOUNT, subscription_id=subscription_id)
    feeds.purge_if_unfollowed(connection, FEED, now=NOON)


def trim(connection: Connection) -> None:
    trimming.trim(connection, FEED, Keep(items=1, trim_what_is_read=True), NOON)


def sweep(connection: Connection) -> None:
    retention._sweep_range(connection, 0, 10, Keep(), at(10_000))


def index(connection: Connection) -> None:
    indexing.index_some(connection)


def set_the_house(connection: Connection) -> None:
    house.set_settings(connection, {"burst": 5}, now=NOON)
    switches.pause_polling(connection, now=NOON)


@pytest.mark.parametrize(
    "work",
    [
        claim_lanes,
        release_lane,
        pause_lane,
        claim_destinations,
        write_down_a_message,
        suspend,
        free_the_dead,
        make_a_feed,
        leave_and_purge,
        trim,
        sweep,
        index,
        set_the_house,
    ],
    ids=lambda work: work.__name__,
)
def test_nothing_is_left_of_a_transaction_that_was_cut(
    database: Database, work: Callable[[Connection], Any]
) -> None:
    """Before each statement once; then the whole work goes through as if for the first time."""
    with database.writing() as connection:
        furnish(connection)
    before = everything(database)
    statements = count_statements(database, work)
    for number in range(1, statements + 1):
        kill_before(database, number, work)

        assert before == everything(database)
    with database.writing() as connection:
        work(connection)

    assert statements

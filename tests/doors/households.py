"""Accounts of chats with what they follow, and what became of it."""

from typing import Any

from sqlalchemy import Connection, insert, select

from tests.rows import NOON
from wireroom import doors
from wireroom.store import routes as route_rows
from wireroom.store import subscriptions as subscription_rows
from wireroom.store.doors import Door
from wireroom.store.engine import Database
from wireroom.store.schema import destinations, feeds, routes
from wireroom.store.schema import subscriptions as subscriptions_table

GROUP = Door("telegram", "-42")


async def open_group(database: Database) -> int:
    return await doors.open_door(database, GROUP, name="Harbour watch", now=NOON)


def send(connection: Connection, account_id: int, feed_id: int, address: str) -> int:
    """Let an account follow a feed into a Telegram chat; gives the route."""
    subscription = subscription_rows.add(
        connection, account_id=account_id, feed_id=feed_id, now=NOON
    ).subscription_id
    destination = route_rows.add_destination(
        connection,
        account_id=account_id,
        channel="telegram",
        address=address,
        secret=None,
        title=address,
        now=NOON,
    )
    return route_rows.add_route(
        connection,
        subscription_id=subscription,
        destination_id=destination,
        initial_items=0,
        now=NOON,
    )


async def owned(database: Database) -> list[tuple[Any, ...]]:
    """Whose feeds go where: account, feed, address."""
    rows = (
        select(subscriptions_table.c.account_id, routes.c.feed_id, destinations.c.address)
        .join(subscriptions_table, subscriptions_table.c.id == routes.c.subscription_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .where(destinations.c.account_id == subscriptions_table.c.account_id)
        .order_by(routes.c.feed_id, destinations.c.address)
    )
    return await database.read(lambda each: [tuple(row) for row in each.execute(rows)])


def insert_door(account_id: int, kind: str, subject: str) -> Any:
    from wireroom.store.schema import identities

    return insert(identities).values(
        account_id=account_id, kind=kind, subject=subject, created_at=NOON
    )


async def followers(database: Database) -> list[tuple[Any, ...]]:
    return await rows(database, feeds.c.id, feeds.c.subscriber_count)


async def rows(database: Database, *columns: Any, where: Any = True) -> list[tuple[Any, ...]]:
    wanted = select(*columns).where(where)
    found = await database.read(lambda each: [tuple(row) for row in each.execute(wanted)])
    return sorted(found, key=repr)

"""Destinations and routes come into being; a route begins where it was told to."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, insert, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.store import claims
from wireroom.store.schema import destinations, feeds, routes, subscriptions


def find_destination(
    connection: Connection, *, account_id: int, channel: str, address: str
) -> int | None:
    """The account's destination there."""
    return connection.execute(
        select(destinations.c.id).where(
            destinations.c.account_id == account_id,
            destinations.c.channel == channel,
            destinations.c.address == address,
        )
    ).scalar()


def add_destination(
    connection: Connection,
    *,
    account_id: int,
    channel: str,
    address: str,
    secret: bytes | None,
    title: str,
    now: datetime,
) -> int:
    """Find or make the account's destination; a secret given again replaces the old one."""
    known = find_destination(connection, account_id=account_id, channel=channel, address=address)
    if known is None:
        try:
            with connection.begin_nested():
                return int(
                    connection.execute(
                        insert(destinations)
                        .values(
                            account_id=account_id,
                            channel=channel,
                            address=address,
                            secret=secret,
                            title=title,
                            created_at=now,
                        )
                        .returning(destinations.c.id)
                    ).scalar_one()
                )
        except IntegrityError:
            known = find_destination(
                connection, account_id=account_id, channel=channel, address=address
            )
            if known is None:
                raise
    if secret is not None:
        connection.execute(
            update(destinations).where(destinations.c.id == known).values(secret=secret)
        )
    return int(known)


def add_route(
    connection: Connection,
    *,
    subscription_id: int,
    destination_id: int,
    initial_items: int,
    now: datetime,
    settings: Mapping[str, Any] | None = None,
) -> int:
    """Find or make the route; a new one starts with the newest `initial_items` ahead of it.

    When the feed was never read, its first reading sets the cursor (promise 8).
    """
    feed = connection.execute(
        select(feeds.c.id, feeds.c.last_seq, feeds.c.last_success_at)
        .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
        .where(subscriptions.c.id == subscription_id)
        # Its first reading, and a second call, come before or after us, never between.
        .with_for_update(of=feeds, key_share=True)
    ).one()
    known = connection.execute(
        select(routes.c.id).where(
            routes.c.subscription_id == subscription_id,
            routes.c.destination_id == destination_id,
        )
    ).scalar()
    if known is not None:
        return int(known)
    was_read = feed.last_success_at is not None
    made = connection.execute(
        insert(routes)
        .values(
            subscription_id=subscription_id,
            feed_id=feed.id,
            destination_id=destination_id,
            initial_items=initial_items,
            cursor=max(0, feed.last_seq - initial_items) if was_read else None,
            asked_through=feed.last_seq,
            settings=dict(settings or {}),
            created_at=now,
        )
        .returning(routes.c.id)
    ).scalar_one()
    if was_read and initial_items:
        claims.wake_destinations(connection, [feed.id], now=now)
    return int(made)


def start_waiting_routes(
    connection: Connection, feed_ids: Sequence[int], *, news: Mapping[int, int]
) -> None:
    """These feeds were read for the first time: place the cursors that waited for it.

    `news` are the numbers of the first news, of feeds that had some even then: what an import
    showed to be new must be ahead of the cursor.
    """
    for feed_id, seq in news.items():
        if feed_id in feed_ids:
            _start_before(connection, feed_id, seq)
    last_seq = select(feeds.c.last_seq).where(feeds.c.id == routes.c.feed_id).scalar_subquery()
    behind = last_seq - routes.c.initial_items
    connection.execute(
        update(routes)
        .where(routes.c.feed_id.in_(feed_ids), routes.c.cursor.is_(None))
        .values(cursor=case((behind > 0, behind), else_=0), asked_through=last_seq)
    )


def _start_before(connection: Connection, feed_id: int, seq: int) -> None:
    """Everything from `seq` on is ahead of the cursors; what is no news is asked for as ever."""
    last_seq = select(feeds.c.last_seq).where(feeds.c.id == feed_id).scalar_subquery()
    behind = last_seq - routes.c.initial_items
    connection.execute(
        update(routes)
        .where(routes.c.feed_id == feed_id, routes.c.cursor.is_(None))
        .where(behind >= seq)
        .values(
            cursor=seq - 1,
            asked_through=case((routes.c.initial_items > 0, last_seq), else_=0),
        )
    )

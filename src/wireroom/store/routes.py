"""Destinations, routes and their cursors: what waits for whom, and what became of it.

The outbox is not a table: it is every entry past a route's cursor. A cursor moves in one statement
that names the place it moves from, so a worker that was overtaken moves nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.store import claims
from wireroom.store.claims import DestinationLease
from wireroom.store.entries import Entry, after
from wireroom.store.schema import deliveries, destinations, feeds, routes, subscriptions

#: How many routes and how many entries of each one look into a destination's outbox takes in.
ROUTES_AT_ONCE = 20
ENTRIES_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Destination:
    """Where messages go; `secret` is still sealed."""

    id: int
    account_id: int
    channel: str
    address: str
    secret: bytes | None
    title: str
    settings: Mapping[str, Any]
    suspended_reason: str


@dataclass(frozen=True, slots=True)
class Route:
    """A route that is behind its feed, with what composing a message needs to know."""

    id: int
    feed_id: int
    cursor: int
    asked_through: int
    last_seq: int
    settings: Mapping[str, Any]
    attempts: int
    failing_since: datetime | None
    parcels_sent: int
    feed_title: str
    site_url: str
    icon_url: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next entries of one route, in seq order; none when all past the cursor were trimmed."""

    route: Route
    entries: tuple[Entry, ...]


# -- making them ----------------------------------------------------------------------------------


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
    same = (
        destinations.c.account_id == account_id,
        destinations.c.channel == channel,
        destinations.c.address == address,
    )
    known = connection.execute(select(destinations.c.id).where(*same)).scalar()
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
            known = connection.execute(select(destinations.c.id).where(*same)).scalar_one()
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


def start_waiting_routes(connection: Connection, feed_id: int) -> None:
    """The feed was read for the first time: place the cursors that waited for it."""
    last_seq = select(feeds.c.last_seq).where(feeds.c.id == feed_id).scalar_subquery()
    behind = last_seq - routes.c.initial_items
    connection.execute(
        update(routes)
        .where(routes.c.feed_id == feed_id, routes.c.cursor.is_(None))
        .values(cursor=case((behind > 0, behind), else_=0), asked_through=last_seq)
    )


# -- the outbox -----------------------------------------------------------------------------------


def destination(connection: Connection, destination_id: int) -> Destination | None:
    """A destination by its id, or None when it is gone."""
    row = connection.execute(
        select(
            destinations.c.id,
            destinations.c.account_id,
            destinations.c.channel,
            destinations.c.address,
            destinations.c.secret,
            destinations.c.title,
            destinations.c.settings,
            destinations.c.suspended_reason,
        ).where(destinations.c.id == destination_id)
    ).first()
    return None if row is None else Destination(*row)


def outbox(connection: Connection, destination_id: int, *, now: datetime) -> list[Waiting]:
    """What waits for this destination: the next entries of some of its routes."""
    behind = connection.execute(
        select(
            routes.c.id,
            routes.c.feed_id,
            routes.c.cursor,
            routes.c.asked_through,
            feeds.c.last_seq,
            routes.c.settings,
            routes.c.attempts,
            routes.c.failing_since,
            routes.c.parcels_sent,
            func.coalesce(func.nullif(subscriptions.c.custom_title, ""), feeds.c.title),
            feeds.c.site_url,
            feeds.c.icon_url,
        )
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .where(routes.c.destination_id == destination_id)
        .where(feeds.c.last_seq > routes.c.cursor)
        .where(or_(routes.c.paused_until.is_(None), routes.c.paused_until <= now))
        .order_by(feeds.c.last_success_at, routes.c.id)
        .limit(ROUTES_AT_ONCE)
    ).all()
    found = [Route(*tuple(row)) for row in behind]
    return [
        Waiting(route, tuple(after(connection, route.feed_id, route.cursor, ENTRIES_AT_ONCE)))
        for route in found
    ]


def advance(
    connection: Connection,
    route: Route,
    *,
    to_seq: int,
    outcome: str,
    now: datetime,
    message_ids: Sequence[str] = (),
    detail: str = "",
    revision: int = 0,
) -> bool:
    """Move the cursor from where we saw it to `to_seq` and note what became of the entry.

    False when it stands elsewhere by now: somebody replayed or skipped meanwhile.
    """
    moved = connection.execute(
        update(routes)
        .where(routes.c.id == route.id, routes.c.cursor == route.cursor)
        .values(cursor=to_seq, attempts=0, parcels_sent=0, failing_since=None)
    )
    if moved.rowcount != 1:
        return False
    same = (deliveries.c.route_id == route.id, deliveries.c.seq == to_seq)
    connection.execute(delete(deliveries).where(*same))  # a replay writes over the first time
    connection.execute(
        insert(deliveries).values(
            route_id=route.id,
            seq=to_seq,
            outcome=outcome,
            message_ids=",".join(message_ids)[:512],
            detail=detail[:500],
            revision=revision,
            at=now,
        )
    )
    return True


def note_parcel(connection: Connection, route: Route, *, sent: int) -> None:
    """The first `sent` parcels of the entry after the cursor were accepted; more are to come."""
    connection.execute(
        update(routes)
        .where(routes.c.id == route.id, routes.c.cursor == route.cursor)
        .values(parcels_sent=sent)
    )


def note_failure(connection: Connection, route: Route, *, now: datetime) -> None:
    """One more try of the entry after the cursor came to nothing."""
    connection.execute(
        update(routes)
        .where(routes.c.id == route.id, routes.c.cursor == route.cursor)
        .values(
            attempts=routes.c.attempts + 1,
            failing_since=func.coalesce(routes.c.failing_since, now),
        )
    )


def suspend(
    connection: Connection, lease: DestinationLease, *, reason: str, now: datetime
) -> None:
    """Stop sending there until somebody resumes; cursors stay, so nothing is lost."""
    connection.execute(
        update(destinations)
        .where(destinations.c.id == lease.destination_id)
        .values(
            suspended_at=now,
            suspended_reason=reason[:256],
            ready_at=None,
            lease_owner=None,
            woken=False,
        )
    )


def resume(connection: Connection, destination_id: int, *, now: datetime) -> None:
    """Send there again, beginning with what waited."""
    connection.execute(
        update(destinations)
        .where(destinations.c.id == destination_id)
        .values(suspended_at=None, suspended_reason="", ready_at=now)
    )


def change_address(connection: Connection, destination_id: int, address: str) -> None:
    """The platform moved the destination (Telegram: a group became a supergroup)."""
    try:
        with connection.begin_nested():
            connection.execute(
                update(destinations)
                .where(destinations.c.id == destination_id)
                .values(address=address)
            )
    except IntegrityError:
        # The account has the new address already: its routes move there.
        _merge_destinations(connection, destination_id, address)


def _merge_destinations(connection: Connection, destination_id: int, address: str) -> None:
    old = connection.execute(
        select(destinations.c.account_id, destinations.c.channel).where(
            destinations.c.id == destination_id
        )
    ).one()
    survivor = connection.execute(
        select(destinations.c.id).where(
            destinations.c.account_id == old.account_id,
            destinations.c.channel == old.channel,
            destinations.c.address == address,
        )
    ).scalar_one()
    taken = select(routes.c.subscription_id).where(routes.c.destination_id == survivor)
    connection.execute(
        update(routes)
        .where(routes.c.destination_id == destination_id)
        .where(routes.c.subscription_id.not_in(taken))
        .values(destination_id=survivor)
    )
    connection.execute(delete(destinations).where(destinations.c.id == destination_id))
    connection.execute(
        update(destinations).where(destinations.c.id == survivor).values(woken=True)
    )

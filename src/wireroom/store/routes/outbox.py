"""What waits for a destination, when it may go, and whether it still may."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from wireroom.errors import LeaseLost
from wireroom.store import articles, claims, errands
from wireroom.store.claims import DestinationLease
from wireroom.store.entries import after
from wireroom.store.routes.route import MERGED, Route, Waiting, from_row, selected
from wireroom.store.schema import deliveries, destinations, feeds, routes

#: How many routes and how many entries of each one look into a destination's outbox takes in.
ROUTES_AT_ONCE = 20
ENTRIES_AT_ONCE = 10


def outbox(connection: Connection, destination_id: int, *, now: datetime) -> list[Waiting]:
    """What waits for this destination: the next entries of some of its routes."""
    behind = connection.execute(
        selected()
        .where(*_is_behind(destination_id))
        .where(or_(routes.c.paused_until.is_(None), routes.c.paused_until <= now))
        .where(or_(routes.c.not_before.is_(None), routes.c.not_before <= now))
        .order_by(feeds.c.last_success_at, routes.c.id)
        .limit(ROUTES_AT_ONCE)
    ).all()
    passed = _passed_over(connection, {row.id: row.cursor for row in behind})
    found = [replace(from_row(row), passed=passed.get(row.id, {})) for row in behind]
    waiting = [
        Waiting(route, tuple(after(connection, route.feed_id, route.cursor, ENTRIES_AT_ONCE)))
        for route in found
    ]
    return articles.put_in(connection, waiting, now=now)


def _passed_over(
    connection: Connection, route_cursors: Mapping[int, int]
) -> dict[int, dict[int, str]]:
    """For each of these routes, the entries past its cursor that are not sent since two feeds
    became one, and why."""
    found: dict[int, dict[int, str]] = {}
    if not route_cursors:
        return {}
    rows = connection.execute(
        select(deliveries.c.route_id, deliveries.c.seq, deliveries.c.detail).where(
            deliveries.c.route_id.in_(list(route_cursors)), deliveries.c.outcome == MERGED
        )
    )
    for route_id, seq, why in rows:
        if seq > route_cursors[route_id]:
            found.setdefault(route_id, {})[seq] = why
    return found


def _is_behind(destination_id: int) -> tuple[ColumnElement[bool], ...]:
    return (routes.c.destination_id == destination_id, feeds.c.last_seq > routes.c.cursor)


def next_at(connection: Connection, destination_id: int, *, now: datetime) -> datetime | None:
    """When the first of this destination's routes may send what it holds back; None: nothing."""
    errand_at = errands.next_at(connection, destination_id, now=now)
    held = connection.execute(
        select(
            routes.c.id,
            routes.c.feed_id,
            routes.c.cursor,
            routes.c.paused_until,
            routes.c.not_before,
        )
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .where(*_is_behind(destination_id))
    ).all()
    places = {row.id: (row.feed_id, row.cursor) for row in held}
    awaited = articles.held_until(connection, places, now=now)
    moments = [
        max(at or now for at in (row.paused_until, row.not_before, awaited.get(row.id)))
        for row in held
    ]
    return min([*moments, *([errand_at] if errand_at else [])], default=None)


def standing(
    connection: Connection, destination_id: int, *, now: datetime
) -> set[tuple[int, int | None]]:
    """The destination's routes that are not paused, each with its cursor."""
    rows = connection.execute(
        select(routes.c.id, routes.c.cursor)
        .where(routes.c.destination_id == destination_id)
        .where(or_(routes.c.paused_until.is_(None), routes.c.paused_until <= now))
    )
    return {(row.id, row.cursor) for row in rows}


def may_send(
    connection: Connection, lease: DestinationLease, route: Route, *, now: datetime
) -> Literal["yes", "late", "moved", "stop"]:
    """Whether the next message of a turn may still go out.

    "late": yes, but the lease must be prolonged first; "moved": the route ended, was paused or
    replayed meanwhile; "stop": the destination was suspended. Raises LeaseLost when somebody else
    sends there now.
    """
    row = connection.execute(
        select(
            destinations.c.lease_owner,
            destinations.c.lease_token,
            destinations.c.ready_at,
            destinations.c.suspended_at,
            routes.c.cursor,
            routes.c.paused_until,
        )
        .select_from(destinations)
        .outerjoin(
            routes, and_(routes.c.destination_id == destinations.c.id, routes.c.id == route.id)
        )
        .where(destinations.c.id == lease.destination_id)
    ).first()
    if row is None or (row.lease_owner, row.lease_token) != (lease.owner, lease.token):
        raise LeaseLost("The lease on a destination ran out and somebody else sends there now.")
    if row.suspended_at is not None:
        return "stop"
    if row.cursor != route.cursor or (row.paused_until and row.paused_until > now):
        return "moved"
    runs_out = row.ready_at is None or row.ready_at - now < claims.LEASE / 2
    return "late" if runs_out else "yes"

"""Leases on destinations: who may send to one now, and what rings for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    func,
    literal,
    or_,
    select,
    true,
    update,
)

from wireroom.errors import LeaseLost
from wireroom.store import dialects
from wireroom.store.claims.lease import LEASE
from wireroom.store.schema import Instant, destinations, routes


@dataclass(frozen=True, slots=True)
class DestinationLease:
    """The right to send to one destination, until it runs out."""

    destination_id: int
    owner: str
    token: int


def claim_destinations(
    connection: Connection, *, owner: str, channels: Sequence[str], now: datetime, limit: int
) -> list[DestinationLease]:
    """Lease up to `limit` destinations of these channels that have something waiting."""
    waiting = (
        select(destinations.c.id)
        .where(destinations.c.ready_at <= now)
        .where(destinations.c.channel.in_(channels))
        .where(destinations.c.suspended_at.is_(None))
        .order_by(destinations.c.ready_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("waiting")
    )
    taken = connection.execute(
        update(destinations)
        .where(dialects.chosen(connection.dialect.name, destinations.c.id, select(waiting.c.id)))
        .values(
            lease_owner=owner,
            lease_token=destinations.c.lease_token + 1,
            ready_at=now + LEASE,
            woken=False,
        )
        .returning(destinations.c.id, destinations.c.lease_token)
    )
    return [DestinationLease(id_, owner, token) for id_, token in taken]


def next_destination_at(connection: Connection, channels: Sequence[str]) -> datetime | None:
    """When the next destination of these channels can be claimed."""
    return connection.execute(
        select(func.min(destinations.c.ready_at))
        .where(destinations.c.channel.in_(channels))
        .where(destinations.c.suspended_at.is_(None))
    ).scalar()


def hold_destination(connection: Connection, lease: DestinationLease, *, now: datetime) -> None:
    """Make sure that this lease is still ours, and prolong it. Raises LeaseLost otherwise."""
    if not prolong_destination(connection, lease, now=now):
        raise LeaseLost("The lease on a destination ran out and somebody else sends there now.")


def prolong_destination(connection: Connection, lease: DestinationLease, *, now: datetime) -> bool:
    """Prolong this lease if it is still ours; False when it is not."""
    held = connection.execute(
        update(destinations).where(*_is_held(lease)).values(ready_at=now + LEASE)
    )
    return held.rowcount == 1


def release_destination(
    connection: Connection,
    lease: DestinationLease,
    *,
    now: datetime,
    retry_at: datetime | None,
    next_at: datetime | None = None,
) -> None:
    """Give a destination back; ready at `retry_at`, or, with None, when something new comes.

    Something that came while it was leased counts as new, but does not cut a wait short. What is
    held back until `next_at` wakes the destination then, unless news come before.
    """
    again = case(
        (destinations.c.woken == true(), literal(now, Instant)), else_=literal(next_at, Instant)
    )
    ready_at = literal(retry_at, Instant) if retry_at is not None else again
    connection.execute(
        update(destinations)
        .where(*_is_held(lease))
        .values(
            ready_at=case((destinations.c.suspended_at.is_(None), ready_at), else_=None),
            retry_at=retry_at,
            lease_owner=None,
            woken=False,
        )
    )


def wake_destinations(connection: Connection, feed_ids: Sequence[int], *, now: datetime) -> None:
    """These feeds have new entries: whoever has a route from them has something waiting."""
    dialect = connection.dialect.name
    values = {"feed_ids": dialects.numbers(dialect, feed_ids)}
    concerned = connection.execute(_concerned(dialect), values).scalars().all()
    ring_at(connection, concerned, now=now)


def ring_at(connection: Connection, concerned: Sequence[int], *, now: datetime) -> None:
    """Something waits for these destinations, in the order of their numbers; a wait that was
    asked for is not cut short."""
    keeps_its_time = or_(destinations.c.lease_owner.is_not(None), destinations.c.ready_at <= now)
    for start in range(0, len(concerned), _ROWS_AT_ONCE):
        connection.execute(
            update(destinations)
            .where(destinations.c.id.in_(concerned[start : start + _ROWS_AT_ONCE]))
            .values(
                woken=true(),
                ready_at=case(
                    (keeps_its_time, destinations.c.ready_at),
                    (destinations.c.retry_at > now, destinations.c.retry_at),
                    else_=literal(now, Instant),
                ),
            )
        )


#: Well below the number of parameters that either engine takes in one statement.
_ROWS_AT_ONCE = 5_000


@cache
def _concerned(dialect: str) -> Select[int]:
    """Locked in the order of their numbers, so that two commits never wait for each other in a
    ring."""
    of_feeds = dialects.among(dialect, routes.c.feed_id, "feed_ids")
    return (
        select(destinations.c.id)
        .where(destinations.c.id.in_(select(routes.c.destination_id).where(of_feeds)))
        .where(destinations.c.suspended_at.is_(None))
        .order_by(destinations.c.id)
        .with_for_update(key_share=True)
    )


def _is_held(lease: DestinationLease) -> tuple[ColumnElement[bool], ...]:
    return (
        destinations.c.id == lease.destination_id,
        destinations.c.lease_owner == lease.owner,
        destinations.c.lease_token == lease.token,
    )

"""A destination is suspended and resumed, woken, and followed to another address."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, case, delete, literal, select, true, update
from sqlalchemy.exc import IntegrityError

from wireroom.store import errands
from wireroom.store.schema import Instant, destinations, routes
from wireroom.store.text import storable


def suspend(connection: Connection, destination_id: int, *, reason: str, now: datetime) -> None:
    """Stop sending there until somebody resumes; cursors stay, so nothing is lost.

    Whoever sends there now keeps the lease, writes the message under way down, and stops.
    """
    connection.execute(
        update(destinations)
        .where(destinations.c.id == destination_id)
        .where(destinations.c.suspended_at.is_(None))
        .values(
            suspended_at=now,
            suspended_reason=storable(reason, 256),
            ready_at=case(
                (destinations.c.lease_owner.is_(None), None), else_=destinations.c.ready_at
            ),
        )
    )


def resume(connection: Connection, destination_id: int, *, now: datetime) -> None:
    """Send there again, beginning with what waited."""
    connection.execute(
        update(routes)
        .where(routes.c.destination_id == destination_id)
        .values(attempts=0, failing_since=None)
    )
    wake(connection, destination_id, now=now, suspended_at=None, suspended_reason="")


def wake(connection: Connection, destination_id: int, *, now: datetime, **values: Any) -> None:
    """There is something to send now: look at once, or after the turn that is under way."""
    is_leased = and_(destinations.c.lease_owner.is_not(None), destinations.c.ready_at > now)
    connection.execute(
        update(destinations)
        .where(destinations.c.id == destination_id)
        .values(
            woken=true(),
            ready_at=case((is_leased, destinations.c.ready_at), else_=literal(now, Instant)),
            retry_at=None,
            **values,
        )
    )


def change_address(
    connection: Connection, destination_id: int, address: str, *, now: datetime
) -> None:
    """The platform moved the destination (Telegram: a group became a supergroup).

    When the account has the new address already, both become one; the lease ends then.
    """
    try:
        with connection.begin_nested():
            connection.execute(
                update(destinations)
                .where(destinations.c.id == destination_id)
                .values(address=address)
            )
    except IntegrityError:
        # The account has the new address already: its routes move there.
        _merge_destinations(connection, destination_id, address, now=now)


def _merge_destinations(
    connection: Connection, destination_id: int, address: str, *, now: datetime
) -> None:
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
    errands.move(connection, destination_id, survivor)
    connection.execute(delete(destinations).where(destinations.c.id == destination_id))
    wake(connection, survivor, now=now)

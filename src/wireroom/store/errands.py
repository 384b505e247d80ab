"""What a destination gets beside its routes: notices, edits, entries that a rule led there.

An errand is a row until it is done, so it outlives restarts as a cursor does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection, delete, func, literal, or_, select, update

from wireroom.store import claims
from wireroom.store.dialects import insert_or
from wireroom.store.schema import Instant, destinations, errands

Kind = Literal["notice", "edit", "forward", "afterwards"]

#: How many are looked at together.
AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class NewErrand:
    """Something for a destination; of the same kind, a route's entry is on its way only once."""

    destination_id: int
    kind: Kind
    facts: Mapping[str, Any] = field(default_factory=dict)
    route_id: int | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Errand:
    """An errand that may be run now."""

    id: int
    kind: Kind
    route_id: int | None
    seq: int | None
    facts: Mapping[str, Any]
    attempts: int
    failing_since: datetime | None
    parcels_sent: int
    at: datetime


def add(connection: Connection, new: Sequence[NewErrand], *, now: datetime) -> None:
    """Keep these, and wake their destinations; one that is there already counts as this one."""
    rows = [
        {
            "destination_id": each.destination_id,
            "kind": each.kind,
            "route_id": each.route_id,
            "seq": each.seq,
            "facts": dict(each.facts),
            "at": now,
        }
        for each in new
    ]
    if rows:
        connection.execute(insert_or(connection, errands).on_conflict_do_nothing(), rows)
        _wake(connection, sorted({each.destination_id for each in new}), now=now)


def _wake(connection: Connection, destination_ids: Sequence[int], *, now: datetime) -> None:
    standing = select(destinations.c.id).where(
        destinations.c.id.in_(destination_ids), destinations.c.suspended_at.is_(None)
    )
    locked = standing.order_by(destinations.c.id).with_for_update(key_share=True)
    claims.ring_at(connection, connection.execute(locked).scalars().all(), now=now)


def due(connection: Connection, destination_id: int, *, now: datetime) -> list[Errand]:
    """The next errands of a destination that need not wait, oldest first."""
    rows = connection.execute(
        select(
            errands.c.id,
            errands.c.kind,
            errands.c.route_id,
            errands.c.seq,
            errands.c.facts,
            errands.c.attempts,
            errands.c.failing_since,
            errands.c.parcels_sent,
            errands.c.at,
        )
        .where(errands.c.destination_id == destination_id)
        .where(or_(errands.c.not_before.is_(None), errands.c.not_before <= now))
        .order_by(errands.c.id)
        .limit(AT_ONCE)
    )
    return [Errand(*row) for row in rows]


def next_at(connection: Connection, destination_id: int, *, now: datetime) -> datetime | None:
    """When the first of a destination's errands may be run; None when there is none."""
    at = func.coalesce(errands.c.not_before, literal(now, Instant))
    return connection.execute(
        select(func.min(at)).where(errands.c.destination_id == destination_id)
    ).scalar()


def done(connection: Connection, errand_id: int) -> None:
    """It was run, or will never be."""
    connection.execute(delete(errands).where(errands.c.id == errand_id))


def begin_again(connection: Connection, errand_id: int) -> None:
    """It was run, and something came meanwhile for which it must be run once more."""
    connection.execute(
        update(errands)
        .where(errands.c.id == errand_id)
        .values(parcels_sent=0, attempts=0, failing_since=None, not_before=None)
    )


def note_parcel(connection: Connection, errand_id: int, *, sent: int) -> None:
    """The first `sent` of its messages are out; more follow."""
    connection.execute(update(errands).where(errands.c.id == errand_id).values(parcels_sent=sent))


def note_failure(
    connection: Connection, errand_id: int, *, now: datetime, not_before: datetime
) -> None:
    """One more try came to nothing; it rests until then, and others go on."""
    connection.execute(
        update(errands)
        .where(errands.c.id == errand_id)
        .values(
            attempts=errands.c.attempts + 1,
            failing_since=func.coalesce(errands.c.failing_since, literal(now, Instant)),
            not_before=not_before,
        )
    )


def put_off(connection: Connection, destination_id: int, kind: Kind, *, until: datetime) -> None:
    """Nothing of this kind is run for a destination before then."""
    connection.execute(
        update(errands)
        .where(errands.c.destination_id == destination_id, errands.c.kind == kind)
        .values(not_before=until)
    )


def move(connection: Connection, from_id: int, to_id: int) -> None:
    """One destination becomes another."""
    connection.execute(
        update(errands).where(errands.c.destination_id == from_id).values(destination_id=to_id)
    )

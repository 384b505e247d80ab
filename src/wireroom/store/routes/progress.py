"""The cursor moves, and what became of each entry is kept.

A cursor moves in one statement that names the place it moves from, so a worker that was overtaken
moves nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Connection, delete, func, insert, literal, select, update

from wireroom.store.routes.route import Route
from wireroom.store.schema import Instant, deliveries, routes
from wireroom.store.text import storable


@dataclass(frozen=True, slots=True)
class Note:
    """What became of an entry on a route: "sent" or "skipped", and why."""

    outcome: Literal["sent", "skipped", "sending"]
    detail: str = ""


def advance(
    connection: Connection,
    route: Route,
    *,
    notes: Mapping[int, Note],
    now: datetime,
    message_ids: Sequence[str] = (),
    revision: int = 0,
) -> bool:
    """Move the cursor from where we saw it past all entries of `notes`, and keep the notes.

    False when it stands elsewhere by now: somebody replayed or skipped meanwhile.
    """
    to_seq = max(notes)
    moved = connection.execute(
        update(routes)
        .where(*_stands(route))
        .values(cursor=to_seq, attempts=0, parcels_sent=0, failing_since=None, not_before=None)
    )
    if moved.rowcount != 1:
        return False
    earlier = _parcels_of(connection, route.id, to_seq) if route.parcels_sent else []
    ids = ",".join([*earlier, *message_ids])
    _note(connection, route.id, notes, message_ids=ids, revision=revision, now=now)
    return True


def _stands(route: Route) -> tuple[ColumnElement[bool], ...]:
    """The route is where we saw it; a merge of feeds counts as elsewhere, too."""
    return (
        routes.c.id == route.id,
        routes.c.feed_id == route.feed_id,
        routes.c.cursor == route.cursor,
    )


def _parcels_of(connection: Connection, route_id: int, seq: int) -> list[str]:
    """Messages in which a part of an entry that is being sent went out already."""
    ids = connection.execute(
        select(deliveries.c.message_ids).where(
            deliveries.c.route_id == route_id,
            deliveries.c.seq == seq,
            deliveries.c.outcome == "sending",
        )
    ).scalar()
    return ids.split(",") if ids else []


def _note(
    connection: Connection,
    route_id: int,
    notes: Mapping[int, Note],
    *,
    message_ids: str,
    revision: int,
    now: datetime,
) -> None:
    """A replay writes over the first time."""
    seqs = list(notes)
    for start in range(0, len(seqs), _NOTES_AT_ONCE):
        some = seqs[start : start + _NOTES_AT_ONCE]
        connection.execute(
            delete(deliveries).where(deliveries.c.route_id == route_id, deliveries.c.seq.in_(some))
        )
    rows = [
        {
            "route_id": route_id,
            "seq": seq,
            "outcome": note.outcome,
            # What a platform said may hold a NUL, which PostgreSQL refuses.
            "message_ids": "" if note.outcome == "skipped" else storable(message_ids, 512),
            "detail": storable(note.detail, 500),
            "revision": revision,
            "at": now,
        }
        for seq, note in notes.items()
    ]
    connection.execute(insert(deliveries), rows)


_NOTES_AT_ONCE = 1000


def under_way(connection: Connection, route: Route) -> int | None:
    """The number that a message of several parcels leads to, of which some went out already."""
    return connection.execute(
        select(func.max(deliveries.c.seq)).where(
            deliveries.c.route_id == route.id,
            deliveries.c.outcome == "sending",
            deliveries.c.seq > route.cursor,
        )
    ).scalar()


def note_parcel(
    connection: Connection,
    route: Route,
    seq: int,
    *,
    sent: int,
    message_id: str,
    now: datetime,
) -> bool:
    """The first `sent` parcels of the entry `seq` after the cursor were accepted; more follow.

    False when the route stands elsewhere by now.
    """
    moved = connection.execute(update(routes).where(*_stands(route)).values(parcels_sent=sent))
    if moved.rowcount != 1:
        return False
    earlier = _parcels_of(connection, route.id, seq) if sent > 1 else []
    ids = ",".join([*earlier, message_id] if message_id else earlier)
    notes = {seq: Note("sending")}
    _note(connection, route.id, notes, message_ids=ids, revision=0, now=now)
    return True


def note_failure(
    connection: Connection, route: Route, *, now: datetime, not_before: datetime | None = None
) -> None:
    """One more try of the entry after the cursor came to nothing.

    With `not_before` the route alone rests until then, and others of its destination go on.
    """
    connection.execute(
        update(routes)
        .where(*_stands(route))
        .values(
            attempts=routes.c.attempts + 1,
            failing_since=func.coalesce(routes.c.failing_since, literal(now, Instant)),
            not_before=not_before,
        )
    )


def sent_since(connection: Connection, route_id: int, *, since: datetime) -> list[datetime]:
    """When entries were sent on this route since then, oldest first."""
    return list(
        connection.execute(
            select(deliveries.c.at)
            .where(deliveries.c.route_id == route_id)
            .where(deliveries.c.outcome == "sent", deliveries.c.at > since)
            .order_by(deliveries.c.at)
        ).scalars()
    )


def hold_back(connection: Connection, route: Route, *, until: datetime) -> None:
    """Nothing goes out on this route before then: quiet hours, a digest, a day's measure."""
    connection.execute(update(routes).where(*_stands(route)).values(not_before=until))

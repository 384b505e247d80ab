"""What destinations were sent, for those who come back to it: edits, and stories told twice."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select, tuple_, update

from wireroom.store import errands
from wireroom.store.errands import NewErrand
from wireroom.store.schema import deliveries, entries, feeds, routes

#: How a line of the ledger begins whose message holds other entries as well.
DIGEST = "digest"


@dataclass(frozen=True, slots=True)
class Told:
    """An entry that a destination was sent."""

    link: str
    title: str
    feed_id: int
    feed_title: str


@dataclass(frozen=True, slots=True)
class SentEntry:
    """The messages in which an entry went out on a route, and which state of it."""

    message_ids: tuple[str, ...]
    revision: int


def want_edits(
    connection: Connection,
    changed: Collection[tuple[int, int]],
    *,
    since: datetime,
    now: datetime,
) -> None:
    """These entries, as (feed, seq), changed: whoever was sent them since then may see that."""
    if not changed:
        return
    rows = connection.execute(
        select(routes.c.destination_id, routes.c.id, deliveries.c.seq)
        .join(deliveries, deliveries.c.route_id == routes.c.id)
        .where(routes.c.feed_id.in_({feed_id for feed_id, _ in changed}))
        .where(tuple_(routes.c.feed_id, deliveries.c.seq).in_(sorted(changed)))
        .where(deliveries.c.outcome == "sent", deliveries.c.message_ids != "")
        .where(deliveries.c.at > since, deliveries.c.detail.not_like(f"{DIGEST}%"))
        .order_by(routes.c.destination_id)
    )
    new = [NewErrand(place, "edit", {}, route_id, seq) for place, route_id, seq in rows]
    errands.add(connection, new, now=now)


def was_overtaken(connection: Connection, route_id: int, seq: int, revision: int) -> bool:
    """Whether the route's entry changed since this state of it; if not, it stays until the commit.

    Whoever changes an entry asks for edits of what is noted as sent, and knows nothing of messages
    under way: who writes those down asks here, before anything else is locked.
    """
    newest = connection.execute(
        select(entries.c.revision)
        .join(routes, routes.c.feed_id == entries.c.feed_id)
        .where(routes.c.id == route_id, entries.c.seq == seq)
        .with_for_update(read=True, of=entries)
    ).scalar()
    return newest is not None and newest > revision


def want_edit(
    connection: Connection, destination_id: int, route_id: int, seq: int, *, now: datetime
) -> None:
    """What was just noted as sent shows an entry as it was before it changed."""
    errands.add(connection, [NewErrand(destination_id, "edit", {}, route_id, seq)], now=now)


def find(connection: Connection, route_id: int, seq: int) -> SentEntry | None:
    """How an entry went out on a route; None when it did not, or in one message with others."""
    row = connection.execute(
        select(deliveries.c.message_ids, deliveries.c.revision)
        .where(deliveries.c.route_id == route_id, deliveries.c.seq == seq)
        .where(deliveries.c.outcome == "sent", deliveries.c.message_ids != "")
    ).first()
    return None if row is None else SentEntry(tuple(row.message_ids.split(",")), row.revision)


def note_edit(
    connection: Connection, route_id: int, seq: int, *, revision: int, message_ids: str = ""
) -> None:
    """Its messages show this state of it now; with `message_ids`, others than before."""
    values = {"revision": revision, **({"message_ids": message_ids[:512]} if message_ids else {})}
    connection.execute(
        update(deliveries)
        .where(deliveries.c.route_id == route_id, deliveries.c.seq == seq)
        .values(values)
    )


def told_since(connection: Connection, destination_id: int, *, since: datetime) -> list[Told]:
    """What a destination was sent since then, over all of its routes."""
    rows = connection.execute(
        select(
            entries.c.link,
            entries.c.title,
            entries.c.feed_id,
            func.coalesce(feeds.c.title, ""),
        )
        .select_from(routes)
        .join(deliveries, deliveries.c.route_id == routes.c.id)
        .join(
            entries, (entries.c.feed_id == routes.c.feed_id) & (entries.c.seq == deliveries.c.seq)
        )
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .where(routes.c.destination_id == destination_id)
        .where(deliveries.c.outcome == "sent", deliveries.c.at > since)
    )
    return [Told(*row) for row in rows]

"""The routes of a feed that became one with another: nothing twice, nothing lost.

Cursors are numbers of the feed that goes, so they are translated by the entries that both have.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, or_, select, update

from wireroom.store import house
from wireroom.store import routes as outbox
from wireroom.store.dialects import insert_or
from wireroom.store.routes import MERGED
from wireroom.store.schema import (
    deliveries,
    entries,
    routes,
)

#: What a route is sent of entries that only the other feed had met, if it says nothing of
#: backlogs itself; and how many of those it is not sent are noted each.
NEWEST = 10
MOST_NOTED = 500
#: Wishes that say what becomes of a backlog: delivery sees to them.
_BACKLOG = ("burst", "digest")
_DEALT_WITH = "dealt with before two feeds became one"


def join(
    connection: Connection,
    subscription: int,
    into: int,
    kept: int,
    places: Mapping[int, int],
    unseen: frozenset[int],
    top: int,
    *,
    now: datetime,
) -> None:
    """Bring the routes of one subscription over.

    Where a route goes to the same place already, what the other had not sent goes through it.
    """
    theirs = connection.execute(
        select(routes).where(routes.c.subscription_id == subscription).order_by(routes.c.id)
    ).all()
    for route in theirs:
        waiting = waiting_in(connection, route, places)
        twin = connection.execute(
            select(routes)
            .where(routes.c.subscription_id == into, routes.c.id != route.id)
            .where(routes.c.feed_id == kept, routes.c.destination_id == route.destination_id)
        ).first()
        if twin is None:
            held = _held_back(connection, route, unseen)
            marked = _marked(route, waiting, places)
            connection.execute(
                update(routes)
                .where(routes.c.id == route.id)
                .values(subscription_id=into, feed_id=kept, marked_through=marked)
            )
            connection.execute(delete(deliveries).where(deliveries.c.route_id == route.id))
            if route.cursor is None:
                place_newcomer(connection, route, top)
            else:
                place(connection, route.id, waiting | unseen - held, top, now=now)
                _note_held_back(connection, route.id, held, len(unseen), now=now)
        else:
            own = _own_news(connection, twin, kept)
            late = {seq for seq in waiting if seq > (twin.cursor or 0)}
            if twin.cursor is not None and late - own:
                place(connection, twin.id, own | late, top, now=now)
            connection.execute(delete(routes).where(routes.c.id == route.id))


def _held_back(connection: Connection, route: Row[Any], unseen: frozenset[int]) -> frozenset[int]:
    """Which entries that only the other feed had met are not sent: no route is flooded because
    its feed moved (promise 8). One with a burst or digests gets them all, in its own way."""
    if len(unseen) <= NEWEST:
        return frozenset()
    found = outbox.find_any(connection, route.id)
    layers = (found.settings, *found.wider, house.settings(connection)) if found else ()
    if any(layer.get(name) for layer in layers for name in _BACKLOG):
        return frozenset()
    return frozenset(sorted(unseen)[:-NEWEST])


def _note_held_back(
    connection: Connection, route_id: int, held: frozenset[int], of: int, *, now: datetime
) -> None:
    """Nothing is passed over in silence: "why" says it, and it can be sent again."""
    why = (
        f"passed over: two feeds became one, and only the newest {NEWEST} of {of} that the other"
        " had met are sent"
    )
    _note(connection, route_id, sorted(held)[-MOST_NOTED:], why, now=now)


def _marked(route: Row[Any], waiting: frozenset[int], places: Mapping[int, int]) -> int:
    """`marked_through` in numbers of the kept feed: where it cannot be told, rules mark again."""
    marked = {places[seq] for seq in places if seq <= route.marked_through}
    last = max(waiting & marked, default=0)
    return last if all(seq in marked for seq in waiting if seq <= last) else 0


def waiting_in(
    connection: Connection, route: Row[Any], places: Mapping[int, int]
) -> frozenset[int]:
    """Entries that the route has yet to send, as they are numbered in the kept feed."""
    if route.cursor is None:
        return frozenset()
    seqs = connection.execute(
        select(entries.c.seq)
        .where(entries.c.feed_id == route.feed_id, entries.c.seq > route.cursor)
        .where(or_(entries.c.is_news, entries.c.seq <= route.asked_through))
    ).scalars()
    return frozenset(places[seq] for seq in seqs if seq in places)


def _own_news(connection: Connection, route: Row[Any], kept: int) -> frozenset[int]:
    """What a route of the kept feed would send by itself."""
    if route.cursor is None:
        return frozenset()
    return frozenset(
        connection.execute(
            select(entries.c.seq)
            .where(entries.c.feed_id == kept, entries.c.seq > route.cursor)
            .where(or_(entries.c.is_news, entries.c.seq <= route.asked_through))
        ).scalars()
    )


def place_newcomer(connection: Connection, route: Row[Any], top: int) -> None:
    """A route that waited for the first reading of a feed that turned out to be known."""
    connection.execute(
        update(routes)
        .where(routes.c.id == route.id)
        .values(cursor=max(0, top - route.initial_items), asked_through=top)
    )


def place(
    connection: Connection, route_id: int, wanted: Collection[int], top: int, *, now: datetime
) -> None:
    """Put the cursor so that exactly the `wanted` entries are ahead of it.

    Those in between that are not wanted are noted as dealt with; the outbox passes over them.
    """
    cursor = min(wanted) - 1 if wanted else top
    connection.execute(
        update(routes)
        .where(routes.c.id == route_id)
        .values(
            cursor=cursor,
            asked_through=max(wanted, default=0),
            attempts=0,
            parcels_sent=0,
            failing_since=None,
        )
    )
    feed_id = select(routes.c.feed_id).where(routes.c.id == route_id).scalar_subquery()
    between = connection.execute(
        select(entries.c.seq)
        .where(entries.c.feed_id == feed_id, entries.c.seq > cursor, entries.c.seq <= top)
        .order_by(entries.c.seq)
    ).scalars()
    passed = [seq for seq in between if seq not in wanted]
    _note(connection, route_id, passed, _DEALT_WITH, now=now)


def _note(
    connection: Connection, route_id: int, seqs: Collection[int], why: str, *, now: datetime
) -> None:
    said = {"outcome": MERGED, "detail": why, "at": now}
    rows = [{"route_id": route_id, "seq": seq, **said} for seq in seqs]
    if rows:
        adding = insert_or(connection, deliveries)
        connection.execute(
            adding.on_conflict_do_update(index_elements=["route_id", "seq"], set_=said), rows
        )

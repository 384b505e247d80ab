"""A route that goes on with another reading of its feed: nothing twice, nothing lost.

Each reading numbers its entries for itself, so the route's place is found by the entries that both
have.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from wireroom.feeds.changes import BASELINE
from wireroom.store import merged_routes, merges
from wireroom.store.dialects import insert_or
from wireroom.store.schema import deliveries, entries, feeds, routes


def cursor_in(connection: Connection, route_id: int, feed_id: int) -> int:
    """The last entry of another feed that the route would count as dealt with."""
    route = _route(connection, route_id)
    same = merges.same_entries(connection, route.feed_id, feed_id)
    ahead = _ahead(connection, route, feed_id, same)
    return min(ahead) - 1 if ahead else merges.last_seq_of(connection, feed_id)


def carry_over(connection: Connection, route_id: int, feed_id: int, *, now: datetime) -> None:
    """Let the route go on with that feed, its ledger as far as it speaks of what both have."""
    route = _route(connection, route_id)
    same = merges.same_entries(connection, route.feed_id, feed_id)
    top = merges.last_seq_of(connection, feed_id)
    connection.execute(update(routes).where(routes.c.id == route_id).values(feed_id=feed_id))
    _renumber(connection, route_id, same)
    if route.cursor is None:
        merged_routes.place_newcomer(connection, route, top)
    else:
        wanted = _ahead(connection, route, feed_id, same)
        merged_routes.place(connection, route_id, wanted, top, now=now)
        _note_surplus(connection, route_id, _never_met(connection, feed_id, same), now=now)


def _ahead(
    connection: Connection, route: Row[tuple[int, ...]], feed_id: int, same: Mapping[int, int]
) -> frozenset[int]:
    """What is still to come: what waits, and what only the other feed has met since."""
    if not same and _is_empty(connection, route.feed_id) and _is_twin(connection, route, feed_id):
        same = {0: 0}  # nothing was there, so all is new
    return merged_routes.waiting_in(connection, route, same) | _unseen(connection, feed_id, same)


def _unseen(connection: Connection, feed_id: int, same: Mapping[int, int]) -> frozenset[int]:
    """Bounded: a reading that leaves less out may have much that the old one never showed."""
    return frozenset(_never_met(connection, feed_id, same)[: merged_routes.NEWEST])


def _never_met(connection: Connection, feed_id: int, same: Mapping[int, int]) -> list[int]:
    """What the other feed has behind the last entry that both have, its first reading as well.

    The newest come first.
    """
    if not same:
        return []
    rows = connection.execute(
        select(entries.c.seq)
        .where(entries.c.feed_id == feed_id, entries.c.seq > max(same.values()))
        .where(or_(entries.c.is_news, entries.c.not_news_why == BASELINE))
        .order_by(entries.c.seq.desc())
    )
    return list(rows.scalars())


def _note_surplus(
    connection: Connection, route_id: int, never_met: Sequence[int], *, now: datetime
) -> None:
    """The ledger says of what is beyond the bound that it was passed over, and why."""
    most, total = merged_routes.NEWEST, len(never_met)
    line = {
        "route_id": route_id,
        "outcome": "skipped",
        "detail": f"passed over: only the newest {most} of {total} that waited are sent",
        "at": now,
    }
    rows = [{**line, "seq": seq} for seq in never_met[most:]]
    if rows:
        adding = insert_or(connection, deliveries)
        connection.execute(adding.on_conflict_do_nothing(), rows)


def _route(connection: Connection, route_id: int) -> Row[tuple[int, ...]]:
    return connection.execute(select(routes).where(routes.c.id == route_id)).one()


def _is_empty(connection: Connection, feed_id: int) -> bool:
    counted = select(func.count()).select_from(entries).where(entries.c.feed_id == feed_id)
    return not connection.execute(counted).scalar_one()


def _is_twin(connection: Connection, route: Row[tuple[int, ...]], feed_id: int) -> bool:
    """Whether both are read from one address."""
    urls = select(feeds.c.url).where(feeds.c.id.in_((route.feed_id, feed_id))).distinct()
    return len(connection.execute(urls).all()) == 1


def _renumber(connection: Connection, route_id: int, same: Mapping[int, int]) -> None:
    """What the ledger says of an entry stands under its other number."""
    of_route = deliveries.c.route_id == route_id
    lines = [
        {**line, "seq": same[line["seq"]], "revision": 0}
        for line in connection.execute(select(deliveries).where(of_route)).mappings()
        if line["seq"] in same
    ]
    connection.execute(delete(deliveries).where(of_route))
    if lines:
        connection.execute(insert(deliveries), lines)

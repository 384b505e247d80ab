"""Hubs that are to be told that we want no more of a feed, which is gone here by then (WebSub)."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, literal, select, update

from wireroom.store.schema import Instant, hub_farewells, hub_leases


@dataclass(frozen=True, slots=True)
class Farewell:
    """A subscription at a hub that is to end; `callback` is the name under which it knows us."""

    callback: str
    hub_url: str
    topic_url: str
    tries: int


_FAREWELL = (
    hub_farewells.c.callback,
    hub_farewells.c.hub_url,
    hub_farewells.c.topic_url,
    hub_farewells.c.tries,
)


def leave(connection: Connection, feed_id: int, *, now: datetime) -> None:
    """Call this before the feed, or its subscription at the hub, goes."""
    standing = select(
        hub_leases.c.callback,
        hub_leases.c.hub_url,
        hub_leases.c.topic_url,
        literal(now, Instant),
    ).where(hub_leases.c.feed_id == feed_id, hub_leases.c.state.in_(("asked", "active")))
    names = ["callback", "hub_url", "topic_url", "act_at"]
    connection.execute(insert(hub_farewells).from_select(names, standing))


def due(connection: Connection, *, now: datetime, limit: int) -> list[Farewell]:
    """Those that are to be said now, longest due first."""
    rows = connection.execute(
        select(*_FAREWELL)
        .where(hub_farewells.c.act_at <= now)
        .order_by(hub_farewells.c.act_at)
        .limit(limit)
    )
    return [Farewell(*row) for row in rows]


def by_callback(connection: Connection, callback: str) -> Farewell | None:
    """The end that this callback stands for."""
    row = connection.execute(
        select(*_FAREWELL).where(hub_farewells.c.callback == callback)
    ).first()
    return None if row is None else Farewell(*row)


def trying(connection: Connection, farewell: Farewell, *, act_at: datetime) -> None:
    """We are about to say it; once more then, unless the hub asks whether we mean it."""
    connection.execute(
        update(hub_farewells)
        .where(hub_farewells.c.callback == farewell.callback)
        .values(act_at=act_at, tries=hub_farewells.c.tries + 1)
    )


def forget(connection: Connection, farewell: Farewell) -> None:
    """It was heard, or will not be: then the hub's lease runs out by itself."""
    connection.execute(delete(hub_farewells).where(hub_farewells.c.callback == farewell.callback))

"""Routes as their owners see and steer them: state, pauses, wishes, replays, the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, func, select, update

from wireroom.store import routes as outbox
from wireroom.store.schema import (
    deliveries,
    destinations,
    entries,
    feeds,
    routes,
    subscriptions,
)

#: How long "until further notice" is.
FOREVER_YEAR: Final = 9999


@dataclass(frozen=True, slots=True)
class RouteState:
    """A route with how it stands; `cursor` is None before the feed's first reading."""

    id: int
    feed_id: int
    destination_id: int
    feed_title: str
    channel: str
    destination: str
    cursor: int | None
    last_seq: int
    settings: Mapping[str, Any]
    paused_until: datetime | None
    not_before: datetime | None
    attempts: int
    failing_since: datetime | None
    suspended_at: datetime | None
    suspended_reason: str

    @property
    def waiting(self) -> int:
        """Most entries that may be waiting; some of them may be filtered or trimmed."""
        return 0 if self.cursor is None else self.last_seq - self.cursor


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of an entry on a route, from the ledger."""

    seq: int
    title: str
    outcome: str
    detail: str
    message_ids: str
    at: datetime


def _states(account_id: int) -> Select[Any]:
    return (
        select(
            routes.c.id,
            routes.c.feed_id,
            routes.c.destination_id,
            func.coalesce(
                func.nullif(subscriptions.c.custom_title, ""),
                func.nullif(feeds.c.title, ""),
                feeds.c.url,
            ),
            destinations.c.channel,
            func.coalesce(func.nullif(destinations.c.title, ""), destinations.c.address),
            routes.c.cursor,
            feeds.c.last_seq,
            routes.c.settings,
            routes.c.paused_until,
            routes.c.not_before,
            routes.c.attempts,
            routes.c.failing_since,
            destinations.c.suspended_at,
            destinations.c.suspended_reason,
        )
        .select_from(routes)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .where(subscriptions.c.account_id == account_id)
        .order_by(routes.c.id)
    )


def _state(row: Row[Any]) -> RouteState:
    return RouteState(*tuple(row))


def list_states(connection: Connection, account_id: int) -> list[RouteState]:
    """All routes of an account."""
    return [_state(row) for row in connection.execute(_states(account_id))]


def states_of_feed(connection: Connection, account_id: int, feed_id: int) -> list[RouteState]:
    """Those of an account's routes that come from one feed."""
    rows = connection.execute(_states(account_id).where(routes.c.feed_id == feed_id))
    return [_state(row) for row in rows]


def find_state(connection: Connection, account_id: int, route_id: int) -> RouteState | None:
    """One route of this account, or None."""
    row = connection.execute(_states(account_id).where(routes.c.id == route_id)).first()
    return None if row is None else _state(row)


def set_pause(
    connection: Connection, state: RouteState, until: datetime | None, *, now: datetime
) -> None:
    """Pause until then; None ends a pause, and what waited goes out."""
    connection.execute(
        update(routes).where(routes.c.id == state.id).values(paused_until=until, not_before=None)
    )
    if until is None:
        outbox.wake(connection, state.destination_id, now=now)


def move_cursor(connection: Connection, state: RouteState, cursor: int, *, now: datetime) -> None:
    """Everything past `cursor` goes out (again), whether it was news or not."""
    connection.execute(
        update(routes)
        .where(routes.c.id == state.id)
        .values(
            cursor=cursor,
            asked_through=feeds_last_seq(state.feed_id),
            attempts=0,
            failing_since=None,
            parcels_sent=0,
            not_before=None,
        )
    )
    outbox.wake(connection, state.destination_id, now=now)


def wish_for(connection: Connection, state: RouteState, past: int) -> None:
    """What was passed over past this number when two feeds became one may go out after all."""
    connection.execute(
        update(deliveries)
        .where(deliveries.c.route_id == state.id, deliveries.c.seq > past)
        .where(deliveries.c.outcome == outbox.MERGED)
        .values(outcome="skipped")
    )


def feeds_last_seq(feed_id: int) -> Any:
    """The number of a feed's newest entry, for use in a statement."""
    return select(feeds.c.last_seq).where(feeds.c.id == feed_id).scalar_subquery()


def cursor_before(
    connection: Connection,
    feed_id: int,
    *,
    newest: int = 0,
    since: datetime | None = None,
    through: int | None = None,
) -> int:
    """The cursor that has the newest so many kept entries ahead, or all first seen since then.

    With `through`, no entry behind that one counts.
    """
    wanted = select(entries.c.seq).where(entries.c.feed_id == feed_id)
    if through is not None:
        wanted = wanted.where(entries.c.seq <= through)
    if since is not None:
        wanted = wanted.where(entries.c.first_seen_at >= since)
    wanted = wanted.order_by(entries.c.seq.desc())
    ahead = (wanted if since is not None else wanted.limit(newest)).subquery()
    first = connection.execute(select(func.min(ahead.c.seq))).scalar()
    if first is not None:
        return int(first) - 1
    last_seq = select(feeds.c.last_seq).where(feeds.c.id == feed_id)
    return int(connection.execute(last_seq).scalar_one())


def ledger(
    connection: Connection, state: RouteState, *, limit: int, seq: int | None = None
) -> list[Delivered]:
    """What became of the newest entries that the route dealt with, newest first; or of one."""
    query = (
        select(
            deliveries.c.seq,
            func.coalesce(entries.c.title, ""),
            deliveries.c.outcome,
            deliveries.c.detail,
            deliveries.c.message_ids,
            deliveries.c.at,
        )
        .outerjoin(
            entries,
            (entries.c.feed_id == state.feed_id) & (entries.c.seq == deliveries.c.seq),
        )
        .where(deliveries.c.route_id == state.id)
        .order_by(deliveries.c.seq.desc())
        .limit(limit)
    )
    if seq is not None:
        query = query.where(deliveries.c.seq == seq)
    return [Delivered(*row) for row in connection.execute(query)]

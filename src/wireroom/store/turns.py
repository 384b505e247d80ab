"""Many lanes at once: taking them with their first due feed, and giving them back.

What `claims` and `feeds` say of one lane is said here of as many as one transaction deals with.
A poll that finds nothing new costs as much as its statements do, so they are made once, and few.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, case, func, or_, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from wireroom.store import claims, switches
from wireroom.store.bulk import milliseconds
from wireroom.store.claims import LaneLease
from wireroom.store.feed_to_poll import TO_POLL, FeedToPoll, from_driver
from wireroom.store.prepared import Keys, Prepared
from wireroom.store.schema import Instant, feeds, lanes
from wireroom.values import value


@value
class Turn:
    """A leased lane and the feed on it that is longest overdue; None: nothing is to be asked."""

    lease: LaneLease
    feed: FeedToPoll | None


def claim(connection: Connection, *, owner: str, now: datetime, limit: int) -> list[Turn]:
    """Lease up to `limit` lanes that have due feeds; none while polling is paused."""
    if switches.is_polling_paused(connection):
        return []
    leases = claims.claim_lanes(connection, owner=owner, now=now, limit=limit)
    due = next_due(connection, leases, now=now)
    return [Turn(lease, due.get(lease.lane)) for lease in leases]


def look(
    connection: Connection, leases: Sequence[LaneLease], *, now: datetime
) -> dict[str, FeedToPoll]:
    """As `next_due`; nothing while polling is paused."""
    if switches.is_polling_paused(connection):
        return {}
    return next_due(connection, leases, now=now)


def next_due(
    connection: Connection, leases: Sequence[LaneLease], *, now: datetime
) -> dict[str, FeedToPoll]:
    """The longest overdue feed of each lane.

    Lanes that have none, whose lease was lost, or soon will be, or whose host asked for silence
    are left out.
    """
    found = {}
    for owner, tokens in _by_owner(leases).items():
        rows = _NEXT_DUE.rows(
            connection,
            list(tokens),
            owner=owner,
            now=milliseconds(now),
            until=milliseconds(now + claims.LEAST_LEFT),
        )
        for *columns, token in rows:
            feed = from_driver(columns)
            if token == tokens[feed.lane]:
                found[feed.lane] = feed
    return found


def give_back(
    connection: Connection, leases: Sequence[LaneLease], *, now: datetime, rest: timedelta
) -> frozenset[str]:
    """Give back those lanes on which nothing is to be done now; gives their names.

    The leases are held in this transaction (`claims.hold_lanes`), so that whoever makes a feed
    due at this moment comes before us, and we see the feed, or after us, and wakes the lane. A
    lane without any feed to come is left to `claims.release_lane`.
    """
    given = _GIVE_BACK.rows(
        connection,
        [lease.lane for lease in leases],
        now=milliseconds(now),
        rested=milliseconds(now + rest),
    )
    return frozenset(lane for (lane,) in given)


def _by_owner(leases: Iterable[LaneLease]) -> dict[str, dict[str, int]]:
    """Lane to token, for each owner: in one process all leases are of one."""
    sorted_out: dict[str, dict[str, int]] = {}
    for lease in leases:
        sorted_out.setdefault(lease.owner, {})[lease.lane] = lease.token
    return sorted_out


_now = bindparam("now", type_=Instant)
_rested = bindparam("rested", type_=Instant)

_other = feeds.alias("other")
_first = (
    select(_other.c.id)
    .where(_other.c.lane == lanes.c.key, _other.c.next_poll_at <= _now)
    .order_by(_other.c.next_poll_at, _other.c.id)
    .limit(1)
    .correlate(lanes)
    .scalar_subquery()
)


def _next_due_of(keys: Keys) -> Select[Any]:
    return (
        select(*TO_POLL, lanes.c.lease_token)
        .select_from(lanes.join(feeds, feeds.c.id == _first))
        .where(lanes.c.key.in_(keys), lanes.c.lease_owner == bindparam("owner"))
        .where(lanes.c.ready_at >= bindparam("until", type_=Instant))
        .where(or_(lanes.c.paused_until.is_(None), lanes.c.paused_until <= _now))
    )


_NEXT_DUE = Prepared(_next_due_of)

_earliest = (
    select(func.min(feeds.c.next_poll_at))
    .where(feeds.c.lane == lanes.c.key)
    .correlate(lanes)
    .scalar_subquery()
)
_wanted = case((_earliest <= _rested, _rested), else_=_earliest)


def _giving_back(keys: Keys) -> ReturningUpdate[str]:
    is_paused = and_(_earliest.is_not(None), lanes.c.paused_until > _now)
    return (
        update(lanes)
        .where(lanes.c.key.in_(keys), or_(_earliest > _now, is_paused))
        .values(
            lease_owner=None,
            ready_at=case((lanes.c.paused_until > _wanted, lanes.c.paused_until), else_=_wanted),
        )
        .returning(lanes.c.key)
    )


_GIVE_BACK = Prepared(_giving_back)

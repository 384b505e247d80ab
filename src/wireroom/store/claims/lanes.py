"""Leases on lanes: who may ask a host now."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import (
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.dml import ReturningUpdate

from wireroom.errors import LeaseLost
from wireroom.store import bulk, dialects
from wireroom.store.claims.lease import LEASE
from wireroom.store.schema import Instant, feeds, lanes
from wireroom.values import value

#: No request begins with less left of its lease: a process that was stopped for a while, or could
#: not reach the database, would still be asking when somebody else takes over.
LEAST_LEFT = LEASE / 3


@value
class LaneLease:
    """The right to fetch from one host, until it runs out."""

    lane: str
    owner: str
    token: int
    #: How often in a row the host had said "too many" when we took it.
    throttles: int = 0


def claim_lanes(
    connection: Connection, *, owner: str, now: datetime, limit: int
) -> list[LaneLease]:
    """Lease up to `limit` lanes that have due feeds, longest overdue first (SCH-34, SCH-35).

    Costs one range of the index on `ready_at`, however many lanes wait behind it.
    """
    taken = connection.execute(
        _take_due(connection.dialect.name),
        {"owner": owner, "until": now + LEASE, "now": now, "most": limit},
    )
    return _leases(taken, owner)


def claim_lane(
    connection: Connection, lane: str, *, owner: str, now: datetime
) -> LaneLease | None:
    """Lease one lane by name, due or not, for somebody who asks now; None while another holds it.

    The lane is made when there is none yet. A host's wish for silence is kept: the caller reads
    `paused_until` before dialling.
    """
    make_lane(connection, lane)
    taken = connection.execute(
        _take_one(connection.dialect.name),
        {"owner": owner, "until": now + LEASE, "now": now, "lane": lane},
    )
    return next(iter(_leases(taken, owner)), None)


def _leases(taken: Iterable[Row[str, int, int]], owner: str) -> list[LaneLease]:
    return [LaneLease(key, owner, token, throttles) for key, token, throttles in taken]


def _taking(dialect: str, which: Select[str]) -> ReturningUpdate[str, int, int]:
    """Lease the lanes that are selected."""
    chosen = which.cte("chosen")  # evaluated once: its rows are the ones locked
    return (
        update(lanes)
        .where(dialects.chosen(dialect, lanes.c.key, select(chosen.c.key)))
        .values(
            lease_owner=bindparam("owner"),
            lease_token=lanes.c.lease_token + 1,
            ready_at=bindparam("until"),
        )
        .returning(lanes.c.key, lanes.c.lease_token, lanes.c.throttles)
    )


_now = bindparam("now", type_=Instant)


@cache
def _take_due(dialect: str) -> ReturningUpdate[str, int, int]:
    due = (
        select(lanes.c.key)
        .where(lanes.c.ready_at <= _now)
        # A worker that died leaves the end of its lease in ready_at, not that of the pause.
        .where(or_(lanes.c.paused_until.is_(None), lanes.c.paused_until <= _now))
        .order_by(lanes.c.ready_at)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )
    return _taking(dialect, due)


@cache
def _take_one(dialect: str) -> ReturningUpdate[str, int, int]:
    one = (
        select(lanes.c.key)
        .where(lanes.c.key == bindparam("lane"))
        .where(or_(lanes.c.lease_owner.is_(None), lanes.c.ready_at <= _now))
        .with_for_update(skip_locked=True)
    )
    return _taking(dialect, one)


def hold_lanes(connection: Connection, leases: Sequence[LaneLease], *, now: datetime) -> None:
    """Make sure that these leases are still ours, and prolong them. Raises LeaseLost otherwise.

    The rows stay locked to the end of the transaction.
    """
    if not leases:
        return
    until = bulk.milliseconds(now + LEASE)
    held = bulk.execute(
        connection,
        "UPDATE lanes SET ready_at = ? WHERE key = ? AND lease_owner = ? AND lease_token = ?",
        [(until, lease.lane, lease.owner, lease.token) for lease in leases],
    )
    if held != len(leases):
        lanes_meant = ", ".join(lease.lane for lease in leases[:3])
        raise LeaseLost(
            f"A lease ran out, and somebody else works there now: {lanes_meant}"
            + (f" or one of {len(leases) - 3} others." if len(leases) > 3 else ".")
        )


def release_lane(
    connection: Connection, lease: LaneLease, *, now: datetime, rest: timedelta = timedelta(0)
) -> None:
    """Give a lane back: ready again when its earliest feed is due, but not before a pause ends.

    `rest` is the least time until the loop may take it again. Does nothing when the lease was
    lost. A lane without feeds goes away.
    """
    mine = (
        lanes.c.key == lease.lane,
        lanes.c.lease_owner == lease.owner,
        lanes.c.lease_token == lease.token,
    )
    # Locked first and looked at second: whoever makes a feed due at this moment comes before us,
    # and we see the feed, or after us, and wakes the lane.
    if not connection.execute(
        select(lanes.c.key).where(*mine).with_for_update(key_share=True)
    ).first():
        return
    earliest = (
        select(func.min(feeds.c.next_poll_at)).where(feeds.c.lane == lease.lane).scalar_subquery()
    )
    rested = now + rest
    wanted = case((earliest <= rested, literal(rested, Instant)), else_=earliest)
    ready_at = case(
        (and_(wanted.is_not(None), lanes.c.paused_until > wanted), lanes.c.paused_until),
        else_=wanted,
    )
    connection.execute(update(lanes).where(*mine).values(ready_at=ready_at, lease_owner=None))
    remove_empty_lane(connection, lease.lane, now=now)


def make_lane(connection: Connection, lane: str) -> None:
    """Make sure that the lane exists, and stays to the end of the transaction.

    A new one has nothing to do.
    """
    # As strong as what a feed's foreign key takes: others poll meanwhile, and none removes it.
    standing = select(lanes.c.key).where(lanes.c.key == lane)
    while not connection.execute(standing.with_for_update(read=True, key_share=True)).first():
        try:
            with connection.begin_nested():
                connection.execute(insert(lanes).values(key=lane))
        except IntegrityError:
            pass  # somebody made it between our look and our insert, and may remove it again


def remove_empty_lane(connection: Connection, lane: str, *, now: datetime) -> bool:
    """Forget a lane that no feed is on and nobody works in, unless its host asked for silence.

    Where somebody puts a feed on it at this moment, it stays for the next sweep. True if it went.
    """
    free = select(lanes.c.key).where(lanes.c.key == lane).with_for_update(skip_locked=True)
    if not connection.execute(free).first():
        return False
    gone = connection.execute(
        delete(lanes)
        .where(lanes.c.key == lane)
        .where(or_(lanes.c.lease_owner.is_(None), lanes.c.ready_at <= now))
        .where(or_(lanes.c.paused_until.is_(None), lanes.c.paused_until <= now))
        .where(~exists().where(feeds.c.lane == lanes.c.key))
    )
    return bool(gone.rowcount)


def pause_lane(connection: Connection, lane: str, *, until: datetime) -> None:
    """The host asked for silence until then; a later wish is never shortened by an earlier one.

    The lane is made when there is none: redirects lead to hosts that no feed is on.
    """
    make_lane(connection, lane)
    longer = or_(lanes.c.paused_until.is_(None), lanes.c.paused_until < until)
    free = and_(lanes.c.lease_owner.is_(None), lanes.c.ready_at < until)
    connection.execute(
        update(lanes)
        .where(lanes.c.key == lane)
        .values(
            throttles=lanes.c.throttles + 1,
            paused_until=case((longer, literal(until, Instant)), else_=lanes.c.paused_until),
            ready_at=case((free, literal(until, Instant)), else_=lanes.c.ready_at),
        )
    )


def forget_throttles(connection: Connection, lane_keys: Sequence[str]) -> None:
    """These hosts answered as they should: their next pause is a short one again."""
    connection.execute(
        update(lanes).where(lanes.c.key.in_(lane_keys), lanes.c.throttles > 0).values(throttles=0)
    )


def wake_lane(connection: Connection, lane: str, *, at: datetime) -> None:
    """A feed on this lane is due at `at`, which may be earlier than the lane thought.

    A leased lane keeps its time, which is the end of the lease: whoever releases it looks at its
    feeds.
    """
    pause = case((lanes.c.paused_until > at, lanes.c.paused_until), else_=literal(at, Instant))
    sooner = or_(lanes.c.ready_at.is_(None), lanes.c.ready_at > at)
    # The conditions are in the value: as conditions of the row they would pass over one that is
    # being given back at this moment, instead of waiting for it.
    connection.execute(
        update(lanes)
        .where(lanes.c.key == lane)
        .values(
            ready_at=case(
                (and_(lanes.c.lease_owner.is_(None), sooner), pause), else_=lanes.c.ready_at
            )
        )
    )


def next_lane_at(connection: Connection) -> datetime | None:
    """When the next lane can be claimed; leased ones count with the end of their lease."""
    return connection.execute(select(func.min(lanes.c.ready_at))).scalar()


def paused_until(connection: Connection, lane: str) -> datetime | None:
    """The end of the silence that a host asked for, also when it is over."""
    return connection.execute(select(lanes.c.paused_until).where(lanes.c.key == lane)).scalar()

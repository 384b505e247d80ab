"""What is thrown away, and when: bounded records, items nobody reads, and what lost its owner.

`sweep` walks over everything in short transactions, so that polling and delivery hardly notice it.
It never takes what a feed still lists, what a route has yet to send, or a favourite.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    tuple_,
)

from wireroom.store import accounts, claims, feeds, indexing, trimming
from wireroom.store.engine import Database
from wireroom.store.schema import (
    deliveries,
    entries,
    entry_bodies,
    entry_keys,
    entry_states,
    errands,
    fetches,
    lanes,
    notices,
    routes,
    subscriptions,
)
from wireroom.store.schema import feeds as feed_rows

#: Feeds that are looked at in one transaction, and rows that are deleted in one.
FEEDS_AT_ONCE = 200
ROWS_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Keep:
    """How much is kept. None: everything."""

    #: Last outcomes of each feed.
    fetches: int = 50
    #: What was sent, as which message; a route's own outbox is never touched.
    deliveries: timedelta = timedelta(days=90)
    #: What people were to hear of, but could not be told: it is no news any more.
    notices: timedelta = timedelta(days=7)
    #: Names of trimmed entries, so that an item that comes back is not new.
    tombstones: timedelta = timedelta(days=730)
    #: Newest items of each feed without readers, and how old they may grow.
    items: int | None = None
    items_age: timedelta | None = None
    #: Trim feeds that somebody reads in the web reader or through an API, too (C37, STO-13).
    trim_what_is_read: bool = False


@dataclass(frozen=True, slots=True)
class Swept:
    """How many rows went."""

    items: int = 0
    tombstones: int = 0
    fetches: int = 0
    deliveries: int = 0
    notices: int = 0
    tokens: int = 0
    feeds: int = 0
    lanes: int = 0
    orphans: int = 0

    def __add__(self, other: "Swept") -> "Swept":
        return Swept(
            **{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(Swept)}
        )


Step = Callable[[Connection], Swept]


async def sweep(database: Database, keep: Keep, now: datetime) -> Swept:
    """Throw away what is past its time; gives how much. Safe beside everything else that runs."""
    done = Swept()
    last = 0
    while True:
        batch = await database.read(_next_feeds, last)
        for feed_id in batch:
            if keep.items is not None or keep.items_age is not None:
                items = await database.write(trimming.trim, feed_id, keep, now)
                done += Swept(items=items)
        through = batch[-1] if len(batch) == FEEDS_AT_ONCE else _NO_END
        done += await database.write(_sweep_range, last, through, keep, now)
        if through == _NO_END:
            break
        last = through
    for step in (_deliveries(keep, now), _notices(keep, now), _unfollowed(now), _lanes(now)):
        while (swept := await database.write(step)) != Swept():
            done += swept
    done += Swept(orphans=await _lost_states(database))
    tokens = await database.write(accounts.remove_expired_tokens, now)
    return done + Swept(tokens=tokens)


_NO_END = 2**63 - 1


def _next_feeds(connection: Connection, last: int) -> list[int]:
    return list(
        connection.execute(
            select(feed_rows.c.id)
            .where(feed_rows.c.id > last)
            .order_by(feed_rows.c.id)
            .limit(FEEDS_AT_ONCE)
        ).scalars()
    )


# -- by feed --------------------------------------------------------------------------------------


def _sweep_range(
    connection: Connection, last: int, through: int, keep: Keep, now: datetime
) -> Swept:
    """Everything that is counted or orphaned in feeds with numbers in (last, through]."""

    def among(table: Table) -> ColumnElement[bool]:
        return and_(table.c.feed_id > last, table.c.feed_id <= through)

    return Swept(
        fetches=_old_fetches(connection, among(fetches), keep.fetches),
        tombstones=_gone(
            connection, entry_keys, among(entry_keys), entry_keys.c.gone_at < now - keep.tombstones
        ),
        orphans=_gone(connection, entry_bodies, among(entry_bodies), _without_entry(entry_bodies))
        + indexing.drop_orphans(connection, last, through),
    )


def _old_fetches(connection: Connection, among: ColumnElement[bool], count: int) -> int:
    crowded = connection.execute(
        select(fetches.c.feed_id)
        .where(among)
        .group_by(fetches.c.feed_id)
        .having(func.count() > count)
    ).scalars()
    gone = 0
    for feed_id in crowded.all():
        mine = fetches.c.feed_id == feed_id
        last_kept = (
            select(fetches.c.at).where(mine).order_by(fetches.c.at.desc()).offset(count - 1)
        ).limit(1)
        gone += connection.execute(
            delete(fetches).where(mine, fetches.c.at < last_kept.scalar_subquery())
        ).rowcount
    return gone


def _gone(connection: Connection, table: Table, *which: ColumnElement[bool]) -> int:
    return connection.execute(delete(table).where(*which)).rowcount


def _without_entry(table: Table) -> ColumnElement[bool]:
    return ~exists().where(entries.c.feed_id == table.c.feed_id, entries.c.seq == table.c.seq)


async def _lost_states(database: Database) -> int:
    """What accounts said about entries that are gone, in the order of the table's own key."""
    gone, last = 0, (0, 0, 0)
    while (reached := await database.read(_key_after, last)) is not None:
        gone += await database.write(_drop_states, last, reached)
        last = reached
    return gone


_STATE = (entry_states.c.account_id, entry_states.c.feed_id, entry_states.c.seq)


def _key_after(connection: Connection, last: tuple[int, int, int]) -> tuple[int, int, int] | None:
    """The key 2,000 rows further on, or the last one; None behind it."""
    rows = connection.execute(
        select(*_STATE)
        .where(tuple_(*_STATE) > tuple_(*last))
        .order_by(*_STATE)
        .limit(ROWS_AT_ONCE)
    ).all()
    return tuple(rows[-1]) if rows else None


def _drop_states(
    connection: Connection, last: tuple[int, int, int], through: tuple[int, int, int]
) -> int:
    key = tuple_(*_STATE)
    return _gone(
        connection,
        entry_states,
        key > tuple_(*last),
        key <= tuple_(*through),
        _without_entry(entry_states),
    )


# -- by age and by owner: a step at a time, until there is nothing left ---------------------------


def _notices(keep: Keep, now: datetime) -> Step:
    """Notices that nobody was told; entries on their way to a destination stay."""

    def step(connection: Connection) -> Swept:
        before = now - keep.notices
        untold = _gone(connection, notices, notices.c.at < before)
        waiting = _gone(connection, errands, errands.c.kind == "notice", errands.c.at < before)
        return Swept(notices=untold + waiting)

    return step


def _deliveries(keep: Keep, now: datetime) -> Step:
    """Old notes of what was sent. Those past a cursor say what is under way or dealt with."""
    old = (
        select(deliveries.c.route_id, deliveries.c.seq)
        .join(routes, routes.c.id == deliveries.c.route_id)
        .where(deliveries.c.at < now - keep.deliveries, deliveries.c.seq <= routes.c.cursor)
        .limit(ROWS_AT_ONCE)
    )
    chosen = tuple_(deliveries.c.route_id, deliveries.c.seq).in_(old)
    return lambda connection: Swept(deliveries=_gone(connection, deliveries, chosen))


def _unfollowed(now: datetime) -> Step:
    """Feeds that nobody follows, where an account was deleted or a program was killed (STO-10)."""
    nobodys = (
        select(feed_rows.c.id)
        .where(~exists().where(subscriptions.c.feed_id == feed_rows.c.id))
        # Whoever follows a new feed makes it and the subscription in one transaction.
        .where(feed_rows.c.created_at < now - timedelta(hours=1))
        .order_by(feed_rows.c.id)
        .limit(20)
    )

    def step(connection: Connection) -> Swept:
        found = connection.execute(nobodys).scalars().all()
        return Swept(
            feeds=sum(feeds.purge_if_unfollowed(connection, each, now=now) for each in found)
        )

    return step


def _lanes(now: datetime) -> Step:
    """Hosts that no feed is on any more, when the silence they asked for is over."""
    empty = (
        select(lanes.c.key)
        .where(or_(lanes.c.lease_owner.is_(None), lanes.c.ready_at <= now))
        .where(or_(lanes.c.paused_until.is_(None), lanes.c.paused_until <= now))
        .where(~exists().where(feed_rows.c.lane == lanes.c.key))
        .limit(ROWS_AT_ONCE)
    )

    def step(connection: Connection) -> Swept:
        keys = connection.execute(empty).scalars().all()
        return Swept(lanes=sum(claims.remove_empty_lane(connection, key, now=now) for key in keys))

    return step

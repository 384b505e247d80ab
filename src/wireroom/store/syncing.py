"""What one subscription's reader states are, for clients that keep a copy of them.

Two orders serve two needs: by place, for the first pull of everything, and by change, for what
came after it (SYN-07). Both are walked by keyset.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    Select,
    and_,
    bindparam,
    select,
    tuple_,
)

from wireroom.store.schema import Instant, entries, entry_states, subscriptions
from wireroom.store.scopes import EVER, READER, values_of


@dataclass(frozen=True, slots=True)
class Partition:
    """One account's states in one feed, and the watermark that holds where there is none."""

    account_id: int
    feed_id: int
    read_watermark: datetime | None


@dataclass(frozen=True, slots=True)
class State:
    """What an account said about an entry; `is_read` None: nothing, the watermark decides."""

    seq: int
    sort_at: datetime
    is_read: bool | None
    is_favorite: bool
    updated_at: datetime


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A moment and the number of an entry: a place in either order."""

    at: datetime
    seq: int


#: Before every place and every change.
START = Point(EVER, 0)


def partition(connection: Connection, account_id: int, subscription_id: int) -> Partition | None:
    """What a subscription gives access to; None when there is none or it is somebody else's."""
    row = connection.execute(
        select(subscriptions.c.feed_id, subscriptions.c.read_watermark).where(
            subscriptions.c.id == subscription_id, subscriptions.c.account_id == account_id
        )
    ).first()
    return None if row is None else Partition(account_id, row.feed_id, row.read_watermark)


def states_by_place(
    connection: Connection, which: Partition, after: Point, limit: int
) -> Sequence[State]:
    """States in the order of their entries' dates, strictly after a place."""
    return _page(connection, _by_place(), which, after, limit)


def states_by_change(
    connection: Connection, which: Partition, after: Point, limit: int
) -> Sequence[State]:
    """States in the order in which they were said, strictly after a change."""
    return _page(connection, _by_change(), which, after, limit)


_ENTRY = and_(entries.c.feed_id == entry_states.c.feed_id, entries.c.seq == entry_states.c.seq)


@cache
def _by_place() -> Select[Any]:
    query = _said(entries.c.sort_at).join(entries, _ENTRY)
    return _after(query, (entries.c.sort_at, entries.c.seq))


@cache
def _by_change() -> Select[Any]:
    # Not a join: that would let a planner begin with all entries of the feed and sort them.
    dated = select(entries.c.sort_at).where(_ENTRY).correlate(entry_states).scalar_subquery()
    query = _said(dated).where(dated.is_not(None))
    return _after(query, (entry_states.c.updated_at, entry_states.c.seq))


def _said(dated: ColumnElement[Any]) -> Select[Any]:
    return (
        select(
            entry_states.c.seq,
            dated.label("sort_at"),
            entry_states.c.is_read,
            entry_states.c.is_favorite,
            entry_states.c.updated_at,
        )
        .select_from(entry_states)
        .where(
            entry_states.c.account_id == READER,
            entry_states.c.feed_id == bindparam("feed", type_=BigInteger),
        )
    )


def _after(
    query: Select[Any], order: tuple[ColumnElement[Any], ColumnElement[Any]]
) -> Select[Any]:
    at, seq = bindparam("at", type_=Instant), bindparam("number", type_=BigInteger)
    return (
        # The first condition says less than the second, but it is the one an index can follow.
        query.where(order[0] >= at, tuple_(*order) > tuple_(at, seq))
        .order_by(*order)
        .limit(bindparam("most", type_=Integer))
    )


def _page(
    connection: Connection, query: Select[Any], which: Partition, after: Point, limit: int
) -> Sequence[State]:
    values = {
        **values_of(which.account_id),
        "feed": which.feed_id,
        "at": after.at,
        "number": after.seq,
        "most": limit,
    }
    return [State(*row) for row in connection.execute(query, values)]

"""What changed for an account since somebody looked: arrivals, marks, and what it follows."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Integer, Select, and_, bindparam, select

from wireroom.store.schema import Instant, entries, entry_states, feeds, subscriptions
from wireroom.store.scopes import READER, values_of
from wireroom.store.syncing import Partition, State


@dataclass(frozen=True, slots=True)
class Stand:
    """How far one subscription has come."""

    subscription_id: int
    feed_id: int
    last_seq: int
    read_watermark: datetime | None


def stands(connection: Connection, account_id: int) -> dict[int, Stand]:
    """All subscriptions of an account, by feed."""
    rows = connection.execute(_STANDS, values_of(account_id))
    return {row.feed_id: Stand(*row) for row in rows}


_STANDS = (
    select(
        subscriptions.c.id,
        subscriptions.c.feed_id,
        feeds.c.last_seq,
        subscriptions.c.read_watermark,
    )
    .join(feeds, feeds.c.id == subscriptions.c.feed_id)
    .where(subscriptions.c.account_id == READER)
)


def numbers_at(connection: Connection, account_id: int, moment: datetime) -> dict[int, int]:
    """The last number that each followed feed had at a moment; costs what came since then."""
    rows = connection.execute(_numbers_at(), {**values_of(account_id), "moment": moment})
    return {feed_id: number or 0 for feed_id, number in rows}


@cache
def _numbers_at() -> Select[Any]:
    newest = (
        select(entries.c.seq)
        .where(
            entries.c.feed_id == subscriptions.c.feed_id,
            entries.c.first_seen_at <= bindparam("moment", type_=Instant),
        )
        .order_by(entries.c.seq.desc())
        .limit(1)
        .correlate(subscriptions)
        .scalar_subquery()
    )
    return select(subscriptions.c.feed_id, newest).where(subscriptions.c.account_id == READER)


def states_after(
    connection: Connection, account_id: int, moment: datetime, limit: int
) -> list[tuple[Partition, State]]:
    """What was said about entries after a moment, in the order in which it was said."""
    values = {**values_of(account_id), "moment": moment, "most": limit}
    return [
        (Partition(account_id, feed_id, mark), State(*said))
        for feed_id, mark, *said in connection.execute(_states_after(), values)
    ]


@cache
def _states_after() -> Select[Any]:
    return (
        select(
            subscriptions.c.feed_id,
            subscriptions.c.read_watermark,
            entry_states.c.seq,
            entries.c.sort_at,
            entry_states.c.is_read,
            entry_states.c.is_favorite,
            entry_states.c.updated_at,
        )
        .select_from(subscriptions)
        .join(
            entry_states,
            and_(
                entry_states.c.account_id == READER,
                entry_states.c.feed_id == subscriptions.c.feed_id,
                entry_states.c.updated_at > bindparam("moment", type_=Instant),
            ),
        )
        .join(
            entries,
            and_(
                entries.c.feed_id == entry_states.c.feed_id,
                entries.c.seq == entry_states.c.seq,
            ),
        )
        .where(subscriptions.c.account_id == READER)
        .order_by(entry_states.c.updated_at, entry_states.c.feed_id, entry_states.c.seq)
        .limit(bindparam("most", type_=Integer))
    )

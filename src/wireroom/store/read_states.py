"""What an account says about single entries: read, unread, favourite.

Writers of what `store.reading` decides by. Only entries that exist and whose feed the account
follows are ever written about; everything else is passed over and not counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    and_,
    bindparam,
    literal,
    select,
)
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from wireroom.store.dialects import insert_or
from wireroom.store.entry_view import pairs_value
from wireroom.store.schema import Instant, entries, entry_states, entry_tags, subscriptions
from wireroom.store.scopes import (
    READER,
    pairs,
    values_of,
)


@dataclass(frozen=True, slots=True)
class StateChange:
    """What to say about one entry; None leaves that side as it is."""

    feed_id: int
    seq: int
    is_read: bool | None = None
    is_favorite: bool | None = None


def set_states(
    connection: Connection, account_id: int, changes: Sequence[StateChange], now: datetime
) -> int:
    """Write explicit states; gives how many entries were written about."""
    wanted = [c for c in changes if c.is_read is not None or c.is_favorite is not None]
    known = _readable(connection, account_id, {(c.feed_id, c.seq) for c in wanted})
    allowed = [c for c in wanted if (c.feed_id, c.seq) in known]
    # In one order whoever writes, so that two never wait for each other in a ring.
    allowed.sort(key=lambda change: (change.feed_id, change.seq))
    # What says the same things goes in one go; of two changes of one entry, the later one last.
    for says, some in groupby(allowed, key=_flags):
        rows = [_row(account_id, change, says, now) for change in some]
        connection.execute(_say(connection.dialect.name, says), rows)
    return len(allowed)


def tell(
    connection: Connection, account_id: int, keys: Sequence[tuple[int, int]], now: datetime
) -> None:
    """Something else about these entries has changed, such as their labels: state sync tells them.

    What is read and what is liked stays as it was said, or unsaid.
    """
    rows = [
        {"account_id": account_id, "feed_id": feed_id, "seq": seq, "updated_at": now}
        for feed_id, seq in sorted(_readable(connection, account_id, keys))
    ]
    if rows:
        connection.execute(_say(connection.dialect.name, ()), rows)


def tell_labelled(connection: Connection, account_id: int, label_id: int, now: datetime) -> None:
    """The same for all entries that carry a label of the account."""
    columns = ("account_id", "feed_id", "seq", "updated_at")
    carried = (
        select(
            subscriptions.c.account_id,
            entry_tags.c.feed_id,
            entry_tags.c.seq,
            literal(now, Instant),
        )
        .join(subscriptions, subscriptions.c.feed_id == entry_tags.c.feed_id)
        .where(entry_tags.c.tag_id == label_id, subscriptions.c.account_id == account_id)
    )
    connection.execute(
        insert_or(connection, entry_states)
        .from_select(columns, carried)
        .on_conflict_do_update(index_elements=columns[:3], set_={"updated_at": now})
    )


Flags = tuple[str, ...]


def _flags(change: StateChange) -> Flags:
    names = ("is_read", "is_favorite")
    return tuple(name for name in names if getattr(change, name) is not None)


def _row(account_id: int, change: StateChange, says: Flags, now: datetime) -> dict[str, Any]:
    key = {"account_id": account_id, "feed_id": change.feed_id, "seq": change.seq}
    return {**key, "updated_at": now, **{name: getattr(change, name) for name in says}}


@cache
def _say(dialect: str, says: Flags) -> Any:
    statement = _INSERTS[dialect](entry_states)
    new = statement.excluded
    return statement.values(
        {name: bindparam(name) for name in ("account_id", "feed_id", "seq", "updated_at", *says)}
    ).on_conflict_do_update(
        index_elements=["account_id", "feed_id", "seq"],
        set_={name: new[name] for name in ("updated_at", *says)},
    )


def _readable(
    connection: Connection, account_id: int, keys: Iterable[tuple[int, int]]
) -> set[tuple[int, int]]:
    keys = sorted(keys)
    if not keys:
        return set()
    values = {**values_of(account_id), "wanted": pairs_value(keys)}
    rows = connection.execute(_readable_of(connection.dialect.name), values)
    return {(feed_id, seq) for feed_id, seq in rows}


@cache
def _readable_of(dialect: str) -> Select[Any]:
    wanted = pairs(dialect, "wanted", "feed_id", "seq")
    return (
        select(entries.c.feed_id, entries.c.seq)
        .select_from(
            wanted.join(
                entries,
                and_(entries.c.feed_id == wanted.c.feed_id, entries.c.seq == wanted.c.seq),
            ).join(subscriptions, subscriptions.c.feed_id == entries.c.feed_id)
        )
        .where(subscriptions.c.account_id == READER)
    )


# The same words with the same meaning; only the constructors differ.
_INSERTS: dict[str, Any] = {"sqlite": sqlite_insert, "postgresql": postgresql_insert}

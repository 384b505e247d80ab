"""What an account says about entries: read, unread, favourite, and "all of it is read".

Writers of what `store.reading` decides by. Only entries that exist and whose feed the account
follows are ever written about; everything else is passed over and not counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from wireroom.store.counting import FEEDS_AT_ONCE, moved_on
from wireroom.store.entry_view import pairs_value
from wireroom.store.schema import Instant, entries, entry_states, subscriptions
from wireroom.store.scopes import (
    EVER,
    EVERYTHING,
    READER,
    Form,
    Scope,
    Show,
    in_scope,
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


@dataclass(frozen=True, slots=True)
class Marked:
    """What "mark all read" did: subscriptions in scope, and explicit rows turned round."""

    subscriptions: int
    flipped: int


def set_states(
    connection: Connection, account_id: int, changes: Sequence[StateChange], now: datetime
) -> int:
    """Write explicit states; gives how many entries were written about."""
    wanted = [c for c in changes if c.is_read is not None or c.is_favorite is not None]
    known = _readable(connection, account_id, {(c.feed_id, c.seq) for c in wanted})
    allowed = [c for c in wanted if (c.feed_id, c.seq) in known]
    # What says the same things goes in one go; of two changes of one entry, the later one last.
    for says, some in groupby(allowed, key=_flags):
        rows = [_row(account_id, change, says, now) for change in some]
        connection.execute(_say(connection.dialect.name, says), rows)
    return len(allowed)


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


def raise_watermarks(
    connection: Connection, account_id: int, scope: Scope, until: datetime, now: datetime
) -> Marked:
    """Everything published up to `until` is read (API-38 to API-42). Never moves one backwards."""
    followed = connection.scalars(
        select(subscriptions.c.id).where(in_scope(scope.form)), values_of(account_id, scope)
    ).all()
    connection.execute(
        update(subscriptions)
        .where(
            subscriptions.c.id.in_(followed),
            or_(
                subscriptions.c.read_watermark.is_(None),
                subscriptions.c.read_watermark < until,
            ),
        )
        .values(read_watermark=until)
    )
    passed = entries.c.sort_at <= literal(until, Instant)
    flipped = _flip(connection, scope.form, passed, now, values_of(account_id, scope))
    return Marked(len(followed), flipped)


def _flip(
    connection: Connection,
    form: Form,
    passed: ColumnElement[bool],
    now: datetime,
    values: Mapping[str, Any],
) -> int:
    """Turn what was kept unread by hand to read, where `passed` holds for the entry."""
    still_there = (
        exists()
        .where(
            entries.c.feed_id == entry_states.c.feed_id,
            entries.c.seq == entry_states.c.seq,
            subscriptions.c.feed_id == entries.c.feed_id,
            in_scope(form),
            passed,
        )
        .correlate(entry_states)
    )
    turned = connection.execute(
        update(entry_states)
        .where(
            entry_states.c.account_id == READER,
            entry_states.c.is_read == false(),
            still_there,
        )
        .values(is_read=True, updated_at=now)
        .returning(entry_states.c.seq),  # sqlite3 counts no rows of a statement that begins WITH
        values,
    )
    return len(turned.all())


def mark_seen(
    connection: Connection, account_id: int, seen: Mapping[int, int], show: Show, now: datetime
) -> Marked:
    """Everything that a list could show when it was drawn is read, and nothing that came later.

    `seen` holds the last number of each feed at that moment (at most SEEN_FEEDS of them). Each
    watermark goes to the newest entry its own feed had then, not to the time of day: what a feed
    publishes before that moment but delivers at its next poll is still unread when it comes.
    What arrived meanwhile with an older date is kept unread explicitly (B48).
    """
    if not seen:
        return Marked(0, 0)
    numbers = pairs(connection.dialect.name, "seen", "feed_id", "last_seq")
    values = {**values_of(account_id), "seen": pairs_value(seen.items())}
    if show == "favorite":
        return Marked(len(seen), _mark_favorites(connection, numbers, now, values))
    marks = connection.execute(_newest_seen(numbers), values).all()
    rising = [
        row
        for row in marks
        if row.newest is not None and row.newest > (row.read_watermark or EVER)
    ]
    if rising:
        newest = {row.feed_id: row.newest for row in rising}
        _keep_latecomers(connection, account_id, seen, newest, now)
        connection.execute(
            update(subscriptions)
            .where(subscriptions.c.id == bindparam("which"))
            .values(read_watermark=bindparam("mark", type_=Instant)),
            [{"which": row.id, "mark": row.newest} for row in rising],
        )
    shown = and_(
        subscriptions.c.feed_id == numbers.c.feed_id,
        entries.c.seq <= numbers.c.last_seq,
        entries.c.sort_at <= subscriptions.c.read_watermark,
    )
    return Marked(len(marks), _flip(connection, EVERYTHING.form, shown, now, values))


def _newest_of_feed(numbers: CTE) -> ScalarSelect[datetime]:
    shown = entries.alias("shown")
    return (
        select(shown.c.sort_at)
        .where(shown.c.feed_id == numbers.c.feed_id, shown.c.seq <= numbers.c.last_seq)
        .order_by(shown.c.sort_at.desc(), shown.c.seq.desc())
        .limit(1)
        .correlate(numbers)
        .scalar_subquery()
    )


def _newest_seen(numbers: CTE) -> Select[Any]:
    return (
        select(
            subscriptions.c.id,
            subscriptions.c.feed_id,
            subscriptions.c.read_watermark,
            _newest_of_feed(numbers).label("newest"),
        )
        .join(numbers, numbers.c.feed_id == subscriptions.c.feed_id)
        .where(subscriptions.c.account_id == READER)
    )


def _keep_latecomers(
    connection: Connection,
    account_id: int,
    seen: Mapping[int, int],
    newest: Mapping[int, datetime],
    now: datetime,
) -> None:
    """Say "unread" of what came after the list was drawn, before the watermarks rise over it."""
    moved = moved_on(connection, account_id, seen)
    late = [
        and_(
            entries.c.feed_id == feed_id,
            entries.c.seq > number,
            entries.c.sort_at <= newest[feed_id],
        )
        for feed_id, number in moved.items()
        if feed_id in newest
    ]
    for start in range(0, len(late), FEEDS_AT_ONCE):
        part = or_(*late[start : start + FEEDS_AT_ONCE])
        connection.execute(_say_unread(connection, account_id, part, now))


def _say_unread(
    connection: Connection, account_id: int, late: ColumnElement[bool], now: datetime
) -> Any:
    said = and_(
        entry_states.c.account_id == account_id,
        entry_states.c.feed_id == entries.c.feed_id,
        entry_states.c.seq == entries.c.seq,
    )
    rows = (
        select(
            literal(account_id),
            entries.c.feed_id,
            entries.c.seq,
            false(),
            func.coalesce(entry_states.c.is_favorite, false()),
            literal(now, Instant),
        )
        .select_from(
            entries.join(
                subscriptions,
                and_(
                    subscriptions.c.account_id == account_id,
                    subscriptions.c.feed_id == entries.c.feed_id,
                ),
            ).outerjoin(entry_states, said)
        )
        .where(
            late,
            entries.c.sort_at
            > func.coalesce(subscriptions.c.read_watermark, literal(EVER, Instant)),
            entry_states.c.is_read.is_(None),
        )
    )
    columns = ["account_id", "feed_id", "seq", "is_read", "is_favorite", "updated_at"]
    return (
        _INSERTS[connection.dialect.name](entry_states)
        .from_select(columns, rows)
        .on_conflict_do_update(
            index_elements=["account_id", "feed_id", "seq"],
            set_={"is_read": False, "updated_at": now},
        )
    )


def _mark_favorites(
    connection: Connection, numbers: CTE, now: datetime, values: Mapping[str, Any]
) -> int:
    """The list was of favourites, so only favourites become read."""
    shown = (
        exists()
        .where(
            numbers.c.feed_id == entry_states.c.feed_id,
            numbers.c.last_seq >= entry_states.c.seq,
            subscriptions.c.feed_id == entry_states.c.feed_id,
            subscriptions.c.account_id == READER,
        )
        .correlate(entry_states)
    )
    turned = connection.execute(
        update(entry_states)
        .where(
            entry_states.c.account_id == READER,
            entry_states.c.is_favorite == true(),
            or_(entry_states.c.is_read.is_(None), entry_states.c.is_read == false()),
            shown,
        )
        .values(is_read=True, updated_at=now)
        .returning(entry_states.c.seq),
        values,
    )
    return len(turned.all())

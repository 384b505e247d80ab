"""What an account says about entries: read, unread, favourite, and "all of it is read".

Writers of what `store.reading` decides by. Only entries that exist and whose feed the account
follows are ever written about; everything else is passed over and not counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
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

from wireroom.store.reading import (
    EVER,
    EVERYTHING,
    FEEDS_AT_ONCE,
    Scope,
    Show,
    in_scope,
    keys_as_table,
    moved_on,
    numbers_seen,
)
from wireroom.store.schema import Instant, entries, entry_states, subscriptions


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
    written = 0
    for change in wanted:
        if (change.feed_id, change.seq) in known:
            _say(connection, account_id, change, now)
            written += 1
    return written


def _readable(
    connection: Connection, account_id: int, keys: Iterable[tuple[int, int]]
) -> set[tuple[int, int]]:
    keys = sorted(keys)
    if not keys:
        return set()
    wanted = keys_as_table(keys)
    rows = connection.execute(
        select(entries.c.feed_id, entries.c.seq)
        .select_from(
            wanted.join(
                entries,
                and_(entries.c.feed_id == wanted.c.feed_id, entries.c.seq == wanted.c.seq),
            ).join(subscriptions, subscriptions.c.feed_id == entries.c.feed_id)
        )
        .where(subscriptions.c.account_id == account_id)
    )
    return {(feed_id, seq) for feed_id, seq in rows}


def _say(connection: Connection, account_id: int, change: StateChange, now: datetime) -> None:
    said: dict[str, Any] = {"updated_at": now}
    if change.is_read is not None:
        said["is_read"] = change.is_read
    if change.is_favorite is not None:
        said["is_favorite"] = change.is_favorite
    key = {"account_id": account_id, "feed_id": change.feed_id, "seq": change.seq}
    statement = _insert(connection)(entry_states).values(**key, **said)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["account_id", "feed_id", "seq"], set_=said)
    )


def _insert(connection: Connection) -> Any:
    # The same words with the same meaning; only the constructors differ.
    return sqlite_insert if connection.dialect.name == "sqlite" else postgresql_insert


def raise_watermarks(
    connection: Connection, account_id: int, scope: Scope, until: datetime, now: datetime
) -> Marked:
    """Everything published up to `until` is read (API-38 to API-42). Never moves one backwards."""
    followed = connection.scalars(
        select(subscriptions.c.id).where(in_scope(account_id, scope))
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
    flipped = _flip(connection, account_id, scope, entries.c.sort_at <= until, now)
    return Marked(len(followed), flipped)


def _flip(
    connection: Connection,
    account_id: int,
    scope: Scope,
    passed: ColumnElement[bool],
    now: datetime,
) -> int:
    """Turn what was kept unread by hand to read, where `passed` holds for the entry."""
    still_there = (
        exists()
        .where(
            entries.c.feed_id == entry_states.c.feed_id,
            entries.c.seq == entry_states.c.seq,
            subscriptions.c.feed_id == entries.c.feed_id,
            in_scope(account_id, scope),
            passed,
        )
        .correlate(entry_states)
    )
    turned = connection.execute(
        update(entry_states)
        .where(
            entry_states.c.account_id == account_id,
            entry_states.c.is_read == false(),
            still_there,
        )
        .values(is_read=True, updated_at=now)
        .returning(entry_states.c.seq)  # sqlite3 counts no rows of a statement that begins WITH
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
    numbers = numbers_seen(seen)
    if show == "favorite":
        return Marked(len(seen), _mark_favorites(connection, account_id, numbers, now))
    marks = connection.execute(_newest_seen(account_id, numbers)).all()
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
    return Marked(len(marks), _flip(connection, account_id, EVERYTHING, shown, now))


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


def _newest_seen(account_id: int, numbers: CTE) -> Select[Any]:
    return (
        select(
            subscriptions.c.id,
            subscriptions.c.feed_id,
            subscriptions.c.read_watermark,
            _newest_of_feed(numbers).label("newest"),
        )
        .join(numbers, numbers.c.feed_id == subscriptions.c.feed_id)
        .where(subscriptions.c.account_id == account_id)
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
        _insert(connection)(entry_states)
        .from_select(columns, rows)
        .on_conflict_do_update(
            index_elements=["account_id", "feed_id", "seq"],
            set_={"is_read": False, "updated_at": now},
        )
    )


def _mark_favorites(connection: Connection, account_id: int, numbers: CTE, now: datetime) -> int:
    """The list was of favourites, so only favourites become read."""
    shown = (
        exists()
        .where(
            numbers.c.feed_id == entry_states.c.feed_id,
            numbers.c.last_seq >= entry_states.c.seq,
            subscriptions.c.feed_id == entry_states.c.feed_id,
            subscriptions.c.account_id == account_id,
        )
        .correlate(entry_states)
    )
    turned = connection.execute(
        update(entry_states)
        .where(
            entry_states.c.account_id == account_id,
            entry_states.c.is_favorite == true(),
            or_(entry_states.c.is_read.is_(None), entry_states.c.is_read == false()),
            shown,
        )
        .values(is_read=True, updated_at=now)
        .returning(entry_states.c.seq)
    )
    return len(turned.all())

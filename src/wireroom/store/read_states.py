"""What an account says about entries: read, unread, favourite, and "all of it is read".

Writers of what `store.reading` decides by. Only entries that exist and whose feed the account
follows are ever written about; everything else is passed over and not counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
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
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from wireroom.store.reading import ARRIVALS_PER_FEED, EVER, Scope, Show, in_scope
from wireroom.store.schema import Instant, entries, entry_states, feeds, subscriptions


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
    keys = list(keys)
    if not keys:
        return set()
    rows = connection.execute(
        select(entries.c.feed_id, entries.c.seq)
        .join(subscriptions, subscriptions.c.feed_id == entries.c.feed_id)
        .where(
            subscriptions.c.account_id == account_id,
            tuple_(entries.c.feed_id, entries.c.seq).in_(keys),
        )
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
    return connection.execute(
        update(entry_states)
        .where(
            entry_states.c.account_id == account_id,
            entry_states.c.is_read == false(),
            still_there,
        )
        .values(is_read=True, updated_at=now)
    ).rowcount


def mark_seen(
    connection: Connection,
    account_id: int,
    scope: Scope,
    show: Show,
    seen_at: datetime,
    now: datetime,
) -> Marked:
    """Everything that a list drawn at `seen_at` could show is read, and nothing that came later.

    Each watermark goes to the newest entry that its own feed had then, not to `seen_at`: what a
    feed published before that moment but delivers at its next poll is still unread when it comes.
    Entries that arrived meanwhile with an older date are kept unread explicitly (B48).
    """
    if show == "favorite":
        return _mark_favorites(connection, account_id, scope, seen_at, now)
    marks = connection.execute(_newest_seen(account_id, scope, seen_at)).all()
    moved = [
        {"which": row.id, "mark": row.newest}
        for row in marks
        if row.newest is not None and row.newest > (row.read_watermark or EVER)
    ]
    if moved:
        connection.execute(_latecomers(connection, account_id, scope, seen_at, now))
        connection.execute(
            update(subscriptions)
            .where(subscriptions.c.id == bindparam("which"))
            .values(read_watermark=bindparam("mark", type_=Instant)),
            moved,
        )
    seen = and_(
        entries.c.first_seen_at <= seen_at,
        entries.c.sort_at <= func.coalesce(subscriptions.c.read_watermark, literal(EVER, Instant)),
    )
    return Marked(len(marks), _flip(connection, account_id, scope, seen, now))


def _newest_of_feed(seen_at: datetime) -> ScalarSelect[datetime]:
    seen = entries.alias("seen")
    return (
        select(seen.c.sort_at)
        .where(seen.c.feed_id == subscriptions.c.feed_id, seen.c.first_seen_at <= seen_at)
        .order_by(seen.c.sort_at.desc(), seen.c.seq.desc())
        .limit(1)
        .correlate(subscriptions)
        .scalar_subquery()
    )


def _newest_seen(account_id: int, scope: Scope, seen_at: datetime) -> Select[Any]:
    return select(
        subscriptions.c.id,
        subscriptions.c.read_watermark,
        _newest_of_feed(seen_at).label("newest"),
    ).where(in_scope(account_id, scope))


def _latecomers(
    connection: Connection, account_id: int, scope: Scope, seen_at: datetime, now: datetime
) -> Any:
    """Keep unread what arrived after the list was drawn, though dated before its newest entry."""
    said = and_(
        entry_states.c.account_id == account_id,
        entry_states.c.feed_id == entries.c.feed_id,
        entry_states.c.seq == entries.c.seq,
    )
    late = (
        select(
            literal(account_id),
            entries.c.feed_id,
            entries.c.seq,
            false(),
            func.coalesce(entry_states.c.is_favorite, false()),
            literal(now, Instant),
        )
        .select_from(
            entries.join(feeds, feeds.c.id == entries.c.feed_id)
            .join(subscriptions, subscriptions.c.feed_id == entries.c.feed_id)
            .outerjoin(entry_states, said)
        )
        .where(
            in_scope(account_id, scope),
            entries.c.seq > feeds.c.last_seq - ARRIVALS_PER_FEED,
            entries.c.first_seen_at > seen_at,
            entries.c.sort_at <= _newest_of_feed(seen_at),
            entries.c.sort_at
            > func.coalesce(subscriptions.c.read_watermark, literal(EVER, Instant)),
            entry_states.c.is_read.is_(None),
        )
    )
    columns = ["account_id", "feed_id", "seq", "is_read", "is_favorite", "updated_at"]
    return (
        _insert(connection)(entry_states)
        .from_select(columns, late)
        .on_conflict_do_update(
            index_elements=["account_id", "feed_id", "seq"],
            set_={"is_read": False, "updated_at": now},
        )
    )


def _mark_favorites(
    connection: Connection, account_id: int, scope: Scope, seen_at: datetime, now: datetime
) -> Marked:
    """The list was of favourites, so only favourites become read."""
    shown = (
        exists()
        .where(
            entries.c.feed_id == entry_states.c.feed_id,
            entries.c.seq == entry_states.c.seq,
            entries.c.first_seen_at <= seen_at,
            subscriptions.c.feed_id == entries.c.feed_id,
            in_scope(account_id, scope),
        )
        .correlate(entry_states)
    )
    flipped = connection.execute(
        update(entry_states)
        .where(
            entry_states.c.account_id == account_id,
            entry_states.c.is_favorite == true(),
            entry_states.c.is_read.is_not(True),
            shown,
        )
        .values(is_read=True, updated_at=now)
    ).rowcount
    count = select(func.count()).select_from(subscriptions).where(in_scope(account_id, scope))
    return Marked(connection.scalar(count) or 0, flipped)

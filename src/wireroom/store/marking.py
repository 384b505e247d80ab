""" "All of it is read": watermarks that rise, and what was said by hand below them.

Only entries that exist and whose feed the account follows are ever written about.
"""

from collections.abc import Mapping
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
    false,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)

from wireroom.store.counting import FEEDS_AT_ONCE, moved_on
from wireroom.store.dialects import insert_or
from wireroom.store.entry_view import pairs_value
from wireroom.store.schema import Instant, entries, entry_states, subscriptions
from wireroom.store.scopes import EVER, READER, Scope, Show, in_scope, pairs, values_of


@dataclass(frozen=True, slots=True)
class Marked:
    """What "mark all read" did: subscriptions in scope, and explicit rows turned round."""

    subscriptions: int
    flipped: int


def raise_watermarks(
    connection: Connection, account_id: int, scope: Scope, until: datetime, now: datetime
) -> Marked:
    """Everything published up to `until` is read (API-38 to API-42). Never moves one backwards."""
    standing = select(subscriptions.c.id).where(in_scope(scope.form)).order_by(subscriptions.c.id)
    # One that ends at this moment is not counted (API-42), and two of us never wait in a ring.
    followed = connection.scalars(
        standing.with_for_update(key_share=True), values_of(account_id, scope)
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
    passed = _kept_unread().where(
        in_scope(scope.form), entries.c.sort_at <= literal(until, Instant)
    )
    return Marked(len(followed), _flip(connection, passed, now, values_of(account_id, scope)))


def _flip(
    connection: Connection, passed: Select[Any], now: datetime, values: Mapping[str, Any]
) -> int:
    """Turn what was kept unread by hand to read, where `passed` lists the entry's key."""
    return _turn(connection, entry_states.c.is_read == false(), passed, now, values)


def _turn(
    connection: Connection,
    which: ColumnElement[bool],
    chosen: Select[Any],
    now: datetime,
    values: Mapping[str, Any],
) -> int:
    """Say "read" of states that are `which` and `chosen`, a list of (feed_id, seq).

    The list is made once, where EXISTS would be asked state by state.
    """
    turned = connection.execute(
        update(entry_states)
        .where(
            entry_states.c.account_id == READER,
            which,
            tuple_(entry_states.c.feed_id, entry_states.c.seq).in_(chosen),
        )
        .values(is_read=True, updated_at=now)
        .returning(entry_states.c.seq),  # sqlite3 counts no rows of a statement that begins WITH
        values,
    )
    return len(turned.all())


def _kept_unread() -> Select[Any]:
    """Keys of entries that are there, are followed and were marked unread by hand."""
    kept = entry_states.alias("kept")
    return (
        select(kept.c.feed_id, kept.c.seq)
        .join(entries, and_(entries.c.feed_id == kept.c.feed_id, entries.c.seq == kept.c.seq))
        .join(subscriptions, subscriptions.c.feed_id == kept.c.feed_id)
        .where(
            kept.c.account_id == READER,
            kept.c.is_read == false(),
            subscriptions.c.account_id == READER,
        )
    )


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
    shown = (
        _kept_unread()
        .join(numbers, numbers.c.feed_id == subscriptions.c.feed_id)
        .where(
            entries.c.seq <= numbers.c.last_seq,
            entries.c.sort_at <= subscriptions.c.read_watermark,
        )
    )
    return Marked(len(marks), _flip(connection, shown, now, values))


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
        insert_or(connection, entry_states)
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
    liked = entry_states.alias("liked")
    shown = (
        select(liked.c.feed_id, liked.c.seq)
        .join(numbers, numbers.c.feed_id == liked.c.feed_id)
        .join(subscriptions, subscriptions.c.feed_id == liked.c.feed_id)
        .where(
            liked.c.account_id == READER,
            liked.c.is_favorite == true(),
            liked.c.seq <= numbers.c.last_seq,
            subscriptions.c.account_id == READER,
        )
    )
    unread_favorite = and_(
        entry_states.c.is_favorite == true(),
        or_(entry_states.c.is_read.is_(None), entry_states.c.is_read == false()),
    )
    return _turn(connection, unread_favorite, shown, now, values)

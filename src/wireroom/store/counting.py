"""How much is unread, and what moved on since somebody looked."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    false,
    func,
    or_,
    select,
    true,
    union_all,
)

from wireroom.store import tallying
from wireroom.store.entry_view import Entry, entry_of
from wireroom.store.listing import kept_unread, page_of
from wireroom.store.schema import entries, entry_states, feeds, subscriptions
from wireroom.store.scopes import EVERYTHING, READER, Form, Scope, followed_in, values_of

#: Feeds that one statement names one by one (SQLite's expressions are at most 1,000 deep).
FEEDS_AT_ONCE = 200


def unread_counts(
    connection: Connection, account_id: int, scope: Scope = EVERYTHING
) -> dict[int, int]:
    """Unread entries by feed, in one statement; feeds without any are left out."""
    rows = connection.execute(_unread(scope.form), values_of(account_id, scope))
    return {feed_id: int(number) for feed_id, number in rows if number}


@cache
def _unread(form: Form) -> Select[Any]:
    """Above the watermark all entries less those said to be read; below, what was kept unread.

    What is above was tallied as it came, and what was said is taken off feed by feed: to ask of
    every entry whether something was said of it takes twenty times as long.
    """
    followed = followed_in(form)
    said = entry_states.alias("said")
    above = tallying.after(followed.c.feed_id, followed.c.floor)
    dated = (
        select(entries.c.sort_at)
        .where(entries.c.feed_id == said.c.feed_id, entries.c.seq == said.c.seq)
        .correlate(said)
        .scalar_subquery()
    )
    read = (
        select(func.count())
        .where(
            said.c.account_id == READER,
            said.c.feed_id == followed.c.feed_id,
            said.c.is_read == true(),
            dated > followed.c.floor,
        )
        .correlate(followed)
        .scalar_subquery()
    )
    new = select(followed.c.feed_id, (above - read).label("unread"))
    kept = kept_unread(followed, "newest", goes_on=False).subquery()
    old = select(kept.c.feed_id, func.count().label("unread")).group_by(kept.c.feed_id)
    both = union_all(new, old).subquery()
    return select(both.c.feed_id, func.sum(both.c.unread)).group_by(both.c.feed_id)


def moved_on(connection: Connection, account_id: int, seen: Mapping[int, int]) -> dict[int, int]:
    """Those of `seen` (last number by feed) whose feed has entries after that number by now."""
    numbers = connection.execute(_NUMBERS, values_of(account_id))
    return {f: seen[f] for f, last_seq in numbers if f in seen and last_seq > seen[f]}


_NUMBERS = (
    select(feeds.c.id, feeds.c.last_seq)
    .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
    .where(subscriptions.c.account_id == READER)
)


def after_numbers(entry: FromClause, seen: Mapping[int, int]) -> ColumnElement[bool]:
    """Entries after each feed's number, at most FEEDS_AT_ONCE of them.

    Spelled out by feed, since planners do not see that a join with so few numbers is cheap.
    """
    return or_(*(and_(entry.c.feed_id == f, entry.c.seq > n) for f, n in seen.items()), false())


def arrived_since(
    connection: Connection, account_id: int, seen: Mapping[int, int], limit: int
) -> list[Entry]:
    """What came after the numbers in `seen`, newest first, whatever date it carries.

    Feeds that are not in `seen` are left out. `limit` is at most FEEDS_AT_ONCE.
    """
    moved = moved_on(connection, account_id, seen)
    # Each of these has at least one new entry: more of them than `limit` cannot be shown.
    moved = dict(list(moved.items())[: min(limit, FEEDS_AT_ONCE)])
    if not moved:
        return []
    entry = entries.alias("fresh")
    fresh = select(entry.c.feed_id, entry.c.seq, entry.c.sort_at).where(
        after_numbers(entry, moved)
    )
    query = page_of(fresh.subquery(), "newest", limit)
    return [entry_of(row) for row in connection.execute(query, values_of(account_id))]


def pulse(connection: Connection, account_id: int) -> str:
    """A word that changes when something arrives, is marked by date, or is (un)followed."""
    count, numbers, marked = connection.execute(_PULSE, values_of(account_id)).one()
    return f"{count}-{numbers or 0}-{marked.timestamp() if marked else 0:.3f}"


_PULSE = (
    select(func.count(), func.sum(feeds.c.last_seq), func.max(subscriptions.c.read_watermark))
    .select_from(subscriptions.join(feeds, feeds.c.id == subscriptions.c.feed_id))
    .where(subscriptions.c.account_id == READER)
)

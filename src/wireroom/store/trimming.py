"""Old items of one feed go; their names stay, so that none of them comes back as news (B10).

Never trimmed: what the feed lists now (STO-09), favourites, what a route has yet to send, and all
items of a feed that somebody reads, unless the operator said so (C37).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    update,
)

from wireroom.store import tallying
from wireroom.store.schema import (
    entries,
    entry_bodies,
    entry_keys,
    entry_states,
    feeds,
    identities,
    routes,
    subscriptions,
)

#: Accounts that come in only by these doors get messages and read nothing here.
_CHATS = ("telegram", "discord")
_ITEMS_AT_ONCE = 2_000
_DIGEST_BYTES = 16


class Bounds(Protocol):
    """How many items of a feed are kept, and how old they may grow; None: no bound."""

    @property
    def items(self) -> int | None: ...
    @property
    def items_age(self) -> timedelta | None: ...
    @property
    def trim_what_is_read(self) -> bool: ...


def trim(connection: Connection, feed_id: int, keep: Bounds, now: datetime) -> int:
    """Trim one feed, at most 2,000 items at a time; gives how many went."""
    feed = connection.execute(
        select(feeds.c.last_seq, feeds.c.item_digests)
        .where(feeds.c.id == feed_id)
        .with_for_update(key_share=True)
    ).first()
    if feed is None or (not keep.trim_what_is_read and has_readers(connection, feed_id)):
        return 0
    old = _old(connection, feed_id, keep, now)
    if old is None:
        return 0
    packed = feed.item_digests or b""
    listed = {
        packed[start : start + _DIGEST_BYTES] for start in range(0, len(packed), _DIGEST_BYTES)
    }
    rows = connection.execute(
        select(entries.c.seq, entries.c.digest)
        .where(
            entries.c.feed_id == feed_id,
            old,
            ~_is_favorite(feed_id),
            *_sent_by_all(connection, feed_id),
        )
        .order_by(entries.c.seq)
        .limit(_ITEMS_AT_ONCE)
    )
    seqs = [seq for seq, digest in rows if digest not in listed]
    _bury(connection, feed_id, seqs, now)
    return len(seqs)


def has_readers(connection: Connection, feed_id: int) -> bool:
    """Whether anybody follows the feed who may read it here: in the web reader or an app."""
    mine = identities.c.account_id == subscriptions.c.account_id
    is_chat = and_(
        exists().where(mine, identities.c.kind.in_(_CHATS)),
        ~exists().where(mine, identities.c.kind.not_in(_CHATS)),
    )
    reader = select(subscriptions.c.id).where(subscriptions.c.feed_id == feed_id, ~is_chat)
    return connection.execute(reader.limit(1)).first() is not None


def _old(
    connection: Connection, feed_id: int, keep: Bounds, now: datetime
) -> ColumnElement[bool] | None:
    bounds: list[ColumnElement[bool]] = []
    if keep.items is not None:
        newest = (
            select(entries.c.seq)
            .where(entries.c.feed_id == feed_id)
            .order_by(entries.c.seq.desc())
            .offset(keep.items)
            .limit(1)
        )
        beyond = connection.execute(newest).scalar()
        if beyond is not None:
            bounds.append(entries.c.seq <= beyond)
    if keep.items_age is not None:
        bounds.append(entries.c.first_seen_at < now - keep.items_age)
    return or_(*bounds) if bounds else None


def _followers(feed_id: int) -> ColumnElement[bool]:
    """States are keyed by account first: without this, everybody's would be gone through."""
    accounts = select(subscriptions.c.account_id).where(subscriptions.c.feed_id == feed_id)
    return entry_states.c.account_id.in_(accounts)


def _is_favorite(feed_id: int) -> ColumnElement[bool]:
    return exists().where(
        _followers(feed_id),
        entry_states.c.feed_id == entries.c.feed_id,
        entry_states.c.seq == entries.c.seq,
        entry_states.c.is_favorite == true(),
    )


def _sent_by_all(connection: Connection, feed_id: int) -> tuple[ColumnElement[bool], ...]:
    """Not past the cursor of any route; a route without one begins behind what is there."""
    lowest = connection.execute(
        select(func.min(routes.c.cursor)).where(routes.c.feed_id == feed_id)
    ).scalar()
    return () if lowest is None else (entries.c.seq <= lowest,)


def _bury(connection: Connection, feed_id: int, seqs: Sequence[int], now: datetime) -> None:
    if not seqs:
        return
    dates = connection.execute(
        select(entries.c.sort_at).where(entries.c.feed_id == feed_id, entries.c.seq.in_(seqs))
    ).scalars()
    tallying.take_off(connection, [(feed_id, sort_at) for sort_at in dates])
    for table in (entry_states, entry_bodies, entries):
        of_feed = [table.c.feed_id == feed_id, table.c.seq.in_(seqs)]
        if table is entry_states:
            of_feed.append(_followers(feed_id))
        connection.execute(delete(table).where(*of_feed))
    connection.execute(
        update(entry_keys)
        .where(entry_keys.c.feed_id == feed_id, entry_keys.c.seq.in_(seqs))
        .values(seq=None, gone_at=now)
    )

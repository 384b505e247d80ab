"""Entries as rows: our record of items, what we know of their keys, and their bodies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, func, select

from wireroom.feeds.changes import Known
from wireroom.feeds.model import Digest, Enclosure, SafeHtml
from wireroom.feeds.traits import ItemKey
from wireroom.store.schema import entries, entry_bodies, entry_keys, subscriptions
from wireroom.store.text import storable

#: Contents over this many bytes are kept apart, so that lists stay quick to read (PRS-22).
LARGE_BODY_BYTES = 300_000


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry with its body, as delivery and readers see it."""

    feed_id: int
    seq: int
    public_id: str
    sort_at: datetime
    published: datetime | None
    first_seen: datetime
    title: str
    author: str
    link: str
    summary: SafeHtml | None
    content: SafeHtml | None
    image_url: str
    enclosures: tuple[Enclosure, ...]
    categories: tuple[str, ...]
    revision: int
    is_news: bool
    not_news_why: str


_ENTRY = (
    entries.c.feed_id,
    entries.c.seq,
    entries.c.public_id,
    entries.c.sort_at,
    func.coalesce(entries.c.published_at, entries.c.updated_at).label("published_at"),
    entries.c.first_seen_at,
    entries.c.title,
    entries.c.author,
    entries.c.link,
    entries.c.summary,
    func.coalesce(entries.c.content, entry_bodies.c.content).label("content"),
    entries.c.image_url,
    entries.c.enclosures,
    entries.c.categories,
    entries.c.revision,
    entries.c.is_news,
    entries.c.not_news_why,
)

_WITH_BODY = entries.outerjoin(
    entry_bodies,
    and_(
        entries.c.has_large_body,
        entry_bodies.c.feed_id == entries.c.feed_id,
        entry_bodies.c.seq == entries.c.seq,
    ),
)


@dataclass(frozen=True, slots=True)
class Memory:
    """What we remember of a feed's entries, as a decision about a new reading needs it."""

    known: Mapping[ItemKey, Known]
    followed_since: datetime | None
    oldest_published: datetime | None


def remember(connection: Connection, feed_id: int, keys: Sequence[ItemKey]) -> Memory:
    """Which of these keys we know, and since when the feed is followed."""
    known: dict[ItemKey, Known] = {}
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        some = keys[start : start + _KEYS_AT_ONCE]
        for row in connection.execute(_KNOWN, {"feed": feed_id, "some": some}):
            known[ItemKey(row.key)] = _known(row)
    since = select(func.min(subscriptions.c.created_at)).where(subscriptions.c.feed_id == feed_id)
    # sort_at is the date, or the first sight of what has none: never later than the oldest date.
    oldest = select(func.min(entries.c.sort_at)).where(entries.c.feed_id == feed_id)
    return Memory(known, connection.execute(since).scalar(), connection.execute(oldest).scalar())


#: Well below the number of parameters that either engine takes in one statement.
_KEYS_AT_ONCE = 5_000

_KNOWN = (
    select(
        entry_keys.c.key,
        entries.c.seq,
        entries.c.content_hash,
        entries.c.published_at,
        entries.c.title,
        entries.c.link,
        entries.c.digest,
    )
    .outerjoin(
        entries,
        and_(entries.c.feed_id == entry_keys.c.feed_id, entries.c.seq == entry_keys.c.seq),
    )
    .where(entry_keys.c.feed_id == bindparam("feed"))
    .where(entry_keys.c.key.in_(bindparam("some", expanding=True)))
)


def _known(row: Row[*tuple[Any, ...]]) -> Known:
    if row.seq is None:
        return Known(seq=None)  # a tombstone
    return Known(
        seq=row.seq,
        content_hash=row.content_hash,
        published=row.published_at,
        title=row.title,
        link=row.link,
        digest=Digest(row.digest),
    )


def after(connection: Connection, feed_id: int, seq: int, limit: int) -> list[Entry]:
    """The next entries of a feed past `seq`, in seq order."""
    rows = connection.execute(
        select(*_ENTRY)
        .select_from(_WITH_BODY)
        .where(entries.c.feed_id == feed_id, entries.c.seq > seq)
        .order_by(entries.c.seq)
        .limit(limit)
    )
    return [to_entry(row) for row in rows]


def one(connection: Connection, feed_id: int, seq: int) -> Entry | None:
    """One entry with its body, or None."""
    row = connection.execute(
        select(*_ENTRY)
        .select_from(_WITH_BODY)
        .where(entries.c.feed_id == feed_id, entries.c.seq == seq)
    ).first()
    return None if row is None else to_entry(row)


def to_entry(row: Row[*tuple[Any, ...]]) -> Entry:
    """The value of a row that was selected with the columns of `_ENTRY`."""
    return Entry(
        feed_id=row.feed_id,
        seq=row.seq,
        public_id=row.public_id,
        sort_at=row.sort_at,
        published=row.published_at,
        first_seen=row.first_seen_at,
        title=row.title,
        author=row.author,
        link=row.link,
        summary=None if row.summary is None else SafeHtml(row.summary),
        content=None if row.content is None else SafeHtml(row.content),
        image_url=row.image_url,
        enclosures=tuple(enclosure_from_json(each) for each in row.enclosures),
        categories=tuple(row.categories),
        revision=row.revision,
        is_news=row.is_news,
        not_news_why=row.not_news_why,
    )


def enclosure_as_json(enclosure: Enclosure) -> dict[str, Any]:
    """How an enclosure is kept: only what is known of it."""
    facts = {
        "url": storable(enclosure.url),
        "type": storable(enclosure.media_type),
        "bytes": enclosure.length_bytes,
        "seconds": enclosure.duration_seconds,
        "title": storable(enclosure.title),
        "width": enclosure.width,
        "height": enclosure.height,
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}


def enclosure_from_json(kept: Mapping[str, Any]) -> Enclosure:
    """The inverse of `enclosure_as_json`."""
    return Enclosure(
        url=kept.get("url", ""),
        media_type=kept.get("type", ""),
        length_bytes=kept.get("bytes"),
        duration_seconds=kept.get("seconds"),
        title=kept.get("title", ""),
        width=kept.get("width"),
        height=kept.get("height"),
    )

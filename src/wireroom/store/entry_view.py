"""Entries as their readers see them: with the feed's title, what was said, and the body if asked.

Whatever is read here is joined with the one subscription through which the account may see it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    Integer,
    Row,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    select,
    true,
)

from wireroom.feeds.model import Enclosure
from wireroom.store.entries import enclosure_from_json
from wireroom.store.schema import (
    Instant,
    articles,
    entries,
    entry_bodies,
    entry_states,
    feeds,
    subscriptions,
)
from wireroom.store.scopes import EVER, READER, Place, pairs, values_of

#: How much of a body a list reads for its teaser, in characters of HTML.
TEASER_CHARS = 800


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as its reader sees it, without the body."""

    feed_id: int
    seq: int
    subscription_id: int
    feed_title: str
    public_id: str
    title: str
    author: str
    link: str
    sort_at: datetime
    published_at: datetime | None
    updated_at: datetime | None
    first_seen_at: datetime
    image_url: str
    enclosures: tuple[Enclosure, ...]
    #: The first characters of the body's HTML, cut anywhere: strip the markup before showing it.
    teaser: str
    revision: int
    is_read: bool
    is_read_explicit: bool
    is_favorite: bool

    @property
    def place(self) -> Place:
        return Place(self.sort_at, self.feed_id, self.seq)


@dataclass(frozen=True, slots=True)
class Body:
    """The long fields of an entry; `content` is put together from wherever it is kept (API-49)."""

    summary: str | None
    content: str | None
    categories: tuple[str, ...]
    extra: dict[str, Any]
    #: `content` is that of the page which the entry links to.
    is_article: bool = False

    @property
    def fullest(self) -> str:
        """What to show: content, else summary, else nothing."""
        return self.content or self.summary or ""


def entry_columns() -> Select[Any]:
    """Entries that the reader may see; see `entry_of`."""
    title = case(
        (subscriptions.c.custom_title != "", subscriptions.c.custom_title),
        (feeds.c.title != "", feeds.c.title),
        else_=feeds.c.url,
    )
    html = func.coalesce(entries.c.summary, entries.c.content, entry_bodies.c.content, "")
    return (
        select(
            entries.c.feed_id,
            entries.c.seq,
            subscriptions.c.id,
            title,
            entries.c.public_id,
            entries.c.title,
            entries.c.author,
            entries.c.link,
            entries.c.sort_at,
            func.coalesce(entries.c.published_at, entries.c.updated_at),
            entries.c.updated_at,
            entries.c.first_seen_at,
            entries.c.image_url,
            entries.c.enclosures,
            func.substr(html, 1, TEASER_CHARS),
            entries.c.revision,
            subscriptions.c.read_watermark,
            entry_states.c.is_read,
            entry_states.c.is_favorite,
        )
        .select_from(entries)
        .join(
            subscriptions,
            and_(
                subscriptions.c.feed_id == entries.c.feed_id,
                subscriptions.c.account_id == READER,
            ),
        )
        .join(feeds, feeds.c.id == entries.c.feed_id)
        .outerjoin(
            entry_bodies,
            and_(
                entries.c.has_large_body == true(),
                entry_bodies.c.feed_id == entries.c.feed_id,
                entry_bodies.c.seq == entries.c.seq,
            ),
        )
        .outerjoin(
            entry_states,
            and_(
                entry_states.c.account_id == READER,
                entry_states.c.feed_id == entries.c.feed_id,
                entry_states.c.seq == entries.c.seq,
            ),
        )
    )


def entry_of(row: Row[Any]) -> Entry:
    """A row of `entry_columns`, whatever columns follow."""
    values: list[Any] = list(row[:19])
    *shown, enclosures, teaser, revision, read_watermark, said, is_favorite = values
    sort_at = shown[8]
    passed = read_watermark is not None and sort_at <= read_watermark
    attached = tuple(enclosure_from_json(each) for each in enclosures or ())
    is_read = passed if said is None else said
    last = (attached, teaser, revision, is_read, said is not None, bool(is_favorite))
    return Entry(*(*shown, *last))


def was_read() -> ColumnElement[bool]:
    """The read state as a condition of `find_entries`: what was said, else the watermark."""
    floor = func.coalesce(subscriptions.c.read_watermark, literal(EVER, Instant))
    return func.coalesce(entry_states.c.is_read, entries.c.sort_at <= floor)


def find_entries(
    connection: Connection,
    account_id: int,
    found: FromClause | None,
    but: FromClause | None,
    *conditions: ColumnElement[bool],
    limit: int,
    offset: int = 0,
) -> list[Entry]:
    """Entries that this account may see and that meet the conditions.

    Only those named by `found` (feed_id, seq, score; None: all) and not by `but`, the smallest
    score first, then the newest.

    Conditions may speak of `entries`, `subscriptions` and the account's `entry_states`.
    """
    query = entry_columns()
    order: list[ColumnElement[Any]] = []
    if found is not None:
        here = and_(found.c.feed_id == entries.c.feed_id, found.c.seq == entries.c.seq)
        query = query.join(found, here)
        order.append(found.c.score)
    if but is not None:
        query = query.where(
            ~exists().where(but.c.feed_id == entries.c.feed_id, but.c.seq == entries.c.seq)
        )
    order += [entries.c.sort_at.desc(), entries.c.feed_id.desc(), entries.c.seq.desc()]
    rows = connection.execute(
        query.where(*conditions).order_by(*order).limit(limit).offset(offset),
        values_of(account_id),
    )
    return [entry_of(row) for row in rows]


@cache
def _one() -> Select[Any]:
    feed, seq = bindparam("feed", type_=BigInteger), bindparam("number", type_=BigInteger)
    return entry_columns().where(entries.c.feed_id == feed, entries.c.seq == seq)


def find_entry(
    connection: Connection, account_id: int, feed_id: int, seq: int
) -> tuple[Entry, Body] | None:
    """One entry in full; None when there is none or the account does not follow its feed."""
    values = {**values_of(account_id), "feed": feed_id, "number": seq}
    row = connection.execute(_one(), values).first()
    if row is None:
        return None
    return entry_of(row), bodies(connection, account_id, [(feed_id, seq)])[feed_id, seq]


@cache
def _past() -> Select[Any]:
    feed, seq = bindparam("feed", type_=BigInteger), bindparam("number", type_=BigInteger)
    return (
        entry_columns()
        .where(entries.c.feed_id == feed, entries.c.seq > seq)
        .order_by(entries.c.seq)
        .limit(bindparam("most", type_=Integer))
    )


def entries_past(
    connection: Connection, account_id: int, feed_id: int, seq: int, limit: int
) -> list[Entry]:
    """What a feed brought after its entry `seq`, in the order in which we met it (SYN-02)."""
    values = {**values_of(account_id), "feed": feed_id, "number": seq, "most": limit}
    return [entry_of(row) for row in connection.execute(_past(), values)]


@cache
def _bodies(dialect: str) -> Select[Any]:
    wanted = pairs(dialect, "wanted", "feed_id", "seq")
    return (
        select(
            entries.c.feed_id,
            entries.c.seq,
            entries.c.summary,
            func.coalesce(entries.c.content, entry_bodies.c.content),
            entries.c.categories,
            entries.c.extra,
            _article(),
        )
        .select_from(
            wanted.join(
                entries,
                and_(entries.c.feed_id == wanted.c.feed_id, entries.c.seq == wanted.c.seq),
            )
        )
        .outerjoin(
            entry_bodies,
            and_(entry_bodies.c.feed_id == entries.c.feed_id, entry_bodies.c.seq == entries.c.seq),
        )
    )


def _article() -> ScalarSelect[str | None]:
    """Asked entry by entry: joined, it lets planners read all entries from end to end."""
    wants = exists().where(
        subscriptions.c.account_id == bindparam("account", type_=BigInteger),
        subscriptions.c.feed_id == articles.c.feed_id,
        subscriptions.c.full_content == true(),
    )
    return (
        select(articles.c.content)
        .where(articles.c.feed_id == entries.c.feed_id, articles.c.seq == entries.c.seq, wants)
        .correlate(entries)
        .scalar_subquery()
    )


def bodies(
    connection: Connection, account_id: int, keys: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], Body]:
    """The long fields of up to a few hundred entries by (feed, seq).

    An account that wants articles of a feed gets them where they are. It asks nobody whether they
    may: pass keys that a list has given out.
    """
    if not keys:
        return {}
    query = _bodies(connection.dialect.name)
    return {
        (feed_id, seq): Body(
            summary,
            article or content,
            tuple(categories or ()),
            dict(extra or {}),
            is_article=article is not None,
        )
        for feed_id, seq, summary, content, categories, extra, article in connection.execute(
            query, {"wanted": pairs_value(keys), "account": account_id}
        )
    }


def pairs_value(found: Iterable[tuple[int, int]]) -> str:
    """The parameter of `scopes.pairs`, each pair once."""
    return json.dumps(list(dict.fromkeys(found)))


def keys_of(listed: Iterable[Entry]) -> list[tuple[int, int]]:
    """For `bodies`."""
    return [(entry.feed_id, entry.seq) for entry in listed]

"""The texts of pages that entries link to: wanted, due, settled, and put in the feed's place.

The feed's own content is never touched. Whoever switched `full_content` on for a subscription sees
the article where there is one; everybody else sees what the feed said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, Select, and_, func, insert, select, true, update

from wireroom.feeds import urls
from wireroom.feeds.model import SafeHtml
from wireroom.store import dialects, indexing
from wireroom.store.schema import articles, entries, entry_bodies, routes, subscriptions
from wireroom.store.text import storable

if TYPE_CHECKING:
    from wireroom.store.routes import Waiting

#: Pages that one reading of a feed, or switching articles on, asks for at most: the newest.
AT_ONCE = 20
#: How long routes hold an entry back for its article.
PATIENCE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Due:
    """An entry whose page is to be asked for; `own_html` is what the feed gave."""

    feed_id: int
    seq: int
    lane: str
    link: str
    title: str
    own_html: str
    attempts: int
    give_up_at: datetime


# -- wanting --------------------------------------------------------------------------------------


def want(connection: Connection, placed: Sequence[tuple[int, int, str]], *, now: datetime) -> None:
    """New entries (feed, seq, link) get a page to ask for, where anybody wants articles."""
    if not placed:
        return
    dialect = connection.dialect.name
    feeds = {feed_id for feed_id, _, _ in placed}
    values = {"feed_ids": dialects.numbers(dialect, feeds)}
    for feed_id in connection.execute(_wanting(dialect), values).scalars():
        of_feed = [(seq, link) for feed, seq, link in placed if feed == feed_id]
        _queue(connection, feed_id, of_feed, now)


@cache
def _wanting(dialect: str) -> Select[int]:
    of_feeds = dialects.among(dialect, subscriptions.c.feed_id, "feed_ids")
    return (
        select(subscriptions.c.feed_id)
        .where(subscriptions.c.full_content == true(), of_feeds)
        .distinct()
    )


def want_newest(connection: Connection, feed_id: int, *, now: datetime) -> None:
    """Somebody wants articles from now on: the newest entries that have none are asked for."""
    rows = connection.execute(
        select(entries.c.seq, entries.c.link)
        .outerjoin(
            articles,
            and_(articles.c.feed_id == entries.c.feed_id, articles.c.seq == entries.c.seq),
        )
        .where(entries.c.feed_id == feed_id, articles.c.seq.is_(None))
        .order_by(entries.c.sort_at.desc(), entries.c.seq.desc())
        .limit(AT_ONCE)
    ).all()
    _queue(connection, feed_id, [(seq, link) for seq, link in reversed(rows)], now)


def _queue(
    connection: Connection, feed_id: int, links: Sequence[tuple[int, str]], now: datetime
) -> None:
    rows = [
        {
            "feed_id": feed_id,
            "seq": seq,
            "lane": urls.lane(link),
            "due_at": now,
            "give_up_at": now + PATIENCE,
        }
        for seq, link in links[-AT_ONCE:]
        if link.startswith(("https://", "http://")) and urls.lane(link)
    ]
    if rows:
        connection.execute(insert(articles), rows)


# -- asking ---------------------------------------------------------------------------------------


def due_lanes(connection: Connection, *, now: datetime, limit: int) -> list[str]:
    """Hosts whose pages are due, longest overdue first."""
    first = func.min(articles.c.due_at)
    return list(
        connection.execute(
            select(articles.c.lane)
            .where(articles.c.due_at <= now)
            .group_by(articles.c.lane)
            .order_by(first)
            .limit(limit)
        ).scalars()
    )


def next_due_at(connection: Connection) -> datetime | None:
    """When the next page is to be asked for."""
    return connection.execute(
        select(func.min(articles.c.due_at)).where(articles.c.due_at.is_not(None))
    ).scalar()


def next_due(connection: Connection, lane: str, *, now: datetime) -> Due | None:
    """The next page of a host."""
    own = func.coalesce(entries.c.content, entry_bodies.c.content, entries.c.summary, "")
    row = connection.execute(
        select(
            articles.c.feed_id,
            articles.c.seq,
            articles.c.lane,
            entries.c.link,
            entries.c.title,
            own,
            articles.c.attempts,
            articles.c.give_up_at,
        )
        .join(
            entries,
            and_(entries.c.feed_id == articles.c.feed_id, entries.c.seq == articles.c.seq),
        )
        .outerjoin(
            entry_bodies,
            and_(
                entry_bodies.c.feed_id == articles.c.feed_id, entry_bodies.c.seq == articles.c.seq
            ),
        )
        .where(articles.c.lane == lane, articles.c.due_at <= now)
        .order_by(articles.c.due_at, articles.c.feed_id, articles.c.seq)
        .limit(1)
    ).first()
    return None if row is None else Due(*row)


def postpone_lane(connection: Connection, lane: str, *, until: datetime) -> None:
    """The host is busy, or wants silence: none of its pages before then."""
    connection.execute(
        update(articles)
        .where(articles.c.lane == lane, articles.c.due_at < until)
        .values(due_at=until)
    )


def try_again(connection: Connection, due: Due, *, at: datetime, why: str) -> None:
    """It could not be had this time."""
    connection.execute(
        update(articles)
        .where(*_is(due))
        .values(due_at=at, attempts=articles.c.attempts + 1, detail=storable(why, 256))
    )


def settle(connection: Connection, due: Due, content: SafeHtml | None, *, why: str = "") -> None:
    """There is an article, or there will be none, and `why`; nobody asks for the page again."""
    connection.execute(
        update(articles)
        .where(*_is(due))
        .values(due_at=None, content=content and storable(content), detail=storable(why, 256))
    )
    if content is not None:
        indexing.note(connection, [(due.feed_id, due.seq)])


def _is(due: Due) -> tuple[ColumnElement[bool], ...]:
    return (articles.c.feed_id == due.feed_id, articles.c.seq == due.seq)


# -- showing --------------------------------------------------------------------------------------


def put_in(
    connection: Connection, waiting: "Sequence[Waiting]", *, now: datetime
) -> "list[Waiting]":
    """What routes have waiting, with articles where their subscriptions want them.

    An entry whose article is on its way is held back for it, with those behind it; a route that
    has nothing before such an entry is left out.
    """
    wanting = _wanting_routes(connection, [each.route.id for each in waiting])
    if not wanting:
        return list(waiting)
    found = []
    for each in waiting:
        if each.route.id not in wanting:
            found.append(each)
            continue
        shown = _with_articles(connection, each, now)
        if shown.entries or not each.entries:
            found.append(shown)
    return found


def held_until(
    connection: Connection, places: Mapping[int, tuple[int, int]], *, now: datetime
) -> dict[int, datetime]:
    """By route: until when its next entry waits for an article; `places` are (feed, cursor)."""
    found = {}
    for route_id in _wanting_routes(connection, list(places)):
        feed_id, cursor = places[route_id]
        first = (
            select(func.min(entries.c.seq))
            .where(entries.c.feed_id == feed_id, entries.c.seq > cursor)
            .scalar_subquery()
        )
        until = connection.execute(
            select(articles.c.give_up_at)
            .where(articles.c.feed_id == feed_id, articles.c.seq == first)
            .where(articles.c.due_at.is_not(None), articles.c.give_up_at > now)
        ).scalar()
        if until is not None:
            found[route_id] = until
    return found


def _wanting_routes(connection: Connection, route_ids: Sequence[int]) -> set[int]:
    if not route_ids:
        return set()
    rows = connection.execute(
        select(routes.c.id)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .where(routes.c.id.in_(route_ids), subscriptions.c.full_content == true())
    )
    return set(rows.scalars())


def _with_articles(connection: Connection, waiting: "Waiting", now: datetime) -> "Waiting":
    states = _states(connection, waiting.route.feed_id, [each.seq for each in waiting.entries])
    shown = []
    for entry in waiting.entries:
        content, held_until = states.get(entry.seq, (None, None))
        if held_until is not None and held_until > now:
            break
        shown.append(replace(entry, content=SafeHtml(content)) if content else entry)
    return replace(waiting, entries=tuple(shown))


def _states(
    connection: Connection, feed_id: int, seqs: Sequence[int]
) -> Mapping[int, tuple[str | None, datetime | None]]:
    """Content, and until when it is waited for, by seq."""
    rows = connection.execute(
        select(articles.c.seq, articles.c.content, articles.c.due_at, articles.c.give_up_at).where(
            articles.c.feed_id == feed_id, articles.c.seq.in_(seqs)
        )
    )
    return {row.seq: (row.content, None if row.due_at is None else row.give_up_at) for row in rows}

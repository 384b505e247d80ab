"""Lists that merge feeds, page by page.

Pages go by keyset: the cursor is the place (sort_at, feed, seq) of the last entry shown, so that
equal dates and entries that arrive meanwhile neither repeat nor skip anything (B16).
"""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    false,
    func,
    literal,
    literal_column,
    select,
    true,
    tuple_,
    type_coerce,
    union_all,
)

from wireroom.store.entry_view import Entry, entry_columns, entry_of
from wireroom.store.schema import Instant, entries, entry_states, entry_tags
from wireroom.store.scopes import (
    EVER,
    EVERYTHING,
    LABEL_ID,
    NEVER,
    READER,
    Form,
    Order,
    Place,
    Scope,
    Show,
    followed_in,
    labelled,
    values_of,
)

_AFTER_AT = bindparam("after_at", type_=Instant)
_AFTER_FEED = bindparam("after_feed", type_=BigInteger)
_AFTER_SEQ = bindparam("after_seq", type_=BigInteger)
_MOST = bindparam("most", type_=Integer)
_LAST = bindparam("last", type_=Integer)


def list_entries(
    connection: Connection,
    account_id: int,
    scope: Scope = EVERYTHING,
    *,
    show: Show = "all",
    order: Order = "newest",
    after: Place | None = None,
    limit: int = 50,
    label: str | None = None,
) -> list[Entry]:
    """One page, strictly by place; the next one comes `after` the place of its last entry.

    With a label, only of what carries it.
    """
    values = {**values_of(account_id, scope), "most": limit, "last": limit - 1}
    if label is not None:
        values |= labelled(label)
    if after is not None:
        values |= {
            "after_at": after.sort_at,
            "after_feed": after.feed_id,
            "after_seq": after.seq,
        }
    query = _list(scope.form, show, order, after is not None, label is not None)
    return [entry_of(row) for row in connection.execute(query, values)]


@cache
def _list(form: Form, show: Show, order: Order, goes_on: bool, by_label: bool) -> Select[Any]:
    followed = followed_in(form)
    if by_label:
        places: FromClause = _labelled(followed, show, order, goes_on=goes_on)
    elif show == "favorite":
        places = _favorites(followed, order, goes_on=goes_on)
    elif show == "unread":
        walked = _walk(followed, order, goes_on=goes_on, unread=True)
        kept = kept_unread(followed, order, goes_on=goes_on)
        places = union_all(walked, kept).subquery()
    else:
        places = _walk(followed, order, goes_on=goes_on).subquery()
    return page_of(places, order, _MOST)


def page_of(places: FromClause, order: Order, limit: Any) -> Select[Any]:
    """The entries at the first `limit` of some places: only theirs are read in full."""
    page = select(places).order_by(*_in_order(places, order)).limit(limit).subquery("page")
    query = entry_columns().join(
        page, and_(page.c.feed_id == entries.c.feed_id, page.c.seq == entries.c.seq)
    )
    return query.order_by(*_in_order(page, order))


def _walk(followed: CTE, order: Order, *, goes_on: bool, unread: bool = False) -> Select[Any]:
    """The first `limit` places of each of the first `limit` feeds, all through the index.

    Only a feed whose own first entry, its head, is among the first `limit` heads can add to the
    page; it can add at most `limit` entries, and none beyond the last of those heads. So however
    many entries there are, a page costs one index search for each feed and at most limit² steps
    in the index: few more than `limit` where that many feeds have something to show.
    """
    entry = entries.alias("walked")
    newest = order == "newest"

    def places(feed: FromClause) -> list[ColumnElement[bool]]:
        conditions = [entry.c.feed_id == feed.c.feed_id, *_beyond(entry, order, goes_on=goes_on)]
        if unread:
            conditions.append(_not_read(entry))
        if "reach" not in feed.c:
            return [*conditions, entry.c.sort_at > feed.c.floor] if unread else conditions
        if newest:
            return [*conditions, entry.c.sort_at >= feed.c.reach]
        conditions.append(entry.c.sort_at <= feed.c.reach)
        return [*conditions, entry.c.sort_at > feed.c.floor] if unread else conditions

    def nth(feed: FromClause, n: Any) -> ColumnElement[Any]:
        return (
            select(entry.c.sort_at)
            .where(*places(feed))
            .order_by(*_in_order(entry, order, of_one_feed=True))
            .limit(1)
            .offset(n)
            .correlate(feed)
            .scalar_subquery()
        )

    def so_far(feed: FromClause, reach: ColumnElement[Any], name: str) -> CTE:
        rows = select(feed.c.feed_id, feed.c.floor, reach.label("reach"))
        return rows.cte(name).prefix_with("MATERIALIZED")  # else it is made anew for every entry

    heads = select(followed, nth(followed, 0).label("head")).cte("heads")
    heads = heads.prefix_with("MATERIALIZED")  # else each is looked up twice
    chosen = (
        select(heads)
        .where(heads.c.head.is_not(None))
        .order_by(_by(heads.c.head, order), _by(heads.c.feed_id, order))
        .limit(_MOST)
        .cte("chosen")
    )
    last_head = (
        select(chosen.c.head)
        .order_by(_by(chosen.c.head, order))
        .limit(1)
        .offset(_LAST)
        .scalar_subquery()
    )
    farthest = literal(EVER if newest else NEVER, Instant)
    reach: ColumnElement[Any] = func.coalesce(last_head, farthest)
    if newest and unread:
        # One bound and not two: SQLite would follow the floor and try the other at every step.
        reach = case((reach > chosen.c.floor, reach), else_=_just_after(chosen.c.floor))
    near = so_far(chosen, reach, "near")
    bounded = so_far(near, func.coalesce(nth(near, _LAST), near.c.reach), "bounded")
    return (
        select(entry.c.feed_id, entry.c.seq, entry.c.sort_at)
        .select_from(bounded.join(entry, entry.c.feed_id == bounded.c.feed_id))
        .where(*places(bounded))
    )


def _just_after(moment: ColumnElement[datetime]) -> ColumnElement[datetime]:
    return type_coerce(type_coerce(moment, BigInteger) + literal_column("1"), Instant)


def _by(column: ColumnElement[Any], order: Order) -> ColumnElement[Any]:
    return column.desc() if order == "newest" else column.asc()


def kept_unread(followed: CTE, order: Order, *, goes_on: bool) -> Select[Any]:
    """Entries at or below the watermark that the account marked unread by hand."""
    kept = _said(entry_states.c.is_read == false(), "kept")
    return _places_said(followed, kept, order, goes_on=goes_on).where(
        kept.c.sort_at <= followed.c.floor
    )


def _favorites(followed: CTE, order: Order, *, goes_on: bool) -> FromClause:
    favorites = _said(entry_states.c.is_favorite == true(), "favorites")
    return _places_said(followed, favorites, order, goes_on=goes_on).subquery()


def _labelled(followed: CTE, show: Show, order: Order, *, goes_on: bool) -> FromClause:
    """What carries a label, through an index in the order of the list."""
    carried = entry_tags.alias("carried")
    conditions = [carried.c.tag_id == LABEL_ID, *_beyond(carried, order, goes_on=goes_on)]
    if show == "unread":
        passed = carried.c.sort_at <= followed.c.floor
        conditions.append(func.coalesce(_of_state("is_read", carried), passed) == false())
    elif show == "favorite":
        conditions.append(_of_state("is_favorite", carried) == true())
    return (
        select(carried.c.feed_id, carried.c.seq, carried.c.sort_at)
        .select_from(carried.join(followed, followed.c.feed_id == carried.c.feed_id))
        .where(*conditions)
        .subquery()
    )


def _said(condition: ColumnElement[bool], name: str) -> CTE:
    """The few rows of a partial index with their entries' dates; NULL: the entry is gone.

    Asked row by row and not joined: where hardly anything was said, SQLite begins with the entries
    and reads all of them.
    """
    dated = (
        select(entries.c.sort_at)
        .where(entries.c.feed_id == entry_states.c.feed_id, entries.c.seq == entry_states.c.seq)
        .correlate(entry_states)
        .scalar_subquery()
    )
    rows = select(entry_states.c.feed_id, entry_states.c.seq, dated.label("sort_at")).where(
        entry_states.c.account_id == READER, condition
    )
    return rows.cte(name).prefix_with("MATERIALIZED")


def _places_said(followed: CTE, said: CTE, order: Order, *, goes_on: bool) -> Select[Any]:
    return (
        select(said.c.feed_id, said.c.seq, said.c.sort_at)
        .select_from(said.join(followed, followed.c.feed_id == said.c.feed_id))
        .where(said.c.sort_at.is_not(None), *_beyond(said, order, goes_on=goes_on))
    )


def _not_read(entry: FromClause) -> ColumnElement[bool]:
    """Not said to be read, asked entry by entry, for lists that stop early.

    Not as NOT EXISTS: PostgreSQL makes a join over all entries of that, for want of statistics on
    two columns together (seen at half a second for a page out of 100,000 entries).
    """
    return func.coalesce(_of_state("is_read", entry), false()) == false()


def _of_state(flag: str, entry: FromClause) -> ColumnElement[Any]:
    """A side of what the account said about an entry; NULL: nothing."""
    return (
        select(entry_states.c[flag])
        .where(
            entry_states.c.account_id == READER,
            entry_states.c.feed_id == entry.c.feed_id,
            entry_states.c.seq == entry.c.seq,
        )
        .correlate(entry)
        .scalar_subquery()
    )


def _beyond(entry: FromClause, order: Order, *, goes_on: bool) -> list[ColumnElement[bool]]:
    """Past the place that the page before ended at, if there was one."""
    if not goes_on:
        return []
    place = tuple_(entry.c.sort_at, entry.c.feed_id, entry.c.seq)
    last = tuple_(_AFTER_AT, _AFTER_FEED, _AFTER_SEQ)
    # The first condition says less than the second, but it is the one that an index can follow.
    if order == "newest":
        return [entry.c.sort_at <= _AFTER_AT, place < last]
    return [entry.c.sort_at >= _AFTER_AT, place > last]


def _in_order(
    table: FromClause, order: Order, *, of_one_feed: bool = False
) -> list[ColumnElement[Any]]:
    columns = [table.c.sort_at, table.c.seq]
    if not of_one_feed:
        columns.insert(1, table.c.feed_id)
    return [_by(column, order) for column in columns]

"""What an account reads: lists, counts and single entries.

Read state, decided here and nowhere else (API-36, API-37): an explicit row in `entry_states` wins;
otherwise an entry is read when its date is at or before the subscription's watermark. The date is
`sort_at`, which is the publication time but never later than the moment we met the entry, so that
a date in the future cannot keep it unread for ever.

Lists are pages by keyset: the cursor is the place (sort_at, feed, seq) of the last entry shown, so
that equal dates and entries that arrive meanwhile neither repeat nor skip anything (B16).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    and_,
    case,
    column,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    union_all,
    values,
)

from wireroom.feeds.model import Enclosure
from wireroom.store.entries import enclosure_from_json
from wireroom.store.schema import (
    Id,
    Instant,
    entries,
    entry_bodies,
    entry_states,
    feeds,
    folders,
    subscriptions,
)

Show = Literal["all", "unread", "favorite"]
Order = Literal["newest", "oldest"]

#: Before and after every date that a feed can carry.
EVER = datetime(1, 1, 1, tzinfo=UTC)
NEVER = datetime(9999, 12, 31, tzinfo=UTC)

#: How much of a body a list reads for its teaser, in characters of HTML.
TEASER_CHARS = 800
#: Feeds that one statement is asked about by number (SQLite takes 32,766 parameters).
SEEN_FEEDS = 10_000
#: Feeds that one statement names one by one (SQLite's expressions are at most 1,000 deep).
FEEDS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of an account's subscriptions that is looked at; neither field set: all of them.

    A folder includes the folders inside it.
    """

    subscription_id: int | None = None
    folder_id: int | None = None


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where an entry stands in a list that merges feeds."""

    sort_at: datetime
    feed_id: int
    seq: int


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

    @property
    def fullest(self) -> str:
        """What to show: content, else summary, else nothing."""
        return self.content or self.summary or ""


# -- what a caller may see ------------------------------------------------------------------------


def in_scope(account_id: int, scope: Scope) -> ColumnElement[bool]:
    """A condition on `subscriptions`; rows of other accounts never meet it."""
    conditions = [subscriptions.c.account_id == account_id]
    if scope.subscription_id is not None:
        conditions.append(subscriptions.c.id == scope.subscription_id)
    if scope.folder_id is not None:
        conditions.append(subscriptions.c.folder_id.in_(_within(account_id, scope.folder_id)))
    return and_(*conditions)


def _within(account_id: int, folder_id: int) -> Select[tuple[int]]:
    inside = (
        select(folders.c.id)
        .where(folders.c.account_id == account_id, folders.c.id == folder_id)
        .cte("inside", recursive=True)
    )
    # UNION, not UNION ALL: a circle in the tree would end the walk instead of running for ever.
    inside = inside.union(select(folders.c.id).join(inside, folders.c.parent_id == inside.c.id))
    return select(inside.c.id)


def scope_exists(connection: Connection, account_id: int, scope: Scope) -> bool:
    """Is there such a subscription or folder, and is it this account's?"""
    checks = []
    if scope.subscription_id is not None:
        checks.append(
            exists().where(
                subscriptions.c.id == scope.subscription_id,
                subscriptions.c.account_id == account_id,
            )
        )
    if scope.folder_id is not None:
        checks.append(
            exists().where(folders.c.id == scope.folder_id, folders.c.account_id == account_id)
        )
    return not checks or bool(connection.scalar(select(and_(*checks))))


# -- lists ----------------------------------------------------------------------------------------


def list_entries(
    connection: Connection,
    account_id: int,
    scope: Scope = EVERYTHING,
    *,
    show: Show = "all",
    order: Order = "newest",
    after: Place | None = None,
    limit: int = 50,
) -> list[Entry]:
    """One page, strictly by place; the next one comes `after` the place of its last entry."""
    followed = _followed(account_id, scope)
    if show == "favorite":
        places = _favorites(followed, account_id, order, after)
    elif show == "unread":
        walked = _walk(followed, order, after, limit, unread_by=account_id)
        places = union_all(walked, _kept_unread(followed, account_id, order, after)).subquery()
    else:
        places = _walk(followed, order, after, limit).subquery()
    return _page(connection, account_id, places, order, limit)


def _page(
    connection: Connection, account_id: int, places: FromClause, order: Order, limit: int
) -> list[Entry]:
    """The entries at the first `limit` of some places: only theirs are read in full."""
    page = select(places).order_by(*_in_order(places, order)).limit(limit).subquery("page")
    query = _entry_columns(account_id).join(
        page, and_(page.c.feed_id == entries.c.feed_id, page.c.seq == entries.c.seq)
    )
    return [_entry(row) for row in connection.execute(query.order_by(*_in_order(page, order)))]


def _followed(account_id: int, scope: Scope) -> CTE:
    floor = func.coalesce(subscriptions.c.read_watermark, literal(EVER, Instant))
    return (
        select(subscriptions.c.feed_id, floor.label("floor"))
        .where(in_scope(account_id, scope))
        .cte("followed")
    )


def _walk(
    followed: CTE, order: Order, after: Place | None, limit: int, unread_by: int | None = None
) -> Select[Any]:
    """The first `limit` places of each of the first `limit` feeds, all through the index.

    Only a feed whose own first entry is among the first `limit` of all feeds can add to the page,
    and it can add at most `limit` entries. So however many entries there are, a page costs one
    index search for each feed and at most limit² steps in the index.
    """
    entry = entries.alias("walked")

    def places(feed: FromClause) -> list[ColumnElement[bool]]:
        conditions = [entry.c.feed_id == feed.c.feed_id, *_beyond(entry, order, after)]
        if unread_by is not None:
            conditions += [entry.c.sort_at > feed.c.floor, _not_read(entry, unread_by)]
        return conditions

    def nth(feed: FromClause, n: int) -> ColumnElement[datetime]:
        return (
            select(entry.c.sort_at)
            .where(*places(feed))
            .order_by(*_in_order(entry, order, of_one_feed=True))
            .limit(1)
            .offset(n)
            .correlate(feed)
            .scalar_subquery()
        )

    heads = select(followed, nth(followed, 0).label("head")).cte("heads")
    first = heads.c.head.desc() if order == "newest" else heads.c.head.asc()
    by_feed = heads.c.feed_id.desc() if order == "newest" else heads.c.feed_id.asc()
    chosen = (
        select(heads)
        .where(heads.c.head.is_not(None))
        .order_by(first, by_feed)
        .limit(limit)
        .cte("chosen")
    )
    bounded = select(chosen, nth(chosen, limit - 1).label("bound")).cte("bounded")
    within = (
        entry.c.sort_at >= func.coalesce(bounded.c.bound, literal(EVER, Instant))
        if order == "newest"
        else entry.c.sort_at <= func.coalesce(bounded.c.bound, literal(NEVER, Instant))
    )
    return (
        select(entry.c.feed_id, entry.c.seq, entry.c.sort_at)
        .select_from(bounded.join(entry, entry.c.feed_id == bounded.c.feed_id))
        .where(*places(bounded), within)
    )


def _kept_unread(followed: CTE, account_id: int, order: Order, after: Place | None) -> Select[Any]:
    """Entries at or below the watermark that the account marked unread by hand."""
    said = entry_states.c.is_read == false()
    kept, entry = _said(account_id, said, "kept"), entries.alias("kept_entry")
    return _places_said(followed, kept, entry, order, after).where(
        entry.c.sort_at <= followed.c.floor
    )


def _favorites(followed: CTE, account_id: int, order: Order, after: Place | None) -> FromClause:
    favorites = _said(account_id, entry_states.c.is_favorite == true(), "favorites")
    entry = entries.alias("favorite_entry")
    return _places_said(followed, favorites, entry, order, after).subquery()


def _said(account_id: int, condition: ColumnElement[bool], name: str) -> CTE:
    """The few rows of a partial index; materialised, lest planners begin with the entries."""
    rows = select(entry_states.c.feed_id, entry_states.c.seq).where(
        entry_states.c.account_id == account_id, condition
    )
    return rows.cte(name).prefix_with("MATERIALIZED")


def _places_said(
    followed: CTE, said: CTE, entry: FromClause, order: Order, after: Place | None
) -> Select[Any]:
    return (
        select(entry.c.feed_id, entry.c.seq, entry.c.sort_at)
        .select_from(
            said.join(followed, followed.c.feed_id == said.c.feed_id).join(
                entry, and_(entry.c.feed_id == said.c.feed_id, entry.c.seq == said.c.seq)
            )
        )
        .where(*_beyond(entry, order, after))
    )


def _has_been_read(entry: FromClause, account_id: int) -> ColumnElement[bool]:
    return exists().where(
        entry_states.c.account_id == account_id,
        entry_states.c.feed_id == entry.c.feed_id,
        entry_states.c.seq == entry.c.seq,
        entry_states.c.is_read == true(),
    )


def _not_read(entry: FromClause, account_id: int) -> ColumnElement[bool]:
    """The opposite, asked entry by entry, for lists that stop early.

    Not as NOT EXISTS: PostgreSQL makes a join over all entries of that, for want of statistics on
    two columns together (seen at half a second for a page out of 100,000 entries).
    """
    said = (
        select(entry_states.c.is_read)
        .where(
            entry_states.c.account_id == account_id,
            entry_states.c.feed_id == entry.c.feed_id,
            entry_states.c.seq == entry.c.seq,
        )
        .correlate(entry)
        .scalar_subquery()
    )
    return func.coalesce(said, false()) == false()


def _beyond(entry: FromClause, order: Order, after: Place | None) -> list[ColumnElement[bool]]:
    if after is None:
        return []
    place = tuple_(entry.c.sort_at, entry.c.feed_id, entry.c.seq)
    last = tuple_(literal(after.sort_at, Instant), after.feed_id, after.seq)
    # The first condition says less than the second, but it is the one that an index can follow.
    if order == "newest":
        return [entry.c.sort_at <= after.sort_at, place < last]
    return [entry.c.sort_at >= after.sort_at, place > last]


def _in_order(
    table: FromClause, order: Order, *, of_one_feed: bool = False
) -> list[ColumnElement[Any]]:
    columns = [table.c.sort_at, table.c.seq] if of_one_feed else _place_columns(table)
    return [c.desc() if order == "newest" else c.asc() for c in columns]


def _place_columns(table: FromClause) -> list[ColumnElement[Any]]:
    return [table.c.sort_at, table.c.feed_id, table.c.seq]


# -- entries --------------------------------------------------------------------------------------


def _entry_columns(account_id: int) -> Select[Any]:
    """Entries joined with the one subscription through which this account may see them."""
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
            entries.c.public_id,
            entries.c.title,
            entries.c.author,
            entries.c.link,
            entries.c.sort_at,
            func.coalesce(entries.c.published_at, entries.c.updated_at).label("published_at"),
            entries.c.updated_at,
            entries.c.first_seen_at,
            entries.c.image_url,
            entries.c.enclosures,
            entries.c.revision,
            func.substr(html, 1, TEASER_CHARS).label("teaser"),
            subscriptions.c.id.label("subscription_id"),
            subscriptions.c.read_watermark,
            title.label("feed_title"),
            entry_states.c.is_read,
            entry_states.c.is_favorite,
        )
        .select_from(entries)
        .join(
            subscriptions,
            and_(
                subscriptions.c.feed_id == entries.c.feed_id,
                subscriptions.c.account_id == account_id,
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
                entry_states.c.account_id == account_id,
                entry_states.c.feed_id == entries.c.feed_id,
                entry_states.c.seq == entries.c.seq,
            ),
        )
    )


def _entry(row: Row[Any]) -> Entry:
    explicit = row.is_read is not None
    passed = row.read_watermark is not None and row.sort_at <= row.read_watermark
    return Entry(
        feed_id=row.feed_id,
        seq=row.seq,
        subscription_id=row.subscription_id,
        feed_title=row.feed_title,
        public_id=row.public_id,
        title=row.title,
        author=row.author,
        link=row.link,
        sort_at=row.sort_at,
        published_at=row.published_at,
        updated_at=row.updated_at,
        first_seen_at=row.first_seen_at,
        image_url=row.image_url,
        enclosures=tuple(enclosure_from_json(each) for each in row.enclosures or ()),
        teaser=row.teaser,
        revision=row.revision,
        is_read=row.is_read if explicit else passed,
        is_read_explicit=explicit,
        is_favorite=bool(row.is_favorite),
    )


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
    query = _entry_columns(account_id)
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
        query.where(*conditions).order_by(*order).limit(limit).offset(offset)
    )
    return [_entry(row) for row in rows]


def find_entry(
    connection: Connection, account_id: int, feed_id: int, seq: int
) -> tuple[Entry, Body] | None:
    """One entry in full; None when there is none or the account does not follow its feed."""
    row = connection.execute(
        _entry_columns(account_id).where(entries.c.feed_id == feed_id, entries.c.seq == seq)
    ).first()
    if row is None:
        return None
    return _entry(row), bodies(connection, [(feed_id, seq)])[feed_id, seq]


def bodies(connection: Connection, keys: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Body]:
    """The long fields of up to a few hundred entries by (feed, seq).

    It asks nobody whether they may: pass keys that a list has given out.
    """
    if not keys:
        return {}
    content = func.coalesce(entries.c.content, entry_bodies.c.content)
    wanted = keys_as_table(keys)
    query = (
        select(
            entries.c.feed_id,
            entries.c.seq,
            entries.c.summary,
            content.label("content"),
            entries.c.categories,
            entries.c.extra,
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
    return {
        (row.feed_id, row.seq): Body(
            row.summary, row.content, tuple(row.categories or ()), dict(row.extra or {})
        )
        for row in connection.execute(query)
    }


# -- counts and news ------------------------------------------------------------------------------


def unread_counts(
    connection: Connection, account_id: int, scope: Scope = EVERYTHING
) -> dict[int, int]:
    """Unread entries by feed, in one statement; feeds without any are left out."""
    followed = _followed(account_id, scope)
    entry = entries.alias("counted")
    # By feed: planners misjudge how few entries the states take away from all of them at once.
    unread = (
        select(func.count())
        .where(
            entry.c.feed_id == followed.c.feed_id,
            entry.c.sort_at > followed.c.floor,
            ~_has_been_read(entry, account_id),
        )
        .correlate(followed)
        .scalar_subquery()
    )
    above = select(followed.c.feed_id, unread.label("unread"))
    kept = _kept_unread(followed, account_id, "newest", None).subquery()
    below = select(kept.c.feed_id, func.count().label("unread")).group_by(kept.c.feed_id)
    both = union_all(above, below).subquery()
    query = select(both.c.feed_id, func.sum(both.c.unread)).group_by(both.c.feed_id)
    return {feed_id: int(number) for feed_id, number in connection.execute(query) if number}


def numbers_seen(seen: Mapping[int, int]) -> CTE:
    """`seen` (last number by feed) as a table to join with: seen(feed_id, last_seq)."""
    rows = values(column("feed_id", Id), column("last_seq", BigInteger), name="seen")
    return rows.data(list(seen.items())).cte("seen")


def moved_on(connection: Connection, account_id: int, seen: Mapping[int, int]) -> dict[int, int]:
    """Those of `seen` (last number by feed) whose feed has entries after that number by now."""
    numbers = connection.execute(
        select(feeds.c.id, feeds.c.last_seq)
        .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
        .where(subscriptions.c.account_id == account_id)
    )
    return {f: seen[f] for f, last_seq in numbers if f in seen and last_seq > seen[f]}


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
    return _page(connection, account_id, fresh.subquery(), "newest", limit)


def entries_past(
    connection: Connection, account_id: int, feed_id: int, seq: int, limit: int
) -> list[Entry]:
    """What a feed brought after its entry `seq`, in the order in which we met it (SYN-02)."""
    query = (
        _entry_columns(account_id)
        .where(entries.c.feed_id == feed_id, entries.c.seq > seq)
        .order_by(entries.c.seq)
        .limit(limit)
    )
    return [_entry(row) for row in connection.execute(query)]


def keys_as_table(keys: Sequence[tuple[int, int]]) -> CTE:
    """Up to a few thousand (feed, seq) to join with: wanted(feed_id, seq).

    SQLite answers `(feed_id, seq) IN (…)` by reading the whole table; this, by as many searches.
    """
    rows = values(column("feed_id", Id), column("seq", BigInteger), name="wanted")
    return rows.data(list(dict.fromkeys(keys))).cte("wanted")


def pulse(connection: Connection, account_id: int) -> str:
    """A word that changes when something arrives, is marked by date, or is (un)followed."""
    count, numbers, marked = connection.execute(
        select(func.count(), func.sum(feeds.c.last_seq), func.max(subscriptions.c.read_watermark))
        .select_from(subscriptions.join(feeds, feeds.c.id == subscriptions.c.feed_id))
        .where(subscriptions.c.account_id == account_id)
    ).one()
    return f"{count}-{numbers or 0}-{marked.timestamp() if marked else 0:.3f}"


def keys_of(listed: Iterable[Entry]) -> list[tuple[int, int]]:
    """For `bodies`."""
    return [(entry.feed_id, entry.seq) for entry in listed]

"""Two feeds become one: their entries, names, marks and followers come together (HTTP-29)."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, insert, or_, select, update

from wireroom.store import claims, feeds, indexing, merged_routes, tags, tallying
from wireroom.store.dialects import insert_or
from wireroom.store.schema import (
    articles,
    entries,
    entry_bodies,
    entry_keys,
    entry_states,
    entry_tags,
    routes,
    subscriptions,
)
from wireroom.store.schema import feeds as feeds_table

#: Newest entries that come along from the feed that goes, besides those that somebody needs.
HISTORY = 200
#: Entries that are looked at of what only the other feed has, the newest.
MOST_UNSEEN = 5000
#: So many names in common make two entries one without further evidence.
_TELLING_KEYS = 3
_ROWS_AT_ONCE = 500


def absorb(connection: Connection, *, gone: int, kept: int, now: datetime) -> None:
    """Let everything of the feed `gone` be of the feed `kept`, and forget `gone`."""
    # In the order of their ids, so that two merges never wait for each other.
    connection.execute(
        select(feeds_table.c.id)
        .where(feeds_table.c.id.in_((gone, kept)))
        .order_by(feeds_table.c.id)
        .with_for_update()
    ).all()
    old_top = last_seq_of(connection, kept)
    same = same_entries(connection, gone, kept)
    copied = _copy(connection, gone, kept, _needed(connection, gone, same), old_top)
    places = {**same, **copied}
    _join_keys(connection, gone, kept, places)
    unseen = _unseen(connection, kept, same, old_top)
    _join_states(connection, gone, kept, places, now=now)
    _join_tags(connection, gone, kept, places)
    _mark_read(connection, gone, kept, copied, now=now)
    join_subscriptions(connection, gone, kept, places, unseen, now=now)
    connection.execute(delete(entry_bodies).where(entry_bodies.c.feed_id == gone))
    connection.execute(delete(feeds_table).where(feeds_table.c.id == gone))
    claims.wake_destinations(connection, [kept], now=now)


def last_seq_of(connection: Connection, feed_id: int) -> int:
    return int(
        connection.execute(
            select(feeds_table.c.last_seq).where(feeds_table.c.id == feed_id)
        ).scalar_one()
    )


def same_entries(connection: Connection, gone: int, kept: int) -> dict[int, int]:
    """Entries that both feeds have: seq there to seq here.

    Some names are shared by chance ("Today's menu"), so one is not enough.
    """
    theirs, ours = entry_keys.alias(), entry_keys.alias()
    old, new = entries.alias(), entries.alias()
    shared = (
        select(theirs.c.seq.label("old"), ours.c.seq.label("new"), func.count().label("names"))
        .join(ours, and_(ours.c.feed_id == kept, ours.c.key == theirs.c.key))
        .where(theirs.c.feed_id == gone, theirs.c.seq.is_not(None), ours.c.seq.is_not(None))
        .group_by(theirs.c.seq, ours.c.seq)
        .subquery()
    )
    alike = or_(
        old.c.public_id == new.c.public_id,
        old.c.content_hash == new.c.content_hash,
        and_(old.c.link == new.c.link, old.c.link != ""),
        shared.c.names >= _TELLING_KEYS,
    )
    pairs = connection.execute(
        select(shared.c.old, shared.c.new)
        .join(old, and_(old.c.feed_id == gone, old.c.seq == shared.c.old))
        .join(new, and_(new.c.feed_id == kept, new.c.seq == shared.c.new))
        .where(alike)
        .order_by(shared.c.names.desc(), shared.c.old, shared.c.new)
    )
    same: dict[int, int] = {}
    taken: set[int] = set()
    for theirs_seq, ours_seq in pairs:
        if theirs_seq not in same and ours_seq not in taken:
            same[theirs_seq] = ours_seq
            taken.add(ours_seq)
    return same


def _needed(connection: Connection, gone: int, same: Collection[int]) -> list[int]:
    """Entries that only `gone` has and that come along: waiting for a route, marked or tagged by a
    reader, or among the newest."""
    lowest = select(func.min(routes.c.cursor)).where(routes.c.feed_id == gone).scalar_subquery()
    marked = select(entry_states.c.seq).where(entry_states.c.feed_id == gone)
    tagged = select(entry_tags.c.seq).where(entry_tags.c.feed_id == gone)
    newest = (
        select(entries.c.seq)
        .where(entries.c.feed_id == gone)
        .order_by(entries.c.seq.desc())
        .limit(HISTORY)
    )
    needed = connection.execute(
        select(entries.c.seq)
        .where(entries.c.feed_id == gone)
        .where(
            or_(
                entries.c.seq > lowest,
                entries.c.seq.in_(marked),
                entries.c.seq.in_(tagged),
                entries.c.seq.in_(select(newest.subquery().c.seq)),
            )
        )
        .order_by(entries.c.seq)
    ).scalars()
    return [seq for seq in needed if seq not in same]


def _copy(
    connection: Connection, gone: int, kept: int, seqs: list[int], top: int
) -> dict[int, int]:
    """Bring entries over; they get the next numbers, and are no news to the routes of `kept`."""
    places = {seq: top + number for number, seq in enumerate(seqs, start=1)}
    for some in _pieces(seqs):
        here = and_(entries.c.feed_id == gone, entries.c.seq.in_(some))
        rows = [dict(row) for row in connection.execute(select(entries).where(here)).mappings()]
        for row in rows:
            row |= {
                "feed_id": kept,
                "seq": places[row["seq"]],
                "is_news": False,
                "not_news_why": "came from a feed that moved here",
            }
        connection.execute(insert(entries), rows)
        tallying.add(connection, [(kept, row["sort_at"]) for row in rows])
        indexing.note(connection, [(kept, row["seq"]) for row in rows])
        for table in (entry_bodies, articles):
            beside = and_(table.c.feed_id == gone, table.c.seq.in_(some))
            moved = [
                {**row, "feed_id": kept, "seq": places[row["seq"]]}
                for row in connection.execute(select(table).where(beside)).mappings()
            ]
            if moved:
                connection.execute(insert(table), moved)
    connection.execute(
        update(feeds_table).where(feeds_table.c.id == kept).values(last_seq=top + len(seqs))
    )
    return places


def _pieces(seqs: list[int]) -> Iterable[list[int]]:
    return (seqs[at : at + _ROWS_AT_ONCE] for at in range(0, len(seqs), _ROWS_AT_ONCE))


def _join_keys(connection: Connection, gone: int, kept: int, places: Mapping[int, int]) -> None:
    """All names go over, tombstones included; a name that stands already keeps its entry."""
    rows = [
        {"feed_id": kept, "key": row.key, "seq": places.get(row.seq)}
        for row in connection.execute(
            select(entry_keys.c.key, entry_keys.c.seq).where(entry_keys.c.feed_id == gone)
        )
    ]
    if rows:
        adding = insert_or(connection, entry_keys)
        connection.execute(adding.on_conflict_do_nothing(), rows)


def _unseen(
    connection: Connection, kept: int, same: Mapping[int, int], old_top: int
) -> frozenset[int]:
    """What `kept` met after the last entry that both have: news to the readers of `gone`, too.

    How much of it a route sends is decided by `merged_routes`.
    """
    if not same:
        return frozenset()
    rows = connection.execute(
        select(entries.c.seq)
        .where(entries.c.feed_id == kept, entries.c.is_news)
        .where(entries.c.seq > max(same.values()), entries.c.seq <= old_top)
        .order_by(entries.c.seq.desc())
        .limit(MOST_UNSEEN)
    )
    return frozenset(rows.scalars())


def _join_states(
    connection: Connection, gone: int, kept: int, places: Mapping[int, int], *, now: datetime
) -> None:
    """What accounts said about entries goes over; what they said about the kept one stands.

    It is new where it comes to: clients that keep a copy of the kept feed are told.
    """
    rows = [
        {**row, "feed_id": kept, "seq": places[row["seq"]], "updated_at": now}
        for row in connection.execute(
            select(entry_states).where(entry_states.c.feed_id == gone)
        ).mappings()
        if row["seq"] in places
    ]
    if rows:
        adding = insert_or(connection, entry_states)
        told = adding.on_conflict_do_update(
            index_elements=["account_id", "feed_id", "seq"], set_={"updated_at": now}
        )
        connection.execute(told, rows)
    connection.execute(delete(entry_states).where(entry_states.c.feed_id == gone))


def _join_tags(connection: Connection, gone: int, kept: int, places: Mapping[int, int]) -> None:
    """Words that accounts put on entries go over with them."""
    named = connection.execute(
        select(entry_tags.c.tag_id, entry_tags.c.seq).where(entry_tags.c.feed_id == gone)
    ).all()
    here = [(row.tag_id, places[row.seq]) for row in named if row.seq in places]
    dates = _dates(connection, kept, sorted({seq for _, seq in here}))
    rows = [
        {"tag_id": tag_id, "feed_id": kept, "seq": seq, "sort_at": dates[seq]}
        for tag_id, seq in here
    ]
    if rows:
        adding = insert_or(connection, entry_tags)
        connection.execute(adding.on_conflict_do_nothing(), rows)


def _dates(connection: Connection, feed_id: int, seqs: list[int]) -> dict[int, datetime]:
    dates: dict[int, datetime] = {}
    for some in _pieces(seqs):
        found = connection.execute(
            select(entries.c.seq, entries.c.sort_at).where(
                entries.c.feed_id == feed_id, entries.c.seq.in_(some)
            )
        )
        dates |= {row.seq: row.sort_at for row in found}
    return dates


def _mark_read(
    connection: Connection, gone: int, kept: int, copied: Mapping[int, int], *, now: datetime
) -> None:
    """The history that came along is not unread to those who followed only the kept feed."""
    came = select(subscriptions.c.account_id).where(subscriptions.c.feed_id == gone)
    accounts = connection.execute(
        select(subscriptions.c.account_id).where(
            subscriptions.c.feed_id == kept, subscriptions.c.account_id.not_in(came)
        )
    ).scalars()
    rows = [
        {
            "account_id": account,
            "feed_id": kept,
            "seq": seq,
            "is_read": True,
            "is_favorite": False,
            "updated_at": now,
        }
        for account in accounts
        for seq in copied.values()
    ]
    if rows:
        adding = insert_or(connection, entry_states)
        connection.execute(adding.on_conflict_do_nothing(), rows)


def join_subscriptions(
    connection: Connection,
    gone: int,
    kept: int,
    places: Mapping[int, int],
    unseen: frozenset[int],
    *,
    now: datetime,
) -> None:
    top = last_seq_of(connection, kept)
    # Rules are through with the feed that goes; what only the other has met is before them.
    through = min(unseen, default=top + 1) - 1
    standing = {
        row.account_id: row
        for row in connection.execute(select(subscriptions).where(subscriptions.c.feed_id == kept))
    }
    coming = connection.execute(
        select(subscriptions).where(subscriptions.c.feed_id == gone).order_by(subscriptions.c.id)
    ).all()
    for subscription in coming:
        owned = standing.get(subscription.account_id)
        into = subscription if owned is None else owned
        merged_routes.join(
            connection, subscription.id, into.id, kept, places, unseen, top, now=now
        )
        if owned is None:
            connection.execute(
                update(subscriptions)
                .where(subscriptions.c.id == subscription.id)
                .values(feed_id=kept, ruled_through=_ruled(subscription, through))
            )
        else:
            _fill_in(connection, owned, subscription, through)
            tags.bring_over(connection, subscription.id, owned.id)
            connection.execute(delete(subscriptions).where(subscriptions.c.id == subscription.id))
    feeds.count_followers(connection, kept)


def _ruled(subscription: Row[Any], through: int) -> int | None:
    return None if subscription.ruled_through is None else through


def _fill_in(connection: Connection, owned: Row[Any], other: Row[Any], through: int) -> None:
    """An account followed both: what it said of the kept one stands, the other fills the gaps."""
    values: dict[str, Any] = {
        "custom_title": owned.custom_title or other.custom_title,
        "folder_id": other.folder_id if owned.folder_id is None else owned.folder_id,
        "settings": {**other.settings, **owned.settings},
        "full_content": owned.full_content or other.full_content,
        "created_at": min(owned.created_at, other.created_at),
        "ruled_through": (
            _ruled(other, through) if owned.ruled_through is None else owned.ruled_through
        ),
    }
    intervals = [owned.wanted_interval_seconds, other.wanted_interval_seconds]
    values["wanted_interval_seconds"] = min(
        (each for each in intervals if each is not None), default=None
    )
    connection.execute(update(subscriptions).where(subscriptions.c.id == owned.id).values(values))

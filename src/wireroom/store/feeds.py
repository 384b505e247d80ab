"""Feeds as rows: finding, making and forgetting them, and which are due on a lane."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.exc import IntegrityError

from wireroom.feeds.traits import ItemKey
from wireroom.store import bell, bulk, claims, farewells
from wireroom.store.bulk import milliseconds
from wireroom.store.claims import LaneLease
from wireroom.store.feed_to_poll import SHARED, TO_POLL, FeedToPoll, from_row
from wireroom.store.schema import (
    Instant,
    entries,
    entry_bodies,
    entry_keys,
    feeds,
    lanes,
    subscriptions,
)
from wireroom.store.text import storable


def next_due(
    connection: Connection, lease: LaneLease, *, now: datetime, but: Collection[int] = ()
) -> FeedToPoll | None:
    """The feed of a lane that is longest overdue; `but` are those that had their turn.

    None as well when the lease was lost, or soon will be, or the host asked for silence meanwhile.
    """
    row = connection.execute(
        select(*TO_POLL)
        .join(lanes, lanes.c.key == feeds.c.lane)
        .where(feeds.c.lane == lease.lane, feeds.c.next_poll_at <= now)
        .where(lanes.c.lease_owner == lease.owner, lanes.c.lease_token == lease.token)
        .where(lanes.c.ready_at >= now + claims.LEAST_LEFT)
        .where(or_(lanes.c.paused_until.is_(None), lanes.c.paused_until <= now))
        .where(feeds.c.id.not_in(but))
        .order_by(feeds.c.next_poll_at, feeds.c.id)
        .limit(1)
    ).first()
    return None if row is None else from_row(row)


def to_poll(connection: Connection, feed_id: int) -> FeedToPoll | None:
    """One feed, due or not."""
    row = connection.execute(select(*TO_POLL).where(feeds.c.id == feed_id)).first()
    return None if row is None else from_row(row)


def find(
    connection: Connection, canonical_key: str, *, adapter: str, owner_account_id: int = SHARED
) -> int | None:
    """The feed with this identity, or None; it stays to the end of the transaction."""
    return connection.execute(
        select(feeds.c.id)
        .where(
            feeds.c.canonical_key == canonical_key,
            feeds.c.adapter == adapter,
            feeds.c.owner_account_id == owner_account_id,
        )
        .with_for_update(key_share=True)
    ).scalar()


def stays(connection: Connection, feed_id: int, *, may_go: bool = False) -> bool:
    """Whether there is such a feed; its row is locked against others to the end.

    With `may_go` the lock is one that allows us to delete it.
    """
    row = select(feeds.c.id).where(feeds.c.id == feed_id)
    return connection.execute(row.with_for_update(key_share=not may_go)).first() is not None


def make(
    connection: Connection,
    *,
    url: str,
    canonical_key: str,
    lane: str,
    now: datetime,
    adapter: str = "generic",
    title: str = "",
    owner_account_id: int = SHARED,
) -> int:
    """Find or make the feed with this identity; it is due at once, and gives its id.

    Two callers at the same moment get the same row.
    """
    known = find(connection, canonical_key, adapter=adapter, owner_account_id=owner_account_id)
    if known is not None:
        return known
    claims.make_lane(connection, lane)
    try:
        with connection.begin_nested():
            made = connection.execute(
                insert(feeds)
                .values(
                    url=url,
                    canonical_key=canonical_key,
                    adapter=adapter,
                    owner_account_id=owner_account_id,
                    lane=lane,
                    title=storable(title, 512),
                    next_poll_at=now,
                    next_poll_reason="new: its first reading",
                    created_at=now,
                )
                .returning(feeds.c.id)
            ).scalar_one()
    except IntegrityError:  # somebody made it between our look and our insert
        again = find(connection, canonical_key, adapter=adapter, owner_account_id=owner_account_id)
        if again is None:
            raise
        return again
    claims.wake_lane(connection, lane, at=now)
    return int(made)


def mark_announced(connection: Connection, feed_id: int, marker: str) -> bool:
    """rss-bot had announced everything up to the item of this `legacy.rb_marker`.

    The first reading believes it and clears it. False when the feed has been read already: then
    what is new is known better.
    """
    marked = connection.execute(
        update(feeds)
        .where(feeds.c.id == feed_id, feeds.c.last_success_at.is_(None))
        .values(import_marker=storable(marker, 1024))
    )
    return marked.rowcount == 1


def keep_announced(
    connection: Connection, feed_id: int, keys: Collection[ItemKey], *, now: datetime
) -> None:
    """What another system had announced, as keys without an entry (`legacy`); the first reading
    takes what is found under them for known."""
    bulk.insert(
        connection,
        entry_keys,
        [{"feed_id": feed_id, "key": key, "gone_at": now} for key in sorted(keys)],
        "ON CONFLICT DO NOTHING",
    )


def make_due(connection: Connection, feed_id: int, *, now: datetime, reason: str) -> bool:
    """Ask for this feed as soon as its lane allows (SCH-41); False when there is no such feed."""
    lane = connection.execute(
        update(feeds)
        .where(feeds.c.id == feed_id)
        .values(next_poll_at=now, next_poll_reason=reason)
        .returning(feeds.c.lane)
    ).scalar()
    if lane is None:
        return False
    claims.wake_lane(connection, lane, at=now)
    bell.announce(connection)
    return True


def revive(connection: Connection, feed_id: int, *, now: datetime) -> bool:
    """Somebody wants it again: clear all failure state and ask at once (FAIL-16).

    False, and nothing is done, when it was neither disabled nor given up. What came meanwhile is
    not all news then (FAIL-17), which `health` remembers until the feed is read.
    """
    row = connection.execute(
        select(feeds.c.disabled_at, feeds.c.health, feeds.c.last_success_at).where(
            feeds.c.id == feed_id
        )
    ).first()
    if row is None or not (row.disabled_at or row.health.get("given_up")):
        return False
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed_id)
        .values(
            disabled_at=None,
            disabled_reason="",
            failure_count=0,
            failing_since=None,
            last_error="",
            health={"revived": row.last_success_at is not None},
        )
    )
    return make_due(connection, feed_id, now=now, reason="followed again")


def hasten(connection: Connection, feed_id: int, *, interval: timedelta, now: datetime) -> None:
    """Ask within `interval` of the last request, where the plan was to wait longer than that.

    A feed that is off, in an error streak or asked for silence keeps its time.
    """
    feed = connection.execute(
        select(feeds.c.lane, feeds.c.last_attempt_at).where(
            feeds.c.id == feed_id,
            feeds.c.disabled_at.is_(None),
            feeds.c.failure_count == 0,
            feeds.c.last_attempt_at == feeds.c.last_success_at,
        )
    ).first()
    if feed is None:
        return
    soon = max(feed.last_attempt_at + interval, now)
    sooner = connection.execute(
        update(feeds)
        .where(feeds.c.id == feed_id, feeds.c.next_poll_at > soon)
        .values(next_poll_at=soon, next_poll_reason="as subscribed")
    )
    if sooner.rowcount:
        claims.wake_lane(connection, feed.lane, at=soon)


def forget_validators(
    connection: Connection,
    feed_ids: Collection[int] | None,
    *,
    now: datetime,
    within: timedelta = timedelta(0),
) -> int:
    """Let these feeds (None: all) be read in full once, as soon as their lanes allow.

    `within` spreads them over that time. What was seen and how a feed is doing stay; feeds that
    back off, wait or are off are left alone (SCH-42, SCH-45). Gives how many.
    """
    at = _spread(now, within)
    which = [
        feeds.c.disabled_at.is_(None),
        feeds.c.failure_count == 0,
        feeds.c.last_attempt_at == feeds.c.last_success_at,
    ]
    if feed_ids is not None:
        which.append(feeds.c.id.in_(feed_ids))
    reset = connection.execute(
        update(feeds)
        .where(*which)
        .values(
            etag="",
            last_modified="",
            body_hash=None,
            next_poll_at=case((feeds.c.next_poll_at < at, feeds.c.next_poll_at), else_=at),
            next_poll_reason="read in full once more",
        )
        .returning(feeds.c.lane, feeds.c.next_poll_at)
    )
    found = reset.all()
    first: dict[str, datetime] = dict(sorted(found, reverse=True))  # the earliest comes last
    for lane in sorted(first):
        claims.wake_lane(connection, lane, at=first[lane])
    return len(found)


def _spread(now: datetime, within: timedelta) -> ColumnElement[datetime]:
    """Moments from `now` on that scatter feeds by their numbers; feeds that were added together,
    which are often of one host, lie some seconds apart."""
    span = max(within // timedelta(milliseconds=1), 1)
    shift = feeds.c.id * _SCATTER % span
    return type_coerce(literal(milliseconds(now), BigInteger) + shift, Instant)


#: A prime: eight seconds in milliseconds.
_SCATTER = 7919


def count_followers(connection: Connection, feed_id: int) -> None:
    """Recount who follows a feed, and the fastest interval among them (SCH-21)."""
    mine = subscriptions.c.feed_id == feed_id
    counted = select(func.count()).select_from(subscriptions).where(mine).scalar_subquery()
    fastest = (
        select(func.min(subscriptions.c.wanted_interval_seconds)).where(mine).scalar_subquery()
    )
    without = exists().where(mine, subscriptions.c.wanted_interval_seconds.is_(None))
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed_id)
        .values(
            subscriber_count=counted,
            wanted_interval_seconds=fastest,
            wanted_by_all=~without,
        )
    )


def set_identity_rule(connection: Connection, feed_id: int, rule: str) -> None:
    """How items are told apart from now on; the document is read again in full for it."""
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed_id)
        .values(identity_rule=rule, body_hash=None, etag="", last_modified="")
    )


def purge_if_unfollowed(connection: Connection, feed_id: int, *, now: datetime) -> bool:
    """Forget a feed that nobody follows, with everything known of it (STO-11); True if it went."""
    # Locked first and looked at second: whoever subscribes meanwhile comes before or after us.
    lane = connection.execute(
        select(feeds.c.lane).where(feeds.c.id == feed_id).with_for_update()
    ).scalar()
    followed = select(exists().where(subscriptions.c.feed_id == feed_id))
    if lane is None or connection.execute(followed).scalar():
        return False
    farewells.leave(connection, feed_id, now=now)
    # What accounts said about entries went with each subscription.
    for table in (entry_bodies, entries):
        connection.execute(delete(table).where(table.c.feed_id == feed_id))
    connection.execute(delete(feeds).where(feeds.c.id == feed_id))
    claims.remove_empty_lane(connection, lane, now=now)
    return True

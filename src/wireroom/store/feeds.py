"""Feeds as rows: finding, making and forgetting them, and which are due on a lane."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.feeds.model import Digest, Hints
from wireroom.store import bell, claims, farewells
from wireroom.store.claims import LaneLease
from wireroom.store.schema import (
    entries,
    entry_bodies,
    feed_access,
    feeds,
    hub_leases,
    lanes,
    subscriptions,
)
from wireroom.store.text import storable

#: `owner_account_id` of feeds that everybody may share.
SHARED = 0
_DIGEST_BYTES = 16
#: A hub is not relied on any more after so many news in a row that a poll found first.
MOST_MISSED = 2


@dataclass(frozen=True, slots=True)
class FeedToPoll:
    """All that the polling loop needs to know of a feed before it asks for it."""

    id: int
    url: str
    canonical_key: str
    adapter: str
    lane: str
    title: str
    etag: str
    last_modified: str
    body_hash: bytes | None
    #: Those of the items of the last document, one behind the other.
    packed_digests: bytes
    identity_rule: str
    last_seq: int
    hints: Hints
    history: Mapping[str, Any]
    health: Mapping[str, Any]
    wanted_interval_seconds: int | None
    last_success_at: datetime | None
    disabled_at: datetime | None
    subscriber_count: int
    owner_account_id: int = SHARED
    wanted_by_all: bool = False
    announced_url: str = ""
    announced_times: int = 0
    #: rss-bot's, of a feed that was imported and has not been read yet.
    import_marker: str = ""
    is_followed: bool = True
    #: What it needs besides its address (`fetching.access`), if anything.
    sealed_access: bytes | None = field(default=None, repr=False)
    #: Until when a hub that has not missed anything tells us of news.
    pushed_until: datetime | None = None

    @property
    def never_read(self) -> bool:
        """The first successful reading is the baseline."""
        return self.last_success_at is None

    @property
    def digests(self) -> tuple[Digest, ...]:
        """Those of the items of the last document. Most polls do not ask for them."""
        packed = self.packed_digests
        starts = range(0, len(packed), _DIGEST_BYTES)
        return tuple(Digest(packed[start : start + _DIGEST_BYTES]) for start in starts)


#: The columns of a `FeedToPoll`, for `from_row`.
TO_POLL = (
    feeds.c.id,
    feeds.c.url,
    feeds.c.canonical_key,
    feeds.c.adapter,
    feeds.c.lane,
    feeds.c.title,
    feeds.c.etag,
    feeds.c.last_modified,
    feeds.c.body_hash,
    feeds.c.item_digests,
    feeds.c.identity_rule,
    feeds.c.last_seq,
    feeds.c.hints,
    feeds.c.history,
    feeds.c.health,
    feeds.c.wanted_interval_seconds,
    feeds.c.last_success_at,
    feeds.c.disabled_at,
    feeds.c.subscriber_count,
    feeds.c.owner_account_id,
    feeds.c.wanted_by_all,
    feeds.c.announced_url,
    feeds.c.announced_times,
    feeds.c.import_marker,
    exists().where(subscriptions.c.feed_id == feeds.c.id).label("is_followed"),
    select(hub_leases.c.expires_at)
    .where(hub_leases.c.feed_id == feeds.c.id, hub_leases.c.state == "active")
    .where(hub_leases.c.missed < MOST_MISSED)
    .scalar_subquery()
    .label("pushed_until"),
    select(feed_access.c.sealed)
    .where(feed_access.c.feed_id == feeds.c.id)
    .scalar_subquery()
    .label("sealed_access"),
)


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
        .order_by(feeds.c.next_poll_at)
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
    connection: Connection, feed_ids: Collection[int] | None, *, now: datetime
) -> int:
    """Let these feeds (None: all) be read in full once, as soon as their lanes allow.

    What was seen and how a feed is doing stay; feeds that back off, wait or are off are left alone
    (SCH-42, SCH-45). Gives how many.
    """
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
            next_poll_at=now,
            next_poll_reason="read in full once more",
        )
        .returning(feeds.c.lane)
    )
    found = list(reset.scalars())
    for lane in sorted(set(found)):
        claims.wake_lane(connection, lane, at=now)
    return len(found)


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


def hints_as_json(hints: Hints) -> dict[str, Any]:
    """How hints are kept with the feed, so that they hold after a 304, too (SCH-27)."""
    return {
        "ttl": hints.ttl_minutes,
        "sy": hints.update_period_minutes,
        "hours": sorted(hints.skip_hours),
        "days": sorted(hints.skip_days),
    }


def _hints(kept: Mapping[str, Any]) -> Hints:
    return Hints(
        ttl_minutes=kept.get("ttl"),
        update_period_minutes=kept.get("sy"),
        skip_hours=frozenset(kept.get("hours", ())),
        skip_days=frozenset(kept.get("days", ())),
    )


def from_row(row: Row[*tuple[Any, ...]]) -> FeedToPoll:
    """The feed of a row that has the columns `TO_POLL`."""
    return FeedToPoll(
        id=row.id,
        url=row.url,
        canonical_key=row.canonical_key,
        adapter=row.adapter,
        lane=row.lane,
        title=row.title,
        etag=row.etag,
        last_modified=row.last_modified,
        body_hash=row.body_hash,
        packed_digests=row.item_digests or b"",
        identity_rule=row.identity_rule,
        last_seq=row.last_seq,
        hints=_hints(row.hints),
        history=row.history,
        health=row.health,
        wanted_interval_seconds=row.wanted_interval_seconds,
        last_success_at=row.last_success_at,
        disabled_at=row.disabled_at,
        subscriber_count=row.subscriber_count,
        owner_account_id=row.owner_account_id,
        wanted_by_all=row.wanted_by_all,
        announced_url=row.announced_url,
        announced_times=row.announced_times,
        import_marker=row.import_marker,
        is_followed=bool(row.is_followed),
        pushed_until=row.pushed_until,
        sealed_access=row.sealed_access,
    )

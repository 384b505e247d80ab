"""Feeds that moved for good: a new address, or two rows that are one feed (HTTP-25 … 32).

When the new address is another feed's, the two become one in one transaction: subscriptions,
routes and states go over with everything their owners said, and entries that somebody still needs
go with them. Entries are numbered within their feed, so cursors are translated by the entries'
keys: what a route has dealt with is not sent again, and what it has not is not lost.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.store import claims, feeds, merges, ruled
from wireroom.store.feed_to_poll import SHARED, FeedToPoll
from wireroom.store.schema import (
    destinations,
    routes,
    subscriptions,
)
from wireroom.store.schema import feeds as feeds_table

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Move:
    """The feed lives elsewhere for good (HTTP-25)."""

    url: str
    canonical_key: str
    lane: str
    #: False for the step to https, of which nobody needs to be told.
    by_publisher: bool = True


def carry_out(connection: Connection, feed: FeedToPoll, move: Move, *, now: datetime) -> bool:
    """Let the feed live at its new address; True when it became one with the feed there.

    Then the feed's row is gone, and the survivor is due now. A move that is not possible is noted
    as `redirect_conflict_url` (HTTP-32), and the feed stays where it is.
    """
    if not move.canonical_key or not move.lane or _would_leak(feed, move):
        _note_conflict(connection, feed, move)
        return False
    owner = _owner_of(connection, feed, move)
    if owner in (None, feed.id):
        if _readdress(connection, feed, move, now=now):
            return False
        owner = _owner_of(connection, feed, move)  # somebody was faster
    assert owner is not None
    return _become_one(connection, feed, owner, move, now=now)


def survivor(connection: Connection, feed: FeedToPoll, move: Move) -> int | None:
    """The feed that lives at the new address after `carry_out`; None when nothing moved."""
    owner = _owner_of(connection, feed, move)
    if owner is None or owner == feed.id:
        return owner
    still_there = select(feeds_table.c.id).where(feeds_table.c.id == feed.id)
    return None if connection.execute(still_there).first() else owner


def _would_leak(feed: FeedToPoll, move: Move) -> bool:
    """A private feed's credentials are for its own host."""
    return feed.owner_account_id != SHARED and move.lane != feed.lane


def _note_conflict(connection: Connection, feed: FeedToPoll, move: Move) -> None:
    connection.execute(
        update(feeds_table)
        .where(feeds_table.c.id == feed.id)
        .values(redirect_conflict_url=move.url[:2048])
    )
    log.warning("feed moved to where it cannot go", feed=feed.id, to=move.url)


def _owner_of(connection: Connection, feed: FeedToPoll, move: Move) -> int | None:
    return feeds.find(
        connection,
        move.canonical_key,
        adapter=feed.adapter,
        owner_account_id=feed.owner_account_id,
    )


def _readdress(connection: Connection, feed: FeedToPoll, move: Move, *, now: datetime) -> bool:
    """Give the feed its new address; False when another feed took it at the same moment."""
    claims.make_lane(connection, move.lane)
    try:
        with connection.begin_nested():
            connection.execute(
                update(feeds_table)
                .where(feeds_table.c.id == feed.id)
                .values(
                    url=move.url,
                    canonical_key=move.canonical_key,
                    lane=move.lane,
                    redirect_conflict_url="",
                )
            )
    except IntegrityError:
        return False
    if move.lane != feed.lane:
        claims.wake_lane(connection, move.lane, at=now)
    log.info("feed moved", feed=feed.id, was=feed.url, now=move.url, told=move.by_publisher)
    return True


def _become_one(
    connection: Connection, feed: FeedToPoll, owner: int, move: Move, *, now: datetime
) -> bool:
    """Merge the feed with the one that lives at its new address (HTTP-29).

    Not while a message of either is under way: its worker would not find its route again. Nor
    while rules have entries of this one before them, which are no news there. The next poll meets
    the redirect again.
    """
    if _being_sent(connection, (feed.id, owner), now=now):
        return False
    if ruled.is_behind(connection, subscriptions.c.feed_id == feed.id):
        return False
    there = feeds.to_poll(connection, owner)
    assert there is not None
    if there.never_read:
        # Nothing is known of it but who wants it: they come here, and the address with them.
        merges.absorb(connection, gone=there.id, kept=feed.id, now=now)
        _readdress(connection, feed, move, now=now)
        return False
    merges.absorb(connection, gone=feed.id, kept=owner, now=now)
    feeds.revive(connection, owner, now=now)  # never a silent merge into a dead feed (HTTP-31)
    feeds.make_due(connection, owner, now=now, reason=f"became one with {feed.url}"[:256])
    log.info("feeds became one", gone=feed.id, kept=owner, was=feed.url, now=move.url)
    return True


def _being_sent(connection: Connection, feed_ids: Collection[int], *, now: datetime) -> bool:
    """Whether a worker may hold messages of these feeds; if not, none begins before we commit."""
    rows = connection.execute(
        select(destinations.c.lease_owner, destinations.c.ready_at)
        .where(
            destinations.c.id.in_(
                select(routes.c.destination_id).where(routes.c.feed_id.in_(feed_ids))
            )
        )
        .order_by(destinations.c.id)
        .with_for_update()
    )
    return any(row.lease_owner is not None for row in rows)

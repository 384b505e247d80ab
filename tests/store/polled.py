"""Polls without a network: what a feed answered, as the value that `ingest.commit` takes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection

from tests.rows import NOON
from wireroom.feeds import changes, identity
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.model import Digest, Item, ParsedFeed, SafeHtml
from wireroom.store import claims, entries, feeds
from wireroom.store.claims import LaneLease
from wireroom.store.ingest import Finished, Reading


def item(name: str, text: str = "", **values: Any) -> Item:
    """An item whose guid, link and title are made of `name`."""
    made = Item(
        digest=Digest(b""),
        guid=f"urn:{name}",
        link=f"https://harbour.example/{name}",
        title=f"Title of {name}",
        content=SafeHtml(f"<p>{text or f'Text of {name}, and only of {name}.'}</p>"),
    )
    made = replace(made, **values)
    raw = repr(made).encode(errors="backslashreplace")
    return replace(made, digest=Digest(blake2b(raw, digest_size=16).digest()))


def make_feed(connection: Connection, name: str = "harbour", **values: Any) -> int:
    """A feed of its own host, due at noon."""
    return feeds.make(
        connection,
        url=f"https://{name}.example/feed",
        canonical_key=f"{name}.example/feed",
        lane=f"{name}.example",
        now=NOON,
        **values,
    )


def lease(connection: Connection, feed_id: int, now: datetime = NOON) -> LaneLease:
    """The right to poll this feed, taken from whoever has it."""
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    taken = claims.claim_lane(connection, feed.lane, owner="me", now=now)
    if taken is None:
        later = now + claims.LEASE * 2
        taken = claims.claim_lane(connection, feed.lane, owner="me", now=later)
    assert taken is not None
    return taken


def polled(
    connection: Connection,
    feed_id: int,
    outcome: str = "unchanged",
    *,
    now: datetime = NOON,
    held: LaneLease | None = None,
    **values: Any,
) -> Finished:
    """A poll that brought nothing new, under a lease of its own unless one is given."""
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    return Finished(
        feed=feed,
        lease=held or lease(connection, feed_id, now),
        at=now,
        outcome=outcome,
        next_poll_at=now + timedelta(hours=1),
        next_poll_reason="in an hour",
        history={"kept": 1},
        health={},
        **values,
    )


def read(
    connection: Connection,
    feed_id: int,
    *items: Item,
    now: datetime = NOON,
    feed: ParsedFeed | None = None,
    **values: Any,
) -> Finished:
    """A poll that brought a document with these items, compared with what the store knows."""
    parsed = replace(feed or ParsedFeed("rss", title="Harbour News"), items=items)
    reading = reading_of(connection, feed_id, parsed, now)
    return polled(connection, feed_id, "news", now=now, reading=reading, **values)


def reading_of(
    connection: Connection, feed_id: int, parsed: ParsedFeed, now: datetime = NOON
) -> Reading:
    """What the document changes, decided as polling does."""
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    rule = IdentityRule.parse(feed.identity_rule)
    memory = entries.remember(connection, feed_id, identity.lookup_keys(parsed, rule))
    state = changes.FeedState(
        never_read=feed.never_read,
        rule=rule,
        followed_since=memory.followed_since,
        last_read=feed.last_success_at,
        oldest_published=memory.oldest_published,
        window=frozenset(feed.digests),
        marker=feed.import_marker,
    )
    return Reading(
        parsed=parsed,
        changes=changes.decide(parsed, memory.known, state, now),
        body_hash=blake2b(repr(parsed.window).encode(), digest_size=16).digest(),
        etag='"one"',
        last_modified="Mon, 30 Nov 2026 12:00:00 GMT",
    )


def titles(connection: Connection, feed_id: int) -> Sequence[str]:
    """The titles of a feed's entries, in the order of their numbers."""
    return [entry.title for entry in entries.after(connection, feed_id, 0, 100_000)]

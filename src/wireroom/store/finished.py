"""What polling one feed found out, as values; `ingest.commit` writes them down."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from wireroom.errors import Found
from wireroom.feeds.changes import Changes
from wireroom.feeds.model import ParsedFeed
from wireroom.store.claims import LaneLease
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.moves import Move
from wireroom.store.notices import Happened
from wireroom.values import value


@dataclass(frozen=True, slots=True)
class Reading:
    """A document that was read: what it says, and what it changes."""

    parsed: ParsedFeed
    changes: Changes
    body_hash: bytes
    etag: str
    last_modified: str
    #: Where news of the feed are pushed from, and under which name (WebSub).
    hub_url: str = ""
    topic_url: str = ""
    #: It came from a hub, which may leave out what it sent before: it is not the feed's document.
    is_push: bool = False


@dataclass(frozen=True, slots=True)
class Silence:
    """A host asked not to be asked again before this moment."""

    lane: str
    until: datetime


@value
class Finished:
    """One polled feed, ready to be committed.

    `outcome` is the word for `fetches`: news, unchanged, pushed, failed, throttled,
    gone, postponed.
    `validators` replace the stored pair without a reading (a 304 that carried new ones).
    `disabled_reason` None leaves the feed enabled; `next_poll_at` None stops its polling.
    """

    feed: FeedToPoll
    lease: LaneLease
    at: datetime
    outcome: str
    next_poll_at: datetime | None
    next_poll_reason: str
    history: Mapping[str, Any]
    health: Mapping[str, Any]
    failure_count: int = 0
    failing_since: datetime | None = None
    error: str = ""
    status: int | None = None
    disabled_reason: str | None = None
    silence: Silence | None = None
    reading: Reading | None = None
    validators: tuple[str, str] | None = None
    move: Move | None = None
    #: Where the document says that the feed has moved, and at how many readings in a row.
    announced: tuple[str, int] | None = None
    #: What a 200 held instead of a feed.
    not_a_feed: Found | None = None
    body_bytes: int = 0
    duration_ms: int = 0
    #: What people should hear of; committed with everything else.
    notices: tuple[Happened, ...] = ()

    @property
    def succeeded(self) -> bool:
        """Whether the feed answered as a feed should."""
        return self.outcome in ("news", "unchanged", "pushed")

    @property
    def is_quiet(self) -> bool:
        """Whether nothing came of it but the feed's next poll, as of most: it is well, nobody has
        to hear of it, and all that is known of it still holds."""
        feed = self.feed
        return (
            self.outcome == "unchanged"
            and self.reading is None
            and self.move is None
            and self.silence is None
            and not self.notices
            and not self.lease.throttles
            and not feed.never_read
            and not self.failure_count
            and self.failing_since is None
            and not self.error
            and self.disabled_reason is None
            and self.validators in (None, (feed.etag, feed.last_modified))
            and self.announced in (None, (feed.announced_url, feed.announced_times))
        )


@value
class Committed:
    """What a commit did: feeds that have news for routes, and how many entries came and changed.

    `passed_over` are feeds of which nothing was stored: forgotten, or read by somebody else while
    this answer was on its way.
    """

    news_feed_ids: frozenset[int] = frozenset()
    new_count: int = 0
    changed_count: int = 0
    passed_over: frozenset[int] = frozenset()
    #: Lanes that were given back, because nothing is to be done on them for now.
    given_back: frozenset[str] = frozenset()
    #: The feeds that come next on the other lanes, by lane.
    next: Mapping[str, FeedToPoll] = field(default_factory=dict)

"""What the polling loop needs of a feed, and the columns that it is read from."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Any

from sqlalchemy import Row, exists, select

from wireroom.feeds.model import Digest, Hints
from wireroom.store import json_text
from wireroom.store.bulk import instant
from wireroom.store.schema import feed_access, feeds, hub_leases, subscriptions
from wireroom.values import value

#: `owner_account_id` of feeds that everybody may share.
SHARED = 0
_DIGEST_BYTES = 16
#: A hub is not relied on any more after so many news in a row that a poll found first.
MOST_MISSED = 2


@value
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


def hints_as_json(hints: Hints) -> dict[str, Any]:
    """How hints are kept with the feed, so that they hold after a 304, too (SCH-27)."""
    return {
        "ttl": hints.ttl_minutes,
        "sy": hints.update_period_minutes,
        "hours": sorted(hints.skip_hours),
        "days": sorted(hints.skip_days),
    }


_NO_HINTS = Hints()


@functools.lru_cache(maxsize=1024)  # what feeds say of this is nearly always the same
def _hints_of_text(kept: str) -> Hints:
    return _hints(json_text.loads(kept))


def _hints(kept: Mapping[str, Any]) -> Hints:
    if not any(kept.values()):
        return _NO_HINTS
    return Hints(
        ttl_minutes=kept.get("ttl"),
        update_period_minutes=kept.get("sy"),
        skip_hours=frozenset(kept.get("hours", ())),
        skip_days=frozenset(kept.get("days", ())),
    )


def from_driver(columns: Sequence[Any]) -> FeedToPoll:
    """As `from_row`, of the columns as the driver gives them (`store.prepared`): one gives JSON as
    text, one its value."""
    (
        id_, url, key, adapter, lane, title, etag, last_modified, body_hash, digests, rule,
        last_seq, hints, history, health, wanted, success, disabled, count, owner, by_all,
        announced, times, marker, is_followed, pushed, sealed,
    ) = columns  # fmt: skip
    return FeedToPoll(
        id_,
        url,
        key,
        adapter,
        lane,
        title,
        etag,
        last_modified,
        body_hash,
        digests or b"",
        rule,
        last_seq,
        _hints_of_text(hints) if isinstance(hints, str) else _hints(hints),
        json_text.loads(history) if isinstance(history, str) else history,
        json_text.loads(health) if isinstance(health, str) else health,
        wanted,
        instant(success),
        instant(disabled),
        count,
        owner,
        bool(by_all),
        announced,
        times,
        marker,
        bool(is_followed),
        sealed,
        instant(pushed),
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

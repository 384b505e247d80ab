"""Our values in the shapes of the contract."""

from collections.abc import Sequence
from typing import Any

from wireroom.api.native import contract, keys
from wireroom.following import Fetch, Folder, Followed, Hub
from wireroom.pictures.addresses import Addresses
from wireroom.reading import Body, Entry
from wireroom.searching import Hit, SavedSearch
from wireroom.store.syncing import Partition, State

_ORDERING = (
    "newest_first",
    "oldest_first",
    "newest_day_oldest_within",
    "oldest_day_newest_within",
)
_FILTERS = ("unread", "all", "favorite")
#: What a subscription's settings may be; the first of each holds until another was chosen.
_CHOICES = {
    "ordering_mode": _ORDERING,
    "default_open_mode": ("summary", "article"),
    "default_styling": ("reader", "native"),
    "default_remote_content": ("inherit", "show", "hide"),
    "default_filter": _FILTERS,
}


def _choice(settings: Any, name: str) -> Any:
    """A setting as it was stored, unless it is none that the contract knows."""
    stored = settings.get(name)
    return stored if stored in _CHOICES[name] else _CHOICES[name][0]


def folder_id(stored: int | None) -> str:
    """The top is the empty string (API-11)."""
    return "" if stored is None else str(stored)


def folder(stored: Folder) -> contract.Folder:
    return contract.Folder(
        folder_id=str(stored.id),
        parent_folder_id=folder_id(stored.parent_id),
        name=stored.name,
        display_order=stored.display_order,
        default_filter=_choice(stored.settings, "default_filter"),
        ordering_mode=_choice(stored.settings, "ordering_mode"),
    )


def subscription(followed: Followed, tags: Sequence[str] = ()) -> contract.Subscription:
    return contract.Subscription(
        subscription_id=str(followed.subscription_id),
        feed_id=str(followed.feed_id),
        folder_id=folder_id(followed.folder_id),
        custom_title=followed.custom_title,
        ordering_mode=_choice(followed.settings, "ordering_mode"),
        default_open_mode=_choice(followed.settings, "default_open_mode"),
        default_styling=_choice(followed.settings, "default_styling"),
        default_remote_content=_choice(followed.settings, "default_remote_content"),
        default_filter=_choice(followed.settings, "default_filter"),
        notifications_enabled=followed.settings.get("notifications_enabled") is True,
        full_content=followed.full_content,
        tags=list(tags),
        credentials_scheme=followed.credentials_scheme,
        read_watermark=keys.date(followed.read_watermark),
        data_store_uuid=followed.data_store_uuid,
        created_at=keys.date(followed.followed_since),
        feed=_feed(followed),
    )


def _feed(followed: Followed) -> contract.FeedSummary:
    return contract.FeedSummary(
        feed_id=str(followed.feed_id),
        canonical_url=followed.url,
        feed_type=followed.feed_format,
        title=followed.feed_title,
        description=followed.description,
        site_url=followed.site_url,
        item_count=followed.last_seq,
        last_fetched_at=keys.date(followed.last_success_at),
        last_attempt_at=keys.date(followed.last_attempt_at),
        last_status_code=followed.last_status or 0,
        last_error=followed.last_error,
        consecutive_failure_count=followed.failure_count,
        cadence_minutes=_cadence_minutes(followed),
        next_fetch_at=keys.date(followed.next_poll_at),
        dead_lettered=followed.disabled_at is not None,
    )


def _cadence_minutes(followed: Followed) -> int:
    if followed.next_poll_at is None or followed.last_attempt_at is None:
        return 0
    wait = followed.next_poll_at - followed.last_attempt_at
    return max(0, round(wait.total_seconds() / 60))


def item(
    entry: Entry, body: Body, pictures: Addresses | None = None, labels: Sequence[str] = ()
) -> contract.Item:
    """With its pictures through us, if `pictures` says where."""
    shown = pictures.rewritten if pictures else str
    return contract.Item(
        feed_id=str(entry.feed_id),
        subscription_id=str(entry.subscription_id),
        item_id=keys.item_id(entry.feed_id, entry.seq),
        sort_key=keys.sort_key(entry.sort_at, entry.feed_id, entry.seq),
        guid=entry.public_id,
        title=entry.title,
        author=entry.author,
        url=entry.link,
        published_at=keys.date(entry.sort_at),
        updated_at=keys.date(entry.updated_at),
        fetched_at=keys.date(entry.first_seen_at),
        fetched_key=keys.fetched_key(entry.feed_id, entry.seq),
        summary_html=shown(body.summary or ""),
        content_html=shown(body.content or ""),
        content_source="page" if body.is_article else "feed",
        is_read=entry.is_read,
        is_read_explicit=entry.is_read_explicit,
        is_favorite=entry.is_favorite,
        labels=list(labels),
    )


def hit(found: Hit, shown: contract.Item) -> contract.SearchHit:
    return contract.SearchHit(
        item=shown,
        title=[contract.TextPiece(text=p.text, is_hit=p.is_hit) for p in found.title],
        snippet=[contract.TextPiece(text=p.text, is_hit=p.is_hit) for p in found.text],
    )


def search(kept: SavedSearch) -> contract.Search:
    return contract.Search(search_id=str(kept.id), name=kept.name, query=kept.query)


def fetch(made: Fetch) -> contract.Fetch:
    return contract.Fetch(
        fetched_at=keys.date(made.at),
        outcome=made.outcome,
        status_code=made.status or 0,
        detail=made.detail,
        new_items=made.new_count,
        changed_items=made.changed_count,
        body_bytes=made.body_bytes,
        duration_ms=made.duration_ms,
    )


def websub(hub: Hub | None) -> contract.WebSub:
    if hub is None:
        return contract.WebSub(state="none", hub_url="", expires_at="", pushed_at="", detail="")
    return contract.WebSub(
        state=hub.state,
        hub_url=hub.url,
        expires_at=keys.date(hub.expires_at),
        pushed_at=keys.date(hub.pushed_at),
        detail=hub.detail,
    )


def state(which: Partition, said: State, labels: Sequence[str] = ()) -> contract.State:
    mark = which.read_watermark
    passed = mark is not None and said.sort_at <= mark
    return contract.State(
        feed_id=str(which.feed_id),
        sort_key=keys.sort_key(said.sort_at, which.feed_id, said.seq),
        item_id=keys.item_id(which.feed_id, said.seq),
        is_read=passed if said.is_read is None else said.is_read,
        is_read_explicit=said.is_read is not None,
        is_favorite=said.is_favorite,
        labels=list(labels),
        updated_at=keys.date(said.updated_at),
        updated_key=keys.updated_key(said.updated_at, which.feed_id, said.seq),
    )

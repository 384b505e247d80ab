"""From an adapter's entries back to items: which survive, and what of them was changed.

An entry belongs to the item with its id (the guid, else the link), else to the one with its link;
each item answers once. Everything that entries cannot say (authors, enclosures, categories) stays
as the publisher wrote it. An entry that belongs to no item is the adapter's own and becomes one.
"""

import calendar
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from wireroom.feeds import sanitize, urls
from wireroom.feeds.model import Digest, Item, ParsedFeed

_TEXTS = ("id", "link", "title", "published", "summary")


def returned(feed: ParsedFeed, entries: Iterable[Mapping[str, Any]]) -> ParsedFeed:
    """`feed` with the items that `entries` stand for, in their order.

    Raises TypeError or ValueError when an entry is not what `contract.Entry` says.
    """
    waiting = _Waiting(feed.items)
    items = []
    for entry in entries:
        _refuse_misshapen(entry)
        item = waiting.claim(entry)
        base_url = (item.link if item else "") or feed.site_url or feed.self_url
        items.append(_changed(item or _own_item(entry), entry, base_url))
    return replace(feed, items=tuple(items))


class _Waiting:
    """Items that no entry has claimed yet, by the names that an entry may know them by."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._by_name: dict[tuple[str, str], deque[Item]] = defaultdict(deque)
        self._claimed: set[int] = set()
        for item in items:
            for name in (
                ("id", item.guid or item.link),
                ("link", item.link),
                ("title", item.title),
            ):
                self._by_name[name].append(item)

    def claim(self, entry: Mapping[str, Any]) -> Item | None:
        names = [(key, entry[key]) for key in ("id", "link") if entry.get(key)]
        for name in names or [("title", entry.get("title") or "")]:
            queue = self._by_name[name]
            while queue:
                item = queue.popleft()
                if id(item) not in self._claimed:
                    self._claimed.add(id(item))
                    return item
        return None


def _refuse_misshapen(entry: Mapping[str, Any]) -> None:
    for key in _TEXTS:
        if not isinstance(entry.get(key), str | None):
            raise TypeError(f"{key} is {type(entry[key]).__name__}, not text")
    if not isinstance(entry.get("published_parsed"), time.struct_time | None):
        raise TypeError("published_parsed is no struct_time")


def _changed(item: Item, entry: Mapping[str, Any], base_url: str) -> Item:
    """`item` with what the entry says otherwise; the same object when it says nothing new."""
    changes: dict[str, Any] = {}
    if (name := entry.get("id")) and name != (item.guid or item.link):
        changes["guid"] = name
    if (link := entry.get("link") or "") != item.link:
        changes["link"] = urls.resolve(base_url, link)
    if (title := entry.get("title") or "") != item.title:
        changes["title"] = sanitize.text(title)
    if (published := _moment(entry.get("published_parsed"))) != _whole_seconds(item.published):
        changes["published"] = published
    summary = entry.get("summary") or ""
    if summary != (item.summary if item.summary is not None else item.content or ""):
        # The adapter's text is what people are to see; a fuller one beside it would win.
        changes |= {"summary": sanitize.html(summary, base_url=base_url), "content": None}
    return replace(item, **changes) if changes else item


def _own_item(entry: Mapping[str, Any]) -> Item:
    """An item for an entry of the adapter's making; `_changed` fills it."""
    told = repr([entry.get(key) for key in (*_TEXTS, "published_parsed")])
    return Item(Digest(blake2b(told.encode(errors="replace"), digest_size=16).digest()))


def _moment(parsed: time.struct_time | None) -> datetime | None:
    return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed is not None else None


def _whole_seconds(when: datetime | None) -> datetime | None:
    return when.replace(microsecond=0) if when is not None else None

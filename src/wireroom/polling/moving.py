"""Where a feed lives from now on, and what of its first reading there is news (pure).

Three things move a feed: permanent redirects, the step to https, and a document that names its new
address. A move counts only when the new address answers as a feed (HTTP-27); `store.moves` carries
it out.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from wireroom.feeds import changes, urls
from wireroom.feeds.changes import Changes, NewEntry
from wireroom.feeds.model import ParsedFeed
from wireroom.fetching.outcome import Hops
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.moves import Move

#: At so many readings in a row a document must name its new address before that is tried.
SIGHTINGS = 2
#: After a vain try so many more sightings pass.
_VAIN = -20

_MOVED = "there when the feed moved here"


def move_to(feed_url: str, url: str, *, by_publisher: bool = True) -> Move | None:
    """The move to `url`; None when the feed is there already, or when `url` can have no key.

    All feeds without a key would be one feed: a redirect that is too long is followed anew each
    time.
    """
    key = "" if url == feed_url else urls.canonical(url)
    if not key:
        return None
    return Move(url, key, urls.lane(url), by_publisher=by_publisher)


def move_along(feed_url: str, asked: str, hops: Hops) -> Move | None:
    """Where an answer to `asked` says that the feed lives for good.

    The last target of the leading run of permanent redirects (HTTP-26); without a redirect, the
    address that answered, which differs where https was tried for http (HTTP-33).
    """
    if hops.permanent_url:
        return move_to(feed_url, hops.permanent_url)
    if hops.count == 0 and hops.final_url:
        if hops.final_url == feed_url:
            return None
        same = urls.canonical(hops.final_url) == urls.canonical(feed_url)
        return move_to(feed_url, hops.final_url, by_publisher=not same)
    return move_to(feed_url, asked)


def announced(feed: FeedToPoll, parsed: ParsedFeed | None) -> tuple[str, int]:
    """The address that the document names as its new one, and at how many readings in a row.

    A document that has not changed still says what it said; `parsed` is None then.
    """
    if parsed is None:
        return feed.announced_url, feed.announced_times + bool(feed.announced_url)
    url = parsed.new_url
    if not url or feed.owner_account_id or urls.canonical(url) in ("", feed.canonical_key):
        return "", 0
    return url, feed.announced_times + 1 if url == feed.announced_url else 1


def address_to_try(feed: FeedToPoll) -> str:
    """The announced address once it was said often enough, or ""."""
    return feed.announced_url if feed.announced_times >= SIGHTINGS else ""


def tried_in_vain(url: str) -> tuple[str, int]:
    """What to remember of an announced address that did not answer as a feed."""
    return url, _VAIN


def without_flood(changed: Changes, parsed: ParsedFeed, last_read: datetime | None) -> Changes:
    """The changes of a first reading elsewhere: a feed that shares nothing is not all news.

    Where at least one entry is known, the rules of every reading hold. Where none is, it may be
    another feed, so that only a few items dated after the last reading are news (promise 8).
    """
    if parsed.met or changed.changed or changed.seen_again or changed.baseline:
        return changed
    late = [
        index
        for index, entry in enumerate(changed.new)
        if entry.is_news and _is_later(entry, last_read)
    ]
    kept = set(late[-changes.REVIVAL_NEWS :])
    new = tuple(_held(changed.new, kept))
    return replace(changed, new=new, held=sum(not entry.is_news for entry in new))


def _is_later(entry: NewEntry, last_read: datetime | None) -> bool:
    published = entry.item.published
    return published is not None and last_read is not None and published > last_read


def _held(new: tuple[NewEntry, ...], kept: set[int]) -> Iterator[NewEntry]:
    for index, entry in enumerate(new):
        yield entry if index in kept else replace(entry, is_news=False, why=_MOVED)

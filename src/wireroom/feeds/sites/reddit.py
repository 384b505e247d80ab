"""Reddit: almost every listing answers to ".rss" behind its path."""

from collections.abc import Iterator
from urllib.parse import urlencode

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_LISTINGS = frozenset(
    {"r", "user", "u", "domain", "search", "new", "top", "rising", "hot", "best"}
)
_QUERY_KEPT = ("q", "sort", "t", "restrict_sr", "type")


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Subreddits, people, multireddits, sorted listings, searches, and comments below a post."""
    if not address.under("reddit.com") or address.parts[-1:] == (".rss",):
        return
    if address.parts and address.part(0) not in _LISTINGS:
        return
    if address.part(0) in ("r", "user", "u", "domain") and not address.part(1):
        return
    path = "".join("/" + segment(part) for part in address.parts)
    kept = {key: address.query[key] for key in _QUERY_KEPT if key in address.query}
    query = "?" + urlencode(kept) if kept else ""
    title = "Comments" if "comments" in address.parts else "/".join(address.parts[:2])
    yield SiteFeed(f"https://www.reddit.com{path}/.rss{query}", title)

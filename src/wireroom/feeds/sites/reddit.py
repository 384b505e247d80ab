"""Reddit: almost every listing answers to ".rss" behind its path."""

import re
from collections.abc import Iterator
from urllib.parse import urlencode

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_LISTINGS = frozenset(
    {"r", "user", "u", "domain", "search", "comments", "new", "top", "rising", "hot", "best"}
)
_NAMING = frozenset({"r", "user", "u", "domain", "comments"})
# Below a subreddit, pages that list no posts: share links, the wiki, rules, the form for a post.
_NO_LISTINGS = frozenset({"s", "wiki", "about", "submit"})
# The same listing for programs, for old telephones, for old bookmarks.
_VIEWS = frozenset({".json", ".compact", ".mobile", ".i"})
_LOCALE = re.compile(r"[a-z]{2}(?:-[a-z]{2,4})?", re.IGNORECASE)
_QUERY_KEPT = ("q", "sort", "t", "restrict_sr", "type")


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Subreddits, people, multireddits, sorted listings, searches, and comments below a post."""
    parts = _listing(address)
    if parts is None or (parts[:1] and parts[0] not in _LISTINGS):
        return
    if parts[:1] and parts[0] in _NAMING and len(parts) < 2:
        return
    path = "".join("/" + segment(part) for part in parts)
    kept = {key: address.query[key] for key in _QUERY_KEPT if key in address.query}
    query = "?" + urlencode(kept) if kept else ""
    title = "Comments" if "comments" in parts else "/".join(parts[:2])
    yield SiteFeed(f"https://www.reddit.com{path}/.rss{query}", title)


def _listing(address: Address) -> tuple[str, ...] | None:
    """The path of the listing that an address shows; None where there is none, or a feed."""
    if address.host == "redd.it" and len(address.parts) == 1:
        return ("comments", address.part(0))
    if not address.under("reddit.com") or address.url.partition("?")[0].endswith(".rss"):
        return None
    parts = tuple(part for part in address.parts if part not in _VIEWS)
    if len(parts) > 2 and _LOCALE.fullmatch(parts[0]) and parts[1] in _NAMING:
        parts = parts[1:]
    if parts and parts[-1].endswith(".json"):
        parts = (*parts[:-1], parts[-1].removesuffix(".json"))
    return parts[:2] if parts[:1] == ("r",) and parts[2:3] and parts[2] in _NO_LISTINGS else parts

"""Pinboard: bookmarks of a person or under tags, and what is popular; private feeds need a key."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_FEEDS = "https://feeds.pinboard.in/rss"
#: Tags that one feed may be narrowed down to.
_MOST_TAGS = 4


def from_address(address: Address) -> Iterator[SiteFeed]:
    """pinboard.in/u:NAME, /t:TAG, both together, and /popular/ and /recent/."""
    if address.host != "pinboard.in":
        return
    if address.part(0) in ("popular", "recent"):
        yield SiteFeed(f"{_FEEDS}/{address.part(0)}/", address.part(0).title())
        return
    named = [part for part in address.parts if part[:2] in ("u:", "t:") and len(part) > 2]
    if named and len(named) <= 1 + _MOST_TAGS:
        path = "/".join(part[:2] + segment(part[2:]) for part in named)
        yield SiteFeed(f"{_FEEDS}/{path}/", " ".join(part[2:] for part in named))

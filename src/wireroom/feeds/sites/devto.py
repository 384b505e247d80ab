"""DEV (dev.to): people, organisations and tags."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_OWN_PAGES = frozenset({
    "about", "contact", "enter", "feed", "listings", "pod", "readinglist", "search",
    "settings", "top",
})  # fmt: skip


def from_address(address: Address) -> Iterator[SiteFeed]:
    """dev.to/NAME and dev.to/t/TAG."""
    first, second = address.part(0), address.part(1)
    if address.host != "dev.to" or not first or first in _OWN_PAGES:
        return
    if first == "t" and second:
        yield SiteFeed(f"https://dev.to/feed/tag/{segment(second)}", second)
    elif first != "t":
        yield SiteFeed(f"https://dev.to/feed/{segment(first)}", first)

"""Letterboxd: a member's diary and reviews."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_OWN_PAGES = frozenset({
    "about", "activity", "actor", "apps", "contact", "director", "film", "films", "gear",
    "journal", "legal", "list", "lists", "members", "news", "pro", "reviews", "search",
    "settings", "sign-in", "year-in-review",
})  # fmt: skip


def from_address(address: Address) -> Iterator[SiteFeed]:
    """letterboxd.com/NAME and the pages below it."""
    name = address.part(0)
    a_member = address.host == "letterboxd.com" and name and name not in _OWN_PAGES
    if a_member and address.part(1) != "rss":
        yield SiteFeed(f"https://letterboxd.com/{segment(name)}/rss/", name)

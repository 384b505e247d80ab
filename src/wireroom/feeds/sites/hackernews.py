"""Hacker News: the front page only; other lists have no feed of the site's own."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed


def from_address(address: Address) -> Iterator[SiteFeed]:
    """The front page in any of its spellings."""
    if address.host == "news.ycombinator.com" and address.part(0) in ("", "news", "newest"):
        yield SiteFeed("https://news.ycombinator.com/rss", "Hacker News")

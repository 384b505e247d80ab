"""Blogger: /feeds/posts/default, and one more for each label."""

import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

# blogspot.com and its countries: blogspot.de, blogspot.co.uk, blogspot.com.br.
_HOST = re.compile(r"[^.]+\.blogspot\.(?:com|[a-z]{2}|com?\.[a-z]{2})")

_FEEDS = frozenset({"feeds", "atom.xml", "rss.xml"})


def from_address(address: Address) -> Iterator[SiteFeed]:
    """name.blogspot.com and the same in other countries."""
    if _HOST.fullmatch(address.host) and address.part(0) not in _FEEDS:
        yield from _feeds(address)


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Blogs on a domain of their own say what they are made with."""
    if page.generator == "blogger" and not _HOST.fullmatch(page.address.host):
        yield from _feeds(page.address)


def _feeds(address: Address) -> Iterator[SiteFeed]:
    if address.parts[:2] == ("search", "label") and address.part(2):
        label = address.part(2)
        yield SiteFeed(address.at(f"/feeds/posts/default/-/{segment(label)}"), label)
    yield SiteFeed(address.at("/feeds/posts/default"))

"""Substack: every publication has /feed, also on a domain of its own."""

import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed

_COMPANY = frozenset({"api.substack.com", "cdn.substack.com", "support.substack.com"})
# /@name, /profile/123-name; open.substack.com has /pub/name and /users/123-name.
_NAMED = re.compile(r"/(?:@|pub/|(?:profile|users)/\d+-)([A-Za-z0-9-]+)(?:/|$)")


def from_address(address: Address) -> Iterator[SiteFeed]:
    """name.substack.com; on the company's own hosts people and publications are named by path.

    A person's first publication has their name, unless they chose another.
    """
    if address.host in ("substack.com", "open.substack.com"):
        if named := _NAMED.match("/" + "/".join(address.parts)):
            yield SiteFeed(f"https://{named[1].lower()}.substack.com/feed", named[1])
    elif (
        address.under("substack.com")
        and address.host not in _COMPANY
        and address.part(0) != "feed"
    ):
        yield SiteFeed(address.at("/feed"))


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Publications on other domains: their scripts and styles come from Substack's own store."""
    served = "https://substackcdn.com/" in page.source and "substack.com/app-link" in page.source
    if served and not page.address.under("substack.com"):
        yield SiteFeed(page.address.at("/feed"))

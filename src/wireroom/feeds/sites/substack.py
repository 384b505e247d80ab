"""Substack: every publication has /feed, also on a domain of its own."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed


def from_address(address: Address) -> Iterator[SiteFeed]:
    """name.substack.com; the bare domain is the company's own."""
    publication = address.under("substack.com") and address.host != "substack.com"
    if publication and address.parts != ("feed",):
        yield SiteFeed(address.at("/feed"))


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Publications on other domains: their scripts and styles come from Substack's own store."""
    served = "https://substackcdn.com/" in page.source and "substack.com/app-link" in page.source
    if served and not page.address.under("substack.com"):
        yield SiteFeed(page.address.at("/feed"))

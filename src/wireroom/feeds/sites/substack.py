"""Substack: every publication has /feed, also on a domain of its own."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed


def from_address(address: Address) -> Iterator[SiteFeed]:
    """name.substack.com; the bare domain and open.substack.com are the company's own."""
    if address.host == "open.substack.com":
        name = address.part(1) if address.part(0) == "pub" else ""
        if name.replace("-", "").isalnum():
            yield SiteFeed(f"https://{name.lower()}.substack.com/feed")
        return
    publication = address.under("substack.com") and address.host != "substack.com"
    if publication and address.parts != ("feed",):
        yield SiteFeed(address.at("/feed"))


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Publications on other domains: their scripts and styles come from Substack's own store."""
    served = "https://substackcdn.com/" in page.source and "substack.com/app-link" in page.source
    if served and not page.address.under("substack.com"):
        yield SiteFeed(page.address.at("/feed"))

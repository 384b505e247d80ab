"""Hashnode: every blog has its posts at /rss.xml."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Blogs below hashnode.dev, whatever page of theirs it is."""
    if address.host.endswith(".hashnode.dev"):
        yield SiteFeed(address.at("/rss.xml"), "Posts")


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Blogs under names of their own: the generator tells."""
    if page.generator.startswith("hashnode") and not any(from_address(page.address)):
        yield SiteFeed(page.address.at("/rss.xml"), "Posts")

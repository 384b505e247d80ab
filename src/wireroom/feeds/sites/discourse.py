"""Discourse forums: ".rss" behind a topic, a category, a tag and the list of what is new."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Page, SiteFeed, segment


def from_page(page: Page) -> Iterator[SiteFeed]:
    """The generator tells; forums may live below a path, then only the page's own links help."""
    if not page.generator.startswith("discourse"):
        return
    address = page.address
    if address.part(0) in ("c", "t", "tag") and address.part(1):
        path = "".join("/" + segment(part) for part in address.parts[:4])
        yield SiteFeed(address.at(f"{path}.rss"), address.part(1))
    yield SiteFeed(address.at("/latest.rss"), "Latest topics")
    yield SiteFeed(address.at("/posts.rss"), "Latest posts")

"""Ghost: /rss/ behind the site, a tag or an author."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Page, SiteFeed, segment


def from_page(page: Page) -> Iterator[SiteFeed]:
    """The generator tells."""
    if not page.generator.startswith("ghost"):
        return
    kind, name = page.address.part(0), page.address.part(1)
    if kind in ("tag", "author") and name:
        yield SiteFeed(page.address.at(f"/{kind}/{segment(name)}/rss/"), name)
    yield SiteFeed(page.address.at("/rss/"))

"""WordPress: /feed/ behind the site, and behind each category, tag and author."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

_LISTINGS = frozenset({"category", "tag", "author"})


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Blogs hosted at wordpress.com; the bare domain is the company's own."""
    hosted = address.under("wordpress.com") and address.host != "wordpress.com"
    if hosted and "feed" not in (*address.parts, *address.query):
        yield from _feeds(address, address.origin + "/")


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Any other host: the page names its generator, or links the programming interface.

    That link also tells where the blog begins, which need not be at the host's root.
    """
    interface = page.linked("https://api.w.org/")
    if not (interface or page.generator.startswith("wordpress")):
        return
    home = interface.partition("wp-json")[0].partition("?")[0] or page.address.origin + "/"
    if home.startswith(page.address.origin + "/"):
        yield from _feeds(page.address, home)


def _feeds(address: Address, home: str) -> Iterator[SiteFeed]:
    if address.part(0) in _LISTINGS and address.part(1):
        kind, name = address.part(0), address.part(1)
        yield SiteFeed(address.at(f"/{kind}/{segment(name)}/feed/"), name)
    yield SiteFeed(f"{home}feed/")

"""Tumblr: /rss on a blog's own host, and one more for each tag."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

_OWN_PAGES = frozenset({
    "about", "blog", "communities", "dashboard", "docs", "explore", "help", "login", "new",
    "policy", "privacy", "register", "search", "settings", "tagged", "tips",
})  # fmt: skip


def from_address(address: Address) -> Iterator[SiteFeed]:
    """name.tumblr.com and tumblr.com/name."""
    if address.host in ("tumblr.com", "at.tumblr.com"):
        # The app's own addresses: /blog/name, /blog/view/name, /dashboard/blog/name
        before = ("dashboard", "blog", "view")
        name = next((part for part in address.parts if part not in before), "")
        if name and name not in _OWN_PAGES and name.replace("-", "").isalnum():
            yield SiteFeed(f"https://{name.lower()}.tumblr.com/rss", name)
    elif address.under("tumblr.com") and address.parts[-1:] != ("rss",):
        yield from _blog(address)


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Blogs on a domain of their own: every theme links the blog's app address."""
    on_its_own = not page.address.under("tumblr.com")
    if on_its_own and page.metas.get("al:ios:url", "").startswith("tumblr://"):
        yield from _blog(page.address)


def _blog(address: Address) -> Iterator[SiteFeed]:
    if address.part(0) == "tagged" and address.part(1):
        yield SiteFeed(address.at(f"/tagged/{segment(address.part(1))}/rss"), address.part(1))
    yield SiteFeed(address.at("/rss"))

"""MediaWiki: a page's history and the recent changes of the whole wiki, as Atom."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlencode, urlsplit

from wireroom.feeds.sites.address import Page, SiteFeed


def from_page(page: Page) -> Iterator[SiteFeed]:
    """The generator tells; the edit link knows where index.php lies and the page's title."""
    if not page.generator.startswith("mediawiki"):
        return
    script, _, query = page.linked("edit").partition("?")
    title = parse_qs(query).get("title", [""])[0]
    if not title or urlsplit(script).netloc != urlsplit(page.address.url).netloc:
        return
    history = urlencode({"title": title, "action": "history", "feed": "atom"})
    yield SiteFeed(f"{script}?{history}", f"History of {title}")
    changes = urlencode({"title": "Special:RecentChanges", "feed": "atom"})
    yield SiteFeed(f"{script}?{changes}", "Recent changes")

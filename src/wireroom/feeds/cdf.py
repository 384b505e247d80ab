"""Microsoft's Channel Definition Format of 1997: addresses in attributes, items with abstracts."""

from collections.abc import Iterator

from wireroom.feeds import dates
from wireroom.feeds.bodies import Bodies
from wireroom.feeds.elements import Element, Reading, attribute
from wireroom.feeds.limits import MAX_DESCRIPTION, MAX_FEED_TITLE, MAX_TITLE
from wireroom.feeds.model import Digest, Item, ParsedFeed
from wireroom.feeds.window import Window

_BODIES = Bodies(contents=(), summaries=(("abstract",),), raw_html=Reading.markup)


def is_cdf(reading: Reading) -> bool:
    """Whether a document whose root is `channel` is CDF, not RSS without its outer element."""
    root = reading.root
    items = reading.fields(root).get("item", [])
    return any(attribute(root, name) for name in ("href", "lastmod", "self", "level")) or any(
        attribute(item, "href") for item in items[:1]
    )


def read(reading: Reading, window: Window) -> ParsedFeed:
    root = reading.root
    fields = reading.fields(root)
    site_url = _page(reading, root)

    def item(reading: Reading, element: Element, digest: Digest) -> Item:
        return _item(reading, element, digest, site_url)

    return ParsedFeed(
        format="rss",
        version="cdf",
        title=reading.first_text(fields, ("title",), MAX_FEED_TITLE),
        description=reading.first_text(fields, ("abstract",), MAX_DESCRIPTION),
        site_url=site_url,
        self_url=reading.url_in(root, attribute(root, "self")),
        icon_url=next((u for logo in fields.get("logo", ()) if (u := _page(reading, logo))), ""),
        updated=dates.read(attribute(root, "lastmod")),
        items=window.items(reading, root, _items, item, site_url),
    )


def _items(reading: Reading) -> Iterator[Element]:
    yield from reading.fields(reading.root).get("item", ())


def _item(reading: Reading, element: Element, digest: Digest, site_url: str) -> Item:
    fields = reading.fields(element)
    link = _page(reading, element)
    summary, _ = _BODIES.read(reading, fields, link or site_url)
    return Item(
        digest=digest,
        link=link,
        title=reading.first_text(fields, ("title",), MAX_TITLE),
        summary=summary,
        updated=dates.read(attribute(element, "lastmod")),
    )


def _page(reading: Reading, element: Element) -> str:
    inner = reading.fields(element).get("a", ())
    written = attribute(element, "href") or next((attribute(a, "href") for a in inner), "")
    return reading.url_in(element, written)

"""The conformance files' expectations, written for feedparser's results, asked of our model.

`observed` says what a path such as "entries[0].title" is in a `ParsedFeed`; `agrees` says whether
that is what the suite expects, once the two models' known differences are taken out:

- feedparser keeps HTML in titles, names and categories; ours are plain text, so both are compared
  as text;
- addresses are compared after WHATWG parsing (`http://example.com` is `http://example.com/`);
- labels of encodings are compared by what they mean, and all-ASCII documents are in any of them;
- HTML is compared without white space and after our own sanitiser, and a summary that equals the
  content is only kept once;
- "bozo" is whether anything had to be mended.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from wireroom.feeds import dates, sanitize, urls
from wireroom.feeds.encoding import _codec
from wireroom.feeds.model import Enclosure, Item, ParsedFeed, Person

_STEP = re.compile(r"(\w+)(?:\[(\d+)\])?(#len)?")
_VERSIONS = {
    ("atom", "1.0"): "atom10",
    ("atom", "0.3"): "atom03",
    ("rss", "0.90"): "rss090",
    ("rss", "0.91"): "rss091",
    ("rss", "0.92"): "rss092",
    ("rss", "0.93"): "rss093",
    ("rss", "0.94"): "rss094",
    ("rss", "1.0"): "rss10",
    ("rss", "1.1"): "rss10",
    ("rss", "2.0"): "rss20",
    ("rss", "cdf"): "cdf",
}


class Unmapped(LookupError):
    """Our model has no place for what the path names."""


def observed(feed: ParsedFeed, path: str) -> Any:
    """What `path` of a feedparser result is in our reading; raises Unmapped."""
    head, *rest = path.split(".")
    match = _STEP.fullmatch(head)
    assert match is not None
    name, index, length = match.groups()
    if name == "entries" and length:
        return len(feed.items)
    if name == "entries" and index and int(index) < len(feed.items):
        return _walk(_entry(feed.items[int(index)]), rest)
    if name == "feed":
        return _walk(_feed(feed), rest)
    if name in {"bozo", "version", "encoding"}:
        return {
            "bozo": bool(feed.warnings),
            "version": _VERSIONS.get((feed.format, feed.version), feed.format),
            "encoding": feed.encoding,
        }[name]
    raise Unmapped(path)


def agrees(path: str, expected: Any, ours: Any, *, body: bytes, url: str) -> bool:
    """Whether `ours` is what the suite expects at `path`."""
    if expected == ours:
        return True
    last = path.rpartition(".")[2]
    if last == "encoding":
        return body.isascii() or _codec(expected) == _codec(ours)
    if last == "version":
        return bool(expected.startswith(ours)) and ours != ""
    if isinstance(expected, dict):
        return all(
            agrees(f"{path}.{k}", v, ours.get(k), body=body, url=url) for k, v in expected.items()
        )
    if not isinstance(expected, str) or not isinstance(ours, str | datetime):
        return False
    if isinstance(ours, datetime):
        when = dates.read(expected)
        return when is not None and when == ours.replace(microsecond=0)
    if last in {"href", "link"}:
        return _address(expected) == _address(ours)
    if last == "id":
        # Opaque with us, an address with feedparser.
        return urls.resolve(url, ours) == expected
    if last in {"summary", "value", "subtitle"}:
        return _bare(expected) == _bare(ours) or _bare(_plain(expected)) == _bare(_plain(ours))
    return _bare(_plain(expected)) == _bare(ours)


def _walk(value: Any, steps: list[str]) -> Any:
    for step in steps:
        match = _STEP.fullmatch(step)
        assert match is not None
        name, index, length = match.groups()
        if name not in value:
            raise Unmapped(name)
        value = value[name]
        if length:
            return len(value)
        if index is not None:
            value = value[int(index)] if int(index) < len(value) else None
        if callable(value):
            value = value()
        if value is None:
            return None
    return value


def _feed(feed: ParsedFeed) -> dict[str, Any]:
    links = [("alternate", feed.site_url), ("self", feed.self_url)]
    first = feed.items[0] if feed.items and feed.format == "json" else None
    links += [("hub", url) for url in feed.hub_urls]
    return {
        "title": feed.title,
        "subtitle": feed.description,
        "link": feed.site_url,
        "links": _links(links, feed.extra),
        "id": feed.guid,
        "author": _joined(feed.authors),
        "language": feed.language,
        "tags": [_tag(term, feed.category_schemes) for term in feed.categories],
        # JSON Feed has no dates of its own; gofeed reports those of the first item.
        "updated_parsed": feed.updated or (first.updated if first else None),
        "published_parsed": feed.published or (first.published if first else None),
        "updated": feed.updated,
        "published": feed.published,
        "ttl": str(feed.hints.ttl_minutes),
    }


def _entry(item: Item) -> dict[str, Any]:
    return {
        "title": item.title,
        "link": item.link,
        "id": item.guid,
        "summary": item.summary or item.content or "",
        "content": [{"value": item.content or item.summary or ""}],
        "links": _links([("alternate", item.link)], item.extra, item.enclosures),
        "enclosures": [_enclosure(enclosure) for enclosure in item.enclosures],
        "author": _joined(item.authors),
        "language": item.language,
        "tags": [_tag(term, item.category_schemes) for term in item.categories],
        "updated_parsed": item.updated,
        "published_parsed": item.published,
        "updated": item.updated,
        "published": item.published,
    }


def _tag(term: str, schemes: Mapping[str, str]) -> dict[str, Any]:
    return {"term": term, "label": term, "scheme": schemes.get(term)}


def _links(
    links: list[tuple[str, str]], extra: Any, enclosures: tuple[Enclosure, ...] = ()
) -> list[dict[str, str]]:
    others = [(name[5:], url) for name, url in extra.items() if name.startswith("link:")]
    # A page that is only known by another relation is listed under that one.
    elsewhere = {url for _, url in others}
    links = [link for link in links if link[1] not in elsewhere] + others
    found = [{"rel": relation, "href": url} for relation, url in links if url]
    return found + [{"rel": "enclosure", **_enclosure(one)} for one in enclosures]


def _enclosure(enclosure: Enclosure) -> dict[str, Any]:
    return {
        "href": enclosure.url,
        "type": enclosure.media_type,
        "length": "" if enclosure.length_bytes is None else str(enclosure.length_bytes),
        "title": enclosure.title,
    }


def _joined(people: tuple[Person, ...]) -> str:
    return ", ".join(f"{p.name} ({p.email})" if p.name and p.email else str(p) for p in people)


def _address(url: str) -> str:
    return urls.resolve("", url) or url


def _plain(text: str) -> str:
    return sanitize.text(text)


def _bare(text: str) -> str:
    """`text` as our sanitiser writes it, white space left out."""
    return re.sub(r"\s+", "", sanitize.html(text, base_url="http://example.com/"))

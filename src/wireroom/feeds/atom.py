"""Atom 1.0 (RFC 4287) and its draft 0.3."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from wireroom.feeds import constructs, facts, hints, media, people
from wireroom.feeds.bodies import Bodies
from wireroom.feeds.elements import (
    Element,
    Fields,
    Reading,
    as_line,
    as_text,
    attribute,
    language_of,
    nested,
    prefixed_attribute,
)
from wireroom.feeds.facets import Facet, Facets
from wireroom.feeds.limits import (
    MAX_DESCRIPTION,
    MAX_FEED_TITLE,
    MAX_GUID,
    MAX_LIST,
    MAX_NAME,
    MAX_TITLE,
)
from wireroom.feeds.model import Digest, Enclosure, Item, ParsedFeed, Person, Source
from wireroom.feeds.namespaces import split
from wireroom.feeds.window import Window

_BODIES = Bodies(
    contents=("content", "content:encoded", "xhtml:body"),
    summaries=(
        ("summary",),
        ("media:description",),
        ("description", "dc:description"),
        ("itunes:summary",),
    ),
    raw_html=constructs.as_html,
)
#: Links that are never the page of an entry, whatever else is missing.
_NOT_PAGES = re.compile(
    r"self|edit|edit-media|enclosure|hub|replies|license|next|prev|previous|first|last|up|icon"
    r"|service|service\..*|https?:.*|salmon|search|image|thumbnail"
)


#: Links that lead away from an entry, or to where only its author may go.
_NOT_OWN = re.compile(
    r"edit|edit-media|hub|license|next|prev|previous|first|last|up|icon"
    r"|service|service\..*|https?:.*|salmon|search"
)


class _Link(NamedTuple):
    relation: str
    url: str
    media_type: str
    element: Element


def read(reading: Reading, window: Window) -> ParsedFeed:
    root = reading.root
    fields = media.fields_of(reading, root)
    links = tuple(_links(reading, fields))
    site_url = _page(links) or _address_in(reading, fields)
    read = _FEED_FACETS.read(reading, fields)
    read["guid"] = read.get("guid") or ""
    read["extra"] = read.get("extra", {}) | _rarer_links(links)
    authors = read.setdefault("authors", ())
    language = read["language"] = language_of(root) or read.get("language", "")

    def item(reading: Reading, element: Element, digest: Digest) -> Item:
        return _entry(reading, element, digest, site_url, language, authors)

    return ParsedFeed(
        format="atom",
        version=_version(root),
        site_url=site_url,
        self_url=_first(links, "self"),
        hub_urls=tuple(dict.fromkeys(link.url for link in links if link.relation == "hub"))[
            :MAX_LIST
        ],
        icon_url=media.icon(reading, fields, "icon", "webfeeds:icon", "logo", "itunes:image")
        or _first(links, "icon"),
        hints=hints.read(reading, fields),
        items=window.items(reading, root, _entries, item, site_url, language, authors),
        **read,
    )


#: Some take an item of RSS for an entry of Atom.
_ENTRY_NAMES = frozenset({"entry", "item"})


def _entries(reading: Reading) -> Iterator[Element]:
    """The entries where they belong, in the feed, else anywhere in the tree."""
    names, root = reading.names, reading.root
    found = False
    if not reading.is_rebuilt:
        for child in root:
            if names[child.tag] in _ENTRY_NAMES:
                found = True
                yield from nested(child)
    if not found:
        yield from (element for element in root.iter() if names[element.tag] in _ENTRY_NAMES)


def _entry(
    reading: Reading,
    element: Element,
    digest: Digest,
    site_url: str,
    language: str,
    feed_authors: tuple[Person, ...],
) -> Item:
    fields = media.fields_of(reading, element)
    for group in fields.get("media:group", ())[:1]:
        # YouTube keeps the description of a film in there.
        described = reading.fields(group).get("media:description", [])
        fields.setdefault("media:description", described)
    links = tuple(_links(reading, fields))
    page = _page(links) or _address_in(reading, fields) or _first(links, "self")
    summary, content = _BODIES.read(reading, fields, page or site_url)
    enclosures = _enclosures(reading, fields, links)
    picture = media.picture(reading, fields, enclosures)
    read = _ENTRY_FACETS.read(reading, fields)
    read["authors"] = read.get("authors") or _authors_of_source(reading, fields) or feed_authors
    read["comments_url"] = _first(links, "replies") or read.get("comments_url", "")
    read["comment_count"] = _comment_count(read.get("comment_count"), links)
    read["language"] = language_of(element) or read.get("language") or language
    read["extra"] = read.get("extra", {}) | _rarer_links(links)
    return Item(
        digest=digest,
        link=page or _own(links),
        summary=summary,
        content=content,
        enclosures=enclosures,
        image_url=picture or media.picture_in(content or summary or ""),
        **read,
    )


def _identifier(reading: Reading, fields: Fields, names: Sequence[str]) -> str | None:
    """The id byte for byte (PRS-08), None when empty or longer than any honest one."""
    for name in names:
        for element in reversed(fields[name]):
            raw = reading.raw(element)
            if raw and not raw.isspace() and len(raw) <= MAX_GUID:
                return raw
    return None


def _links(reading: Reading, fields: Fields) -> Iterator[_Link]:
    for element in fields.get("link", ())[: 4 * MAX_LIST]:
        # RSS's way of writing a link is seen in Atom feeds, too.
        href = attribute(element, "href") or reading.raw(element).strip()
        if url := reading.url_in(element, href) if href else "":
            relation = attribute(element, "rel").lower() or "alternate"
            relation = relation.removeprefix("http://www.iana.org/assignments/relation/")
            yield _Link(relation, url, attribute(element, "type").lower(), element)


def _page(links: tuple[_Link, ...]) -> str:
    """The page of an entry or feed: an alternate, HTML where there are several (PRS-10)."""
    alternates = [link for link in links if link.relation == "alternate"]
    for link in alternates:
        if link.media_type in {"", "text/html", "application/xhtml+xml"}:
            return link.url
    if alternates:
        return alternates[0].url
    return next((link.url for link in links if not _NOT_PAGES.fullmatch(link.relation)), "")


def _own(links: tuple[_Link, ...]) -> str:
    """The first link of an entry that has no page: an enclosure, mostly (PRS-10)."""
    return next((link.url for link in links if not _NOT_OWN.fullmatch(link.relation)), "")


def _address_in(reading: Reading, fields: Fields) -> str:
    """What can stand in for a missing link: an id that is an address, or where content is."""
    for element in fields.get("id", ()):
        text = reading.raw(element).strip()
        if text[:8].lower().startswith(("http://", "https://")):
            return reading.url_in(element, text)
    for element in fields.get("content", ()):
        if (source := attribute(element, "src")) and (url := reading.url_in(element, source)):
            return url
    return ""


def _first(links: tuple[_Link, ...], relation: str) -> str:
    return next((link.url for link in links if link.relation == relation), "")


def _rarer_links(links: tuple[_Link, ...]) -> dict[str, str]:
    """Links of other relations, as "link:via", "link:license", ...; the first of each."""
    known = {"alternate", "self", "hub", "enclosure", "icon"}
    return {
        f"link:{link.relation[:MAX_NAME]}": link.url
        for link in reversed(links)
        if link.relation not in known
    }


def _enclosures(
    reading: Reading, fields: Fields, links: tuple[_Link, ...]
) -> tuple[Enclosure, ...]:
    linked = {
        link.url: Enclosure(
            link.url,
            media.type_of(link.url, link.media_type),
            media.whole(attribute(link.element, "length")),
            title=as_text(attribute(link.element, "title"), MAX_TITLE),
        )
        for link in links
        if link.relation == "enclosure"
    }
    others = [media for media in media.enclosures(reading, fields) if media.url not in linked]
    return (*linked.values(), *others)[:MAX_LIST]


def _comment_count(stated: int | None, links: tuple[_Link, ...]) -> int | None:
    for link in links:
        if stated is None and link.relation == "replies":
            stated = media.whole(prefixed_attribute(link.element, "count"))
    return stated


def _authors_of_source(reading: Reading, fields: Fields) -> tuple[Person, ...]:
    source = fields.get("source")
    return people.in_fields(reading, reading.fields(source[0]), ("author",)) if source else ()


def _source(reading: Reading, fields: Fields, names: Sequence[str]) -> Source | None:
    """Where an aggregated entry comes from: the title and page of that feed."""
    inner = reading.fields(fields[names[0]][0])
    links = tuple(_links(reading, inner))
    title = _plain(reading, inner, ("title",))
    url = _page(links) or _first(links, "self")
    return Source(title, url) if title or url else None


def _plain(reading: Reading, fields: Fields, names: Sequence[str], limit: int = MAX_TITLE) -> str:
    """The first text that is not empty among the fields called `names`, without its markup."""
    for name in names:
        for element in fields.get(name, ()):
            raw, is_html = constructs.read(reading, element)
            if text := as_text(raw, limit) if is_html else as_line(raw, limit):
                return text
    return ""


def _version(root: Element) -> str:
    namespace, *_ = split(root.tag)
    stated = attribute(root, "version")[:16]
    if "2005/atom" in namespace.lower():
        return "1.0"
    return stated or ("0.3" if "purl.org/atom" in namespace.lower() else "1.0")


_TITLES = ("title", "dc:title", "media:title")
#: What entries and feeds have alike.
_COMMON_FACETS = {
    "guid": Facet(_identifier, ("id", "guid")),
    "published": Facet(
        Reading.first_date,
        ("published", "issued", "created", "dcterms:issued", "dcterms:created", "pubdate"),
    ),
    "updated": Facet(Reading.first_date, ("updated", "modified", "dcterms:modified", "dc:date")),
    "authors": Facet(people.in_fields, ("author", "dc:creator", "itunes:author")),
    **facts.FACETS,
}
#: What an entry has beside its links, texts and media.
_ENTRY_FACETS = Facets(
    {
        "title": Facet(_plain, _TITLES),
        "comments_url": Facet(Reading.first_url, ("comments",)),
        "comment_count": facts.COMMENT_COUNT,
        "language": Facet(
            partial(Reading.first_text, limit=MAX_NAME), ("dc:language", "language")
        ),
        "source": Facet(_source, ("source",)),
        **_COMMON_FACETS,
    }
)
_FEED_FACETS = Facets(
    {
        "title": Facet(partial(_plain, limit=MAX_FEED_TITLE), _TITLES),
        "description": Facet(
            partial(_plain, limit=MAX_DESCRIPTION), ("subtitle", "tagline", "info")
        ),
        "language": Facet(
            partial(Reading.first_text, limit=MAX_NAME), ("language", "dc:language")
        ),
        "new_url": Facet(Reading.first_url, ("itunes:new-feed-url",)),
        **_COMMON_FACETS,
    }
)

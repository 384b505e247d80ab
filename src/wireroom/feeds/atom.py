"""Atom 1.0 (RFC 4287) and its draft 0.3."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wireroom.feeds import bodies, constructs, facts, hints, media, people
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

_PUBLISHED = ("published", "issued", "created", "dcterms:issued", "dcterms:created", "pubdate")
_UPDATED = ("updated", "modified", "dcterms:modified", "dc:date")
_CONTENTS = ("content", "content:encoded", "xhtml:body")
_SUMMARIES = (
    ("summary",),
    ("media:description",),
    ("description", "dc:description"),
    ("itunes:summary",),
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


@dataclass(frozen=True, slots=True)
class _Link:
    relation: str
    url: str
    media_type: str
    element: Element


def read(reading: Reading, window: Window) -> ParsedFeed:
    root = reading.root
    fields = reading.fields(root)
    links = tuple(_links(reading, fields))
    site_url = _page(links) or _address_in(reading, fields)
    language = language_of(root) or reading.first_text(
        fields, "language", "dc:language", limit=MAX_NAME
    )
    authors = people.in_fields(reading, fields, "author", "dc:creator", "itunes:author")

    def item(reading: Reading, element: Element, digest: Digest) -> Item:
        return _entry(reading, element, digest, site_url, language, authors)

    return ParsedFeed(
        format="atom",
        version=_version(root),
        title=_plain(reading, fields, MAX_FEED_TITLE, "title", "dc:title", "media:title"),
        description=_plain(reading, fields, MAX_DESCRIPTION, "subtitle", "tagline", "info"),
        site_url=site_url,
        self_url=_first(links, "self"),
        hub_urls=tuple(dict.fromkeys(link.url for link in links if link.relation == "hub"))[
            :MAX_LIST
        ],
        icon_url=media.icon(reading, fields, "icon", "webfeeds:icon", "logo", "itunes:image")
        or _first(links, "icon"),
        language=language,
        authors=authors,
        hints=hints.read(reading, fields),
        guid=_identifier(reading, fields) or "",
        published=reading.first_date(fields, *_PUBLISHED),
        updated=reading.first_date(fields, *_UPDATED),
        categories=facts.categories(reading, fields),
        category_schemes=facts.category_schemes(reading, fields),
        extra=facts.rarer(reading, fields) | _rarer_links(links),
        new_url=reading.first_url(fields, "itunes:new-feed-url"),
        items=window.items(reading, root, _entries, item, site_url, language, authors),
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
    fields = reading.fields(element)
    for group in fields.get("media:group", ()):
        # YouTube keeps the description of a film in there.
        described = reading.fields(group).get("media:description", [])
        fields.setdefault("media:description", described)
    links = tuple(_links(reading, fields))
    guid = _identifier(reading, fields)
    page = _page(links) or _address_in(reading, fields) or _first(links, "self")
    summary, content = bodies.read(
        reading,
        fields,
        contents=_CONTENTS,
        summaries=_SUMMARIES,
        raw_html=constructs.as_html,
        preferred_bases=(page, site_url),
    )
    enclosures = _enclosures(reading, fields, links)
    picture = media.picture(reading, fields, enclosures) or media.picture_in(
        content or summary or ""
    )
    source = fields["source"][0] if "source" in fields else None
    return Item(
        digest=digest,
        guid=guid,
        link=page or _own(links),
        title=_plain(reading, fields, MAX_TITLE, "title", "dc:title", "media:title"),
        summary=summary,
        content=content,
        published=reading.first_date(fields, *_PUBLISHED),
        updated=reading.first_date(fields, *_UPDATED),
        authors=_authors(reading, fields, source) or feed_authors,
        categories=facts.categories(reading, fields),
        category_schemes=facts.category_schemes(reading, fields),
        enclosures=enclosures,
        image_url=picture,
        comments_url=_first(links, "replies") or reading.first_url(fields, "comments"),
        comment_count=_comment_count(reading, fields, links),
        language=language_of(element)
        or reading.first_text(fields, "dc:language", "language", limit=MAX_NAME)
        or language,
        source=None if source is None else _source(reading, source),
        extra=facts.rarer(reading, fields) | _rarer_links(links),
    )


def _identifier(reading: Reading, fields: Fields) -> str | None:
    """The id byte for byte (PRS-08), None when empty or longer than any honest one."""
    for name in ("id", "guid"):
        for element in reversed(fields.get(name, ())):
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


def _comment_count(reading: Reading, fields: Fields, links: tuple[_Link, ...]) -> int | None:
    count = facts.comment_count(reading, fields)
    for link in links:
        if count is None and link.relation == "replies":
            count = media.whole(prefixed_attribute(link.element, "count"))
    return count


def _authors(reading: Reading, fields: Fields, source: Element | None) -> tuple[Person, ...]:
    authors = people.in_fields(reading, fields, "author", "dc:creator", "itunes:author")
    if not authors and source is not None:
        authors = people.in_fields(reading, reading.fields(source), "author")
    return authors


def _source(reading: Reading, element: Element) -> Source | None:
    """Where an aggregated entry comes from: the title and page of that feed."""
    fields = reading.fields(element)
    links = tuple(_links(reading, fields))
    title = _plain(reading, fields, MAX_TITLE, "title")
    url = _page(links) or _first(links, "self")
    return Source(title, url) if title or url else None


def _plain(reading: Reading, fields: Fields, limit: int, *names: str) -> str:
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

"""RSS 0.90 to 2.0, RSS 1.0 and 1.1 (RDF): one reader, since publishers mix them freely."""

from collections.abc import Iterator, Sequence
from functools import partial

from wireroom.feeds import facts, hints, media, people
from wireroom.feeds.bodies import Bodies
from wireroom.feeds.elements import (
    Element,
    Fields,
    Reading,
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
from wireroom.feeds.model import Digest, Enclosure, Item, ParsedFeed, Source
from wireroom.feeds.namespaces import split
from wireroom.feeds.window import Window

_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
#: Some take an item of Atom for one of RSS.
_ITEM_NAMES = frozenset({"item", "entry"})
_TITLES = ("title", "dc:title", "media:title", "itunes:title", "atom:title")
_BODIES = Bodies(
    contents=(
        "content:encoded",
        "xhtml:body",
        "xhtml:div",
        "body",
        "fulltext",
        "fullitem",
        "yandex:full-text",
        "content",
        "atom:content",
    ),
    summaries=(
        ("description",),
        ("summary", "atom:summary"),
        ("itunes:summary", "googleplay:description"),
        ("itunes:subtitle",),
        ("dc:description", "dcterms:abstract"),
        ("media:description",),
    ),
    raw_html=Reading.markup,
)
_AUTHORS = (
    "author",
    "dc:creator",
    "dc:author",
    "itunes:author",
    "atom:author",
    "googleplay:author",
)
_FEED_AUTHORS = (
    "itunes:author",
    "managingeditor",
    "dc:creator",
    "dc:author",
    "author",
    "atom:author",
    "itunes:owner",
    "webmaster",
)
_PUBLISHED = (
    "pubdate",
    "dcterms:issued",
    "dc:date",
    "atom:published",
    "published",
    "dcterms:created",
)
_UPDATED = ("dcterms:modified", "atom:updated", "updated", "lastbuilddate", "dc:date")


def read(reading: Reading, window: Window) -> ParsedFeed:
    root = reading.root
    channel = _channel(reading)
    fields = media.fields_of(reading, channel)
    # RDF keeps image and items beside the channel.
    beside = reading.fields(root) if channel is not root else {}
    site_url = _link(reading, fields)
    language = reading.first_text(fields, ("language", "dc:language"), MAX_NAME)
    language = language or language_of(channel) or language_of(root)

    def item(reading: Reading, element: Element, digest: Digest) -> Item:
        return _item(reading, element, digest, site_url, language)

    links = tuple(_links(reading, fields))
    return ParsedFeed(
        format="rss",
        version=_version(root),
        site_url=site_url,
        self_url=dict(links).get("self", ""),
        hub_urls=tuple(dict.fromkeys(url for relation, url in links if relation == "hub"))[
            :MAX_LIST
        ],
        icon_url=media.icon(reading, fields, "image", "itunes:image", "googleplay:image")
        or media.icon(reading, beside, "image")
        or media.icon(reading, fields, "webfeeds:icon", "atom:icon", "atom:logo"),
        language=language,
        hints=hints.read(reading, fields),
        items=window.items(reading, channel, _items, item, site_url, language),
        **_FEED_FACETS.read(reading, fields),
    )


def _channel(reading: Reading) -> Element:
    root = reading.root
    if reading.names[root.tag] == "channel":
        return root
    twice = (child for child in root if reading.names[child.tag] == "rss")
    channels = (
        child for each in (root, *twice) for child in each if reading.names[child.tag] == "channel"
    )
    return next(channels, root)


def _items(reading: Reading) -> Iterator[Element]:
    """The items where they belong (in the channel, in RDF beside it), else anywhere."""
    names = reading.names
    found = False
    if not reading.is_rebuilt:
        for holder in dict.fromkeys((_channel(reading), reading.root)):
            for child in holder:
                name = names[child.tag]
                if name in _ITEM_NAMES:
                    found = True
                    yield from nested(child)
                elif name == "items":
                    yield from (inner for inner in child if names[inner.tag] in _ITEM_NAMES)
                    found = found or len(child) > 0
    if not found:
        yield from (each for each in reading.root.iter() if names[each.tag] in _ITEM_NAMES)


def _item(
    reading: Reading, element: Element, digest: Digest, site_url: str, language: str
) -> Item:
    fields = media.fields_of(reading, element)
    read = _ITEM_FACETS.read(reading, fields)
    link = _link(reading, fields) or _permalink(reading, fields, element)
    summary, content = _BODIES.read(reading, fields, link or site_url)
    if summary is content is None:
        summary = media.description(reading, fields)
    enclosures = _enclosures(reading, fields)
    picture = media.picture(reading, fields, enclosures)
    return Item(
        digest=digest,
        guid=read.pop("guid", None) or _about_as_guid(element),
        link=link,
        title=read.pop("title", "") or media.title(reading, fields),
        summary=summary,
        content=content,
        enclosures=enclosures,
        image_url=picture or media.picture_in(content or summary or ""),
        language=read.pop("language", "") or language_of(element) or language,
        **read,
    )


def _title(reading: Reading, fields: Fields, names: Sequence[str]) -> str:
    for name in names:
        for element in reversed(fields[name]):
            if text := reading.text(element, MAX_TITLE):
                return text
    return ""


def _enclosures(reading: Reading, fields: Fields) -> tuple[Enclosure, ...]:
    enclosures = media.enclosures(reading, fields)
    if linked := media.linked(reading, fields):
        urls = {link.url for link in linked}
        return (*linked, *(each for each in enclosures if each.url not in urls))[:MAX_LIST]
    return enclosures


def _guid(reading: Reading, fields: Fields, names: Sequence[str]) -> str | None:
    """The identifier byte for byte (PRS-08)."""
    for name in names:
        for element in fields[name]:
            raw = reading.raw(element)
            if raw and not raw.isspace() and len(raw) <= MAX_GUID:
                return raw
    return None


def _about_as_guid(element: Element) -> str | None:
    about = _about(element)
    return about if about and len(about) <= MAX_GUID else None


def _link(reading: Reading, fields: Fields) -> str:
    """The address of the page: the last `link`, or else an `atom:link` to an alternate.

    Either may be written in the other's way; rel="self" is never taken for the page.
    """
    for element in reversed(fields.get("link", ())):
        if not element.keys():
            if url := reading.url_in(element):
                return url
        elif attribute(element, "rel").lower() in {"", "alternate"}:
            written = attribute(element, "href") or None
            if url := reading.url_in(element, written):
                return url
    relations = _links(reading, fields)
    return next((url for relation, url in relations if relation == "alternate"), "")


def _links(reading: Reading, fields: Fields) -> Iterator[tuple[str, str]]:
    """(rel, address) of every Atom link."""
    for name in ("atom:link", "link", "atom10:link"):
        for element in fields.get(name, ())[: 4 * MAX_LIST]:
            if href := attribute(element, "href"):
                relation = attribute(element, "rel").lower() or "alternate"
                if url := reading.url_in(element, href):
                    yield relation, url


def _permalink(reading: Reading, fields: Fields, element: Element) -> str:
    """A guid that is an address, unless the publisher says that it is not one."""
    for guid in fields.get("guid", ()):
        stated = attribute(guid, "ispermalink").lower()
        text = reading.raw(guid).strip()
        if stated != "false" and (_is_address(text) or (stated == "true" and text[:1] == "/")):
            return reading.url_in(guid, text)
    about = _about(element).strip()
    return reading.url_in(element, about) if _is_address(about) else ""


def _about(element: Element) -> str:
    """rdf:about, whatever way its namespace is written."""
    about = element.get(_ABOUT)
    return prefixed_attribute(element, "about") if about is None else about


def _is_address(text: str) -> bool:
    return text[:8].lower().startswith(("http://", "https://"))


def _source(reading: Reading, fields: Fields, names: Sequence[str]) -> Source | None:
    for name in names:
        for element in fields[name]:
            url = reading.url_in(element, attribute(element, "url"))
            title = reading.text(element, MAX_TITLE)
            if url or title:
                return Source(title, url)
    return None


def _version(root: Element) -> str:
    namespace, prefix, local = split(root.tag)
    if prefix == "rdf" or local == "rdf":
        return "0.90" if "/rdf/simple/0.9" in (root.nsmap.get(None) or "") else "1.0"
    if "net/rss1.1" in namespace:
        return "1.1"
    return attribute(root, "version")[:16]


#: What an item has beside its link, texts and media.
_ITEM_FACETS = Facets(
    {
        "guid": Facet(_guid, ("guid", "atom:id", "id")),
        "title": Facet(_title, _TITLES),
        "published": Facet(Reading.first_date, _PUBLISHED),
        "updated": Facet(Reading.first_date, _UPDATED),
        "authors": Facet(people.in_fields, _AUTHORS),
        "comments_url": Facet(Reading.first_url, ("comments",)),
        "comment_count": facts.COMMENT_COUNT,
        "language": Facet(
            partial(Reading.first_text, limit=MAX_NAME), ("dc:language", "language")
        ),
        "source": Facet(_source, ("source",)),
        **facts.FACETS,
    }
)
_FEED_FACETS = Facets(
    {
        "title": Facet(partial(Reading.first_text, limit=MAX_FEED_TITLE), _TITLES),
        "description": Facet(
            partial(Reading.first_text, limit=MAX_DESCRIPTION),
            (
                "description",
                "itunes:summary",
                "itunes:subtitle",
                "dc:description",
                "atom:subtitle",
                "googleplay:description",
            ),
        ),
        "guid": Facet(Reading.first_text, ("podcast:guid", "atom:id")),
        "published": Facet(Reading.first_date, _PUBLISHED),
        "updated": Facet(Reading.first_date, ("lastbuilddate", *_UPDATED)),
        "authors": Facet(people.in_fields, _FEED_AUTHORS),
        "new_url": Facet(Reading.first_url, ("itunes:new-feed-url",)),
        **facts.FACETS,
    }
)

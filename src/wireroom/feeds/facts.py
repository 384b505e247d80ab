"""What RSS and Atom items say in the same extensions: categories, comments, and rarer facts."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from wireroom.feeds import media
from wireroom.feeds.elements import Element, Fields, Reading, as_text, attribute
from wireroom.feeds.facets import Facet
from wireroom.feeds.limits import MAX_FACT, MAX_LIST, MAX_NAME, MAX_URL

#: Facts whose value is the element's text: short name -> name to be kept under.
_TEXTS = {
    name.lower(): name
    for name in (
        "cc:license",
        "creativeCommons:license",
        "dc:identifier",
        "dc:publisher",
        "dc:rights",
        "dc:source",
        "dc:type",
        "dcterms:license",
        "geo:lat",
        "geo:long",
        "georss:box",
        "georss:featureName",
        "georss:line",
        "georss:point",
        "georss:polygon",
        "itunes:block",
        "itunes:complete",
        "itunes:duration",
        "itunes:episode",
        "itunes:episodeType",
        "itunes:explicit",
        "itunes:season",
        "itunes:subtitle",
        "itunes:title",
        "itunes:type",
        "podcast:episode",
        "podcast:guid",
        "podcast:license",
        "podcast:location",
        "podcast:locked",
        "podcast:medium",
        "podcast:person",
        "podcast:season",
        "rights",
        "copyright",
        "generator",
        "slash:comments",
        "slash:department",
        "slash:hit_parade",
        "slash:section",
        "thr:total",
        "yt:channelId",
        "yt:videoId",
    )
}
#: Facts whose value is an address: short name -> (attribute or "" for the text, name).
_ADDRESSES = {
    "docs": ("", "docs"),
    "feedburner:origlink": ("", "feedburner:origLink"),
    "wfw:comment": ("", "wfw:comment"),
    "wfw:commentrss": ("", "wfw:commentRss"),
    "podcast:chapters": ("url", "podcast:chapters"),
    "podcast:funding": ("url", "podcast:funding"),
    "podcast:socialinteract": ("uri", "podcast:socialInteract"),
    "podcast:transcript": ("url", "podcast:transcript"),
    "media:player": ("url", "media:player"),
}
_IN_REPLY_TO = "thr:in-reply-to"
_POINT = "georss:point"
_WHERE = "georss:where"
_RARER = frozenset({*_TEXTS, *_ADDRESSES, _IN_REPLY_TO, _WHERE})
_CATEGORY_ATTRIBUTES = ("label", "term", "text")


def rarer(reading: Reading, fields: Fields, names: Iterable[str]) -> dict[str, str]:
    """The facts that have no field of their own, by qualified name; the first of each name."""
    facts: dict[str, str] = {}
    for name in names:
        element = fields[name][0]
        if name in _TEXTS:
            if text := reading.text(element, MAX_FACT):
                facts[_TEXTS[name]] = text
        elif name in _ADDRESSES:
            key, kept_as = _ADDRESSES[name]
            written = attribute(element, key) if key else None
            if url := reading.url_in(element, written):
                facts[kept_as] = url
        elif name == _IN_REPLY_TO:
            reference = attribute(element, "ref") or attribute(element, "href")
            facts[name] = reference[:MAX_FACT]
    if _POINT not in facts and (point := _point(reading, fields)):
        facts[_POINT] = point
    return facts


def categories(reading: Reading, fields: Fields, names: Sequence[str]) -> tuple[str, ...]:
    """Categories, subjects and keywords, each once, roughly in document order."""
    found: dict[str, None] = {}
    for name in names:
        read = _CATEGORIES[name]
        for element in fields[name][: 2 * MAX_LIST]:
            found.update(dict.fromkeys(read(reading, element)))
    found.pop("", None)
    return tuple(found)[:MAX_LIST]


def category_schemes(reading: Reading, fields: Fields, names: Sequence[str]) -> dict[str, str]:
    """What categories are taken from, by the name that `categories` gives them."""
    found: dict[str, str] = {}
    for name in names:
        for element in fields[name][: 2 * MAX_LIST]:
            if not element.keys():
                continue
            scheme = attribute(element, "scheme") or attribute(element, "domain")
            if scheme and (category := _category(reading, element)[0]):
                found.setdefault(category, scheme[:MAX_URL])
    return found


def comment_count(reading: Reading, fields: Fields, names: Iterable[str]) -> int | None:
    for name in names:
        for element in fields.get(name, ()):
            if (count := media.whole(reading.raw(element))) is not None:
                return count
    return None


def _category(reading: Reading, element: Element) -> tuple[str, ...]:
    for name in _CATEGORY_ATTRIBUTES if element.keys() else ():
        if written := attribute(element, name):
            return (as_text(reading.mend(written) if reading.mend else written, MAX_NAME),)
    return (reading.text(element, MAX_NAME),)


def _nested_category(reading: Reading, element: Element) -> Iterator[str]:
    """itunes:category: a category with its subcategories inside."""
    yield as_text(attribute(element, "text"), MAX_NAME) or reading.text(element, MAX_NAME)
    for inner in element:
        yield as_text(attribute(inner, "text"), MAX_NAME)


def _keywords(reading: Reading, element: Element) -> list[str]:
    return [as_text(each, MAX_NAME) for each in reading.raw(element).split(",", MAX_LIST)]


_CATEGORIES: dict[str, Callable[[Reading, Element], Iterable[str]]] = {
    "category": _category,
    "atom:category": _category,
    "rss:category": _category,
    "dc:subject": _category,
    "media:category": _category,
    "media:keywords": _keywords,
    "itunes:category": _nested_category,
    "googleplay:category": _nested_category,
    "itunes:keywords": _keywords,
    "keywords": _keywords,
    "tags": _keywords,
}
_WITH_SCHEMES = ("category", "atom:category", "rss:category", "media:category")

COMMENT_COUNT = Facet(comment_count, ("slash:comments", "thr:total"))
#: The fields of items and of feeds that RSS and Atom have the same elements for.
FACETS = {
    "categories": Facet(categories, frozenset(_CATEGORIES)),
    "category_schemes": Facet(category_schemes, _WITH_SCHEMES),
    "extra": Facet(rarer, _RARER),
}


def _point(reading: Reading, fields: Fields) -> str:
    """A position written as georss:where with gml inside, or as geo:lat and geo:long."""
    for where in fields.get(_WHERE, ()):
        for inner in where.iter():
            if reading.names[inner.tag] == "gml:pos":
                return reading.text(inner, MAX_FACT)
    if "geo:lat" in fields and "geo:long" in fields:
        return (
            f"{reading.text(fields['geo:lat'][0])} {reading.text(fields['geo:long'][0])}".strip()
        )
    return ""

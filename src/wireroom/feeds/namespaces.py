"""Names of elements, whatever the publisher made of their namespaces.

Every element gets one short lower-case name: those of the format itself are bare ("title",
"pubdate"), those of a known extension carry its usual prefix ("dc:creator", "content:encoded"),
all others keep their full XML name and match nothing.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

#: Usual prefix -> its namespaces, compared without scheme, case and final "/" or "#".
_NAMESPACES = {
    "rss": (
        "purl.org/rss/1.0",
        "purl.org/rss/0.9",
        "my.netscape.com/rdf/simple/0.9",
        "channel.netscape.com/rdf/simple/0.9",
        "my.netscape.com/publish/formats/rss-0.91.dtd",
        "backend.userland.com/rss",
        "backend.userland.com/rss2",
        "backend.userland.com/rss091",
        "backend.userland.com/rss092",
        "blogs.law.harvard.edu/tech/rss",
        "cyber.law.harvard.edu/rss",
        "cyber.law.harvard.edu/rss/rss.html",
        "www.rssboard.org/rss-specification",
        "purl.org/net/rss1.1",
    ),
    "atom": ("www.w3.org/2005/atom", "purl.org/atom/ns", "purl.org/atom"),
    "rdf": ("www.w3.org/1999/02/22-rdf-syntax-ns", "www.w3.org/tr/rdf-syntax"),
    "content": ("purl.org/rss/1.0/modules/content",),
    "dc": ("purl.org/dc/elements/1.1", "purl.org/dc/elements/1.0", "purl.org/dc"),
    "dcterms": ("purl.org/dc/terms",),
    "media": (
        "search.yahoo.com/mrss",
        "video.search.yahoo.com/mrss",
        "tools.search.yahoo.com/mrss",
        "www.rssboard.org/media-rss",
    ),
    "itunes": (
        "www.itunes.com/dtds/podcast-1.0.dtd",
        "www.itunes.com/dtds/podcast-1.0",
        "itunes.com/dtds/podcast-1.0.dtd",
        "example.com/dtds/podcast-1.0.dtd",
    ),
    "podcast": (
        "podcastindex.org/namespace/1.0",
        "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ),
    "yandex": ("news.yandex.ru",),
    "googleplay": ("www.google.com/schemas/play-podcasts/1.0",),
    "sy": ("purl.org/rss/1.0/modules/syndication",),
    "slash": ("purl.org/rss/1.0/modules/slash",),
    "thr": ("purl.org/syndication/thread/1.0",),
    "georss": ("www.georss.org/georss", "www.georss.org/georss/10"),
    "geo": ("www.w3.org/2003/01/geo/wgs84_pos",),
    "gml": ("www.opengis.net/gml",),
    "feedburner": ("rssnamespace.org/feedburner/ext/1.0",),
    "wfw": ("wellformedweb.org/commentapi",),
    "xhtml": ("www.w3.org/1999/xhtml",),
    "xml": ("www.w3.org/xml/1998/namespace",),
    "webfeeds": ("webfeeds.org/rss/1.0",),
    "cc": ("web.resource.org/cc", "creativecommons.org/ns"),
    "creativecommons": ("backend.userland.com/creativecommonsrssmodule",),
    "yt": ("www.youtube.com/xml/schemas/2015",),
}
_PREFIXES = {key: prefix for prefix, keys in _NAMESPACES.items() for key in keys}
#: Prefixes seen undeclared or for the same thing.
_UNDECLARED = {prefix: prefix for prefix in _NAMESPACES} | {
    "syn": "sy",
    "a": "atom",
    "atom10": "atom",
    "content-encoded": "content",
    "dct": "dcterms",
}
_SCHEME = re.compile(r"^\s*\w+://|[/#\s]+$")


class Names(dict[str, str]):
    """The short names of one document's elements by their XML names, worked out when first met.

    `own` are the short prefixes or full namespaces whose elements are the format's own, `meant`
    the usual prefixes of namespaces that nobody knows.
    """

    __slots__ = ("meant", "own")

    def __init__(self, own: Iterable[str], meant: Mapping[str, str]) -> None:
        super().__init__()
        self.own = frozenset(own)
        self.meant = meant

    def __missing__(self, tag: str) -> str:
        namespace, prefix, local = split(tag)
        key = prefix or namespace
        if key not in self.own:
            prefix = prefix or self.meant.get(namespace, "")
        name = f"{prefix}:{local}" if prefix else tag
        if not key or key in self.own:
            name = local
        self[tag] = name
        return name


@lru_cache(maxsize=4096)
def split(tag: object) -> tuple[str, str, str]:
    """(namespace URI, short prefix or "", lower-case local name) of a name as lxml gives it.

    What is no element (a comment or entity that recovery left standing) has no name.
    """
    if not isinstance(tag, str):
        return "", "", ""
    if tag.startswith("{"):
        namespace, _, local = tag[1:].partition("}")
        return namespace, _prefix(namespace), local.lower()
    prefix, colon, local = tag.lower().rpartition(":")
    if not colon:
        return "", "", local
    return "", _UNDECLARED.get(prefix, prefix), local


def names_for(
    root_tag: str, inner_tags: Iterable[str], declared: Mapping[str | None, str]
) -> Names:
    """Names for a document with this root; `inner_tags` are those of its first children.

    A namespace that nobody knows, on the root or on the channel, is the publisher's slip: its
    elements are taken for the format's own. So is one that the root has `declared` under the
    usual prefix of another.
    """
    namespace, prefix, _ = split(root_tag)
    own = {prefix or namespace}
    if prefix in {"", "rdf"}:
        own.add("rss")
    for tag in inner_tags:
        inner, known, local = split(tag)
        if local in {"channel", "item"}:
            own.add(known or inner)
    meant = {
        namespace: prefix
        for prefix, namespace in declared.items()
        if prefix in _NAMESPACES and not _prefix(namespace)
    }
    return Names(own - {"", "rdf"}, meant)


def _prefix(namespace: str) -> str:
    return _PREFIXES.get(_SCHEME.sub("", namespace.lower()), "")

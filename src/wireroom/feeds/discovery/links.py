"""Which links of a page speak of a feed, and where they lead (out of feed buttons, too)."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from urllib.parse import unquote

from wireroom.feeds import urls
from wireroom.feeds.discovery.candidate import Candidate, Origin
from wireroom.feeds.webpage import Link

MOST_ADVERTISED = 200
MOST_ANCHORS = 20

JSON = "application/json"
#: Types that say nothing of a feed: whatever a program may want comes as these.
_ANYTHING = frozenset({JSON, "application/xml", "text/xml", "application/rdf+xml"})
# The others that publishers write into `type` have a format's name among their words, with or
# without a family before it: application/x-rss+xml, text/atom, rss.
_FEED_TYPE = re.compile(
    r"(?:[a-z]+/)?(?:[\w.-]+[+._-])?(?:rss2?|atom|rdf)(?:[+._-][\w.+-]+)?|application/feed\+json"
)
_INTERFACE = re.compile(
    r"/wp-json(?:/|$)|[?&]rest_route=|oembed|/graphql\b|/_next/data/|/activitypub\b",
    re.IGNORECASE,
)

# What speaks of a feed: a segment or file of that name, a parameter, an anchor's words.
_FEED_PATH = re.compile(
    r"(?:^|[/.])(?:rss2?|atom|feeds?|rdf|syndication)(?:[/._]|\d|$)|\.(?:rss2?|atom|rdf|xml)$",
    re.IGNORECASE,
)
_FEED_QUERY = re.compile(
    r"[?&](?:feed|format|alt|type|output)=(?:rss|atom|feed|rdf)", re.IGNORECASE
)
_FEED_WORDS = re.compile(r"\b(?:rss|atom[ -]?feed|web ?feed|news ?feed)\b", re.IGNORECASE)
_HOST = re.compile(r"^(?:https?:)?//[^/]*", re.IGNORECASE)
_NO_FEED = re.compile(
    r"(?:sitemap|opensearch|osd|rsd|wlwmanifest|browserconfig|manifest|foaf|doap)[^/]*\.(?:xml|rdf)$"
    r"|\.(?:html?|png|jpe?g|gif|svg|css|js|pdf|zip|mp3|mp4)$|/feedback",
    re.IGNORECASE,
)
_FEED_SCHEME = re.compile(r"(?:feed|itpc|pcast|podcast):", re.IGNORECASE)

# Readers' "add to" links hold the feed's address at the end of their own.
_READERS = re.compile(
    r"https?://(?:[^/]*\.)?(?:feedly\.com|inoreader\.com|netvibes\.com|newsblur\.com|theoldreader\.com"
    r"|add\.my\.yahoo\.com|bloglines\.com|google\.com)/",
    re.IGNORECASE,
)

_LINK_VALUE = re.compile(r'<([^<>]*)>((?:[^,"<]|"[^"]*")*)')
_LINK_PARAMETER = re.compile(r';\s*([\w!-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]*))')
#: How much of a Link header is read; servers and proxies refuse more than this in one header.
_HEADER_CHARACTERS = 8192


def advertised(links: Iterable[Link], base: str, origin: Origin) -> Iterator[Candidate]:
    """What links declare to be feeds, in their order, at most `MOST_ADVERTISED`."""
    declared = (link for link in links if _says_feed(link))
    for link in islice(declared, MOST_ADVERTISED):
        if url := _target(base, link.href):
            yield Candidate(url, link.title, link.media_type, origin, link.language)


def _says_feed(link: Link) -> bool:
    """Whether a link's attributes declare a feed (RFC 5023 and the habits of browsers)."""
    if "feed" in link.rels:  # with HTML behind it, it is a page in microformats: no feed to us
        return link.media_type not in ("text/html", "application/xhtml+xml")
    if "alternate" not in link.rels or "stylesheet" in link.rels:
        return False
    if link.media_type in _ANYTHING:
        path = link.href.partition("#")[0].partition("?")[0]
        return not (_INTERFACE.search(link.href) or _NO_FEED.search(path))
    if not link.media_type:  # translations are untyped alternates, too
        return not link.language and looks_like_feed(link.href)
    return bool(_FEED_TYPE.fullmatch(link.media_type))


def header_links(header: str) -> Iterator[Link]:
    """The links of an HTTP Link header (RFC 8288); several headers are joined with commas."""
    for value in _LINK_VALUE.finditer(header[:_HEADER_CHARACTERS]):
        told: dict[str, str] = {}
        for parameter in _LINK_PARAMETER.finditer(value[2]):
            told.setdefault(parameter[1].lower(), parameter[2] or parameter[3] or "")
        yield Link(
            href=value[1].strip(),
            rels=frozenset(told.get("rel", "").lower().split()),
            media_type=told.get("type", "").partition(";")[0].strip().lower(),
            title=told.get("title", ""),
            language=told.get("hreflang", ""),
        )


def from_anchors(anchors: Iterable[Link], base: str) -> tuple[Candidate, ...]:
    """Anchors that may lead to feeds: declared ones, then by address, then by their words."""
    home = urls.host(base)
    found: list[tuple[tuple[int, bool], Candidate]] = []
    for anchor in anchors:
        strength = _strength(anchor)
        if strength is not None and (url := _target(base, anchor.href)):
            candidate = Candidate(url, anchor.title, anchor.media_type, "anchor", anchor.language)
            found.append(((strength, urls.host(url) != home), candidate))
    found.sort(key=lambda each: each[0])
    return tuple(candidate for _, candidate in found[:MOST_ANCHORS])


def _strength(anchor: Link) -> int | None:
    """How surely an anchor leads to a feed, 0 being surest; None when nothing speaks for it."""
    declared = anchor.media_type in _ANYTHING or _FEED_TYPE.fullmatch(anchor.media_type)
    if declared or _FEED_SCHEME.match(anchor.href):
        return 0
    if looks_like_feed(anchor.href) or _READERS.match(anchor.href):
        return 1
    return 2 if _FEED_WORDS.search(anchor.title) and not _NO_FEED.search(anchor.href) else None


def looks_like_feed(href: str) -> bool:
    """Whether path or query speak of a feed; campaign parameters (utm_source=rss) do not."""
    path = href.partition("#")[0].partition("?")[0]
    if _NO_FEED.search(path):
        return False
    return bool(_FEED_PATH.search(_HOST.sub("", path)) or _FEED_QUERY.search(href))


def _target(base: str, href: str) -> str:
    """The absolute http(s) address that a link leads to, out of feed buttons' wrappings, or ""."""
    if _READERS.match(href):
        wrapped = unquote(href).rpartition("http")
        href = "http" + wrapped[2] if wrapped[0] else ""
    if scheme := _FEED_SCHEME.match(href):
        rest = href[scheme.end() :]
        href = (
            rest if rest.lower().startswith(("http:", "https:")) else "https://" + rest.lstrip("/")
        )
    return urls.resolve(base, href)

"""From a web page, or only its address, to the feeds it may have. Pure: nothing is fetched here.

What comes out are candidates in order of likelihood; the caller dials them and believes those that
parse. The walk for one address: `from_address` (what is known of the site), then, with the page at
hand, `candidates`, then, when nothing was found or nothing parsed, `well_known`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar
from urllib.parse import unquote, urlsplit

from wireroom.feeds import sites, urls, webpage
from wireroom.feeds.webpage import Link, WebPage

Origin = Literal["link element", "link header", "anchor", "site rule", "well-known path"]

#: More are not worth anybody's requests.
MOST_CANDIDATES = 50
MOST_ANCHORS = 20

# What publishers write into `type`; the XML ones without a format's name are common, too.
_FEED_TYPES = frozenset({
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
    "application/rdf+xml",
    "application/rss",
    "application/atom",
    "application/x-rss+xml",
    "application/x-atom+xml",
    "application/x.atom+xml",
    "application/xml",
    "text/xml",
    "text/rss",
    "text/rss+xml",
    "text/atom+xml",
    "rdf+xml",
})  # fmt: skip
_JSON = "application/json"
_WORDPRESS_API = re.compile(r"/wp-json(?:/|$)|[?&]rest_route=")

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
    r"(?:sitemap|opensearch|osd|rsd|wlwmanifest|browserconfig|manifest|foaf)[^/]*\.(?:xml|rdf)$"
    r"|\.(?:html?|png|jpe?g|gif|svg|css|js|pdf|zip|mp3|mp4)$|/feedback",
    re.IGNORECASE,
)
_COMMENTS = re.compile(
    r"comment|komment|coment[aá]r|reacties|коммент|コメント|评论|댓글", re.IGNORECASE
)
_FEED_SCHEME = re.compile(r"(?:feed|itpc|pcast|podcast):", re.IGNORECASE)

# Readers' "add to" links hold the feed's address at the end of their own.
_READERS = re.compile(
    r"https?://(?:[^/]*\.)?(?:feedly\.com|inoreader\.com|netvibes\.com|newsblur\.com|theoldreader\.com"
    r"|add\.my\.yahoo\.com|bloglines\.com|google\.com)/",
    re.IGNORECASE,
)

_HOME = re.compile(r"/~[^/]+(?=/|$)")
_LINK_VALUE = re.compile(r'<([^<>]*)>((?:[^,"<]|"[^"]*")*)')
_LINK_PARAMETER = re.compile(r';\s*([\w!-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]*))')
#: How much of a Link header is read; servers and proxies refuse more than this in one header.
_HEADER_CHARACTERS = 8192

#: Paths to try where a site advertises nothing, commonest first. They are to be fetched without
#: following redirects: a missing page is often answered with the front page.
WELL_KNOWN_PATHS = (
    "feed/",
    "rss.xml",
    "atom.xml",
    "feed.xml",
    "index.xml",
    "rss/",
    "feed.json",
    "feed.atom",
    "index.rss",
    "rss/feed.xml",
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that may be a feed's; absolute http(s), not yet dialled.

    `title` and `media_type` are what the page says, or "". `origin` says where it was found.
    """

    url: str
    title: str = ""
    media_type: str = ""
    origin: Origin = "link element"

    @property
    def is_about_comments(self) -> bool:
        """Whether it looks like the comments below the posts, which is seldom what people want."""
        split = urlsplit(self.url)
        return bool(_COMMENTS.search(f"{self.title} {split.path} {split.query}"))


def candidates(
    html: bytes, *, url: str, content_type: str = "", link_header: str = ""
) -> tuple[Candidate, ...]:
    """What the page at `url` (after redirects) offers, likeliest first, each address once.

    The host's own rules come first, then what the page advertises (link elements, then the Link
    header), then rules for the software it runs on, then anchors. Feeds of comments come last
    of all, and plain JSON after types that only feeds have. Only the first `webpage.PAGE_BYTES`
    are read (HTTP-36).
    """
    page = webpage.read(html, content_type=content_type)
    base = urls.resolve(url, page.base) or url
    address = sites.Address.of(url)
    seen = _as_rules_see(page, address, base) if address else None
    found = [
        *_from_rules(sites.HOST_RULES, address),
        *_from_rules(sites.HOST_PAGE_RULES, seen),
        *_advertised(page.links, base, "link element"),
        *_advertised(header_links(link_header), url, "link header"),
        *_from_rules(sites.SOFTWARE_PAGE_RULES, seen),
        *_from_rules(sites.SHAPE_RULES, address),
        *_anchors(page.anchors, base),
    ]
    return _ranked(found, but=url)


def from_address(url: str) -> tuple[Candidate, ...]:
    """Feeds known from the address alone, with no page at hand."""
    rules = sites.HOST_RULES + sites.SHAPE_RULES
    return _ranked(_from_rules(rules, sites.Address.of(url)), but=url)


def well_known(url: str) -> tuple[Candidate, ...]:
    """Paths where feeds usually lie: at the root of the host and in the folder of `url`.

    The home of a person (`/~name/`) counts as a root.
    """
    split = urlsplit(urls.resolve("", url))
    home = _HOME.match(split.path)
    folder = split.path.rpartition("/")[0]
    folders = dict.fromkeys((home[0] if home else "", folder))
    roots = [f"{split.scheme}://{split.netloc}{path}/" for path in folders] if split.netloc else []
    paths = (root + path for root in roots for path in WELL_KNOWN_PATHS)
    return _ranked((Candidate(path, origin="well-known path") for path in paths), but=url)


def www_variant(url: str) -> str:
    """The same address with "www." before a bare registrable domain, or "" for any other host.

    For one retry after a 404, a body that is no feed, or a redirect to the front page (HTTP-34);
    never after 304 or 410 (HTTP-35).
    """
    name = urls.host(url)
    if not name or urls.registrable(name) != name:
        return ""
    split = urlsplit(urls.resolve("", url))
    return split._replace(netloc="www." + split.netloc.rpartition("@")[2]).geturl()


def _ranked(found: Iterable[Candidate], *, but: str) -> tuple[Candidate, ...]:
    """Each address once, as first met; comments last, plain JSON after its betters.

    `but` is the page itself, which was read and is no feed.
    """
    unique: dict[str, Candidate] = {}
    for candidate in found:
        if candidate.url.partition("#")[0] != but.partition("#")[0]:
            unique.setdefault(candidate.url, candidate)
    ranked = sorted(unique.values(), key=lambda each: (each.is_about_comments, _is_json(each)))
    return tuple(ranked[:MOST_CANDIDATES])


def _is_json(candidate: Candidate) -> bool:
    return candidate.media_type == _JSON


def _as_rules_see(page: WebPage, address: sites.Address, base: str) -> sites.Page:
    links = ((" ".join(sorted(link.rels)), urls.resolve(base, link.href)) for link in page.links)
    return sites.Page(address, page.source, page.metas, tuple(links))


_Seen = TypeVar("_Seen", sites.Address, sites.Page)


def _from_rules(
    rules: Iterable[Callable[[_Seen], Iterator[sites.SiteFeed]]], seen: _Seen | None
) -> Iterator[Candidate]:
    if seen is not None:
        for rule in rules:
            for feed in rule(seen):
                yield Candidate(feed.url, feed.title, origin="site rule")


def _advertised(links: Iterable[Link], base: str, origin: Origin) -> Iterator[Candidate]:
    for link in links:
        if _says_feed(link) and (url := _target(base, link.href)):
            yield Candidate(url, link.title, link.media_type, origin)


def _says_feed(link: Link) -> bool:
    """Whether a link's attributes declare a feed (RFC 5023 and the habits of browsers)."""
    if (
        "feed" in link.rels
    ):  # with HTML behind it, it is a page in microformats, which is no feed to us
        return link.media_type not in ("text/html", "application/xhtml+xml")
    if "alternate" not in link.rels or "stylesheet" in link.rels:
        return False
    if link.media_type == _JSON:
        return not _WORDPRESS_API.search(link.href)
    if not link.media_type:  # translations are untyped alternates, too
        return not link.language and _looks_like_feed(link.href)
    return link.media_type in _FEED_TYPES


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


def _anchors(anchors: Iterable[Link], base: str) -> Iterator[Candidate]:
    """Anchors that may lead to feeds: declared ones, then by address, then by their words."""
    home = urls.host(base)
    found: list[tuple[tuple[int, bool], Candidate]] = []
    for anchor in anchors:
        strength = _strength(anchor)
        if strength is not None and (url := _target(base, anchor.href)):
            found.append(
                (
                    (strength, urls.host(url) != home),
                    Candidate(url, anchor.title, anchor.media_type, "anchor"),
                )
            )
    found.sort(key=lambda each: each[0])
    return (candidate for _, candidate in found[:MOST_ANCHORS])


def _strength(anchor: Link) -> int | None:
    """How surely an anchor leads to a feed, 0 being surest; None when nothing speaks for it."""
    if anchor.media_type in _FEED_TYPES or _FEED_SCHEME.match(anchor.href):
        return 0
    if _looks_like_feed(anchor.href) or _READERS.match(anchor.href):
        return 1
    return 2 if _FEED_WORDS.search(anchor.title) and not _NO_FEED.search(anchor.href) else None


def _looks_like_feed(href: str) -> bool:
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

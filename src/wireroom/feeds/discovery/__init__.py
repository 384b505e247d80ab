"""From a web page, or only its address, to the feeds it may have. Pure: nothing is fetched here.

What comes out are candidates in order of likelihood; the caller dials them and believes those that
parse. The walk for one address: `from_address` (what is known of the site), then, with the page at
hand, `candidates`, then, when nothing was found or nothing parsed, `well_known`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from urllib.parse import urlsplit

from wireroom.feeds import sites, urls, webpage
from wireroom.feeds.discovery import links, naming
from wireroom.feeds.discovery.candidate import Candidate, Origin
from wireroom.feeds.discovery.likelihood import likeliest_first, marked
from wireroom.feeds.discovery.links import MOST_ANCHORS, header_links
from wireroom.feeds.webpage import WebPage

__all__ = [
    "MOST_ANCHORS",
    "MOST_CANDIDATES",
    "WELL_KNOWN_PATHS",
    "Candidate",
    "Origin",
    "candidates",
    "from_address",
    "header_links",
    "pages_beside",
    "to_ask",
    "well_known",
    "www_variant",
]

#: More are not worth anybody's requests.
MOST_CANDIDATES = 50

_REFRESH = re.compile(r"^\s*\d[\d.]*\s*[;,]\s*(?:url\s*=)?\s*[\"']?([^\"']+)", re.IGNORECASE)
_HOME = re.compile(r"/~[^/]+(?=/|$)")

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


def candidates(
    html: bytes, *, url: str, content_type: str = "", link_header: str = ""
) -> tuple[Candidate, ...]:
    """What the page at `url` (after redirects) offers, likeliest first, each address once.

    The host's own rules come first, then what the page advertises (link elements and the Link
    header; main feeds before their parts), then rules for the software it runs on, then anchors.
    Feeds of comments come last of all, and plain JSON after types that only feeds have. Only the
    first `webpage.PAGE_BYTES` are read (HTTP-36).
    """
    page = webpage.read(html, content_type=content_type)
    base = urls.resolve(url, page.base) or url
    address = sites.Address.of(url)
    seen = _as_rules_see(page, address, base) if address else None
    advertised = (
        *links.advertised(page.links, base, "link element"),
        *links.advertised(header_links(link_header), url, "link header"),
    )
    found = [
        *_from_rules(sites.HOST_RULES, address),
        *_from_rules(sites.HOST_PAGE_RULES, seen),
        *likeliest_first(advertised, page_url=url, language=page.language),
        *_from_rules(sites.SOFTWARE_PAGE_RULES, seen),
        *_from_rules(sites.SHAPE_RULES + sites.GUESSES, address),
        *links.from_anchors(page.anchors, base),
    ]
    return naming.named(_ranked(found, but=url), naming.site_name(page, url), url)


def from_address(url: str) -> tuple[Candidate, ...]:
    """Feeds known from the address alone, with no page at hand."""
    rules = sites.HOST_RULES + sites.SHAPE_RULES
    found = _ranked(_from_rules(rules, sites.Address.of(url)), but=url)
    return naming.named(found, "", url)


def to_ask(url: str) -> tuple[str, ...]:
    """Where to ask for the feed that somebody means by `url`, one after the other.

    What is known of its site goes before the address itself, which is a page then; but never when
    it speaks of a feed: no feed is taken for another one of its site.
    """
    known = tuple(each.url for each in from_address(url))
    return (url, *known) if links.looks_like_feed(url) else (*known, url)


def pages_beside(html: bytes, *, url: str, content_type: str = "") -> tuple[str, ...]:
    """Pages of the same site that may name the feeds which the page at `url` does not.

    Where it sends browsers on to, the full page that it is a light version of, and the front page.
    """
    page = webpage.read(html, content_type=content_type)
    base = urls.resolve(url, page.base) or url
    refresh = _REFRESH.search(page.metas.get("refresh", ""))
    full = next((link.href for link in page.links if "canonical" in link.rels), "")
    found = (urls.resolve(base, href) for href in (refresh[1] if refresh else "", full, "/"))
    own = urls.site(url)
    return tuple(
        dict.fromkeys(
            page.partition("#")[0]
            for page in found
            if page and urls.site(page) == own and urls.loose(page) != urls.loose(url)
        )
    )


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

    `but` is the page itself, which was read and is no feed. What is guessed or only linked is
    left out where the same address, but for its scheme or last slash, was there before.
    """
    unique: dict[str, Candidate] = {}
    met: set[str] = set()
    for candidate in found:
        loosely = urls.loose(candidate.url.partition("#")[0])
        is_repeated = loosely in met and candidate.origin in ("anchor", "site rule")
        if candidate.url.partition("#")[0] != but.partition("#")[0] and not is_repeated:
            unique.setdefault(candidate.url, candidate)
            met.add(loosely)
    ranked = sorted(
        marked(unique.values()),
        key=lambda each: (each.is_about_comments, _is_untold_json(each)),
    )
    return tuple(ranked[:MOST_CANDIDATES])


def _is_untold_json(candidate: Candidate) -> bool:
    return candidate.media_type == links.JSON


def _as_rules_see(page: WebPage, address: sites.Address, base: str) -> sites.Page:
    linked = ((" ".join(sorted(link.rels)), urls.resolve(base, link.href)) for link in page.links)
    return sites.Page(address, page.source, page.metas, tuple(linked))


_Seen = TypeVar("_Seen", sites.Address, sites.Page)


def _from_rules(
    rules: Iterable[Callable[[_Seen], Iterator[sites.SiteFeed]]], seen: _Seen | None
) -> Iterator[Candidate]:
    if seen is not None:
        for rule in rules:
            for feed in rule(seen):
                yield Candidate(feed.url, feed.title, origin="site rule")

"""What candidates are called where people choose among them.

Half of all link elements have no title, or one that says "RSS": then the site's own name goes
there, and where two have the same name, what tells them apart.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from urllib.parse import unquote, urlsplit

from wireroom.feeds import urls
from wireroom.feeds.discovery.candidate import Candidate
from wireroom.feeds.webpage import WebPage

_LONGEST_NAME = 80
#: Words that tell feeds from pages and no feed from another, and what stands between them.
_FEED_WORDS = frozenset({
    "abonnieren", "atom", "feed", "feeds", "flux", "follow", "json", "newsfeed", "rdf", "rss",
    "rssfeed", "subscribe", "syndicate", "syndication", "webfeed", "xml",
})  # fmt: skip
_FILLERS = frozenset({
    "a", "by", "click", "fil", "for", "full", "here", "in", "me", "my", "of", "our", "reader",
    "s", "site", "the", "this", "to", "us", "valid", "via", "website", "with",
})  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
#: Between a site's name and the rest of a title.
_SEPARATOR = re.compile(r"\s*[»|·•–—:]\s*|\s+-\s+")
_SITE_NAMES = ("og:site_name", "application-name", "apple-mobile-web-app-title")
_FORMATS = (("rss", "RSS"), ("atom", "Atom"), ("json", "JSON Feed"), ("rdf", "RSS 1.0"))


def site_name(page: WebPage, url: str) -> str:
    """What the page calls its site; on the front page its title will do. "" when nothing tells."""
    told = next((page.metas[name] for name in _SITE_NAMES if page.metas.get(name)), "")
    if not told and urlsplit(url).path in ("", "/"):
        told = page.title
    return _line(told)[:_LONGEST_NAME].strip()


def host_name(url: str) -> str:
    """The host as people say it."""
    return urls.host(url).removeprefix("www.")


def named(found: Sequence[Candidate], site: str, url: str) -> tuple[Candidate, ...]:
    """The same candidates, each with a title of its own.

    Those that have none are called for their `site`, or, where that is "", as the titles of
    others begin that say no more than that they are its feeds, or for the host of `url`.
    """
    told = [_told(each.title) for each in found]
    begun = (name for name, each in zip(told, found, strict=True) if name != _line(each.title))
    site = site or next(filter(None, begun), "") or host_name(url)
    titled = [replace(each, title=name or site) for each, name in zip(found, told, strict=True)]
    same: dict[str, list[Candidate]] = {}
    for each in titled:
        same.setdefault(each.title.casefold(), []).append(each)
    return tuple(_told_apart(each, same[each.title.casefold()]) for each in titled)


def _line(text: str) -> str:
    return " ".join(unescape(text).split())


def _told(title: str) -> str:
    """What a title tells: "Site » Feed" tells "Site", "RSS 2.0" nothing."""
    title = _line(title)
    if _is_generic(title):
        return ""
    cuts = list(_SEPARATOR.finditer(title))
    if cuts and _is_generic(title[cuts[-1].end() :]):
        return title[: cuts[-1].start()]
    return title


def _is_generic(text: str) -> bool:
    words = set(_WORD.findall(text.lower()))
    if words.isdisjoint(_FEED_WORDS):
        return not any(map(str.isalnum, text))
    return words <= _FEED_WORDS | _FILLERS


def _told_apart(candidate: Candidate, same: Sequence[Candidate]) -> Candidate:
    """It with what tells it from those that are called the same; the likeliest may go without."""
    formats = [_format(each) for each in same]
    told = _format(candidate)
    if len(same) > 1 and all(formats) and len(set(formats)) == len(same):
        return replace(candidate, title=f"{candidate.title} ({told})")
    if candidate is same[0]:
        return candidate
    if not told or formats.count(told) > 1:
        hosts = {urlsplit(each.url).netloc for each in same}
        told = _place(candidate.url, with_host=len(hosts) > 1)
    if candidate.is_about_comments:
        told = (
            f"comments, {told}" if sum(each.is_about_comments for each in same) > 1 else "comments"
        )
    return replace(candidate, title=f"{candidate.title} ({told})")


def _format(candidate: Candidate) -> str:
    """Which format it is in, by its type or else by its address; "" when nothing tells."""
    split = urlsplit(candidate.url)
    for told in (candidate.media_type, split.path.lower(), split.query.lower()):
        for word, name in _FORMATS:
            if word in told:
                return name
    return ""


def _place(url: str, *, with_host: bool) -> str:
    split = urlsplit(url)
    path = unquote(split.path).strip("/") + (f"?{split.query}" if split.query else "")
    place = f"{split.netloc}/{path}" if with_host or not path else path
    return place if len(place) <= _LONGEST_NAME else f"…{place[-_LONGEST_NAME:]}"

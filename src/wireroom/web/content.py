"""What publishers wrote, made fit for our pages: bodies, teasers, links, media.

Bodies were sanitised when they were stored; they are again here, since rules change and this is
the last door.
"""

import html
import re
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from wireroom.feeds import sanitize
from wireroom.feeds.model import Enclosure
from wireroom.feeds.urls import host
from wireroom.pictures.addresses import Addresses
from wireroom.store.reading import Body, Entry

TEASER_CHARS = 180

# Patterns for the sanitiser's output, which has one spelling for everything.
_EAGER_IMAGE = re.compile(r'<img(?![^>]* loading=")')
_PLAYER = re.compile(r'<iframe(?: [a-z]+="[^"]*")*? src="([^"]*)"[^>]*>.*?</iframe>', re.DOTALL)
#: What a cut in the middle of a tag leaves over.
_CUT_TAG = re.compile(r"<[^<>]*\Z")
_OTHER_PLAYER = re.compile(r"<iframe[^>]*>.*?</iframe>", re.DOTALL)


@lru_cache(maxsize=256)
def _clean(body: str, base_url: str) -> Markup:
    clean: str = sanitize.html(body, base_url=base_url)
    clean = _EAGER_IMAGE.sub('<img loading="lazy"', clean)
    clean = _OTHER_PLAYER.sub("", _PLAYER.sub(_on_request, clean))
    return Markup(clean)  # noqa: S704 - the sanitiser made it


def _on_request(player: re.Match[str]) -> str:
    """A link instead of a player: nobody's site is told of the reading before somebody asks."""
    address = player[1]  # escaped already
    return (
        f'<a class="player" href="{address}" target="_blank" rel="noopener noreferrer nofollow">'
        f"Play from {html.escape(host(html.unescape(address)))}</a>"
    )


def clean_body(entry: Entry, body: Body) -> Markup:
    """The body as it may be put into a page."""
    return _clean(body.fullest, entry.link)


def with_pictures(body: Markup, addresses: Addresses | None) -> Markup:
    """A clean body whose pictures come through us, if they do."""
    return Markup(addresses.rewritten(body)) if addresses else body  # noqa: S704 - was clean


def teaser(entry: Entry) -> str:
    """The first words of an entry as plain text, without repeating its title."""
    words = " ".join(plain(entry.teaser).split())
    words = words.removeprefix(entry.title).lstrip(" .:–—-")
    if len(words) <= TEASER_CHARS:
        return words
    return words[:TEASER_CHARS].rsplit(" ", 1)[0].rstrip(" ,;:.–—-") + "…"


def plain(markup: str) -> str:
    """The text of a piece of HTML, which may end in the middle of a tag."""
    return sanitize.text(_CUT_TAG.sub("", markup))


def weblink(url: str) -> str:
    """The address if it is one that a reader may follow, else nothing."""
    return url if url.lower().startswith(("https://", "http://")) else ""


@dataclass(frozen=True, slots=True)
class Media:
    """An enclosure as the page shows it: a player, a picture, or a file to fetch."""

    kind: str  # audio, video, image, file
    url: str
    title: str
    detail: str
    #: Where the page loads it from.
    shown: str


def media_of(entry: Entry, body: str, addresses: Addresses | None = None) -> list[Media]:
    """Enclosures that the clean body does not show already."""
    found = []
    for enclosure in entry.enclosures:
        url, kind = weblink(enclosure.url), enclosure.kind
        if not url or (kind == "image" and html.escape(url) in body):
            continue
        kind = kind if kind in {"audio", "video", "image"} else "file"
        title = enclosure.title or url.rpartition("/")[2][:80] or url
        shown = addresses.of(url) if addresses and kind == "image" else url
        found.append(Media(kind, url, title, _detail(enclosure), shown))
    return found


def _detail(enclosure: Enclosure) -> str:
    parts = []
    if seconds := enclosure.duration_seconds:
        hours, rest = divmod(seconds, 3600)
        parts.append(f"{hours} h {rest // 60} min" if hours else f"{max(1, rest // 60)} min")
    if size := enclosure.length_bytes:
        parts.append(f"{size / 1_000_000:.1f} MB")
    return ", ".join(parts)

"""What publishers wrote, made fit for our pages: bodies, teasers, links, media.

Bodies were sanitised when they were stored; they are again here, since rules change and this is
the last door.
"""

import html
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nh3
from markupsafe import Markup

from wireroom.store.reading import Body, Entry

TEASER_CHARS = 180
#: HTML5 parsers are quadratic in nesting depth; nothing longer than this is parsed here.
BODY_MAX_CHARS = 512 * 1024

_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "audio": {"src", "controls"},
    "blockquote": {"cite"},
    "code": {"class"},
    "col": {"span"},
    "colgroup": {"span"},
    "del": {"cite", "datetime"},
    "img": {"src", "alt", "title", "width", "height"},
    "ins": {"cite", "datetime"},
    "li": {"value"},
    "ol": {"start", "reversed", "type"},
    "q": {"cite"},
    "source": {"src", "type"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
    "video": {"src", "poster", "controls", "width", "height"},
    "*": {"lang", "dir"},
}
_TAGS = """
    a abbr audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl
    dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q rp rt
    ruby s samp small source span strong sub summary sup table tbody td tfoot th thead time tr u
    ul var video wbr
"""
_WITH_CONTENT = """
    script style noscript template iframe object embed applet form input button select textarea
    svg math title xmp plaintext noembed noframes
"""
_PICTURES = tuple(f"data:image/{kind}" for kind in ("png", "jpeg", "gif", "webp", "avif"))


def _filter(tag: str, name: str, value: str) -> str | None:
    """Attributes that the allow-list lets in, looked at once more by value; None drops one."""
    if name == "class":
        return value if value.startswith("language-") and value.isascii() else None
    if name in {"src", "poster", "href", "cite"}:
        address = value.strip().lower()
        if address.startswith("data:"):
            return value if tag == "img" and address.startswith(_PICTURES) else None
        if name in {"src", "poster"}:
            return value if address.startswith(("https://", "http://")) else None
    return value


_cleaner = nh3.Cleaner(
    tags=set(_TAGS.split()),
    clean_content_tags=set(_WITH_CONTENT.split()),
    attributes=_ATTRIBUTES,
    attribute_filter=_filter,
    url_schemes={"http", "https", "mailto", "tel", "data"},
    link_rel="noopener noreferrer nofollow ugc",
    set_tag_attribute_values={
        "a": {"target": "_blank"},
        "img": {"loading": "lazy", "decoding": "async"},
        "audio": {"controls": "", "preload": "none"},
        "video": {"controls": "", "preload": "none"},
    },
)
_stripper = nh3.Cleaner(tags=set(), clean_content_tags=set(_WITH_CONTENT.split()))


@lru_cache(maxsize=256)
def _clean(body: str) -> Markup:
    return Markup(_cleaner.clean(body[:BODY_MAX_CHARS]))  # noqa: S704 - this is the sanitiser


def clean_body(body: Body) -> Markup:
    """The body as it may be put into a page."""
    return _clean(body.fullest)


def teaser(entry: Entry) -> str:
    """The first words of an entry as plain text, without repeating its title."""
    words = " ".join(plain(entry.teaser).split())
    words = words.removeprefix(entry.title).lstrip(" .:–—-")
    if len(words) <= TEASER_CHARS:
        return words
    return words[:TEASER_CHARS].rsplit(" ", 1)[0].rstrip(" ,;:.–—-") + "…"


def plain(markup: str) -> str:
    """The text of a piece of HTML, which may end in the middle of a tag."""
    # A paragraph's end is a space between words.
    return html.unescape(_stripper.clean(markup.replace("<", " <")))


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


def media_of(entry: Entry, body: str) -> list[Media]:
    """Enclosures that the body does not show already."""
    found = []
    for enclosure in entry.enclosures:
        url = weblink(str(enclosure.get("url") or ""))
        kind = str(enclosure.get("media_type") or "").partition("/")[0]
        if not url or (kind == "image" and html.escape(url) in body):
            continue
        kind = kind if kind in {"audio", "video", "image"} else "file"
        title = str(enclosure.get("title") or "") or url.rpartition("/")[2][:80] or url
        found.append(Media(kind, url, title, _detail(enclosure)))
    return found


def _detail(enclosure: dict[str, Any]) -> str:
    parts = []
    seconds = enclosure.get("duration_seconds")
    if isinstance(seconds, int) and seconds > 0:
        hours, rest = divmod(seconds, 3600)
        parts.append(f"{hours} h {rest // 60} min" if hours else f"{max(1, rest // 60)} min")
    size = enclosure.get("length_bytes")
    if isinstance(size, int) and size > 0:
        parts.append(f"{size / 1_000_000:.1f} MB")
    return ", ".join(parts)

"""Publishers' HTML becomes `SafeHtml`, and markup becomes plain text.

The allow-list is `feeds.allowlist`; nh3 (an HTML5 parser) applies it, and calls back for every
attribute that it would keep, so that each address is looked at once, after decoding.
"""

import re
from html import escape, unescape

import nh3

from wireroom.feeds import allowlist
from wireroom.feeds.model import SafeHtml
from wireroom.feeds.trackers import is_pixel
from wireroom.feeds.urls import resolve, resolve_any, without_trackers

#: An address that parsing would leave as it is.
_PLAIN_URL = re.compile(
    r"https?://[a-z0-9][a-z0-9.-]*[a-z0-9](?:/[\w~!$&*+,;=:@/?#%.-]*)?", re.ASCII
)
_DATA_IMAGE = re.compile(
    rf"data:image/(?:{'|'.join(allowlist.DATA_IMAGES)});base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE
)
_SIZE = re.compile(r"\d{1,5}%?")
_TINY = frozenset({"0", "1", "2"})
_IMAGE = re.compile(r'<img(?: [a-z]+="[^"]*")*>')
_DESCRIPTOR = re.compile(r"\d+(?:\.\d+)?[wxh]")
_MAX_CANDIDATES = 32
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z!?][^>]*>", re.DOTALL)


class _Cleaner:
    """One nh3 cleaner with the base that its callback resolves against; used by one call at a time."""

    def __init__(self) -> None:
        self.base = ""
        self.clean = nh3.Cleaner(
            tags=set(allowlist.TAGS),
            clean_content_tags=set(allowlist.DROPPED_WITH_CONTENT),
            attributes={tag: set(names) for tag, names in allowlist.ATTRIBUTES.items()},
            attribute_filter=self._attribute,
            link_rel=allowlist.LINK_REL,
            set_tag_attribute_values=allowlist.IMPOSED,
            url_schemes={*allowlist.LINK_SCHEMES, "data"},
        ).clean

    def _attribute(self, tag: str, name: str, value: str) -> str | None:
        if name == "href":
            return self._link(value)
        if name == "src":
            return self._image(value) if tag == "img" else self._media(value)
        if name in {"srcset"}:
            return self._srcset(value)
        if name in {"poster", "cite"}:
            return self._media(value)
        if name in {"width", "height"}:
            return value if _SIZE.fullmatch(value) else None
        if name == "class":
            return " ".join(c for c in value.split() if c.startswith("language-")) or None
        return value

    def _link(self, value: str) -> str | None:
        if not _PLAIN_URL.fullmatch(value):
            value = resolve_any(self.base, value, allowlist.LINK_SCHEMES)
        return without_trackers(value) or None

    def _media(self, value: str) -> str | None:
        return (value if _PLAIN_URL.fullmatch(value) else resolve(self.base, value)) or None

    def _image(self, value: str) -> str | None:
        if value[:5].lower() == "data:":
            small = len(value) <= allowlist.MAX_DATA_IMAGE
            return value if small and _DATA_IMAGE.fullmatch(value) else None
        return self._media(value)

    def _srcset(self, value: str) -> str | None:
        return None


#: Cleaners that nobody uses at the moment; several threads may sanitise at once.
_idle: list[_Cleaner] = []


def html(raw: str, *, base_url: str) -> SafeHtml:
    """`raw` reduced to the allow-list, its addresses made absolute against `base_url`."""
    if "<" not in raw and "&" not in raw:
        return SafeHtml(escape(raw, quote=False))
    try:
        cleaner = _idle.pop()
    except IndexError:
        cleaner = _Cleaner()
    cleaner.base = base_url
    try:
        return SafeHtml(cleaner.clean(raw))
    finally:
        _idle.append(cleaner)


def text(raw: str) -> str:
    """Markup and entities as plain text on one line."""
    if "<" in raw:
        raw = _TAG.sub(" ", raw)
    if "&" in raw:
        raw = unescape(unescape(raw))
    return " ".join(raw.split())


def removed(raw: str) -> tuple[str, ...]:
    """What `html` would take away from `raw`, in words."""
    return ()

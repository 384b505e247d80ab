"""Atom's text constructs and content: plain text, escaped HTML, XHTML, base64.

RFC 4287 §3.1 and §4.1.3, and the `mode` of Atom 0.3.
"""

import re
from base64 import b64decode
from html import escape

from wireroom.feeds.elements import Element, Reading, attribute
from wireroom.feeds.namespaces import split

_HTML_TYPES = frozenset({"html", "text/html"})
_XHTML_TYPES = frozenset({"xhtml", "application/xhtml+xml"})
_TEXT_TYPES = frozenset({"text", "text/plain"})
_END_TAG = re.compile(
    r"</(?:a|b|i|p|em|strong|span|div|li|ul|br|code|tt|sup|sub|blockquote)\s*>|<br ?/?>",
    re.IGNORECASE,
)


def as_html(reading: Reading, element: Element) -> str:
    """The raw HTML that a text construct or content element stands for."""
    raw, is_html = read(reading, element)
    return raw if is_html else escape(raw, quote=False)


def read(reading: Reading, element: Element) -> tuple[str, bool]:
    """The text of a construct, and whether it is HTML (RFC 4287 §3.1, §4.1.3; Atom 0.3's mode)."""
    stated = attribute(element, "type").lower().partition(";")[0].strip()
    if len(element):
        return _xhtml(reading, element, is_html=stated in _HTML_TYPES), True
    mode = attribute(element, "mode").lower()
    raw = reading.raw(element)
    if mode == "base64" or _is_binary(stated):
        return _from_base64(raw, stated), stated not in _TEXT_TYPES
    if stated in _HTML_TYPES or ":" in reading.names[element.tag]:
        return raw, True
    if mode == "escaped" and stated not in _TEXT_TYPES:
        return raw, True
    if stated in _XHTML_TYPES or (stated in _TEXT_TYPES and mode != "escaped"):
        return raw, False
    # No type means plain text; but HTML in it is a common mistake, and plain text seldom holds an
    # end tag.
    return raw, _END_TAG.search(raw) is not None


def _xhtml(reading: Reading, element: Element, *, is_html: bool) -> str:
    """XHTML: what is inside the one div that wraps it (RFC 4287 §3.1.1.3)."""
    if len(element) == 1 and not (element.text or "").strip():
        (only,) = element
        if split(only.tag)[2] == "div" and not (only.tail or "").strip():
            if len(only):
                return reading.markup(only)
            raw = reading.raw(only)
            # Escaped HTML inside a div that was meant for XHTML, as TypePad wrote it.
            return raw if is_html else escape(raw, quote=False)
    return reading.markup(element)


def _is_binary(stated: str) -> bool:
    return (
        "/" in stated and not stated.startswith("text/") and not stated.endswith(("xml", "html"))
    )


def _from_base64(raw: str, stated: str) -> str:
    if stated.startswith(("image/", "audio/", "video/")):
        return ""
    try:
        return b64decode(raw, validate=False).decode("utf-8")
    except ValueError:
        return raw

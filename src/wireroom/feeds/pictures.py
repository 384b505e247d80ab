"""Pictures in publishers' HTML: which addresses there are, and what the bytes behind them are."""

import re
from collections.abc import Callable
from html import escape, unescape

# Patterns for the sanitiser's output, which has one spelling for everything.
_TAG = re.compile(r'<(?:img|source|video)(?: [a-z]+(?:="[^"]*")?)+>')
_ADDRESS = re.compile(r' (src|srcset|poster)="([^"]*)"')
_CANDIDATE = re.compile(r"(\S+)((?: [0-9.]+[wxh])?)(?:, |\Z)")

#: How a file of each kind begins, and where that stands.
_BEGINNINGS: tuple[tuple[str, bytes, int], ...] = (
    ("image/png", b"\x89PNG\r\n\x1a\n", 0),
    ("image/jpeg", b"\xff\xd8\xff", 0),
    ("image/gif", b"GIF87a", 0),
    ("image/gif", b"GIF89a", 0),
    ("image/webp", b"WEBP", 8),
    ("image/avif", b"ftypavif", 4),
    ("image/avif", b"ftypavis", 4),
    ("image/bmp", b"BM", 0),
    ("image/x-icon", b"\0\0\1\0", 0),
)
_SVG = re.compile(rb"<svg[\s>]", re.IGNORECASE)
_SVG_WITHIN_BYTES = 2048


def rewritten(html: str, address: Callable[[str], str]) -> str:
    """Sanitised HTML whose pictures are loaded from `address(url)`; films and sounds stay.

    Pictures that stand in the HTML itself (data:) stay as well.
    """
    return _TAG.sub(lambda tag: _tag(tag[0], address), html) if "<" in html else html


def _tag(tag: str, address: Callable[[str], str]) -> str:
    # Of a <source>, src is a film or a sound, srcset a picture.
    names = {"<i": {"src", "srcset"}, "<s": {"srcset"}, "<v": {"poster"}}[tag[:2]]

    def one(found: re.Match[str]) -> str:
        name, value = found[1], unescape(found[2])
        if name not in names:
            return found[0]
        changed = _srcset(value, address) if name == "srcset" else _web(value, address)
        return f' {name}="{escape(changed)}"'

    return _ADDRESS.sub(one, tag)


def _srcset(value: str, address: Callable[[str], str]) -> str:
    return ", ".join(
        _web(url, address) + descriptor for url, descriptor in _CANDIDATE.findall(value)
    )


def _web(url: str, address: Callable[[str], str]) -> str:
    return address(url) if url.startswith(("https://", "http://")) else url


def kind(body: bytes) -> str | None:
    """The media type of a picture by its first bytes; None for what is no picture."""
    for media_type, beginning, at in _BEGINNINGS:
        if body.startswith(beginning, at):
            return media_type
    head = body[:_SVG_WITHIN_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<") and _SVG.search(head):
        return "image/svg+xml"
    return None

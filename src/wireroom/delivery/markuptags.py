"""HTML as texts and tags in document order, linear in the input whatever it holds (pure)."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

# Quoted values may hold ">"; a quote or a tag that never ends runs to the end of the text, so that
# every "<" is looked at once. The possessive quantifiers leave nothing to come back to.
_TAG = re.compile(
    r"""<(?:(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)"""
    r"""(?P<attributes>(?:[^>"']++|"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))*+)(?:>|\Z)"""
    r"""|!--(?:[^-]++|-(?!->))*+(?:-->|\Z)|[!?/][^>]*+(?:>|\Z))"""
)
_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s=>"'/]++)"""
    r"""(?:\s*+=\s*+(?:"(?P<a>[^"]*+)"?|'(?P<b>[^']*+)'?|(?P<c>[^\s>"']++)))?"""
)


class Piece(NamedTuple):
    """A raw text and the tag behind it; `name` is "" for a comment or at the end of the text."""

    text: str
    name: str
    closes: bool
    attributes: str
    #: Where the next piece begins.
    end: int


def pieces(html: str) -> Iterator[Piece]:
    """All of `html`; tags by their lower-case names, entities as they stand."""
    start = 0
    for tag in _TAG.finditer(html):
        name = (tag["name"] or "").lower()
        text = html[start : tag.start()]
        start = tag.end()
        yield Piece(text, name, bool(tag["end"]), tag["attributes"] or "", start)
    if start < len(html):
        yield Piece(html[start:], "", False, "", len(html))


def attribute(attributes: str, wanted: str) -> str:
    """The value of the first attribute `wanted`, trimmed; "" when it is absent or empty."""
    for found in _ATTRIBUTE.finditer(attributes):
        if found["name"].lower() == wanted:
            return unescape(found["a"] or found["b"] or found["c"] or "").strip()
    return ""

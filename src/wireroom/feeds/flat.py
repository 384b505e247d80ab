"""Most items are a list of elements that hold text and nothing else: those are read off as text.

A tree of libxml2 costs more to walk from Python than to build, so that items which need none get
none. What is taken here is a strict part of XML 1.0, in which both ways give the same: no
namespaces declared on the way, no comments, no entities but the five of XML, nothing nested but
the few elements that do nest. Everything else is `None` and goes to the parser.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain

_NAME = r"[A-Za-z_][\w.:-]*+"
_ATTRIBUTES = rf"(?:\s++{_NAME}\s*+=\s*+(?:\"[^\"<]*+\"|'[^'<]*+'))*+"
_TEXT = r"[^<]*+(?:<!\[CDATA\[(?:[^\]]++|\](?!\]>))*+\]\]>[^<]*+)?+"
_LEAF = rf"<(?P<leaf>{_NAME}){_ATTRIBUTES}\s*+(?:/>|>{_TEXT}</(?P=leaf)\s*+>)"
_BRANCH = (
    rf"<(?P<branch>{_NAME}){_ATTRIBUTES}\s*+"
    rf"(?:/>|>(?:{_TEXT}|(?:[^<]*+{_LEAF})++[^<]*+)</(?P=branch)\s*+>)"
)
#: (name, attributes, text, CDATA, text behind it, elements in it, …, what is wrong here).
_CHILD = re.compile(
    rf"<(?:({_NAME})({_ATTRIBUTES})\s*+(?:/>|>(?:"
    r"([^<]*+)(?:<!\[CDATA\[((?:[^\]]++|\](?!\]>))*+)\]\]>([^<]*+))?+"
    rf"|((?:[^<]*+{_BRANCH})++[^<]*+)"
    r")</\1\s*+>)|(.))",
    re.ASCII | re.DOTALL,
)
_START = re.compile(rf"<{_NAME}{_ATTRIBUTES}\s*+>".encode(), re.ASCII)
_ATTRIBUTE = re.compile(rf"({_NAME})\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')", re.ASCII)
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,6})|#x([0-9A-Fa-f]{1,5}));")
_QUICK = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"))
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
#: Bytes that XML 1.0 forbids; U+FFFE and U+FFFF with them.
_FORBIDDEN = bytes({*range(32)} - {9, 10, 13})
_NONCHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
#: Elements whose elements count; what stands in any other may be HTML, and is for the parser.
_NESTING = frozenset(
    {
        "atom:author",
        "author",
        "contributor",
        "image",
        "itunes:owner",
        "media:community",
        "media:content",
        "media:group",
        "source",
    }
)
_BLANKS_ARE_SPACES = str.maketrans("\t\n", "  ")
_NOTHING: Mapping[str, str] = {}


class NotFlat(Exception):
    """Something in an item needs a parser."""


class Flat:
    """An element as `etree._Element` shows it, as far as readers of feeds look at one.

    Names keep the prefix they are written with; see `namespaces.Names`.
    """

    __slots__ = ("attributes", "inner", "tag", "text")

    def __init__(
        self,
        tag: str,
        attributes: Mapping[str, str],
        text: str,
        inner: "tuple[Flat, ...]" = (),
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.text = text
        self.inner = inner

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)

    def keys(self) -> list[str]:
        return list(self.attributes)

    def items(self) -> list[tuple[str, str]]:
        return list(self.attributes.items())

    def __len__(self) -> int:
        return len(self.inner)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> "Iterator[Flat]":
        return iter(self.inner)

    def itertext(self) -> Iterator[str]:
        """As lxml does, but for blanks between elements."""
        return chain((self.text,), *(each.itertext() for each in self.inner))


def shell_of(item: bytes) -> bytes | None:
    """The start tag of a raw item as an empty element; None when the item can't be flat."""
    start = _START.match(item)
    if start is None or b"xmlns" in start[0] or b"&" in start[0]:
        return None
    return item[: start.end() - 1] + b"/>"


def elements_of(item: bytes, shell: bytes) -> list[Flat] | None:
    """The elements in a raw `item`, in order; None when it needs a parser."""
    if (
        b"xml:base" in item
        or len(item.translate(None, _FORBIDDEN)) < len(item)
        or any(map(item.__contains__, _NONCHARACTERS))
    ):
        return None
    raw = item[len(shell) - 1 : item.rfind(b"</")].decode()
    if "\r" in raw:
        raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    try:
        return _elements(raw)
    except NotFlat:
        return None


def _elements(raw: str) -> list[Flat]:
    elements = []
    for name, written, before, cdata, behind, inside, *_, amiss in _CHILD.findall(raw):
        text = _decoded(before) if "&" in before else before
        if cdata or behind:
            text = f"{text}{cdata}{_decoded(behind)}"
        attributes = _attributes(written) if written else _NOTHING
        if amiss or "]]>" in before or "]]>" in behind or (inside and name not in _NESTING):
            raise NotFlat
        inner = tuple(_elements(inside)) if inside else ()
        elements.append(Flat(name, attributes, text, inner))
    return elements


def _attributes(written: str) -> Mapping[str, str]:
    if "xmlns" in written:
        raise NotFlat
    attributes = {}
    found = _ATTRIBUTE.findall(written)
    for name, double, single in found:
        value = double or single
        if not value.isprintable():
            value = value.translate(_BLANKS_ARE_SPACES)
        attributes[name] = _decoded(value)
    if len(attributes) < len(found):
        raise NotFlat
    return attributes


def _decoded(text: str) -> str:
    """`text` with its references replaced; raises NotFlat for such as XML does not know."""
    if "&" not in text:
        return text
    plain = text
    for name, character in _QUICK:
        plain = plain.replace(name, character)
    ampersands = plain.count("&")
    if ampersands == plain.count("&amp;"):
        return plain.replace("&amp;", "&") if ampersands else plain
    if text.count("&") != len(_REFERENCE.findall(text)):
        raise NotFlat
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if (code < 32 and code not in {9, 10, 13}) or 0xD800 <= code < 0xE000 or code | 1 == 0xFFFF:
        raise NotFlat
    return chr(code)

"""Bytes become a tree: strictly where that works, repaired where it does not.

lxml is only ever given UTF-8 that we decoded or checked ourselves, without DOCTYPE, below our own
caps, with network, entities and external files switched off.
"""

import re
from dataclasses import dataclass, replace

from lxml import etree

from wireroom.feeds import encoding, repair
from wireroom.feeds.model import Warning

#: Tags and attributes read of one document; the rest is cut off. A tree takes 100-130 bytes for each.
MAX_MARKUP = 240_000
#: Attributes per element (see `repair.MAX_ATTRIBUTES`) are looked at only in tags this long.
_LONG_TAG = re.compile(rb"<[^<>]{65536}")

_FLAGS = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
    "collect_ids": False,
}
_ROOT = re.compile(
    r"<\?xml\b|<(?:[\w-]+:)?(?:rss|rdf|feed|channel|opml)(?=[\s>])|<!DOCTYPE\s+(?:rss|rdf|feed)\b",
    re.IGNORECASE,
)
_ROOT_BYTES = re.compile(rb"<(?:[\w-]+:)?(?:rss|rdf|feed)(?=[\s>])", re.IGNORECASE)
_PROLOG_BYTES = 4096
_UNDECLARED_PREFIX = 201  # XML_NS_ERR_UNDEFINED_NAMESPACE


@dataclass(frozen=True, slots=True)
class Tree:
    """A document as elements. `body` is the UTF-8 that was parsed, for cheap questions about all of it."""

    root: etree._Element
    body: bytes
    encoding: str = "utf-8"
    encoding_source: str = "utf-8"
    warnings: tuple[Warning, ...] = ()
    is_repaired: bool = False


def holds_feed(page: bytes) -> bool:
    """Whether something that begins like a web page has the root of a feed near its beginning."""
    return _ROOT_BYTES.search(page, 0, _PROLOG_BYTES) is not None


def read(body: bytes, *, content_type: str = "", max_items: int) -> Tree | None:
    """The tree of `body`; None when no element can be made out in it."""
    warnings: list[Warning] = []
    if not encoding.is_wide(body):
        source = "utf-8"
        utf8 = body
        if body.startswith(encoding.BOM_UTF8):
            source, utf8 = "bom", body[3:]
        utf8 = _without_surplus(_without_doctype(utf8.lstrip()), max_items, warnings)
        root, problem = _strict(utf8)
        if root is not None:
            found = (problem,) if problem else ()
            return Tree(root, utf8, "utf-8", source, (*warnings, *found))
    decoded = encoding.read(body, content_type)
    if decoded.source == "detected" and not decoded.encoding.startswith("utf-"):
        warnings.append(Warning(f"the encoding is not stated; {decoded.encoding} was guessed"))
    if decoded.lost:
        warnings.append(
            Warning(f"{decoded.lost} characters could not be read as {decoded.encoding}")
        )
    tree = _from_text(decoded.text, max_items, warnings)
    return tree and replace(
        tree,
        encoding=decoded.encoding,
        encoding_source=decoded.source,
        warnings=tuple(warnings),
    )


def _from_text(text: str, max_items: int, warnings: list[Warning]) -> Tree | None:
    utf8 = text.encode("utf-8", "ignore")
    utf8 = _without_surplus(_without_doctype(utf8.lstrip()), max_items, warnings)
    root, problem = _strict(utf8)
    if problem is not None:
        warnings.append(problem)
    if root is not None:
        return Tree(root, utf8)
    text = _without_junk(utf8.decode("utf-8"), warnings)
    text = repair.characters(text)
    utf8 = text.encode()
    root, _ = _strict(utf8)
    if root is not None:
        return Tree(root, utf8)
    text, mended = repair.markup(text)
    if mended:
        warnings.append(Warning(f"{mended} tags did not nest and were put right"))
    utf8 = text.encode()
    root = _recovered(utf8)
    return None if root is None else Tree(root, utf8, is_repaired=True)


def _strict(utf8: bytes) -> tuple[etree._Element | None, Warning | None]:
    """The root of XML in which at most prefixes are undeclared, and what is wrong with it."""
    parser = etree.XMLParser(encoding="utf-8", **_FLAGS)
    try:
        return etree.fromstring(utf8, parser), None
    except etree.XMLSyntaxError as error:
        if all(entry.type == _UNDECLARED_PREFIX for entry in parser.error_log):
            return _recovered(utf8), Warning(f"not well-formed: {_said(error)}", error.lineno)
        return None, Warning(f"not well-formed: {_said(error)}", error.lineno)


def _said(error: etree.XMLSyntaxError) -> str:
    return (error.msg or "no element found").partition(", line")[0]


def _recovered(utf8: bytes) -> etree._Element | None:
    parser = etree.XMLParser(encoding="utf-8", recover=True, huge_tree=True, **_FLAGS)
    try:
        return etree.fromstring(utf8, parser)
    except etree.XMLSyntaxError:
        return None


def _without_doctype(utf8: bytes) -> bytes:
    """Drop the DOCTYPE: what it declares is never wanted, and entities may be bombs (PRS-27)."""
    start = utf8.find(b"<!DOCTYPE", 0, _PROLOG_BYTES)
    if start < 0:
        return utf8
    end = utf8.find(b">", start)
    subset = utf8.find(b"[", start, end if end >= 0 else None)
    if subset >= 0:
        closing = re.compile(rb"\]\s*>").search(utf8, subset)
        end = closing.end() - 1 if closing else -1
    if end < 0:
        return utf8
    return utf8[:start] + b"\n" * utf8.count(b"\n", start, end) + utf8[end + 1 :]


def _without_junk(text: str, warnings: list[Warning]) -> str:
    """Drop what stands before the XML: warnings of a PHP script, blank lines, a stray word."""
    start = _ROOT.search(text)
    if start is None or not text[: start.start()].strip():
        return text
    warnings.append(Warning("text before the XML was skipped", 1))
    return repair.blanked(text[: start.start()]) + text[start.start() :]


def _without_surplus(utf8: bytes, max_items: int, warnings: list[Warning]) -> bytes:
    """Cut what we would not look at, so that memory stays bounded; honest feeds pass unchanged."""
    utf8 = _without_surplus_items(utf8, max_items)
    if len(utf8) > 65_536 and _LONG_TAG.search(utf8):
        utf8 = _without_surplus_attributes(utf8)
    if utf8.count(b"<") + utf8.count(b"=") > MAX_MARKUP and _markup(utf8) > MAX_MARKUP:
        warnings.append(Warning(f"only the first {MAX_MARKUP} tags and attributes were read"))
        utf8 = utf8[: _position_of_markup(utf8, MAX_MARKUP)]
    return utf8


def _without_surplus_items(utf8: bytes, max_items: int) -> bytes:
    """Leave out the middle of a very long list: twice what is read stays, and so does the end."""
    for end_tag in (b"</item>", b"</entry>"):
        if utf8.count(end_tag) <= 2 * max_items:
            continue
        cut = 0
        for _ in range(2 * max_items):
            cut = utf8.find(end_tag, cut) + len(end_tag)
        # Within CDATA or a comment an end tag is text: then leave the document as it is.
        if _is_balanced(utf8, cut):
            return utf8[:cut] + utf8[utf8.rfind(end_tag) + len(end_tag) :]
    return utf8


def _is_balanced(utf8: bytes, end: int) -> bool:
    return utf8.count(b"<![CDATA[", 0, end) == utf8.count(b"]]>", 0, end) and utf8.count(
        b"<!--", 0, end
    ) == utf8.count(b"-->", 0, end)


def _without_surplus_attributes(utf8: bytes) -> bytes:
    def shortened(match: re.Match[bytes]) -> bytes:
        if match[0].count(b"=") <= 8 * repair.MAX_ATTRIBUTES:
            return match[0]
        return match[0][: match[0].find(b" ")] + b">"

    return re.sub(rb"<[^<>]{65536,}>", shortened, utf8)


def _markup(utf8: bytes, end: int | None = None) -> int:
    """How many tags and attributes stand outside CDATA in the first `end` bytes, roughly."""
    total = 0
    position = 0
    limit = len(utf8) if end is None else end
    while position < limit:
        opening = utf8.find(b"<![CDATA[", position, limit)
        opening = limit if opening < 0 else opening
        total += utf8.count(b"<", position, opening)
        total += utf8.count(b'="', position, opening) + utf8.count(b"='", position, opening)
        closing = utf8.find(b"]]>", opening, limit)
        position = limit if closing < 0 else closing + 3
    return total


def _position_of_markup(utf8: bytes, number: int) -> int:
    """The length of the longest beginning with at most `number` tags and attributes."""
    low, high = 0, len(utf8)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _markup(utf8, middle) <= number else (low, middle)
    return low

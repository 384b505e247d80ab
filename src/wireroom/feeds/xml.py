"""UTF-8 becomes a tree: strictly where that works, repaired where it does not.

lxml is only ever given UTF-8 that we decoded or checked ourselves, without DOCTYPE, below our own
caps, with network, entities and external files switched off.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from wireroom.feeds import nesting, repair, torn
from wireroom.feeds.model import Warning  # noqa: A004

#: Elements and attributes read of one document; the rest is cut off. Each takes up to 300 bytes.
#: The largest honest feed seen has 21,000.
MAX_MARKUP = 120_000
#: The same where tags have to be mended, which takes some 10 µs for each.
MAX_MENDED = 40_000
#: Bytes of one text or CDATA section; the largest body known to be honest has 2 MB.
MAX_TEXT = 3_145_728
#: "&" in a document that has to be repaired; the rest is cut off.
MAX_REFERENCES = 400_000
#: A document with fewer signs of equality has no element with too many attributes.
_MANY_ATTRIBUTES = 10_000
_LONG_TAG = re.compile(rb"<[^<>]{4096,}+>")

_LONG_TEXT = re.compile(rb"[^<]{%d,}+" % (MAX_TEXT + 1))

#: A text or nesting past libxml2's limits for the careless (10 MB, 256 deep): ours are others.
_PAST_LIMITS = frozenset({63, 114})  # XML_ERR_CDATA_NOT_FINISHED, XML_ERR_RESOURCE_LIMIT
_UNDECLARED_PREFIX = 201  # XML_NS_ERR_UNDEFINED_NAMESPACE
_JUNK_ENDS = re.compile(
    rb"<\?xml\b|<(?:[\w-]+:)?(?:rss|rdf|feed|channel)(?=[\s>])|<!DOCTYPE\s+(?:rss|rdf|feed)\b",
    re.IGNORECASE,
)
_FEED_ROOT = re.compile(rb"<(?:[\w-]+:)?(?:rss|rdf|feed)(?=[\s>])", re.IGNORECASE)
_SUBSET_ENDS = re.compile(rb"\]?\]\s*>")
_PROLOG_BYTES = 4096
BROKEN = "not well-formed: "
_UNDECLARED = f"{BROKEN}Namespace prefix "
#: How much of a document is looked through for more than the first mistake, and for how many.
_LOOKED_THROUGH = 131_072
_MOST_PROBLEMS = 8


@dataclass(frozen=True, slots=True)
class Tree:
    """A document as elements; `is_rebuilt` says that its tags had to be put together anew."""

    root: etree._Element
    warnings: tuple[Warning, ...] = ()
    is_rebuilt: bool = False


def holds_feed(page: bytes) -> bool:
    """Whether something that begins like a web page has the root of a feed near its beginning."""
    return _FEED_ROOT.search(page, 0, _PROLOG_BYTES) is not None


def with_shorter_texts(body: bytes) -> bytes:
    """Cut texts and CDATA sections that are longer than anything we would keep of them.

    For any encoding based on ASCII: so much text is never even decoded.
    """
    if len(body) <= MAX_TEXT:
        return body
    pieces: list[bytes] = []
    position = 0
    while (opening := body.find(b"<![CDATA[", position)) >= 0:
        closing = body.find(b"]]>", opening)
        if closing < 0:
            break
        pieces += body[position:opening], _shortened(body[opening:closing])
        position = closing
    pieces.append(body[position:])
    return _LONG_TEXT.sub(lambda match: _shortened(match[0]), b"".join(pieces))


def _shortened(text: bytes) -> bytes:
    """The beginning of `text`, ending with a whole character of UTF-8."""
    if len(text) <= MAX_TEXT:
        return text
    end = MAX_TEXT
    while end and text[end] & 0xC0 == 0x80:
        end -= 1
    return text[:end]


def prepared(utf8: bytes) -> bytes:
    """`utf8` as the parser may see it: nothing before the root, no half field at its end, every
    section ended."""
    utf8 = torn.without_halves(without_prolog(utf8))
    return repair.closed_sections(utf8) if has_open_sections(utf8) else utf8


def has_open_sections(utf8: bytes) -> bool:
    """Whether more CDATA sections begin than end in `utf8`."""
    begun = utf8.count(b"<![CDATA[")
    return begun > 0 and begun > utf8.count(b"]]>")


def without_prolog(utf8: bytes) -> bytes:
    """`utf8` without what must not reach the parser: leading blanks and junk, DOCTYPE."""
    utf8 = utf8.lstrip()
    if not utf8.startswith((b"<?xml ", b"<rss", b"<feed", b"<rdf:RDF")):
        start = _JUNK_ENDS.search(utf8)
        if start is not None and not utf8.startswith((b"<!--", b"<?")):
            utf8 = b"\n" * utf8.count(b"\n", 0, start.start()) + utf8[start.start() :]
            utf8 = utf8.lstrip() if b"<?xml" in utf8[: start.end()] else utf8
    return _without_doctype(utf8)


def read(utf8: bytes) -> Tree | None:
    """The tree of `prepared` UTF-8; None when no element can be made out in it."""
    utf8, found = _bounded(_with_short_tags(utf8), MAX_MARKUP)
    root, problem = _strict(utf8)
    warnings = [*found, *([problem] if problem else [])]
    if root is not None:
        return Tree(root, tuple(warnings))
    if found:  # what we cut off is what is wrong: libxml2 closes the elements that stand open
        root = _recovered(utf8)
        return None if root is None else Tree(root, tuple(found), is_rebuilt=True)
    utf8, found = _bounded(utf8, MAX_MENDED)
    warnings += found
    if utf8.count(b"&") > MAX_REFERENCES:
        utf8 = utf8[: _position(utf8, MAX_REFERENCES, lambda end: utf8.count(b"&", 0, end))]
    text = repair.characters(utf8.decode("utf-8", "ignore"))
    root, _ = _strict(text.encode())
    if root is not None:
        return Tree(root, tuple(warnings))
    text, mended = nesting.markup(text)
    if mended:
        warnings.append(Warning(f"{mended} tags did not nest and were put right"))
    root = _recovered(text.encode())
    return None if root is None else Tree(root, tuple(warnings), is_rebuilt=True)


def problems(utf8: bytes) -> tuple[Warning, ...]:
    """What libxml2 finds wrong in the beginning of `prepared` UTF-8: the first few, each once.

    For people who wonder; reading needs no more than the first.
    """
    parser = _parser(huge_tree=True, recover=True)
    beginning = utf8[:_LOOKED_THROUGH]
    with suppress(etree.XMLSyntaxError):
        etree.fromstring(beginning, parser)
    cut_at = beginning.count(b"\n") + 1 if len(beginning) < len(utf8) else None
    found = (
        Warning(_sentence(entry.message), entry.line)
        for entry in parser.error_log
        if entry.line != cut_at
    )
    return tuple(dict.fromkeys(found))[:_MOST_PROBLEMS]


def is_problem(warning: Warning) -> bool:
    """Whether a warning is one of libxml2's own."""
    return warning.text.startswith(BROKEN)


def is_damage(warning: Warning) -> bool:
    """Whether it is one in XML itself; only namespaces ask that prefixes be declared."""
    return is_problem(warning) and not warning.text.startswith(_UNDECLARED)


def _sentence(message: str) -> str:
    return BROKEN + message.partition(", line")[0].strip()


def _strict(utf8: bytes) -> tuple[etree._Element | None, Warning | None]:
    """The root of XML in which at most prefixes are undeclared, and what is wrong with it."""
    for is_huge in (False, True):
        parser = _parser(huge_tree=is_huge)
        try:
            return etree.fromstring(utf8, parser), None
        except etree.XMLSyntaxError as error:
            warning = Warning(_sentence(error.msg or "no element found"), error.lineno)
            if all(entry.type == _UNDECLARED_PREFIX for entry in parser.error_log):
                return _recovered(utf8), warning
            if parser.error_log[-1].type not in _PAST_LIMITS:
                break
    return None, warning


def _recovered(utf8: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(utf8, _parser(huge_tree=True, recover=True))
    except etree.XMLSyntaxError:
        return None


@lru_cache(maxsize=4)
def _parser(*, huge_tree: bool, recover: bool = False) -> etree.XMLParser:
    """One for each way of parsing: a new one costs a quarter of what the frame of a feed does."""
    return etree.XMLParser(
        encoding="utf-8",
        recover=recover,
        huge_tree=huge_tree,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _without_doctype(utf8: bytes) -> bytes:
    """Drop the DOCTYPE: what it declares is never wanted, and entities may be bombs (PRS-27)."""
    start = utf8.find(b"<!DOCTYPE", 0, _PROLOG_BYTES)
    if start < 0:
        return utf8
    root = _FEED_ROOT.search(utf8, start)
    end = utf8.find(b">", start)
    subset = utf8.find(b"[", start, end if end >= 0 else None)
    if subset >= 0:
        closing = _SUBSET_ENDS.search(utf8, subset)
        is_sections = closing is not None and closing[0].startswith(b"]]")
        end = closing.end() - 1 if closing and not (is_sections and root) else -1
    if root and (end < 0 or (subset < 0 and root.start() < end)):  # it is never closed
        end = root.start() - 1
    if end < 0:
        return utf8
    return utf8[:start] + b"\n" * utf8.count(b"\n", start, end) + utf8[end + 1 :]


def _with_short_tags(utf8: bytes) -> bytes:
    """Cut attributes that we would not look at; honest feeds pass unchanged."""
    if utf8.count(b"=") > _MANY_ATTRIBUTES or utf8.count(b"xmlns") > nesting.MAX_ATTRIBUTES:
        return _LONG_TAG.sub(_with_fewer_attributes, utf8)
    return utf8


def _bounded(utf8: bytes, most: int) -> tuple[bytes, list[Warning]]:
    """The beginning of a document, so that memory and time stay bounded."""
    if len(utf8) <= most:
        return utf8, []
    if utf8.count(b"<") + utf8.count(b"=") > most and _markup(utf8, len(utf8)) > most:
        sentence = f"only the first {most} elements and attributes were read"
        end = _position(utf8, most, lambda end: _markup(utf8, end))
        return utf8[:end], [Warning(sentence)]
    return utf8, []


def _with_fewer_attributes(match: re.Match[bytes]) -> bytes:
    if match[0].count(b"=") <= 4 * nesting.MAX_ATTRIBUTES:
        return match[0]
    name, *attributes = match[0][1:-1].split(maxsplit=nesting.MAX_ATTRIBUTES + 1)
    end = b"/>" if match[0].endswith(b"/>") else b">"
    return b"<" + b" ".join([name, *attributes[: nesting.MAX_ATTRIBUTES]]) + end


def _markup(utf8: bytes, end: int) -> int:
    """How many elements and attributes stand outside CDATA in the first `end` bytes, roughly."""
    total = 0
    position = 0
    while position < end:
        opening = utf8.find(b"<![CDATA[", position, end)
        opening = end if opening < 0 else opening
        tags = utf8.count(b"<", position, opening)
        # End tags cost no memory, but a document of nothing else costs time.
        total += max(tags - utf8.count(b"</", position, opening), tags // 2)
        total += utf8.count(b'="', position, opening) + utf8.count(b"='", position, opening)
        closing = utf8.find(b"]]>", opening, end)
        position = end if closing < 0 else closing + 3
    return total


def _position(utf8: bytes, number: int, count: Callable[[int], int]) -> int:
    """The length of the longest beginning of `utf8` in which `count` finds at most `number`."""
    low, high = 0, min(number, len(utf8))
    while high < len(utf8) and count(high) <= number:
        low, high = high, min(2 * high, len(utf8))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if count(middle) <= number else (low, middle)
    return low

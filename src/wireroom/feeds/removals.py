"""What sanitising takes away, in words for whoever wonders where a part of an item went.

A second reading of the same tables, made for people: slow, and never what protects anybody.
"""

from collections import Counter
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wireroom.feeds import tagscan
from wireroom.feeds.allowlist import ATTRIBUTES, DROPPED_WITH_CONTENT, LINK_SCHEMES, TAGS
from wireroom.feeds.mending import embeddable
from wireroom.feeds.trackers import is_pixel
from wireroom.feeds.urls import host, resolve, resolve_any

_EVERYTHING = "all markup (too large or too deeply nested to be parsed); its text stays"
#: Relative addresses are fine, so any base will do to see whether one can be resolved.
_SOME_BASE = "https://base.invalid/"


def removed(raw: str) -> tuple[str, ...]:
    """What `sanitize.html` takes out of `raw`, one phrase each, in order of appearance."""
    if "<" not in raw:
        return ()
    parsable = tagscan.parsable(raw)
    if parsable is None:
        return (_EVERYTHING,)
    tree = LexborHTMLParser(parsable, is_fragment=True)
    found = Counter(phrase for node in tree.css("*") for phrase in _of_element(node))
    return tuple(
        phrase if times == 1 else f"{phrase} ({times} times)" for phrase, times in found.items()
    )


def _of_element(node: LexborNode) -> Iterator[str]:
    tag = node.tag or ""
    if tag in DROPPED_WITH_CONTENT:
        yield f"<{tag}> with its content"
    elif tag not in TAGS:
        yield f"<{tag}>, its text stays"
    elif tag == "img" and _counts_readers(node):
        yield "tracking image"
    elif tag == "iframe" and not embeddable(_address(node, "src")):
        yield "<iframe>, now a link"
    else:
        yield from _of_attributes(tag, node.attributes)


def _of_attributes(tag: str, attributes: dict[str, str | None]) -> Iterator[str]:
    allowed = ATTRIBUTES.get(tag, frozenset()) | ATTRIBUTES["*"]
    for name, value in attributes.items():
        if name not in allowed:
            yield f"attribute {name} of <{tag}>"
        elif name == "href" and not resolve_any(_SOME_BASE, value or "", LINK_SCHEMES):
            yield f"address of <{tag}>"


def _counts_readers(node: LexborNode) -> bool:
    attributes = node.attributes
    url = _address(node, "src")
    name = host(url)
    tiny = {"0", "1", "2"}.intersection((attributes.get("width"), attributes.get("height")))
    return bool(tiny) or is_pixel(name, url.partition(name)[2])


def _address(node: LexborNode, name: str) -> str:
    return resolve(_SOME_BASE, node.attributes.get(name) or "")

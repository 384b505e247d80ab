"""Documents that break off within an item: what of it may be read, and what polling leaves out.

A server that gives up in the middle sends half an item, and the whole one at the next poll. Half
an item without its identifier would be another one, and told twice, and without its title it
tells nothing: polling leaves it out. One that has both is taken, and edited later. Half an
identifier, address or date is none at all, as in `loose_json`.
"""

import re
from dataclasses import replace

from wireroom.feeds.model import ParsedFeed

#: Where the end of a whole document is looked for, in bytes.
_END_BYTES = 4096
_ROOT_ENDS = re.compile(rb"</(?:[\w-]+:)?(?:rss|feed|rdf|channel)\s*>", re.IGNORECASE)
_HALF_TAG = re.compile(rb"<[^<>]*+\Z")
#: The start of a field that means nothing in halves, with what there is of it.
_HALF_FIELD = re.compile(
    rb"<(?:[\w-]+:)?(?:comments|created|date|guid|id|issued|link|modified|origlink|pubdate"
    rb"|published|updated)(?:\s[^<>]*+)?>[^<>]*+\Z",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"</title\s*>", re.IGNORECASE)
_IDENTIFIER = re.compile(rb"</(?:guid|id)\s*>", re.IGNORECASE)
_ADDRESS = re.compile(rb"</link\s*>|<link\s[^<>]*href[^<>]*>|<[^<>]*\babout=", re.IGNORECASE)


def without_halves(utf8: bytes) -> bytes:
    """`utf8` without the half tag or half field that it breaks off in."""
    if _ends_whole(utf8):
        return utf8
    start, _ = _half_item(utf8)
    before, half = utf8[: max(start, 0)], utf8[max(start, 0) :]
    if half.count(b"<![CDATA[") > half.count(b"]]>"):
        return utf8
    half = _HALF_TAG.sub(b"", half)
    return before + _HALF_FIELD.sub(b"", half) if start >= 0 else half


def ends_unnamed(utf8: bytes) -> bool:
    """Whether `utf8` breaks off within an item before its title or what it can be known again by.

    The other items show what they are known by; where there are none, only a guid or id will do.
    """
    start, name = _half_item(utf8)
    if start < 0:
        return False
    if not _TITLE.search(utf8, start):
        return True
    if _IDENTIFIER.search(utf8, start):
        return False
    others = utf8.find(b"<" + name, 0, start)
    if others < 0 or _IDENTIFIER.search(utf8, others, start):
        return True
    return _ADDRESS.search(utf8, start) is None


def whole_items(feed: ParsedFeed) -> ParsedFeed:
    """`feed` without the half item at its end that would be told as another one."""
    if not (feed.ends_unnamed and feed.items):
        return feed
    return replace(feed, items=feed.items[:-1], positions=feed.positions[:-1])


def _half_item(utf8: bytes) -> tuple[int, bytes]:
    """Where the item begins that `utf8` breaks off in, and what items are called; -1 for none."""
    if not _ends_whole(utf8):
        start, name = max((_last(utf8, name), name) for name in (b"item", b"entry"))
        if start >= 0 and utf8.find(b"</" + name, start) < 0 and utf8.find(b">", start) >= 0:
            return start, name
    return -1, b""


def _ends_whole(utf8: bytes) -> bool:
    return _ROOT_ENDS.search(utf8, max(0, len(utf8) - _END_BYTES)) is not None


def _last(utf8: bytes, name: bytes) -> int:
    """Where the last start tag called `name` begins; -1 where there is none."""
    end = len(utf8)
    while (start := utf8.rfind(b"<" + name, 0, end)) >= 0:
        if utf8[start + len(name) + 1 : start + len(name) + 2] in {
            b">",
            b" ",
            b"\t",
            b"\r",
            b"\n",
        }:
            return start
        end = start
    return -1

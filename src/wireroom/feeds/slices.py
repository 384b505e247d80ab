"""The raw items of an XML document, cut out before anything is parsed.

Most polls bring documents in which nearly all items were read before. Their raw bytes alone tell
(see `Item.digest`), so only what is around the items and the new ones need ever become a tree.

The cut is by plain byte search and therefore a guess: an end tag inside CDATA, nested or
commented-out items break it. Whoever uses it compares the number of slices with the number of item
elements that the parser then finds, and forgets the slices where they differ.
"""

import re
from dataclasses import dataclass

_FIRST = re.compile(rb"<((?:[A-Za-z][\w-]{0,30}:)?(?:item|entry))[\s>]")
#: Bytes of an item that is worth a copy.
_LARGEST = 2_097_152
_ELEMENT = re.compile(rb"<[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Slices:
    """A document cut up: `before` the first item, the raw `items`, `after` the last one.

    What stands between items, which is hardly ever anything, is kept with what is before them.
    `is_cut` says that there were more items than were asked for.
    """

    before: bytes
    items: list[bytes]
    after: bytes
    is_cut: bool = False

    def with_items(self, items: list[bytes]) -> bytes:
        """The document with `items` for its items."""
        return b"".join((self.before, *items, self.after))


def cut(utf8: bytes, max_items: int) -> Slices | None:
    """The first `max_items` items of `utf8`; None where they cannot be told by their bytes."""
    first = _FIRST.search(utf8) if b"item" in utf8 or b"entry" in utf8 else None
    if first is None or not _ELEMENT.search(utf8, 0, first.start()):
        return None
    start_tag, end_tag = b"<" + first[1], b"</" + first[1] + b">"
    items: list[bytes] = []
    start = first.start()
    others = [utf8[:start]]
    while _is_closed(others[-1]):
        end = utf8.find(end_tag, start)
        if end < 0:
            return None
        end += len(end_tag)
        item = utf8[start:end]
        if len(item) > _LARGEST or not _is_whole(item, start_tag):
            return None
        items.append(item)
        start = _next(utf8, start_tag, end)
        if start < 0:
            return Slices(b"".join(others), items, utf8[end:])
        if len(items) == max_items:
            last = utf8.rfind(end_tag) + len(end_tag)
            return Slices(b"".join(others), items, utf8[last:], is_cut=True)
        others.append(utf8[end:start])
    return None


def _next(utf8: bytes, start_tag: bytes, position: int) -> int:
    """Where the next item begins; -1 where there is none."""
    while True:
        start = utf8.find(start_tag, position)
        if start < 0 or utf8[start + len(start_tag) : start + len(start_tag) + 1] in b" \t\r\n>/":
            return start
        position = start + 1


def _is_whole(item: bytes, start_tag: bytes) -> bool:
    """Whether the end tag found is that of the start tag: no CDATA open, no item within."""
    return _is_closed(item) and _next(item, start_tag, 1) < 0


def _is_closed(part: bytes) -> bool:
    """Whether neither CDATA nor a comment that begins in `part` goes on behind it."""
    if b"<!" not in part:
        return True
    return part.count(b"<![CDATA[") == part.count(b"]]>") and (
        b"<!--" not in part or part.count(b"<!--") == part.count(b"-->")
    )

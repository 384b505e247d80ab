"""The raw items of an XML document, found before anything is parsed.

Most polls bring documents in which nearly all items were read before. Their raw bytes alone tell
(see `Item.digest`), so only what is around the items and the new ones need ever become a tree.

The cut is by plain byte search and therefore a guess: an end tag inside CDATA, nested or
commented-out items break it. Whoever uses it compares the number of slices with the number of item
elements that the parser then finds, and forgets the slices where they differ.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

_FIRST = re.compile(rb"<((?:[A-Za-z][\w-]{0,30}:)?(?:item|entry))[\s>]")
#: Bytes of an item that is worth a copy.
_LARGEST = 2_097_152
_ELEMENT = re.compile(rb"<[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Slices:
    """A document with the places of its items, each (start, end), in order.

    What stands between items, which is hardly ever anything, counts as standing before them.
    `is_cut` says that there were more items than were asked for; they count as nothing.
    """

    utf8: bytes
    places: list[tuple[int, int]]
    #: Where begins what follows the last item.
    rest: int
    is_cut: bool = False

    def raw_items(self) -> Iterator[bytes]:
        utf8 = self.utf8
        for start, end in self.places:
            yield utf8[start:end]

    def with_items(self, items: Iterable[bytes]) -> bytes:
        """The document with `items` for its items."""
        position = 0
        around = []
        for start, end in self.places:
            if start > position:
                around.append(self.utf8[position:start])
            position = end
        return b"".join((*around, *items, self.utf8[self.rest :]))

    def whole(self) -> bytes:
        """The document with all the items cut, of which it is itself where nothing is between."""
        ends = (end for _, end in self.places)
        starts = (start for start, _ in islice(self.places, 1, None))
        gaps = (self.utf8[end:start] for end, start in zip(ends, starts, strict=False))
        if self.is_cut or any(gap and not gap.isspace() for gap in gaps):
            return self.with_items(self.raw_items())
        return self.utf8


def cut(utf8: bytes, max_items: int) -> Slices | None:
    """The first `max_items` items of `utf8`; None where they cannot be told by their bytes."""
    first = _FIRST.search(utf8) if b"item" in utf8 or b"entry" in utf8 else None
    if first is None or not _ELEMENT.search(utf8, 0, first.start()):
        return None
    start_tag, end_tag = b"<" + first[1], b"</" + first[1] + b">"
    marks = tuple(mark for mark in _MARKS if mark[0] in utf8)
    places: list[tuple[int, int]] = []
    end, start = 0, first.start()
    while start >= 0 and len(places) < max_items:
        if marks and not _is_closed(utf8, end, start, marks):
            return None
        close = utf8.find(end_tag, start)
        following = _next(utf8, start_tag, start + 1)
        end = close + len(end_tag)
        if close < 0 or 0 <= following < close or end - start > _LARGEST:
            return None
        if marks and not _is_closed(utf8, start, end, marks):
            return None
        places.append((start, end))
        start = following
    if start < 0:
        return Slices(utf8, places, end)
    return Slices(utf8, places, utf8.rfind(end_tag) + len(end_tag), is_cut=True)


def _next(utf8: bytes, start_tag: bytes, position: int) -> int:
    """Where the next item begins; -1 where there is none."""
    while True:
        start = utf8.find(start_tag, position)
        if start < 0 or utf8[start + len(start_tag) : start + len(start_tag) + 1] in b" \t\r\n>/":
            return start
        position = start + 1


#: What hides tags, by how it begins and ends.
_MARKS = ((b"<![CDATA[", b"]]>"), (b"<!--", b"-->"))


def _is_closed(utf8: bytes, start: int, end: int, marks: tuple[tuple[bytes, bytes], ...]) -> bool:
    """Whether what hides tags and begins between `start` and `end` ends there, too."""
    for opening, closing in marks:
        last = utf8.rfind(opening, start, end)
        if last >= 0 and utf8.find(closing, last, end) < 0:
            return False
    return True

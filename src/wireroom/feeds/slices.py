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
from functools import lru_cache
from itertools import islice

_FIRST = re.compile(rb"<((?:[A-Za-z][\w-]{0,30}:)?(?:item|entry))[\s>]")
#: What hides tags, by how it begins and ends.
_MARKS = ((b"<![CDATA[", b"]]>"), (b"<!--", b"-->"))
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

    def around(self) -> list[bytes]:
        """What stands before the first item and between items, where anything does."""
        position = 0
        around = []
        for start, end in self.places:
            if start > position:
                around.append(self.utf8[position:start])
            position = end
        return around

    def with_items(self, items: Iterable[bytes]) -> bytes:
        """The document with `items` for its items."""
        return b"".join((*self.around(), *items, self.utf8[self.rest :]))

    def whole(self) -> bytes:
        """The document with all the items cut, of which it is itself where nothing is between."""
        ends = (end for _, end in self.places)
        starts = (start for start, _ in islice(self.places, 1, None))
        gaps = (self.utf8[end:start] for end, start in zip(ends, starts, strict=False))
        if self.is_cut or any(gap and not gap.isspace() for gap in gaps):
            return self.with_items(self.raw_items())
        return self.utf8


def cut(utf8: bytes, max_items: int) -> Slices | None:
    """The first `max_items` items of `utf8`; None where they cannot be told by their bytes.

    Whether a tag is one or stands in a comment is for `are_closed` to tell.
    """
    first = _FIRST.search(utf8) if b"item" in utf8 or b"entry" in utf8 else None
    if first is None or not _ELEMENT.search(utf8, 0, first.start()):
        return None
    places: list[tuple[int, int]] = []
    end, start = 0, -1
    for tag in _tags(first[1]).finditer(utf8, first.start()):
        if not tag[1]:
            if start >= 0:
                return None
            if len(places) == max_items:
                end_tag = b"</" + first[1] + b">"
                return Slices(utf8, places, utf8.rfind(end_tag) + len(end_tag), is_cut=True)
            start = tag.start()
            continue
        end = tag.end()
        if not 0 <= start >= end - _LARGEST:
            return None
        places.append((start, end))
        start = -1
    return Slices(utf8, places, end) if start < 0 else None


@lru_cache(maxsize=16)
def _tags(name: bytes) -> re.Pattern[bytes]:
    """Where an element called `name` begins, and, with a slash for group 1, where it ends."""
    return re.compile(rb"<(?:%b(?=[\s/>])|(/)%b>)" % (name, name))


def are_closed(pieces: Iterable[bytes]) -> bool:
    """Whether what hides tags ends in the piece that it begins in.

    It does in items that were met before, which were asked then.
    """
    for piece in pieces:
        for opening, closing in _MARKS:
            last = piece.rfind(opening)
            if last >= 0 and piece.find(closing, last) < 0:
                return False
    return True

"""The raw items of an XML document, found before anything is parsed.

Most polls bring documents in which nearly all items were read before. Their raw bytes alone tell
(see `Item.digest`), so only what is around the items and the new ones need ever become a tree.

The cut is by plain byte search and therefore a guess: an end tag inside CDATA, nested or
commented-out items break it. Whoever uses it asks `Slices.are_items` of what was not met before,
compares the number of slices with the number of item elements that the parser then finds, and
forgets the slices where they differ.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_FIRST = re.compile(rb"<((?:[A-Za-z][\w-]{0,30}:)?(?:item|entry))[\s>]")
#: What hides tags, by how it begins and ends.
_MARKS = ((b"<![CDATA[", b"]]>"), (b"<!--", b"-->"))
#: Bytes of an item that is worth a copy.
_LARGEST = 2_097_152
_ELEMENT = re.compile(rb"<[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Slices:
    """A document with the places of its items, each (start, end), in order.

    `is_cut` says that there were more items than were asked for; they count as nothing.
    """

    utf8: bytes
    #: What the items are called.
    name: bytes
    places: list[tuple[int, int]]
    #: What stands before the first item and, where anything does, between items. It counts as
    #: standing before all of them.
    around: list[bytes]
    #: Where begins what follows the last item.
    rest: int
    is_cut: bool = False

    def raw_items(self) -> Iterator[bytes]:
        utf8 = self.utf8
        for start, end in self.places:
            yield utf8[start:end]

    def with_items(self, items: Iterable[bytes]) -> bytes:
        """The document with `items` for its items."""
        return b"".join((*self.around, *items, self.utf8[self.rest :]))

    def whole(self) -> bytes:
        """The document with all the items cut, of which it is itself where nothing is between."""
        if self.is_cut or not all(map(bytes.isspace, self.around[1:])):
            return self.with_items(self.raw_items())
        return self.utf8

    def are_items(self, raws: Iterable[bytes]) -> bool:
        """Whether each of `raws`, cut out here, is an item as far as bytes tell.

        No other begins in it, and what hides tags ends in it. So it is with all that were met
        before, which were asked then.
        """
        start = _starts(self.name)
        return all(start.search(raw, 1) is None and is_closed(raw) for raw in raws)


def cut(utf8: bytes, max_items: int) -> Slices | None:
    """The first `max_items` items of `utf8`; None where they cannot be told by their bytes.

    Each goes from a start tag to the next end tag. Whether that is its own is for
    `Slices.are_items` to tell, and for `is_closed` whether what is around them hides any.
    """
    first = _FIRST.search(utf8) if b"item" in utf8 or b"entry" in utf8 else None
    if first is None or not _ELEMENT.search(utf8, 0, first.start()):
        return None
    name = first[1]
    end_tag = b"</" + name + b">"
    places: list[tuple[int, int]] = []
    around: list[bytes] = []
    start, end = first.start(), 0
    for tag in _ends(name).finditer(utf8, start):
        if start > end:
            around.append(utf8[end:start])
        end = tag.start() + len(end_tag)
        if not 0 <= start < end <= start + _LARGEST:
            return None
        places.append((start, end))
        start = tag.start(1)
        if start < 0 and (following := _starts(name).search(utf8, end)):
            start = following.start()
        if start >= 0 and len(places) == max_items:
            rest = utf8.rfind(end_tag) + len(end_tag)
            return Slices(utf8, name, places, around, rest, is_cut=True)
    return Slices(utf8, name, places, around, end) if start < 0 else None


@lru_cache(maxsize=16)
def _starts(name: bytes) -> re.Pattern[bytes]:
    """Where an element called `name` begins."""
    return re.compile(rb"<%b(?=[\s/>])" % name)


@lru_cache(maxsize=16)
def _ends(name: bytes) -> re.Pattern[bytes]:
    """Where an element called `name` ends, and, as group 1, where the next begins close behind.

    Looked for by a longer string than start tags are, and half as often: twice as fast.
    """
    return re.compile(rb"</%b>(?:\s*+(<%b(?=[\s/>])))?" % (name, name))


def is_closed(piece: bytes) -> bool:
    """Whether what hides tags ends in the piece that it begins in."""
    for opening, closing in _MARKS:
        last = piece.rfind(opening)
        if last >= 0 and piece.find(closing, last) < 0:
            return False
    return True

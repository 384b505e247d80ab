"""The items of one XML document: which were met before, and reading those that were not."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from lxml import etree

from wireroom.feeds import xml
from wireroom.feeds.elements import Element, Reading, digester, reading_of
from wireroom.feeds.model import Digest, Item, Warning  # noqa: A004
from wireroom.feeds.slices import Slices

Digester = Callable[[bytes | memoryview], Digest]


class CutWrongly(Exception):
    """The slices are not the items that the parser finds: read the document again without them."""


@dataclass(slots=True)
class Window:
    """What a format's reader takes the items out of.

    With `slices`, the tree being read holds no items when any were `met` before, all of them
    otherwise. `is_sound` asks of those that were not met whether they are what they seem to be.
    `passed_over` and `warnings` are gathered while reading.
    """

    met: Collection[Digest]
    max_items: int
    slices: Slices | None = None
    is_sound: Callable[[bytes], bool] = bool
    passed_over: list[Digest] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)

    def items(
        self,
        reading: Reading,
        holder: Element,
        find: Callable[[Reading], Iterator[Element]],
        read: Callable[[Reading, Element, Digest], Item],
        *depends_on: object,
    ) -> tuple[Item, ...]:
        """Read the items that were not met before, at most `max_items` in all.

        `find` finds them in a tree, `read` reads one. `holder` is the element around them;
        `depends_on` are the facts of the feed that `read` falls back on.
        """
        digest_of = digester(
            reading.url, reading.base(holder), sorted(map(str, holder.nsmap.items())), *depends_on
        )
        if self.slices is None:
            unmet = self._unmet_elements(reading, find, digest_of)
        else:
            reading, unmet = self._unmet_slices(reading, find, digest_of, self.slices)
        return tuple(read(reading, element, digest) for element, digest in unmet)

    def _unmet_elements(
        self, reading: Reading, find: Callable[[Reading], Iterator[Element]], digest_of: Digester
    ) -> list[tuple[Element, Digest]]:
        unmet = []
        for number, element in enumerate(find(reading)):
            if number == self.max_items:
                self._warn_of_more()
                break
            raw = etree.tostring(element, encoding="utf-8", with_tail=False)
            digest = digest_of(raw)
            if digest in self.met:
                self.passed_over.append(digest)
            else:
                unmet.append((element, digest))
        return unmet

    def _unmet_slices(
        self,
        reading: Reading,
        find: Callable[[Reading], Iterator[Element]],
        digest_of: Digester,
        slices: Slices,
    ) -> tuple[Reading, list[tuple[Element, Digest]]]:
        unmet = []
        view = memoryview(slices.utf8)  # whose slices are no copies
        for start, end in slices.places:
            digest = digest_of(view[start:end])
            if digest in self.met:
                self.passed_over.append(digest)
            else:
                unmet.append((start, end, digest))
        if self.met and unmet:
            raws = [slices.utf8[start:end] for start, end, _ in unmet]
            if not (slices.are_items(raws) and all(map(self.is_sound, raws))):
                raise CutWrongly
            reading = self._reading_of(slices.with_items(raws), reading.url)
        elements = list(find(reading)) if unmet or not self.met else []
        if len(elements) != len(unmet):
            raise CutWrongly
        if slices.is_cut:
            self._warn_of_more()
        return reading, [
            (element, digest) for element, (*_, digest) in zip(elements, unmet, strict=True)
        ]

    def _reading_of(self, utf8: bytes, url: str) -> Reading:
        tree = xml.read(utf8)
        if tree is None:
            raise CutWrongly
        self.warnings.extend(tree.warnings)
        return reading_of(tree, utf8, url)

    def _warn_of_more(self) -> None:
        self.warnings.append(Warning(f"only the first {self.max_items} items were read"))

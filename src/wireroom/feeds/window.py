"""The items of one XML document: which were met before, and reading those that were not."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from lxml import etree

from wireroom.feeds import flat, xml
from wireroom.feeds.elements import (
    Element,
    Fields,
    Node,
    Reading,
    digest_of,
    digest_seed,
    reading_of,
)
from wireroom.feeds.model import Digest, Item, Warning  # noqa: A004
from wireroom.feeds.namespaces import Names
from wireroom.feeds.slices import Slices

#: How a format reads one item: (reading, its element, what is in it, its digest).
ReadItem = Callable[[Reading, Node, Fields, Digest], Item]
#: How a format finds the items in a tree.
FindItems = Callable[[Reading], Iterator[Node]]
#: An item with what was read flat of it, if it was.
_Unmet = tuple[Node, Sequence[Element] | None, Digest]


class CutWrongly(Exception):
    """The slices are not the items that the parser finds: read the document again without them."""


@dataclass(slots=True)
class Window:
    """What a format's reader takes the items out of.

    With `slices`, the tree being read is that of `document`. `passed_over` and `warnings` are
    gathered while reading.
    """

    met: Collection[Digest]
    max_items: int
    slices: Slices | None = None
    passed_over: list[Digest] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)
    #: What was read of the items of the last document, None for those left to the parser.
    _flat: list[list[flat.Flat] | None] = field(default_factory=list)

    def document(self, slices: Slices) -> bytes:
        """What to parse first: without the items when any were `met` before, else with all."""
        return slices.with_items([] if self.met else self._shells(slices, slices.items))

    def items(
        self,
        reading: Reading,
        holder: Node,
        find: FindItems,
        read: ReadItem,
        *depends_on: object,
    ) -> tuple[Item, ...]:
        """Read the items that were not met before, at most `max_items` in all.

        `holder` is the element around the items; `depends_on` are the facts of the feed that
        `read` falls back on.
        """
        seed = digest_seed(
            reading.url, reading.base(holder), sorted(map(str, holder.nsmap.items())), *depends_on
        )
        if self.slices is None:
            unmet = self._unmet_elements(reading, find, seed)
        else:
            reading, unmet = self._unmet_slices(reading, find, seed, self.slices)
        seen = frozenset(reading.names)
        items = tuple(
            read(reading, element, reading.fields(element if inside is None else inside), digest)
            for element, inside, digest in unmet
        )
        self._warn_of_prefixes(reading.names, seen)
        return items

    def _unmet_elements(self, reading: Reading, find: FindItems, seed: blake2b) -> list[_Unmet]:
        unmet: list[_Unmet] = []
        for number, element in enumerate(find(reading)):
            if number == self.max_items:
                self._warn_of_more()
                break
            raw = etree.tostring(element, encoding="utf-8", with_tail=False)
            digest = digest_of(seed, raw)
            if digest in self.met:
                self.passed_over.append(digest)
            else:
                unmet.append((element, None, digest))
        return unmet

    def _unmet_slices(
        self, reading: Reading, find: FindItems, seed: blake2b, slices: Slices
    ) -> tuple[Reading, list[_Unmet]]:
        raws: list[bytes] = []
        digests: list[Digest] = []
        for raw in slices.items:
            digest = digest_of(seed, raw)
            if digest in self.met:
                self.passed_over.append(digest)
            else:
                raws.append(raw)
                digests.append(digest)
        if self.met and raws:
            reading = self._reading_of(slices, raws, reading.url)
        elements = list(find(reading)) if raws or not self.met else []
        if len(elements) != len(raws):
            raise CutWrongly
        if slices.is_cut:
            self._warn_of_more()
        if elements:
            reading.names.scope = elements[0].nsmap
        return reading, list(zip(elements, self._flat, digests, strict=True))

    def _reading_of(self, slices: Slices, raws: list[bytes], url: str) -> Reading:
        tree = xml.read(slices.with_items(self._shells(slices, raws)))
        if tree is None:
            raise CutWrongly
        self.warnings.extend(tree.warnings)
        return reading_of(tree, slices.with_items(raws), url)

    def _shells(self, slices: Slices, raws: list[bytes]) -> list[bytes]:
        """The items for the parser: empty where they are read flat."""
        has_bases = b"xml:base" in slices.before or b"xml:base" in slices.after
        shells: list[bytes] = []
        self._flat = []
        for raw in raws:
            shell = None if has_bases else flat.shell_of(raw)
            inside = None if shell is None else flat.elements_of(raw, shell)
            self._flat.append(inside)
            if shell is None or inside is None:
                shells.append(raw)
            else:  # lines keep their numbers, for warnings
                shells.append(shell + b"\n" * raw.count(b"\n"))
        return shells

    def _warn_of_prefixes(self, names: Names, seen: frozenset[str]) -> None:
        """As the parser does of what it reads, for the names that were met first in flat items."""
        for tag in names.keys() - seen:
            prefix, colon, local = tag.rpartition(":")
            if colon and not tag.startswith("{") and prefix not in names.scope:
                sentence = f"not well-formed: Namespace prefix {prefix} on {local} is not defined"
                self.warnings.append(Warning(sentence))
                return

    def _warn_of_more(self) -> None:
        self.warnings.append(Warning(f"only the first {self.max_items} items were read"))

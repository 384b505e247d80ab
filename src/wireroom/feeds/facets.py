"""Tables of the fields of an item or feed: what reads each, and of which elements."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from wireroom.feeds.choices import Choices
from wireroom.feeds.elements import Fields, Reading

#: Reads one field of the elements with the names given, of which there is at least one.
Read = Callable[[Reading, Fields, tuple[str, ...]], Any]


class Facet(NamedTuple):
    """What reads one field, and the names of the elements that it is read of.

    A tuple of names says which counts more than which; of a set, the first in the document does.
    """

    read: Read
    names: tuple[str, ...] | frozenset[str]

    def among(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names that the facet is read of, if these are all there are."""
        if isinstance(self.names, frozenset):
            return tuple(name for name in names if name in self.names)
        return tuple(name for name in self.names if name in names)


class Facets:
    """The fields that items or feeds of one format may have, by their names in `model`.

    What an item has no elements for costs nothing.
    """

    def __init__(self, facets: Mapping[str, Facet]) -> None:
        self._facets = facets
        self._choices = Choices(self._present)

    def read(self, reading: Reading, fields: Fields) -> dict[str, Any]:
        """The fields of one item or feed; those that it has no elements for are left out."""
        present = self._choices.of(fields)
        return {field: read(reading, fields, names) for field, read, names in present}

    def _present(self, names: tuple[str, ...]) -> tuple[tuple[str, Read, tuple[str, ...]], ...]:
        return tuple(
            (field, facet.read, present)
            for field, facet in self._facets.items()
            if (present := facet.among(names))
        )

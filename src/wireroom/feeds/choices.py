"""What is to be read of an item, chosen once for each set of names that items have.

The readers know a hundred names of elements, an item has nine of them, and all items of a feed
have the same few sets. So nothing is looked for that is not there.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Choice = TypeVar("Choice")

#: Sets of names remembered, and characters of the names of one: honest feeds have a few hundred
#: sets, and a document of invented names must not fill the memory.
_MAX_SETS = 1024
_MAX_CHARACTERS = 2048


class Choices(Generic[Choice]):
    """What `choose` makes of the names of an item's elements, in their order."""

    def __init__(self, choose: Callable[[tuple[str, ...]], Choice]) -> None:
        self._choose = choose
        self._known: dict[tuple[str, ...], Choice] = {}

    def of(self, names: Iterable[str]) -> Choice:
        """The choice for these names, remembered or made."""
        key = tuple(names)
        known = self._known.get(key)
        return self._made(key) if known is None else known

    def _made(self, names: tuple[str, ...]) -> Choice:
        choice = self._choose(names)
        if sum(map(len, names)) <= _MAX_CHARACTERS:
            if len(self._known) >= _MAX_SETS:
                self._known.clear()
            self._known[names] = choice
        return choice

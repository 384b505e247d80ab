"""Any feed, as it is: every entry with everything that the parser found."""

from collections.abc import Iterable
from typing import ClassVar, Self

from wireroom.feeds.adapters.parsed import Record


class Generic:
    """Gives back the parser's own entries, author, updated and all (ADP-07)."""

    feed_type: ClassVar[str] = "generic"

    def __init__(self, entries: list[Record]) -> None:
        self._entries = entries

    @classmethod
    def from_parsed(cls, parsed: Record) -> Self:
        return cls(parsed.entries)

    def entries(self) -> Iterable[Record]:
        return self._entries


ADAPTER = Generic

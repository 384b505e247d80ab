"""Royal Road: the chapters of a fiction, all of them, with their HTML as it is.

The feed is RSS 2.0 with a generator and without copyright or ttl; guids carry isPermaLink.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from wireroom.feeds.adapters import rss
from wireroom.feeds.adapters.contract import Entry
from wireroom.feeds.adapters.parsed import Record


class RoyalRoad:
    """Every chapter; a date that cannot be read is none (ADP-11, ADP-12)."""

    feed_type: ClassVar[str] = "royalroad"

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries

    @classmethod
    def from_parsed(cls, parsed: Record) -> Self:
        return cls([rss.entry_from_parsed(entry) for entry in parsed.entries])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return cls([rss.entry_from_dict(item) for item in rss.items(document)])

    def entries(self) -> Iterable[Entry]:
        return self._entries


ADAPTER = RoyalRoad

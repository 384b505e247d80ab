"""Ubuntu security notices: all of them.

The feed is RSS 2.0 made by Feedgen, with copyright, generator and docs; the guid is the notice's
address although isPermaLink says false, and the plain-text description lists the CVEs.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from wireroom.feeds.adapters import rss
from wireroom.feeds.adapters.contract import Entry
from wireroom.feeds.adapters.parsed import Record


class Ubuntu:
    """Every notice, unfiltered (ADP-13); as plain data, guids come in three shapes (ADP-14)."""

    feed_type: ClassVar[str] = "ubuntu"

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


ADAPTER = Ubuntu

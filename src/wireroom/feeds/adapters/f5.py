"""F5's support site: only what names a vulnerability.

The feed is RSS 2.0 with plain-text descriptions and mixes security notices with everything else
that is published there.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from wireroom.feeds.adapters import rss
from wireroom.feeds.adapters.contract import Entry
from wireroom.feeds.adapters.parsed import Record

_CVE = re.compile(r"CVE-[0-9]{4}-[0-9]{4}", re.IGNORECASE)


class F5:
    """Keeps the entries whose title or description names a CVE (ADP-08).

    An entry that is left out is not remembered: when its text names one later, it is new (ADP-09).
    """

    feed_type: ClassVar[str] = "f5"

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries

    @classmethod
    def from_parsed(cls, parsed: Record) -> Self:
        return cls([rss.entry_from_parsed(entry) for entry in parsed.entries])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return cls([rss.entry_from_dict(item) for item in rss.items(document)])

    def entries(self) -> Iterable[Entry]:
        return [entry for entry in self._entries if _names_a_cve(entry)]


def _names_a_cve(entry: Entry) -> bool:
    return any(_CVE.search(text or "") for text in (entry["title"], entry["summary"]))


ADAPTER = F5

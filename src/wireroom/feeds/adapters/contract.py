"""What an adapter is, and what it gives back; `docs/adapters.md` leads through writing one."""

import time
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol, Self, TypedDict

from wireroom.feeds.adapters.parsed import Record


class Entry(TypedDict):
    """One entry as an adapter gives it back: exactly these keys, None where there is nothing.

    `published` is the date as text; `published_parsed` the same as a UTC struct_time, and the one
    that counts. `summary` may be HTML; it is sanitised afterwards.
    """

    id: str | None
    link: str | None
    title: str | None
    published: str | None
    published_parsed: time.struct_time | None
    summary: str | None


class Adapter(Protocol):
    """A class that reads one publisher's feeds its own way; its module exports it as `ADAPTER`.

    It may also have a classmethod `from_dict(document)` for `{"channel": {"items": [...]}}`, the
    feed's RSS as plain data: handy in tests and scripts; Wireroom never calls it.
    """

    #: The name people choose it by; unique.
    feed_type: ClassVar[str]

    @classmethod
    def from_parsed(cls, parsed: Record) -> Self:
        """Take in a parsed feed: `parsed.feed` and `parsed.entries`, with feedparser's names."""
        ...

    def entries(self) -> Iterable[Mapping[str, Any]]:
        """The entries that people get, in order; what is left out does not exist for them."""
        ...

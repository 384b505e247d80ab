"""Replies cut into messages that Telegram takes (pure).

A reply is a list of lines in Telegram's HTML, each closed in itself, so that cutting between them
tears no tag.
"""

import html
import re
from collections.abc import Iterable
from typing import Final

from wireroom.delivery.richtext import units

#: UTF-16 units of the visible text; the limit is 4096.
MOST_UNITS: Final = 4000
#: Bytes with markup, well below the 35,000 that the server reads.
MOST_BYTES: Final = 30_000
#: Formatting entities; from the 101st on they are lost without a word.
MOST_ENTITIES: Final = 90

_TAG = re.compile(r"<[^<>]*>")


def messages(lines: Iterable[str]) -> list[str]:
    """As few texts as hold the lines, in order; never empty, never too long."""
    done: list[str] = []
    current: list[str] = []
    size = Size()
    for written in lines:
        line = written if Size.of(written).fits else _bare(written)
        more = Size.of(line)
        if current and not (size + more).fits:
            done.append("\n".join(current))
            current, size = [], Size()
        current.append(line)
        size += more
    done.append("\n".join(current))
    return [text for text in done if visible(text).strip()]


class Size:
    """How much of each limit a text takes."""

    __slots__ = ("entities", "raw", "units")

    def __init__(self, shown: int = 0, raw: int = 0, entities: int = 0) -> None:
        self.units, self.raw, self.entities = shown, raw, entities

    @classmethod
    def of(cls, line: str) -> "Size":
        shown = visible(line)
        return cls(units(shown) + 1, len(line.encode()) + 1, len(_TAG.findall(line)) // 2)

    def __add__(self, other: "Size") -> "Size":
        return Size(self.units + other.units, self.raw + other.raw, self.entities + other.entities)

    @property
    def fits(self) -> bool:
        return (
            self.units <= MOST_UNITS and self.raw <= MOST_BYTES and self.entities <= MOST_ENTITIES
        )


def visible(line: str) -> str:
    """The text of a line without its markup."""
    return html.unescape(_TAG.sub("", line))


def _bare(line: str) -> str:
    """A line that is longer than a message: its beginning, without markup."""
    return html.escape(cut(visible(line), MOST_UNITS - 10))


def cut(text: str, most: int) -> str:
    """At most so many UTF-16 units, an ellipsis included."""
    if units(text) <= most:
        return text
    raw = text.encode("utf-16-le")[: 2 * (most - 1)]
    return raw.decode("utf-16-le", errors="ignore").rstrip() + "…"

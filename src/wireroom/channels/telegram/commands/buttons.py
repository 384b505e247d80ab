"""Inline buttons: what they say is in their data, so they work over restarts (pure).

Data is `verb.argument.argument…` of at most 64 bytes; longer things lie in the store under a
number. Whatever comes back is checked anew: data may be forged, and anybody can press.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

MOST_BYTES: Final = 64
#: Longer labels are cut: a phone shows about so much of one.
MOST_LABEL: Final = 60
#: Buttons of one page of a list.
PAGE: Final = 8


@dataclass(frozen=True, slots=True)
class Button:
    """A label and what pressing it says; or an address that it opens."""

    label: str
    data: str = ""
    url: str = ""

    def as_json(self) -> dict[str, str]:
        label = self.label if len(self.label) <= MOST_LABEL else f"{self.label[: MOST_LABEL - 1]}…"
        return {"text": label, **({"url": self.url} if self.url else {"callback_data": self.data})}


Row = Sequence[Button]


def data(verb: str, *arguments: int | str) -> str:
    """Raises ValueError for what does not fit, which is a mistake of ours."""
    written = ".".join([verb, *map(str, arguments)])
    if not 1 <= len(written.encode()) <= MOST_BYTES:
        raise ValueError(f"button data does not fit: {written!r}")
    return written


def read(written: str) -> tuple[str, list[str]]:
    """The verb and the arguments of what was pressed."""
    verb, *arguments = written.split(".")
    return verb, arguments


def keyboard(rows: Sequence[Row]) -> dict[str, Any]:
    """For `reply_markup`; empty rows are left out."""
    return {"inline_keyboard": [[each.as_json() for each in row] for row in rows if row]}


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a list of `total` things, counted from 0; `first` is the index of its first."""

    number: int
    first: int
    end: int
    pages: int


def page(number: int, total: int, size: int = PAGE) -> Page:
    """The page of this number, or the nearest there is: lists shrink while people look at them."""
    pages = max(1, -(-total // size))
    number = min(max(0, number), pages - 1)
    return Page(number, number * size, min(total, (number + 1) * size), pages)


def turning(verb: str, shown: Page, *arguments: int | str) -> list[Button]:
    """Buttons to the pages before and after; none where there is only one."""
    row = []
    if shown.number > 0:
        row.append(Button("‹", data(verb, shown.number - 1, *arguments)))
    if shown.pages > 1:
        row.append(
            Button(f"{shown.number + 1}/{shown.pages}", data(verb, shown.number, *arguments))
        )
    if shown.number < shown.pages - 1:
        row.append(Button("›", data(verb, shown.number + 1, *arguments)))
    return row

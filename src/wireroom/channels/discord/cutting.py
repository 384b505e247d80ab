"""Written markdown made shorter (pure): what is left looks as it did before.

A cut falls between two signs, never inside of an address, a link, a mention or an escaped sign;
whatever is open there is closed behind the ellipsis.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from wireroom.delivery.richtext import boundary, units

ELLIPSIS: Final = "…"
#: So many characters are looked at for what closes something; no answer is longer.
LOOKED_AT: Final = 20_000

_ATOM: Final = re.compile(
    r"""
    (?P<fence>```(?:[\w+.\#-]*\n)?)(?P<block>[\s\S]*?)```
    | (?P<ticks>`+)(?P<code>[\s\S]*?[^`])(?P=ticks)(?!`)
    | (?P<lead>^(?:[ ]*(?:>|\#{1,3}|-\#|[*-]|\d+\.)[ ])+)
    | (?P<stars>\*+)
    | (?P<sign>__|_|~~|\|\|)
    | (?P<whole>
        \\[^\sA-Za-z0-9]
      | \[(?:\\.|[^\[\]\\])*\]\((?:<[^<>\s]*>|[^()\s<>]*)\)
      | <(?:/[^<>\n]+|[^<>\s]+)>
      | https?://[^\s<>]+(?<![*_~|`.,:;"')\]])
      | [\s\S]
    )
    """,
    re.VERBOSE | re.MULTILINE,
)
_IN_CODE: Final = re.compile(r"(?P<lead>^> )|[\s\S]", re.MULTILINE)
_WORD: Final = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is not divided: a sign, an address, a character, what a line begins with."""

    start: int
    end: int
    #: "**" and the like, of code "`".
    sign: str = ""
    #: Closes what this sign opens.
    closing: str = ""
    #: Nothing may end behind it: blanks, and what wants a text behind it.
    is_loose: bool = False


def shortened(text: str, most: int) -> str:
    """The markdown, else as much of it as fits into `most` UTF-16 units with an ellipsis."""
    text = text.strip()
    if units(text) <= most:
        return text
    for place, closers in reversed(list(_places(text, most))):
        if boundary(text, place) == place:
            return text[:place] + ELLIPSIS + closers
    return ELLIPSIS


def _places(text: str, most: int) -> Iterator[tuple[int, str]]:
    """Where the text could end, with what must be closed there."""
    reading = _Reading(text[:LOOKED_AT])
    opened: list[str] = []
    used, in_address = units(ELLIPSIS), False
    for number, atom in enumerate(reading.atoms):
        used += units(text[atom.start : atom.end])
        if used > most:
            return
        if number in reading.openers:
            opened.append(atom.closing)
        elif number in reading.closers:
            opened.pop()
        closers = "".join(reversed(opened))
        written = text[atom.start : atom.end]
        if written.startswith(("https://", "http://")):
            in_address = True  # an ellipsis behind it would be part of it
        elif atom.is_loose or written.startswith("<") or number in reading.closers:
            in_address = False
        if not atom.is_loose and not in_address and used + units(closers) <= most:
            yield atom.end, closers


class _Reading:
    """The atoms of a text, and which of them open and close something: a sign without its other
    is text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._waiting: list[int] = []
        self.atoms: list[_Atom] = []
        self.openers: set[int] = set()
        self.closers: set[int] = set()
        for found in _ATOM.finditer(text):
            self._take(found)

    def _take(self, found: re.Match[str]) -> None:
        if found["fence"] is not None:
            self._take_code(found, "block", f"\n{self._quote(found.start())}```")
        elif found["ticks"] is not None:
            self._take_code(found, "code", found["ticks"])
        elif found["stars"] is not None:
            self._take_stars(*found.span())
        elif found["sign"] is not None:
            self._take_sign(_Atom(*found.span(), found["sign"], found["sign"]))
        else:
            self._take_text(found)

    def _take_text(self, found: re.Match[str], offset: int = 0) -> None:
        is_loose = found["lead"] is not None or found[0].isspace()
        start, end = found.span()
        self.atoms.append(_Atom(start + offset, end + offset, is_loose=is_loose))

    def _take_code(self, found: re.Match[str], body: str, closing: str) -> None:
        """Within code nothing has a meaning but its end."""
        start, end = found.span(body)
        self.openers.add(len(self.atoms))
        self.atoms.append(_Atom(found.start(), start, "`", closing, is_loose=True))
        for each in _IN_CODE.finditer(found[body]):
            self._take_text(each, start)
        self.closers.add(len(self.atoms))
        self.atoms.append(_Atom(end, found.end(), "`"))

    def _quote(self, place: int) -> str:
        """What the line of a place begins with, where that is a quote."""
        line = self._text.rfind("\n", 0, place) + 1
        return "> " if self._text.startswith("> ", line) else ""

    def _take_stars(self, start: int, end: int) -> None:
        """Of three, the one belongs inside of the two, when they open and when they close."""
        while start < end:
            inner = self._waiting and self.atoms[self._waiting[-1]].sign == "*"
            size = 1 if end - start > 2 and inner else min(2, end - start)
            sign = "*" * size
            self._take_sign(_Atom(start, start + size, sign, sign))
            start += size

    def _take_sign(self, atom: _Atom) -> None:
        number = len(self.atoms)
        self.atoms.append(atom)
        signs = [self.atoms[each].sign for each in self._waiting]
        if atom.sign in signs and self._may_close(atom):
            at = signs.index(atom.sign)
            self.openers.add(self._waiting[at])
            self.closers.add(number)
            del self._waiting[at:]
        elif self._may_open(atom):
            # Of two alike the later one counts, so that no more wait than there are signs.
            self._waiting = [each for each in self._waiting if self.atoms[each].sign != atom.sign]
            self._waiting.append(number)

    def _may_open(self, atom: _Atom) -> bool:
        after = self._text[atom.end : atom.end + 1]
        before = self._text[atom.start - 1 : atom.start] if atom.start else ""
        if atom.sign == "_" and _WORD.match(before):
            return False
        return bool(after) and (len(atom.sign) == 2 or not after.isspace())

    def _may_close(self, atom: _Atom) -> bool:
        after = self._text[atom.end : atom.end + 1]
        before = self._text[atom.start - 1]
        if atom.sign == "_" and _WORD.match(after):
            return False
        return len(atom.sign) == 2 or not before.isspace()

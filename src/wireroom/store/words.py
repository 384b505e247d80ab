"""Text as search looks at it (pure): words without case and accents, and what to show of a hit.

Both engines are given these words, and nothing of their own ideas about language; so both find the
same. Chinese and Japanese have no spaces: every character is a word there, and a word of theirs is
searched for as a phrase.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import combining, normalize

#: Scripts written without spaces: Han, Hiragana, Katakana and their extensions, Thai, Lao, Khmer.
_UNSPACED = (
    "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W_{_UNSPACED}]+")

#: Longer "words" are encodings of something; nobody looks for them.
LONGEST_WORD = 64
_AROUND_CHARS = 60


@dataclass(frozen=True, slots=True)
class Term:
    """Words in a row that are looked for; the last one may be only the beginning of a word.

    `field` is "" for anywhere, "title" or "author".
    """

    words: tuple[str, ...]
    negated: bool = False
    field: str = ""
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of plain text that is shown; `is_hit` when it is what was looked for."""

    text: str
    is_hit: bool = False


def fold(text: str) -> str:
    """Without case, accents and compatibility forms."""
    if text.isascii():
        return text.lower()
    parted = normalize("NFKD", text.casefold())
    return normalize("NFC", "".join(each for each in parted if not combining(each)))


def words(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    return [word for word in _WORD.findall(fold(text)) if len(word) <= LONGEST_WORD]


def snippet(text: str, terms: Sequence[Term], longest: int = 240) -> tuple[Piece, ...]:
    """The part of a plain text around the first hit, hits marked; its beginning without one."""
    hits = list(_hits(text, terms))
    start = max(0, hits[0][0] - _AROUND_CHARS) if hits else 0
    if start:
        start = text.find(" ", start, hits[0][0]) + 1 or start
    end = start + longest
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + longest // 2)
    shown = [(max(one, start), min(other, end)) for one, other in hits if one < end]
    return tuple(_cut(text, start, min(end, len(text)), shown))


def marked(text: str, terms: Sequence[Term]) -> tuple[Piece, ...]:
    """The whole text, hits marked; for titles."""
    return tuple(_cut(text, 0, len(text), list(_hits(text, terms))))


def _cut(text: str, start: int, end: int, hits: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    if start:
        yield Piece("…")
    at = start
    for one, other in hits:
        if one < at:
            continue
        if one > at:
            yield Piece(text[at:one])
        yield Piece(text[one:other], is_hit=True)
        at = other
    if at < end:
        yield Piece(text[at:end])
    if end < len(text):
        yield Piece("…")


def _hits(text: str, terms: Sequence[Term]) -> Iterator[tuple[int, int]]:
    """Where each match of a wanted term begins and ends."""
    wanted = [term for term in terms if not term.negated and term.words]
    if not wanted:
        return
    found = [(fold(each[0]), each.start(), each.end()) for each in _WORD.finditer(text)]
    at = 0
    while at < len(found):
        longest = max((_length(found, at, term) for term in wanted), default=0)
        if longest:
            yield found[at][1], found[at + longest - 1][2]
        at += max(longest, 1)


def _length(found: Sequence[tuple[str, int, int]], at: int, term: Term) -> int:
    """How many words from here on are this term; 0 when they are not."""
    count = len(term.words)
    if at + count > len(found):
        return 0
    for place, word in enumerate(term.words, start=at):
        here = found[place][0]
        is_last = place == at + count - 1
        if here != word and not (is_last and term.is_prefix and here.startswith(word)):
            return 0
    return count

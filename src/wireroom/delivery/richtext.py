"""Blocks of marked text, which is all that a chat can show; how they are measured and cut (pure).

Both channels write from these values: Telegram as its few tags, Discord as markdown. A block is
one line or paragraph; lists and quotes are attributes of their blocks, not containers, so a text
of any depth is a flat sequence that can be counted, cut and split without recursion, before any
markup exists that a cut could tear.

Lengths are UTF-16 units: both platforms' limits hold in them, whichever way they count.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

Mark = Literal["bold", "italic", "underline", "strike", "spoiler", "code"]
Kind = Literal["title", "paragraph", "heading", "pre", "row", "rule"]

# Controls, bidi overrides and isolates, byte order marks, and halves of surrogate pairs.
UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_WEB_ADDRESS = re.compile(r"""https?://[^\s/?#<>"\\@]++(?:[/?#][^\s<>"\\]*+)?""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text with one look; `href` is absolute http(s) or ""."""

    text: str
    marks: frozenset[Mark] = frozenset()
    href: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, list line, table row, rule, code, or a message's title.

    `level` is 1..6 for headings. `indent` counts the lists around it; `marker` ("• ", "3. ") is
    set on the first block of a list item. The text is never empty, nor are there blanks at its
    end.
    """

    kind: Kind
    spans: tuple[Span, ...]
    level: int = 0
    quoted: bool = False
    indent: int = 0
    marker: str = ""
    language: str = ""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of the text, in order of appearance; sizes are what the publisher wrote."""

    url: str
    alt: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class RichText:
    """What `parse` made of a text; `complete` is False when it ran into `MOST_TEXT`."""

    blocks: tuple[Block, ...] = ()
    images: tuple[Image, ...] = ()
    complete: bool = True


def one_line(text: str) -> str:
    """One line of plain text as it may be shown: no controls, no bidi overrides, single spaces."""
    return " ".join(UNSEEN.sub("", text.replace("\u2028", " ").replace("\u2029", " ")).split())


def is_web_address(url: str) -> bool:
    """Whether `url` is absolute http(s) with a host and nothing that could break out of markup."""
    return _WEB_ADDRESS.fullmatch(url) is not None


def without_links(block: Block) -> Block:
    return replace(block, spans=tuple(replace(span, href="") for span in block.spans))


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def lead(block: Block) -> str:
    """What stands before a block's text: indentation and the marker of a list item."""
    if not block.indent:
        return block.marker
    return "  " * (block.indent - 1) + (block.marker or "  ")


def gap(before: Block, after: Block) -> str:
    """What stands between two blocks: a new line, or a blank one as well."""
    together = before.kind != "title" and (
        (before.kind == after.kind == "row")
        or (after.indent > 0 and before.kind != "heading")
        or before.quoted != after.quoted
    )
    return "\n" if together else "\n\n"


def length(blocks: Sequence[Block]) -> int:
    """Visible length of blocks with their leads and gaps, in UTF-16 units."""
    texts = sum(units(block.text) + units(lead(block)) for block in blocks)
    return texts + sum(len(gap(*pair)) for pair in pairwise(blocks))


def cut(
    blocks: Sequence[Block], limit: int, *, ellipsis: str = " …", at_words: bool = True
) -> tuple[Block, ...]:
    """The blocks if they fit into `limit` units, else what fits followed by `ellipsis`.

    The ellipsis comes on top of `limit`. `at_words` goes back to the last space.
    """
    head, tail = take(blocks, limit, at_words=at_words)
    if not tail:
        return head
    if not head:
        return (Block("paragraph", (Span(ellipsis.strip()),)),) if ellipsis.strip() else ()
    last = head[-1]
    marked = replace(last, spans=(*last.spans, Span(ellipsis)))
    return (*head[:-1], marked)


def split(blocks: Sequence[Block], limit: int) -> tuple[tuple[Block, ...], ...]:
    """All blocks as parts of at most `limit` units (at least 64), broken between words."""
    parts = []
    rest = tuple(blocks)
    while rest:
        part, rest = take(rest, max(limit, 64), whole=True)
        parts.append(part)
    return tuple(parts)


def take(
    blocks: Sequence[Block], limit: int, *, at_words: bool = True, whole: bool = False
) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """As many blocks as fit into `limit` units, and the rest; a block may be divided.

    `whole` leaves a short block that does not fit to the rest instead of dividing it. With a
    limit of 64 or more the first part is never empty.
    """
    used = 0
    for number, block in enumerate(blocks):
        before = len(gap(blocks[number - 1], block)) if number else 0
        room = limit - used - before - units(lead(block))
        size = units(block.text)
        if size <= room:
            used = limit - room + size
            continue
        if whole and number and size <= limit // 8:
            return tuple(blocks[:number]), tuple(blocks[number:])
        start, end = _divide(block, room, at_words=at_words)
        head = tuple(blocks[:number]) + ((start,) if start else ())
        return head, ((end,) if end else ()) + tuple(blocks[number + 1 :])
    return tuple(blocks), ()


def _divide(block: Block, room: int, *, at_words: bool) -> tuple[Block | None, Block | None]:
    text = block.text
    index = _place(text, _index_of_unit(text, room), at_words=at_words) if room > 0 else 0
    start = _stripped(_spans(block.spans, 0, index))
    end = _stripped(_spans(block.spans, index, len(text)))
    return (
        replace(block, spans=start) if start else None,
        replace(block, spans=end, marker=block.marker if not start else "") if end else None,
    )


def _index_of_unit(text: str, room: int) -> int:
    """Most characters of `text` that fit into `room` units."""
    encoded = text.encode("utf-16-le", "surrogatepass")[: 2 * room]
    return len(encoded.decode("utf-16-le", "ignore"))


def _place(text: str, index: int, *, at_words: bool) -> int:
    """The last sensible place for a cut at or before `index`: a space not too far back, else
    between two things that a reader sees as characters."""
    if at_words and index < len(text):
        for place in range(index, index // 2, -1):
            if text[place].isspace():
                return place
    return boundary(text, index)


def boundary(text: str, index: int) -> int:
    """The last place at or before `index` that splits no visible character: no accent, skin tone,
    family of emoji or flag is torn. Looks back at most 64 characters, since hostile stacks of
    accents have no end."""
    if index >= len(text):
        return len(text)
    for place in range(index, max(0, index - 64), -1):
        if not _sticks(text, place):
            return place
    return index


def _sticks(text: str, place: int) -> bool:
    """Whether the character at `place` belongs to the one before it."""
    following, before = text[place], text[place - 1]
    if following == _JOINER or before == _JOINER or unicodedata.category(following) in _ATTACHED:
        return True
    if following in _TONES_AND_TAGS:
        return True
    if _is_flag_letter(following) and _is_flag_letter(before):
        start = place
        while start > 0 and place - start < 64 and _is_flag_letter(text[start - 1]):
            start -= 1
        return (place - start) % 2 == 1
    return _is_jamo(before) and _is_jamo(following)


_JOINER: Final = "\u200d"
_ATTACHED: Final = frozenset(("Mn", "Me", "Mc"))
_TONES_AND_TAGS: Final = frozenset(map(chr, (*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080))))


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_jamo(character: str) -> bool:
    return "\u1100" <= character <= "\u11ff"


def _spans(spans: Sequence[Span], start: int, end: int) -> tuple[Span, ...]:
    """The part of `spans` between two character indexes of their joined text."""
    found = []
    position = 0
    for span in spans:
        piece = span.text[max(0, start - position) : max(0, end - position)]
        position += len(span.text)
        if piece:
            found.append(replace(span, text=piece))
    return tuple(found)


def _stripped(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Without space at either end; () when nothing else is there."""
    text = "".join(span.text for span in spans)
    start = len(text) - len(text.lstrip())
    return _spans(spans, start, max(start, len(text.rstrip())))

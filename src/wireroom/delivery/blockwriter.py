"""Collects text and what is open around it, and gives blocks (pure). `htmltext` drives it."""

import re
from dataclasses import replace
from itertools import groupby
from typing import Final

from wireroom.delivery.richtext import UNSEEN, Block, Image, Kind, Mark, Span

DEEPEST_INDENT: Final = 6

_BLANKS = re.compile(r"[ \t\n\r\f\u00a0\u2028\u2029]+")
# The ways back from footnotes, with and without variation selectors.
_BACK_LINKS: Final = frozenset(("↩", "↩\ufe0e", "↩\ufe0f", "↑"))


class BlockWriter:
    """Holds what is open as counters, not as a tree, so that depth costs nothing.

    The attributes are set by whoever reads the tags; they hold for the text that follows.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.images: list[Image] = []
        #: Characters taken so far.
        self.length = 0
        self.href = ""
        self.heading = 0
        self.quotes = 0
        self.preformatted = 0
        self.language = ""
        #: One per open list: the next number, or None for bullets.
        self.lists: list[int | None] = []
        self.marker = ""
        #: How superscripts and subscripts are written, while one is open.
        self.shift: dict[int, int] | None = None
        self._marks: dict[Mark, int] = {}
        self._open: frozenset[Mark] = frozenset()
        self._line: list[Span] = []
        self._at_gap = True
        self._newlines = 0

    @property
    def has_text(self) -> bool:
        """Whether the block being written has anything in it yet."""
        return bool(self._line)

    def mark(self, mark: Mark, change: int) -> None:
        """One more or one less of `mark` is open; a surplus end is ignored."""
        self._marks[mark] = max(0, self._marks.get(mark, 0) + change)
        self._open = frozenset(mark for mark, count in self._marks.items() if count)

    def verbatim(self, text: str) -> None:
        """Preformatted text; tabs become spaces, since Telegram makes each a single one."""
        self.add(UNSEEN.sub("", text.replace("\r\n", "\n")).expandtabs(4))

    def words(self, text: str) -> None:
        """Running text, whose white space means no more than one space."""
        text = UNSEEN.sub("", _BLANKS.sub(" ", text))
        if self._at_gap:
            text = text.lstrip(" ")
        if self.href and text.strip() in _BACK_LINKS:
            return
        if self.shift is not None:
            text = self._shifted(text, self.shift)
        self.add(text)

    def _shifted(self, text: str, table: dict[int, int]) -> str:
        if "#" in self.href:
            self.href = ""  # a footnote's number leads nowhere outside of its page
        return text.translate(table) if all(ord(c) in table for c in text.strip()) else text

    def add(self, text: str) -> None:
        """Text as it is, in the look that is open."""
        if not text:
            return
        if self.preformatted:
            self.append(Span(text))
        else:
            self.append(Span(text, self._open, self.href))

    def append(self, span: Span) -> None:
        self._line.append(span)
        self.length += len(span.text)
        self._at_gap = span.text[-1] in " \n"
        self._newlines = 0

    def break_line(self) -> None:
        """A line break; several blank lines are one, and lines do not end in spaces."""
        if self.preformatted:
            self.add("\n")
        elif self._line and self._newlines < 2:
            last = self._line[-1]
            self._line[-1] = replace(last, text=last.text.rstrip(" "))
            newlines = self._newlines + 1
            self.append(Span("\n"))
            self._newlines = newlines

    def rule(self) -> None:
        self.blocks.append(Block("rule", (Span("───"),), quoted=self.quotes > 0))

    def end_block(self, kind: Kind | None = None) -> None:
        """End the block that is being written; nothing visible gives no block."""
        kind = kind or self._kind()
        spans = _trimmed(_joined(self._line), keep_indent=kind == "pre")
        self._line = []
        self._at_gap = True
        self._newlines = 0
        if spans:
            self.blocks.append(self._block(kind, spans))
            self.marker = ""

    def _kind(self) -> Kind:
        return "pre" if self.preformatted else "heading" if self.heading else "paragraph"

    def _block(self, kind: Kind, spans: tuple[Span, ...]) -> Block:
        return Block(
            kind,
            spans,
            level=self.heading if kind == "heading" else 0,
            quoted=self.quotes > 0,
            indent=min(len(self.lists), DEEPEST_INDENT),
            marker=self.marker,
            language=self.language if kind == "pre" else "",
        )


def _joined(line: list[Span]) -> list[Span]:
    """Neighbours of one look as one span."""
    spans = []
    for (marks, href), group in groupby(line, key=lambda span: (span.marks, span.href)):
        text = "".join(span.text for span in group)
        if text:
            spans.append(Span(text, marks, href))
    return spans


def _trimmed(spans: list[Span], *, keep_indent: bool) -> tuple[Span, ...]:
    """Without blanks at the edges; a preformatted text keeps the indentation of its first line."""
    while spans and not spans[-1].text.strip():
        spans.pop()
    start = 0
    while start < len(spans) and not spans[start].text.strip():
        start += 1
    spans = spans[start:]
    if spans:
        first = spans[0].text
        spans[0] = _with_text(spans[0], first.lstrip("\n") if keep_indent else first.lstrip())
        spans[-1] = _with_text(spans[-1], spans[-1].text.rstrip())
    return tuple(spans)


def _with_text(span: Span, text: str) -> Span:
    return span if text == span.text else replace(span, text=text)

"""Sanitised HTML read into blocks of marked text (pure).

One pass over the tags, linear in the input and in nesting depth alike. HTML5 tree builders are
quadratic in depth (30,000 nested lists take seconds), and no tree is needed here. The input has
been through `feeds.sanitize`; torn or misnested markup gives some text in some look, never an
error.
"""

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Final

from wireroom.delivery.blockwriter import BlockWriter
from wireroom.delivery.markuptags import attribute, pieces
from wireroom.delivery.richtext import Image, Mark, RichText, Span, is_web_address, one_line
from wireroom.feeds.model import SafeHtml

#: Characters of HTML that are looked at, and characters of text that are kept; an entry longer
#: than a novel is cut, not refused.
MOST_HTML: Final = 2_000_000
MOST_TEXT: Final = 200_000


def parse(html: SafeHtml, *, keep_newlines: bool = False, most_text: int = MOST_TEXT) -> RichText:
    """Read sanitised HTML; with `keep_newlines` a newline in the text is a line break.

    Reads no further once there are more than `most_text` characters of text. Only http(s) links
    stay, so that nobody mentions people by `tg://user?id=`.
    """
    reader = _Reader(keep_newlines=keep_newlines)
    end = 0
    for piece in pieces(html[:MOST_HTML]):
        reader.text(piece.text)
        if piece.name and piece.closes:
            reader.close(piece.name)
        elif piece.name:
            reader.open(piece.name, piece.attributes)
        end = piece.end
        if reader.writer.length > most_text:
            break
    reader.writer.end_block()
    writer = reader.writer
    return RichText(tuple(writer.blocks), tuple(writer.images), complete=end == len(html))


_LANGUAGE = re.compile(r"(?:^|\s)lang(?:uage)?-([A-Za-z0-9+#_.-]{1,32})(?:\s|$)")

_MARKS: Final[dict[str, Mark]] = {
    "b": "bold",
    "strong": "bold",
    "th": "bold",
    "summary": "bold",
    "i": "italic",
    "em": "italic",
    "cite": "italic",
    "var": "italic",
    "dfn": "italic",
    "figcaption": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strike",
    "strike": "strike",
    "del": "strike",
    "code": "code",
    "kbd": "code",
    "samp": "code",
    "tt": "code",
    "tg-spoiler": "spoiler",
}
_BREAKING: Final = frozenset(
    re.findall(
        r"\w+",
        "p div section article header footer main aside nav figure figcaption address details "
        "summary dl dt dd form fieldset center table caption thead tbody tfoot tr ul ol li "
        "blockquote pre h1 h2 h3 h4 h5 h6 hr iframe video audio",
    )
)
_HIDDEN: Final = frozenset(("script", "style", "head", "title", "template"))
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()aeox", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓ")


class _Reader:
    """Takes texts and tags in document order and tells the writer what they mean."""

    def __init__(self, *, keep_newlines: bool) -> None:
        self.writer = BlockWriter()
        #: One per open span: whether it hides its text.
        self.spoilers: list[bool] = []
        #: Cells of the table row met so far.
        self.cells = 0
        self._keep_newlines = keep_newlines
        self._hidden = 0

    def text(self, raw: str) -> None:
        if not raw or self._hidden:
            return
        text = unescape(raw)
        if self.writer.preformatted:
            self.writer.verbatim(text)
        elif self._keep_newlines:
            for number, line in enumerate(text.split("\n")):
                if number:
                    self.writer.break_line()
                self.writer.words(line)
        else:
            self.writer.words(text)

    def open(self, name: str, attributes: str) -> None:
        self._hidden += name in _HIDDEN
        if self._hidden:
            return
        if name in _BREAKING:
            self.writer.end_block()
        if mark := _MARKS.get(name):
            self.writer.mark(mark, +1)
        if opened := _OPENED.get(name):
            opened(self, attributes)

    def close(self, name: str) -> None:
        if self._hidden:
            self._hidden -= name in _HIDDEN
            return
        if name in _BREAKING:
            self.writer.end_block("row" if name == "tr" else None)
        if mark := _MARKS.get(name):
            self.writer.mark(mark, -1)
        if closed := _CLOSED.get(name):
            closed(self)


def _number(text: str) -> int | None:
    digits = text.removesuffix("px")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else None


def _language(attributes: str) -> str:
    found = _LANGUAGE.search(attribute(attributes, "class"))
    return found[1] if found else ""


def _open_link(reader: _Reader, attributes: str) -> None:
    href = attribute(attributes, "href")
    reader.writer.href = href if is_web_address(href) else ""


def _close_link(reader: _Reader) -> None:
    reader.writer.href = ""


def _image(reader: _Reader, attributes: str) -> None:
    alt = one_line(attribute(attributes, "alt"))
    if alt and len(alt) <= 8 and not any(c.isascii() or c.isalnum() for c in alt):
        reader.writer.add(alt)  # a drawn emoji: its text is the better picture
        return
    width, height = (_number(attribute(attributes, side)) for side in ("width", "height"))
    url = attribute(attributes, "src")
    is_tracker = any(side is not None and side <= 2 for side in (width, height))
    if is_web_address(url) and not is_tracker:
        reader.writer.images.append(Image(url, alt, width, height))


def _player(reader: _Reader, attributes: str) -> None:
    url = attribute(attributes, "src")
    if is_web_address(url):
        reader.writer.append(Span("▶ " + re.split(r"[/?#]+", url)[1], href=url))


def _open_bullets(reader: _Reader, _: str) -> None:
    reader.writer.lists.append(None)


def _open_numbers(reader: _Reader, attributes: str) -> None:
    start = _number(attribute(attributes, "start"))
    reader.writer.lists.append(1 if start is None else start)


def _close_list(reader: _Reader) -> None:
    reader.writer.marker = ""
    if reader.writer.lists:
        reader.writer.lists.pop()


def _open_item(reader: _Reader, _: str) -> None:
    lists = reader.writer.lists
    number = lists[-1] if lists else None
    reader.writer.marker = "• " if number is None else f"{number}. "
    if number is not None:
        lists[-1] = number + 1


def _close_item(reader: _Reader) -> None:
    reader.writer.marker = ""


def _open_pre(reader: _Reader, attributes: str) -> None:
    reader.writer.preformatted += 1
    reader.writer.language = _language(attributes)


def _close_pre(reader: _Reader) -> None:
    reader.writer.preformatted = max(0, reader.writer.preformatted - 1)


def _open_code(reader: _Reader, attributes: str) -> None:
    if reader.writer.preformatted and not reader.writer.language:
        reader.writer.language = _language(attributes)


def _open_row(reader: _Reader, _: str) -> None:
    reader.cells = 0


def _open_cell(reader: _Reader, _: str) -> None:
    if reader.cells and reader.writer.has_text:
        reader.writer.append(Span(" │ "))
    reader.cells += 1


def _open_span(reader: _Reader, attributes: str) -> None:
    hides = "spoiler" in attribute(attributes, "class")
    reader.spoilers.append(hides)
    reader.writer.mark("spoiler", hides)


def _close_span(reader: _Reader) -> None:
    if reader.spoilers:
        reader.writer.mark("spoiler", -reader.spoilers.pop())


def _open_quote(reader: _Reader, _: str) -> None:
    reader.writer.quotes += 1


def _close_quote(reader: _Reader) -> None:
    reader.writer.quotes = max(0, reader.writer.quotes - 1)


def _open_raised(reader: _Reader, _: str) -> None:
    reader.writer.shift = _RAISED


def _open_lowered(reader: _Reader, _: str) -> None:
    reader.writer.shift = _LOWERED


def _close_shift(reader: _Reader) -> None:
    reader.writer.shift = None


def _heading(level: int) -> Callable[[_Reader, str], None]:
    def opened(reader: _Reader, _: str) -> None:
        reader.writer.heading = level

    return opened


def _close_heading(reader: _Reader) -> None:
    reader.writer.heading = 0


_OPENED: Final[Mapping[str, Callable[[_Reader, str], None]]] = {
    "a": _open_link,
    "audio": _player,
    "blockquote": _open_quote,
    "br": lambda reader, _: reader.writer.break_line(),
    "code": _open_code,
    "hr": lambda reader, _: reader.writer.rule(),
    "iframe": _player,
    "img": _image,
    "li": _open_item,
    "ol": _open_numbers,
    "pre": _open_pre,
    "q": lambda reader, _: reader.writer.add("“"),
    "span": _open_span,
    "sub": _open_lowered,
    "sup": _open_raised,
    "td": _open_cell,
    "th": _open_cell,
    "tr": _open_row,
    "ul": _open_bullets,
    "video": _player,
} | {f"h{level}": _heading(level) for level in range(1, 7)}
_CLOSED: Final[Mapping[str, Callable[[_Reader], None]]] = {
    "a": _close_link,
    "blockquote": _close_quote,
    "li": _close_item,
    "ol": _close_list,
    "pre": _close_pre,
    "q": lambda reader: reader.writer.add("”"),
    "span": _close_span,
    "sub": _close_shift,
    "sup": _close_shift,
    "ul": _close_list,
} | {f"h{level}": _close_heading for level in range(1, 7)}

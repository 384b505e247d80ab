"""A message as a document: headings, lists and tables, for servers that know rich messages (pure).

Bot API 10.1 and later. What the publisher's HTML holds beyond the server's tags is unwrapped; what
exceeds the server's limits is no rich message at all, and goes out in the classic form.
"""

import html as escaping
from collections.abc import Iterator
from typing import Any, Final

from lxml import etree
from lxml.html import fragments_fromstring

from wireroom.delivery.message import Message
from wireroom.delivery.richtext import is_web_address, one_line, units

#: Limits of the server: visible characters, blocks, nesting, columns of a table.
MOST_UNITS: Final = 32_000
MOST_BLOCKS: Final = 480
MOST_DEPTH: Final = 14
MOST_COLUMNS: Final = 20

_BLOCKS: Final = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre"}
    | {"table", "tr", "th", "td", "hr"}
)
_INLINE: Final = {
    "b": "b",
    "strong": "b",
    "i": "i",
    "em": "i",
    "u": "u",
    "ins": "u",
    "s": "s",
    "del": "s",
    "sub": "sub",
    "sup": "sup",
    "mark": "mark",
    "code": "code",
    "kbd": "code",
}
#: Only these may hold text by themselves; between the others it is blank.
_NO_TEXT: Final = frozenset({"ul", "ol", "table", "tr"})


class _TooMuch(Exception):
    """The document is beyond a limit."""


def html(message: Message) -> str:
    """The message for `rich_message.html`; "" when the classic form is better for it."""
    if message.laid_out is not None or not message.body.strip():
        return ""
    try:
        body = "".join(_body(message.body))
    except (_TooMuch, etree.ParserError):
        return ""
    if body.count("<") == 0:
        return ""
    return f"{_head(message)}{body}{_foot(message)}"


def _head(message: Message) -> str:
    title = escaping.escape(one_line(message.title))
    if title and is_web_address(message.link):
        title = f'<a href="{escaping.escape(message.link)}">{title}</a>'
    feed = escaping.escape(one_line(message.feed_title))
    head = f"<h2>{title}</h2>" if title else ""
    return head + (f"<p><i>{feed}</i></p>" if feed else "")


def _foot(message: Message) -> str:
    if message.title.strip() or not is_web_address(message.link):
        return ""
    return (
        f'<p><a href="{escaping.escape(message.link)}">{escaping.escape(message.domain)}</a></p>'
    )


def _body(source: str) -> Iterator[str]:
    """Raises _TooMuch."""
    writer = _Writer()
    parts: list[Any] = list(fragments_fromstring(source))
    for part in parts:
        if isinstance(part, str):
            yield from writer.loose(part)
        else:
            yield from writer.element(part, depth=1)
            yield from writer.loose(part.tail or "")


class _Writer:
    """Counts as it writes."""

    def __init__(self) -> None:
        self._units = 0
        self._blocks = 0

    def loose(self, text: str) -> Iterator[str]:
        """Text outside of any block becomes a paragraph."""
        if text.strip():
            self._block()
            yield f"<p>{self.text(text)}</p>"

    def text(self, text: str) -> str:
        self._units += units(text)
        if self._units > MOST_UNITS:
            raise _TooMuch
        return escaping.escape(text)

    def element(self, element: Any, *, depth: int) -> Iterator[str]:
        tag: Any = element.tag
        if not isinstance(tag, str):  # a comment
            return
        if depth > MOST_DEPTH:
            raise _TooMuch
        if tag == "br":
            yield "\n"
        elif tag == "hr":
            self._block()
            yield "<hr>"
        elif tag in _BLOCKS:
            yield from self._as_block(element, tag, depth)
        elif tag == "a" and is_web_address(element.get("href") or ""):
            yield f'<a href="{escaping.escape(element.get("href") or "")}">'
            yield from self._inside(element, depth)
            yield "</a>"
        elif tag in _INLINE:
            yield f"<{_INLINE[tag]}>"
            yield from self._inside(element, depth)
            yield f"</{_INLINE[tag]}>"
        else:
            yield from self._inside(element, depth)

    def _as_block(self, element: Any, tag: str, depth: int) -> Iterator[str]:
        self._block()
        if tag == "tr" and len(element) > MOST_COLUMNS:
            raise _TooMuch
        yield f"<{tag}>"
        yield from self._inside(element, depth, with_text=tag not in _NO_TEXT)
        yield f"</{tag}>"

    def _inside(self, element: Any, depth: int, *, with_text: bool = True) -> Iterator[str]:
        if element.text and with_text:
            yield self.text(element.text)
        for child in element:
            yield from self.element(child, depth=depth + 1)
            if child.tail and with_text:
                yield self.text(child.tail)

    def _block(self) -> None:
        self._blocks += 1
        if self._blocks > MOST_BLOCKS:
            raise _TooMuch

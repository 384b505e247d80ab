"""Blocks written as Discord's markdown (pure).

Escaped so that a feed's text shows as it was written: no mention, emoji code, timestamp or link
comes of it. Marks are written line by line, since a quote's "> " would tear them.
"""

import re
from collections.abc import Sequence
from typing import Final

from wireroom.delivery.richtext import Block, Mark, Span, cut, gap, lead, length, units

#: A longer address is text without a link.
LONGEST_LINK: Final = 1000

_SIGNS: Final[dict[Mark, str]] = {
    "italic": "*",
    "bold": "**",
    "underline": "__",
    "strike": "~~",
    "spoiler": "||",
}
_BOLD: Final = frozenset[Mark](("bold",))
# Between a closing and an opening sign, so that "**a**" and "*b*" do not run into one.
_NOTHING: Final = "\u200b"
_SPECIAL = re.compile(r"[\\*_~|`<>@\[\]]")
# Headings, list signs and subtext; of a number it is the dot that makes a list.
_LINE_START = re.compile(r"(?m)^[^\S\n]*(?:\d+(?=[.)])|(?=[#+-]))")
_BARE_URL = re.compile(r"https?://[^\s<>\"\\^`{|}]+[^\s<>\"\\^`{|}.,;:!?)\]'*_~]", re.IGNORECASE)
_LOOKS_LIKE_URL = re.compile(r"\s*(?:https?://|www\.)\S+\s*", re.IGNORECASE)
_UNSAFE_IN_LINK = str.maketrans(
    {"(": "%28", ")": "%29", "<": "%3C", ">": "%3E", " ": "%20", "\\": "%5C"}
)


def markdown(blocks: Sequence[Block]) -> str:
    """The blocks as the description of an embed or the content of a message."""
    pieces: list[str] = []
    before: Block | None = None
    for block in blocks:
        if before is not None:
            between = gap(before, block)
            both_quoted = before.quoted and block.quoted and len(between) > 1
            pieces.append("\n> \n" if both_quoted else between)
        pieces.append(_block(block))
        before = block
    return "".join(pieces)


def fitting(blocks: Sequence[Block], limit: int, *, ellipsis: str) -> str:
    """The markdown of as much of the blocks as fits into `limit` UTF-16 units.

    Signs and addresses take room that a reader does not see, so the visible length is searched.
    """
    text = markdown(blocks)
    if units(text) <= limit:
        return text
    low, high = 0, min(limit, length(blocks))
    fitted = ""
    while low < high:
        middle = (low + high + 1) // 2
        text = markdown(cut(blocks, middle, ellipsis=ellipsis))
        if units(text) <= limit:
            low, fitted = middle, text
        else:
            high = middle - 1
    return fitted


def escaped(text: str) -> str:
    """Plain text for a place that reads markdown; addresses in it stay addresses."""
    pieces = []
    position = 0
    for url in _BARE_URL.finditer(text):
        pieces.append(_signs_escaped(text[position : url.start()]))
        pieces.append(f"<{url[0]}>")
        position = url.end()
    pieces.append(_signs_escaped(text[position:]))
    return _LINE_START.sub(r"\g<0>\\", "".join(pieces))


def escaped_words(text: str) -> str:
    """Plain text for a title, where addresses are text like any other."""
    return _LINE_START.sub(r"\g<0>\\", _signs_escaped(text))


def _signs_escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _block(block: Block) -> str:
    text = _pre(block) if block.kind == "pre" else _head(block) + _inline(block)
    return "\n".join(f"> {line}" for line in text.split("\n")) if block.quoted else text


def _head(block: Block) -> str:
    if block.kind == "heading" and block.level <= 3:
        return "#" * block.level + " "
    return lead(block).replace("• ", "- ")


def _pre(block: Block) -> str:
    text = re.sub("`(?=``)", f"`{_NOTHING}", block.text)
    return f"{lead(block).replace('• ', '- ')}```{block.language}\n{text}\n```"


def _inline(block: Block) -> str:
    is_bold = block.kind == "heading" and block.level > 3
    written = ""
    for span in block.spans:
        text = span.text.replace("\n", " ") if block.kind == "heading" else span.text
        marks = span.marks | _BOLD if is_bold else span.marks
        for number, line in enumerate(text.split("\n")):
            piece = _line(Span(line, marks, span.href))
            if number:
                written += "\n"
            elif written[-1:] in set("*_~|`") and piece[:1] in set("*_~|`"):
                written += _NOTHING
            written += piece
    return written


def _line(span: Span) -> str:
    """One look, one line; blanks at the edges stay outside of the signs."""
    core = span.text.strip()
    if not core:
        return span.text
    before, _, after = span.text.partition(core)
    if "code" in span.marks and not span.href:
        return before + _code(core) + after
    text = (
        _link(core, span.href) if span.href and len(span.href) <= LONGEST_LINK else escaped(core)
    )
    for mark, sign in _SIGNS.items():
        if mark in span.marks:
            text = f"{sign}{text}{sign}"
    return before + text + after


def _code(text: str) -> str:
    if "`" not in text:
        return f"`{text}`"
    broken = re.sub("`(?=`)", f"`{_NOTHING}", text)
    return f"`` {broken} ``"


def _link(text: str, href: str) -> str:
    """A masked link, unless the text is an address: Discord masks none by another."""
    target = href.translate(_UNSAFE_IN_LINK)
    if _LOOKS_LIKE_URL.fullmatch(text):
        return f"<{target}>"
    return f"[{escaped_words(text)}]({target})"

"""What Discord's client makes of markdown, written from its documentation and guides only."""

import re
from collections.abc import Iterator
from typing import Final

#: A visible character and the looks that it has.
Shown = tuple[str, frozenset[str]]

_CODE: Final = (
    ("fence", re.compile(r"```(?:[\w+.#-]*\n)?\n*([\s\S]+?)\n*```")),
    ("code", re.compile(r"(`+) ?([\s\S]*?[^`]) ?\1(?!`)")),
)
_WHOLE: Final = re.compile(r"<(?:https?://[^\s>]+|[@#]&?!?\d+|t:\d+(?::\w)?|a?:\w+:\d+)>")
_URL: Final = re.compile(r"https?://[^\s<]+[^\s<.,:;\"'\])]")
_LINK: Final = re.compile(r"\[((?:\\.|[^\[\]\\])+)\]\(<?((?:[^()\s<>])+)>?\)")
_MARKS: Final = (
    ("bold", re.compile(r"\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)")),
    ("underline", re.compile(r"__((?:\\[\s\S]|[^\\])+?)__(?!_)")),
    (
        "italic",
        re.compile(
            r"\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)"
        ),
    ),
    ("italic", re.compile(r"\b_((?:__|\\[\s\S]|[^\\_])+?)_\b")),
    ("strike", re.compile(r"~~([\s\S]+?)~~")),
    ("spoiler", re.compile(r"\|\|([\s\S]+?)\|\|")),
)
_HEAD: Final = re.compile(r"(#{1,3}|-#) +")


def shown(text: str) -> list[Shown]:
    """The visible characters of a message."""
    return list(_blocks(text, frozenset()))


def _blocks(text: str, looks: frozenset[str]) -> Iterator[Shown]:
    """Quotes are read by themselves, without what their lines begin with."""
    quoted: list[str] = []
    plain: list[str] = []
    for line in [*text.split("\n"), None]:
        is_quote = line is not None and line.startswith("> ")
        if quoted and not is_quote:
            yield from _inline("\n".join(quoted), looks | {"quote"}, at_line=True)
            quoted = []
        if plain and (is_quote or line is None):
            yield from _inline("\n".join(plain), looks, at_line=True)
            plain = []
        if line is not None:
            (quoted if is_quote else plain).append(line.removeprefix("> ") if is_quote else line)


def _inline(text: str, looks: frozenset[str], *, at_line: bool = False) -> Iterator[Shown]:
    place = 0
    while place < len(text):
        step, made = _next(text, place, looks, at_line=at_line)
        yield from made
        at_line = text[place + step - 1] == "\n"
        place += step


def _next(
    text: str, place: int, looks: frozenset[str], *, at_line: bool
) -> tuple[int, list[Shown]]:
    if at_line and (head := _HEAD.match(text, place)):
        line, _, _ = text[head.end() :].partition("\n")
        size = head.end() - place + len(line)
        return size, list(_inline(line, looks | {f"head {head[1]}"}))
    if text[place] == "\\" and re.match(r"[^\s0-9A-Za-z]", text[place + 1 : place + 2]):
        return 2, [(text[place + 1], looks)]
    for name, pattern in _CODE:
        if found := pattern.match(text, place):
            return len(found[0]), [(each, looks | {name}) for each in found[found.lastindex or 1]]
    for pattern in (_WHOLE, _URL):
        if found := pattern.match(text, place):
            return len(found[0]), [(found[0], looks | {"whole"})]
    if found := _LINK.match(text, place):
        return len(found[0]), list(_inline(found[1], looks | {f"link {found[2]}"}))
    for name, pattern in _MARKS:
        if found := pattern.match(text, place):
            return len(found[0]), list(_inline(found[1], looks | {name}))
    return 1, [(text[place], looks)]

"""What can be made out of JSON that no parser takes: cut off, or with mistakes in its middle.

Values are read one by one, each strictly where that works, so that a mistake costs the value
around it and not the document. Behind a mistake reading goes on at the next member or item.
"""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass

#: Values within values; what lies deeper is left out.
_DEPTH = 12
#: Characters read in vain for each character of the document, so that time stays linear.
_EFFORT = 8
#: Members whose text is worth having without its end. Half an address or identifier is another's.
_TEXTS = frozenset({"title", "summary", "content_html", "content_text", "description"})

_DECODER = json.JSONDecoder(strict=False)
_BLANKS = re.compile(r"[\s,]*")
_KEY = re.compile(r'[\s,]*"((?:[^"\\]|\\.)*+)"\s*:\s*', re.DOTALL)
#: The quote that ends a text with quotes in it: a member, or the end of the object, follows.
_LAST_QUOTE = re.compile(r'"\s*(?=,\s*"[\w.-]{1,40}"\s*:|\}\s*(?:[,\]}]|\Z))')
_INNER_QUOTE = re.compile(r'(\\.)|"', re.DOTALL)
_BROKEN_ESCAPE = re.compile(r"(\\\\)|\\(?:u[0-9a-fA-F]{0,3})?\Z|\\(?![\"\\/bfnrtu])", re.DOTALL)
_NEXT_MEMBER = re.compile(r',\s*(?="[\w.-]{1,40}"\s*:)|[}\]]')
_NEXT_ITEM = re.compile(r"[\[{\]]")


class _Cut(Exception):
    """The document ended within a value; `value` is what was read of it."""

    def __init__(self, value: object) -> None:
        self.value = value


def read(text: str) -> dict[str, object] | None:
    """The object that `text` begins with, without what cannot be read; None when it is none."""
    if not text.startswith("{"):
        return None
    try:
        value, _ = _Loose(text, _EFFORT * len(text)).members(0, _DEPTH)
    except _Cut as cut:
        return cut.value if isinstance(cut.value, dict) else None
    return value


@dataclass(slots=True)
class _Loose:
    """Reads values of `text`. All methods raise ValueError, or _Cut at the end of the text."""

    text: str
    #: Characters that may still be read in vain; then the rest is given up.
    effort: int

    def value(self, at: int, depth: int) -> tuple[object, int]:
        """The value at `at` and where it ends."""
        try:
            return _DECODER.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            self._tried(error.pos - at)
        except RecursionError:
            self._tried(sys.getrecursionlimit())
        if depth == 0:
            raise ValueError("too deep")
        match self.text[at : at + 1]:
            case "{":
                return self.members(at, depth - 1)
            case "[":
                return self.items(at, depth - 1)
            case '"':
                return self.string(at)
            case "":
                raise _Cut(None)
        raise ValueError("no value")

    def _tried(self, characters: int) -> None:
        self.effort -= characters + 1
        if self.effort < 0:
            raise _Cut(None)

    def members(self, at: int, depth: int) -> tuple[dict[str, object], int]:
        found: dict[str, object] = {}
        at += 1
        while key := _KEY.match(self.text, at):
            try:
                found[key[1]], at = self._member(key.end(), depth)
            except _Cut as cut:
                raise _Cut(_without_halves(found, key[1], cut.value)) from None
            except ValueError:
                at = _next(_NEXT_MEMBER, self.text, key.end(), found)
        at = _behind_blanks(self.text, at)
        if at >= len(self.text) or self.text[at] == '"':  # a key that was cut
            raise _Cut(found)
        return found, at + (self.text[at] == "}")

    def _member(self, at: int, depth: int) -> tuple[object, int]:
        """A member's value, which must be followed by what may follow one."""
        value, end = self.value(at, depth)
        if isinstance(value, str) and not _is_end(self.text, end):
            return self.string(at)  # the quote that ended it belongs to the text
        return value, end

    def items(self, at: int, depth: int) -> tuple[list[object], int]:
        found: list[object] = []
        at += 1
        while True:
            at = _behind_blanks(self.text, at)
            if self.text[at : at + 1] == "]":
                return found, at + 1
            try:
                value, at = self.value(at, depth)
            except _Cut as cut:
                raise _Cut(found + [cut.value] * _is_whole_enough(cut.value)) from None
            except ValueError:
                at = _next(_NEXT_ITEM, self.text, at + 1, found)
            else:
                found.append(value)

    def string(self, at: int) -> tuple[str, int]:
        """A text with quotes in it that are not marked as such."""
        end = _LAST_QUOTE.search(self.text, at + 1)
        raw = self.text[at + 1 : end.start() if end else len(self.text)]
        self._tried(len(raw))
        if end is None and _has_quotes(raw):
            raise ValueError("no end in sight")
        raw = _BROKEN_ESCAPE.sub(lambda match: match[1] or "", raw)
        raw = _INNER_QUOTE.sub(lambda match: match[1] or '\\"', raw)
        value = str(_DECODER.decode(f'"{raw}"'))
        if end is None:
            raise _Cut(value)
        return value, end.end()


def _next(pattern: re.Pattern[str], text: str, at: int, found: object) -> int:
    """Where reading goes on behind a mistake; raises _Cut with what was `found` if nowhere."""
    following = pattern.search(text, at)
    if following is None:
        raise _Cut(found)
    return following.start()


def _behind_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _is_end(text: str, at: int) -> bool:
    rest = text[at : at + 64].lstrip()
    return not rest or rest[0] in ",}]" or _KEY.match(rest) is not None  # a comma was forgotten


def _has_quotes(raw: str) -> bool:
    return any(match[1] is None for match in _INNER_QUOTE.finditer(raw))


def _without_halves(found: Mapping[str, object], key: str, value: object) -> dict[str, object]:
    if value is None or (isinstance(value, str) and key not in _TEXTS):
        return dict(found)
    return {**found, key: value}


def _is_whole_enough(value: object) -> bool:
    """Whether an item without its end can be told from others: by its identifier alone."""
    return isinstance(value, dict) and bool(value.get("id"))

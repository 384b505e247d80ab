"""Regular expressions for people's languages on an engine of linear time (pure).

RE2 knows \\w, \\d, \\s and \\b as ASCII only: \\bпривет\\b would never match. The first three are
spelled as Unicode classes. \\b has no such spelling; at the edge of an alternative, where it
nearly always stands, it becomes "the start, or something that is no letter", which comes to
the same for
whoever only asks whether a text matches. Elsewhere it stays, and must stand beside ASCII.
"""

from functools import lru_cache
from typing import Any, Final

import re2

from wireroom.errors import UserError

MOST_CHARACTERS: Final = 500
#: Memory of one compiled pattern, in bytes; what RE2 cannot fit it refuses.
_MOST_MEMORY: Final = 1 << 20
_WORD: Final = r"\p{L}\p{M}\p{N}_"
_OUTSIDE: Final = {
    "w": f"[{_WORD}]",
    "W": f"[^{_WORD}]",
    "d": r"\p{Nd}",
    "D": r"\P{Nd}",
    "s": r"[\s\p{Z}]",
    "S": r"[^\s\p{Z}]",
}
_INSIDE: Final = {"w": _WORD, "d": r"\p{Nd}", "D": r"\P{Nd}", "s": r"\s\p{Z}"}
_START: Final = rf"(?:\A|[^{_WORD}])"
_END: Final = rf"(?:\z|[^{_WORD}])"


@lru_cache(maxsize=4096)
def compiled(pattern: str, *, any_case: bool = True) -> Any:
    """The pattern, ready for `search`. Raises UserError (`invalid_filter`) with what is wrong."""
    if len(pattern) > MOST_CHARACTERS:
        raise UserError(
            f"A regular expression has at most {MOST_CHARACTERS} characters.",
            code="invalid_filter",
        )
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not any_case
    options.max_mem = _MOST_MEMORY
    try:
        return re2.compile(_unicode(pattern), options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        words = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise UserError(
            f"/{pattern}/ is no regular expression that we can use: {_in_words(words)}. "
            "Look-around and back-references are not available.",
            code="invalid_filter",
        ) from error
    except UnicodeEncodeError as error:
        raise UserError(f"/{pattern!a}/ holds half a character.", code="invalid_filter") from error


#: What the engine says, by its beginning; behind it stands the place.
_ENGINE_WORDS: Final = {
    "missing )": "a ( is never closed",
    "missing ]": "a [ is never closed",
    "unexpected )": "a ) closes nothing",
    "no argument for repetition operator": "before {} stands nothing that could be repeated",
    "bad repetition operator": "{} repeats a repetition",
    "invalid repetition size": "{} repeats too often (1000 times are the most)",
    "invalid perl operator": "{} is not available",
    "invalid named capture group": "{} is no name of a group, such as (?P<name>…)",
    "invalid character class range": "{} is no range of characters",
    "invalid escape sequence": "{} means nothing here",
    "trailing \\": "a \\ at the end stands before nothing",
}


def _in_words(said: str) -> str:
    beginning, _, near = said.partition(": ")
    words = _ENGINE_WORDS.get(beginning)
    return words.format(near) if words else said


def _unicode(pattern: str) -> str:
    """The pattern with its ASCII classes spelled for all scripts."""
    written: list[str] = []
    in_class = False
    place = 0
    while place < len(pattern):
        character = pattern[place]
        if character != "\\" or place + 1 == len(pattern):
            if in_class:
                in_class = character != "]"
            elif character == "[":
                in_class = True
                opened = _class_start(pattern, place)  # a "]" right behind "[" or "[^" is itself
                written.append(pattern[place:opened])
                place = opened
                continue
            written.append(character)
            place += 1
            continue
        letter = pattern[place + 1]
        if letter == "Q" and not in_class:  # quoted up to \E: nothing in it means anything
            end = pattern.find("\\E", place)
            end = len(pattern) if end < 0 else end + 2
            written.append(pattern[place:end])
            place = end
            continue
        written.append(_escape(pattern, place, letter, in_class=in_class))
        place += 2
    return "".join(written)


def _class_start(pattern: str, place: int) -> int:
    place += 2 if pattern[place + 1 : place + 2] == "^" else 1
    return place + 1 if pattern[place : place + 1] == "]" else place


def _escape(pattern: str, place: int, letter: str, *, in_class: bool) -> str:
    if in_class:
        if letter in "WS":
            raise UserError(
                f"\\{letter} cannot stand inside [ ]; write what is meant the other way round.",
                code="invalid_filter",
            )
        return _INSIDE.get(letter, "\\" + letter)
    if letter == "b":
        return _boundary(pattern, place)
    return _OUTSIDE.get(letter, "\\" + letter)


def _boundary(pattern: str, place: int) -> str:
    before, behind = pattern[:place], pattern[place + 2 :]
    if not before or before[-1] == "|" or before.endswith(("(", "(?:")) or before == "(?i)":
        return _START
    if not behind or behind[0] == "|" or (behind[0] == ")" and behind.strip(")") == ""):
        return _END
    beside = before[-1] + behind[0]
    if not beside.isascii():
        raise UserError(
            "\\b beside letters that are not ASCII can stand only at the beginning or the end of "
            "a pattern or of an alternative.",
            code="invalid_filter",
        )
    return "\\b"

"""A filter as it was understood: a small frozen tree (pure)."""

from dataclasses import dataclass
from typing import Literal

#: Where a word is looked for; "" is everywhere: title, text, author, categories and address.
Field = Literal["", "title", "text", "author", "category", "url", "feed"]
Thing = Literal["enclosure", "image", "audio", "video", "link", "text", "author", "category"]
Comparison = Literal["<", "<=", "=", ">=", ">"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase, as typed; blanks in it stand for any blanks."""

    text: str
    field: Field = ""


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression that is known to compile."""

    pattern: str
    field: Field = ""


@dataclass(frozen=True, slots=True)
class Has:
    """The entry has such a thing."""

    thing: Thing


@dataclass(frozen=True, slots=True)
class Language:
    """The entry's language, or its feed's; "de" takes "de-AT" in."""

    tag: str


@dataclass(frozen=True, slots=True)
class Length:
    """So many words of text."""

    comparison: Comparison
    words: int


@dataclass(frozen=True, slots=True)
class Not:
    inner: "Filter"


@dataclass(frozen=True, slots=True)
class And:
    """All of two or more; none of them is an And."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One of two or more; none of them is an Or."""

    parts: tuple["Filter", ...]


Filter = Word | Regex | Has | Language | Length | Not | And | Or


def both(parts: list[Filter]) -> Filter:
    """And of the parts, flattened; one part is itself."""
    flat = [leaf for part in parts for leaf in (part.parts if isinstance(part, And) else (part,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def either(parts: list[Filter]) -> Filter:
    """Or of the parts, flattened; one part is itself."""
    flat = [leaf for part in parts for leaf in (part.parts if isinstance(part, Or) else (part,))]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))

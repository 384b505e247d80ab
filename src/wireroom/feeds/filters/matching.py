"""Whether an entry passes a filter, and why (pure).

Words are compared without regard to case and composition, as parts of words: "cat" is in
"concatenate", as people who filter with el_monitorro are used to (TGD-37).
"""

import operator
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from wireroom.feeds.filters.language import unparse
from wireroom.feeds.filters.patterns import compiled
from wireroom.feeds.filters.tree import (
    And,
    Field,
    Filter,
    Has,
    Language,
    Length,
    Not,
    Or,
    Regex,
    Thing,
    Word,
)

#: Characters of a text that are looked at; nobody filters by the end of a novel.
MOST_TEXT: Final = 200_000
_LONGEST_REASON: Final = 200


@dataclass(frozen=True)
class Subject:
    """What a filter looks at; all plain text. `things` are those of `Has`, besides texts."""

    title: str = ""
    text: str = ""
    author: str = ""
    categories: tuple[str, ...] = ()
    url: str = ""
    feed: str = ""
    language: str = ""
    things: frozenset[Thing] = frozenset()
    #: What a word without a field is looked for in; "" is title, text, author, categories, url.
    everywhere: str = ""

    @cached_property
    def word_count(self) -> int:
        return len(self.text[:MOST_TEXT].split())

    def text_of(self, field: Field) -> str:
        """The text of a field as it was written, cut to what is looked at."""
        texts: Mapping[Field, str] = {
            "title": self.title,
            "text": self.text,
            "author": self.author,
            "category": " | ".join(self.categories),
            "url": self.url,
            "feed": self.feed,
        }
        if field:
            return texts[field][:MOST_TEXT]
        if self.everywhere:
            return self.everywhere[:MOST_TEXT]
        named: tuple[Field, ...] = ("title", "text", "author", "category", "url")
        return "\n".join(texts[name][:MOST_TEXT] for name in named)

    def folded(self, field: Field) -> str:
        """The text of a field as words are compared with it."""
        known: dict[Field, str] = self.__dict__.setdefault("_folded", {})
        if field not in known:
            known[field] = fold(self.text_of(field))
        return known[field]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an entry passes, and the part of the filter that decided, in words."""

    passes: bool
    because: str


def fold(text: str) -> str:
    """Text as it is compared: composed, without case, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


_fold_word = lru_cache(maxsize=8192)(fold)


def matches(tree: Filter, subject: Subject) -> Verdict:
    """Judge one entry by one filter."""
    passes, decisive = _judge(tree, subject)
    return Verdict(passes, _in_words(passes, decisive))


def _in_words(passes: bool, decisive: Filter) -> str:
    """As people say it: nobody reads "does not match NOT storm" without thinking twice."""
    if isinstance(decisive, Not):
        return f"{'free of' if passes else 'left out by'} {_named(decisive.inner)}"
    return f"{'matches' if passes else 'does not match'} {_short(unparse(decisive))}"


def _named(tree: Filter) -> str:
    shown = _short(unparse(tree))
    is_bare = isinstance(tree, Word) and not tree.field and not shown.startswith('"')
    return f'"{shown}"' if is_bare else shown


def _short(shown: str) -> str:
    return shown if len(shown) <= _LONGEST_REASON else shown[: _LONGEST_REASON - 1] + "…"


def _judge(tree: Filter, subject: Subject) -> tuple[bool, Filter]:
    """The judgement, and the smallest part of the tree that explains it."""
    match tree:
        case And(parts):
            return _first(parts, subject, stop_at=False, otherwise=tree)
        case Or(parts):
            return _first(parts, subject, stop_at=True, otherwise=tree)
        case Not(inner):
            holds, decisive = _judge(inner, subject)
            return not holds, decisive.inner if isinstance(decisive, Not) else Not(decisive)
    return _holds(tree, subject), tree


def _first(
    parts: tuple[Filter, ...], subject: Subject, *, stop_at: bool, otherwise: Filter
) -> tuple[bool, Filter]:
    for part in parts:
        passes, decisive = _judge(part, subject)
        if passes is stop_at:
            return passes, decisive
    return not stop_at, otherwise


_COMPARED: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}


def _holds(leaf: Word | Regex | Has | Language | Length, subject: Subject) -> bool:
    match leaf:
        case Word(text, field):
            return _fold_word(text) in subject.folded(field)
        case Regex(pattern, field):
            text = subject.text_of(field).encode("utf-8", "replace").decode()
            return compiled(pattern).search(text) is not None
        case Has(thing):
            return _has(thing, subject)
        case Language(tag):
            spoken = subject.language.lower().replace("_", "-")
            return spoken == tag or spoken.startswith(f"{tag}-")
        case Length(comparison, words):
            return _COMPARED[comparison](subject.word_count, words)


def _has(thing: Thing, subject: Subject) -> bool:
    match thing:
        case "text":
            return bool(subject.text.strip())
        case "author":
            return bool(subject.author.strip())
        case "category":
            return bool(subject.categories)
        case "link":
            return bool(subject.url)
    return thing in subject.things

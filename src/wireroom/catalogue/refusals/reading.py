"""Finding the text behind an English sentence whose values are filled in already (pure)."""

import re
import string
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from wireroom.catalogue.text import Language, Text

#: Characters. Longer sentences hold somebody else's text, and stay as they are.
_LONGEST: Final = 1000
_BETWEEN: Final = "; "

#: What a value looks like, by its name in the text; others are anything.
_SHAPES: Final = {
    "n": r"[\d.,]+",
    "m": r"[\d.,]+",
    "host": r"\S+",
    "word": r"[\w+-]+",
    "words": r"[\w+-]+(?:, [\w+-]+)*",
    "why_whose": r"(?:of|for) (?:the |this )?\w+",
    "rule": r"(?:(?!; ).)+",
    "filter": r"(?:(?!; ).)+",
}


class Phrasebook:
    """Texts, found by their English sentence.

    A value named `why…` is a sentence or part of one, and is translated as well.
    """

    def __init__(self, texts: Iterable[Text]) -> None:
        self._texts = tuple(texts)

    def translated(self, sentence: str, language: Language) -> str:
        """`sentence` in `language`; as it is when no text fits.

        A sentence inside of another one may have lost its full stop, or a phrase won one; several
        reasons stand side by side with semicolons between them.
        """
        if found := self._found(sentence, language):
            return found
        first, semicolon, others = sentence.partition(_BETWEEN)
        if semicolon and len(sentence) <= _LONGEST:
            parts = (first, *others.split(_BETWEEN))
            return _BETWEEN.join(self.translated(part, language) for part in parts)
        if sentence.endswith("."):
            found = self._found(sentence[:-1], language)
            return sentence if found is None else f"{found.removesuffix('.')}."
        found = self._found(f"{sentence}.", language)
        return sentence if found is None else found.removesuffix(".")

    def knows(self, sentence: str) -> bool:
        return self._match(sentence) is not None

    def _found(self, sentence: str, language: Language) -> str | None:
        matched = self._match(sentence)
        if matched is None:
            return None
        text, values = matched
        return text.say(
            language,
            **{
                name: self.translated(value, language) if name.startswith("why") else value
                for name, value in values.items()
            },
        )

    def _match(self, sentence: str) -> tuple[Text, dict[str, str]] | None:
        # Telegram's library begins its sentences with a capital that was none.
        if text := self._plain.get(sentence) or self._plain.get(
            sentence[:1].lower() + sentence[1:]
        ):
            return text, {}
        if len(sentence) > _LONGEST:
            return None
        for pattern, text in self._patterns:
            if found := pattern.fullmatch(sentence):
                return text, found.groupdict()
        return None

    @cached_property
    def _plain(self) -> dict[str, Text]:
        return {text.en.format(): text for text in self._texts if not _has_values(text)}

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], Text]]:
        """Those with the most words of their own first: they fit the fewest sentences."""
        texts = sorted(filter(_has_values, self._texts), key=_own_characters, reverse=True)
        return [(_pattern(text), text) for text in texts]


def _pieces(text: Text) -> Iterator[tuple[str, str | None]]:
    for literal, name, _, _ in string.Formatter().parse(text.en):
        yield literal, name


def _has_values(text: Text) -> bool:
    return any(name is not None for _, name in _pieces(text))


def _own_characters(text: Text) -> int:
    return sum(len(literal) for literal, _ in _pieces(text))


def _pattern(text: Text) -> re.Pattern[str]:
    parts = []
    for literal, name in _pieces(text):
        parts.append(re.escape(literal))
        if name is not None:
            parts.append(f"(?P<{name}>{_SHAPES.get(name, '.+?')})")
    return re.compile("".join(parts), re.DOTALL)

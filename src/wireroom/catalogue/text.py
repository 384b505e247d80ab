"""Texts in several languages, and which language somebody is spoken to in (pure)."""

import html
from dataclasses import dataclass
from typing import Final, Literal, get_args

Language = Literal["en", "de"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
DEFAULT: Final[Language] = "en"


def language_of(code: str | None) -> Language:
    """The language for an IETF tag such as `de-AT`, as Telegram and Discord give them."""
    primary = (code or "").partition("-")[0].lower()
    return next((each for each in LANGUAGES if each == primary), DEFAULT)


@dataclass(frozen=True, slots=True)
class Text:
    """One text, with `{names}` where values go."""

    en: str
    de: str

    def say(self, language: Language, /, **values: object) -> str:
        """The text in a language, the values as they are."""
        return self._template(language).format(**values)

    def html(self, language: Language, /, **values: object) -> str:
        """The same for HTML: the text may hold markup, and the values are escaped."""
        escaped = {name: html.escape(str(value)) for name, value in values.items()}
        return self._template(language).format(**escaped)

    def _template(self, language: Language) -> str:
        return self.de if language == "de" else self.en


@dataclass(frozen=True, slots=True)
class Plural:
    """A text that counts; `{n}` is the number. English and German both know one and other."""

    one: Text
    other: Text

    def of(self, n: int) -> Text:
        return self.one if n == 1 else self.other

    def say(self, language: Language, n: int, /, **values: object) -> str:
        return self.of(n).say(language, n=n, **values)

    def html(self, language: Language, n: int, /, **values: object) -> str:
        return self.of(n).html(language, n=n, **values)

"""Texts say the same in every language."""

import importlib
import pkgutil
import string
from collections.abc import Iterator, Mapping

import pytest

from tests.servers.telegram_html import CannotParse, read_html
from wireroom import catalogue
from wireroom.catalogue import LANGUAGES, Plural, Text, language_of

GREETING = Text(en="Hello <b>{name}</b>", de="Hallo <b>{name}</b>")
WAITING = Plural(
    one=Text(en="{n} item waits", de="{n} Beitrag wartet"),
    other=Text(en="{n} items wait", de="{n} Beiträge warten"),
)


@pytest.mark.parametrize(
    ("expected", "code"),
    [("de", "de"), ("de", "de-AT"), ("de", "DE"), ("en", "en-GB"), ("en", "fr"), ("en", None)],
)
def test_language_of(expected: str, code: str | None) -> None:
    """A person's tag chooses one of our languages, English where we do not speak theirs."""
    assert expected == language_of(code)


def test_values_are_said_as_they_are() -> None:
    """Plain text needs no escaping."""
    assert "Hallo <b>A & B</b>" == GREETING.say("de", name="A & B")


def test_values_are_escaped_in_html() -> None:
    """Whatever a publisher or a person wrote stays text."""
    assert "Hello <b>&lt;i&gt;&amp;</b>" == GREETING.html("en", name="<i>&")


def test_braces_in_values_stay() -> None:
    """A value is never read as a template."""
    assert "Hello <b>{secret.key}</b>" == GREETING.say("en", name="{secret.key}")


@pytest.mark.parametrize(("expected", "n"), [("0 Beiträge warten", 0), ("1 Beitrag wartet", 1)])
def test_counting(expected: str, n: int) -> None:
    """One is one, and everything else is many."""
    assert expected == WAITING.say("de", n)


def _texts() -> Iterator[tuple[str, Text]]:
    for found in pkgutil.walk_packages(catalogue.__path__, f"{catalogue.__name__}."):
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            # Tables of refusals may leave the English detail out where the words say it all.
            for part in () if name.startswith("_") else _parts(value):
                yield f"{found.name}.{name}", part


def _parts(value: object) -> Iterator[Text]:
    """The texts in a module's value: plurals, tables and rows of them included."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Plural):
        yield from (value.one, value.other)
    elif isinstance(value, Mapping | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _parts(each)


def _names(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_all_languages_have_the_same_values() -> None:
    """A value that one language shows is not missing in another, and no text is empty."""
    odd = [
        name
        for name, text in _texts()
        if not all(getattr(text, language).strip() for language in LANGUAGES)
        or len({frozenset(_names(getattr(text, language))) for language in LANGUAGES}) > 1
    ]
    assert [] == odd


def test_texts_for_telegram_close_their_tags() -> None:
    """Markup in both languages is what Telegram's parser takes."""
    odd = []
    for name, text in _texts():
        for language in LANGUAGES if ".telegram." in name else ():
            try:
                read_html(getattr(text, language))
            except CannotParse as error:
                odd.append((name, str(error)))
    assert [] == odd

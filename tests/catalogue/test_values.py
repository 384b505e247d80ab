"""Values of settings are read and written in the language of the chat."""

import pytest

from wireroom.catalogue.values import WORDS, duration, meant, spelled


@pytest.mark.parametrize(
    ("expected", "name", "value"),
    [
        ("an", "preview", True),
        ("aus", "silent", False),
        ("automatisch", "media", "auto"),
        ("ganz", "source", "full"),
        ("270", "content", 270),
        ("all", "filter", "all"),
    ],
    ids=["on", "off", "media", "source", "number", "own-words"],
)
def test_spelled(expected: str, name: str, value: object) -> None:
    """Switches and words to choose from are translated, what somebody wrote is not."""
    assert expected == spelled(name, value, "de")


def test_what_is_shown_can_be_written() -> None:
    """Every word of the menus is understood when somebody types it, however it is capitalised."""
    shown = {word: spelled("media", word, "de") for word in WORDS}
    assert list(WORDS) == [meant("media", text.upper()) for text in shown.values()]


def test_own_words_are_kept_as_typed() -> None:
    """A filter for "alles" is no filter for "all"."""
    assert "alles" == meant("filter", "alles")


@pytest.mark.parametrize(
    ("expected", "unit"), [("5 Min.", "min"), ("5 Std.", "h"), ("5 Tg.", "d"), ("5 s", "s")]
)
def test_duration(expected: str, unit: str) -> None:
    """Units of time have German names."""
    assert expected == duration(5, unit, "de")

"""Values of settings as people read and write them: switches and words to choose from."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from wireroom.catalogue.text import Language, Text

ON: Final = Text(en="on", de="an")
OFF: Final = Text(en="off", de="aus")

#: A digest whenever there are so many.
EVERY: Final = Text(en="every {n}", de="alle {n}")
_COUNTED: Final = re.compile(r"(?:every|alle) (\d{1,2})")

#: By the word that is kept, and that English speakers write.
WORDS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "auto": Text(en="auto", de="automatisch"),
        "all": Text(en="all", de="alles"),
        "none": Text(en="none", de="nichts"),
        "full": Text(en="full", de="ganz"),
        "summary": Text(en="summary", de="Kurzform"),
        "edit": Text(en="edit", de="ändern"),
        "repost": Text(en="repost", de="neu senden"),
        "nothing": Text(en="nothing", de="belassen"),
        "widest": Text(en="widest", de="weitester"),
        "entry": Text(en="entry", de="Eintrag"),
        "message": Text(en="message", de="Nachricht"),
        "private": Text(en="private", de="privat"),
        "here": Text(en="here", de="hier"),
        "operator": Text(en="operator", de="Betreiber"),
        "off": OFF,
        "cut": Text(en="cut", de="kürzen"),
        "split": Text(en="split", de="teilen"),
        "page": Text(en="page", de="Seite"),
        "text": Text(en="text", de="Text"),
        "embed": Text(en="embed", de="Kasten"),
        "components": Text(en="components", de="Bausteine"),
    }
)

#: Settings that are one of these words; in others they are somebody's own text.
_CHOOSING: Final = frozenset(
    {"filter_on", "filter_rule", "layout", "long", "media", "notices", "on_update", "source"}
)
_MEANT: Final = {text.de.lower(): word for word, text in WORDS.items()}


def spelled(name: str, value: object, language: Language) -> str:
    """The value of the setting `name` as people are shown it."""
    if isinstance(value, bool):
        return (ON if value else OFF).say(language)
    if name == "digest" and (count := _COUNTED.fullmatch(str(value))):
        return EVERY.say(language, n=count[1])
    known = WORDS.get(str(value)) if name in _CHOOSING else None
    return known.say(language) if known else str(value)


def meant(name: str, typed: str) -> str:
    """What is kept for the setting `name` when somebody wrote `typed` in their language."""
    if name == "digest" and (count := _COUNTED.fullmatch(typed.strip().lower())):
        return EVERY.en.format(n=count[1])
    return _MEANT.get(typed.strip().lower(), typed) if name in _CHOOSING else typed


#: Units of time, by how they are kept in English.
_UNITS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "s": Text(en="{n} s", de="{n} s"),
        "min": Text(en="{n} min", de="{n} Min."),
        "h": Text(en="{n} h", de="{n} Std."),
        "d": Text(en="{n} d", de="{n} Tg."),
    }
)


def duration(amount: int, unit: str, language: Language) -> str:
    """`duration(5, "min", "de")` is "5 Min."."""
    return _UNITS[unit].say(language, n=amount)

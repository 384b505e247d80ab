"""What can be set with a button or a word, and how it is written (pure).

Every one is a wish of `delivery.wishlist`, which checks values again; this table knows how people
are asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from wireroom.catalogue import values

Kind = Literal["switch", "choice", "text"]


@dataclass(frozen=True, slots=True)
class Preference:
    """A setting; `usual` is what holds where nobody set it, as far as that is the same for all."""

    name: str
    kind: Kind
    usual: Any = None
    choices: Sequence[Any] = ()


PREFERENCES: Final = (
    Preference("preview", "switch", True),
    Preference("silent", "switch", False),
    Preference("media", "choice", "none", ("auto", "all", "none")),
    Preference("content", "choice", 270, (140, 270, 500, 1000, 3000, 0)),
    Preference("source", "choice", "full", ("full", "summary")),
    Preference("marks", "switch", False),
    Preference("rich", "switch", False),
    Preference("burst", "choice", None, (1, 3, 5, 10, 20)),
    Preference("per_day", "choice", None, (1, 2, 3, 5, 10)),
    Preference("digest", "text"),
    Preference("quiet", "text"),
    Preference("filter", "text"),
    Preference("rules", "text"),
)
BY_NAME: Final = {each.name: each for each in PREFERENCES}

_ON: Final = frozenset({"on", "yes", "true", "1", "an", "ja"})
_OFF: Final = frozenset({"off", "no", "false", "0", "aus", "nein"})
#: Words that take a setting back.
NONE: Final = frozenset({"-", "none", "default", "standard"})


def value_of(preference: Preference, typed: str) -> Any:
    """What somebody wrote as the setting's value. Raises ValueError for what cannot be."""
    word = typed.strip()
    if preference.kind != "switch":
        word = values.meant(preference.name, word)
    if preference.kind == "switch":
        if word.lower() not in _ON | _OFF:
            raise ValueError(word)
        return word.lower() in _ON
    if preference.kind == "choice" and isinstance(preference.choices[0], int):
        return int(word)
    if preference.kind == "choice" and word not in preference.choices:
        raise ValueError(word)
    return word

"""The names of buttons, selects and forms (pure).

A name carries all that its press needs, so it works after a restart and on every process. Anybody
can see and forge it: it says what is asked for, never what is allowed.
"""

from dataclasses import dataclass
from typing import Final, Literal

_PREFIX: Final = "wr"
MOST_CHARACTERS: Final = 100

Style = Literal["grey", "blue", "green", "red"]


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    name: str
    style: Style = "grey"
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A button that opens an address and tells nobody."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of a select; at most 25, each text at most 100 characters."""

    label: str
    value: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    name: str
    placeholder: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A line, or a text, of a form."""

    key: str
    label: str
    value: str = ""
    is_long: bool = False
    required: bool = False
    most: int = 4000
    placeholder: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    name: str
    title: str
    fields: tuple[Field, ...]


#: One row of what can be pressed: up to five buttons, or one select.
Row = tuple[Button | Link, ...] | Select


def name(action: str, *arguments: str | int) -> str:
    """The name that asks for an action; arguments hold no colon."""
    made = ":".join((_PREFIX, action, *map(str, arguments)))
    assert len(made) <= MOST_CHARACTERS, made
    return made


def read(custom_id: str) -> tuple[str, tuple[str, ...]] | None:
    """Action and arguments of one of our names; None for somebody else's."""
    prefix, _, rest = custom_id.partition(":")
    if prefix != _PREFIX or not rest:
        return None
    action, *arguments = rest.split(":")
    return action, tuple(arguments)


def number(arguments: tuple[str, ...], position: int) -> int:
    """A whole number among the arguments; 0 when it is missing or none."""
    text = arguments[position] if position < len(arguments) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0

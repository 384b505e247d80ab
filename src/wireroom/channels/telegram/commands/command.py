"""What a command is: one row of the table that dispatch, help and Telegram's menu are made of."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wireroom.catalogue import Text
from wireroom.channels.telegram.commands.roles import Role

if TYPE_CHECKING:
    from wireroom.channels.telegram.commands.visit import Visit

#: Carries a command out; the text is all that came after its name.
Run = Callable[["Visit", str], Awaitable[None]]
#: Carries out what a button says; the strings are the arguments in its data.
Press = Callable[["Visit", Sequence[str]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    run: Run
    #: One line for the menu and the help.
    about: Text
    #: What comes after the name, as people type it.
    usage: str = ""
    aliases: tuple[str, ...] = ()
    needs: Role = "manager"
    private_only: bool = False
    #: Left out of Telegram's menu: other names for things, and what few people need.
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """Commands that belong together, under one heading of the help."""

    title: Text
    commands: tuple[Command, ...]
    presses: Mapping[str, Press] = field(default_factory=dict)
    #: Buttons that those may press, too, who may change nothing.
    for_readers: frozenset[str] = frozenset()


class Table:
    """All commands, by every name that they answer to."""

    def __init__(self, themes: Sequence[Theme]) -> None:
        self.themes = tuple(themes)
        self.commands: dict[str, Command] = {}
        self.presses: dict[str, Press] = {}
        self.for_readers = frozenset[str]().union(*(each.for_readers for each in themes))
        for theme in themes:
            for command in theme.commands:
                for name in (command.name, *command.aliases):
                    assert name not in self.commands, f"two commands are called {name}"
                    self.commands[name] = command
            for verb, press in theme.presses.items():
                assert verb not in self.presses, f"two buttons say {verb}"
                self.presses[verb] = press

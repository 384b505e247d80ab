"""Rules: what is to be done with entries that a filter finds (pure).

One rule a line: a filter, an arrow, an action. All rules that match are carried out; whether the
entry is sent is decided by the first of them that keeps or drops::

    title:sponsored           -> drop
    "security update"         -> keep
    rust                      -> mention 4711
    category:release          -> route 3
    lang:de                   -> mute
    has:audio                 -> favourite
"""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NoReturn, cast, get_args

from wireroom.errors import UserError
from wireroom.feeds import filters
from wireroom.feeds.filters import Subject

Action = Literal["keep", "drop", "mute", "route", "mention", "read", "favourite", "tag"]

MOST_RULES: Final = 50
MOST_CHARACTERS: Final = 8000
_ACTIONS: Final = frozenset(get_args(Action))
_WITH_VALUE: Final = frozenset(("route", "mention", "tag"))
_VALUES: Final = {
    "route": re.compile(r"(?:to )?(\d{1,18})"),
    "mention": re.compile(r"(\d{1,20}|@\w{1,32})"),
    "tag": re.compile(r"#?(\w{1,50})"),
}
_SPELLINGS: Final = {"favorite": "favourite", "mark read": "read", "silent": "mute"}


@dataclass(frozen=True, slots=True)
class Rule:
    """A filter as it was typed, and what to do; `value` is a destination, role, name or tag."""

    when: str
    action: Action
    value: str = ""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is said of an entry in the reader."""

    is_read: bool = False
    is_favourite: bool = False
    tags: tuple[str, ...] = ()


NO_MARKS: Final = Marks()
#: Places, of `wishes.LAYERS`, whose marks `marking` carries out, whatever is sent where.
OF_READERS: Final = frozenset(("subscription", "account", "everyone"))


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules want done with an entry; `verdict` "" leaves it to the filters."""

    verdict: Literal["keep", "drop", ""] = ""
    why: str = ""
    muted: bool = False
    #: Of the rules that count only where something is sent; `marks` gives those of the others.
    marks: Marks = NO_MARKS
    mentions: tuple[str, ...] = ()
    #: What is shown with the message.
    tags: tuple[str, ...] = ()
    leads_to: tuple[int, ...] = ()

    @property
    def touches(self) -> bool:
        """Whether something happens besides sending."""
        return self.marks != NO_MARKS or bool(self.leads_to)


@lru_cache(maxsize=1024)
def parse(text: str) -> tuple[Rule, ...]:
    """Read rules, one a line. Raises UserError (`invalid_rule`) with the line that is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or len(lines) > MOST_RULES or len(text) > MOST_CHARACTERS:
        raise UserError(
            f"There are 1 to {MOST_RULES} rules, one a line, in {MOST_CHARACTERS} characters.",
            code="invalid_rule",
        )
    return tuple(_rule(line) for line in lines)


@lru_cache(maxsize=1024)
def stored(text: str) -> tuple[Rule, ...]:
    """Rules that were read before, by a language that was less strict maybe, or that two places
    had: one that cannot be read counts for nothing, and the others go on counting."""
    found = []
    for line in text.splitlines():
        with contextlib.suppress(UserError):
            found.append(_rule(line.strip()))
    return tuple(found)


def led_to(text: str) -> frozenset[int]:
    """The destinations that rules name; none where they cannot be read."""
    try:
        read = parse(text)
    except UserError:
        return frozenset()
    return frozenset(int(each.value) for each in read if each.action == "route")


def _rule(line: str) -> Rule:
    when, arrow, what = (part.strip() for part in line.rpartition("->"))
    if not arrow or not when:
        _refuse(line, "it is written FILTER -> ACTION")
    spelled = _SPELLINGS.get(what.lower(), what)
    word, _, value = spelled.partition(" ")
    action = word.lower()
    if action not in _ACTIONS:
        _refuse(line, f"the actions are {', '.join(sorted(_ACTIONS))}")
    if bool(value.strip()) != (action in _WITH_VALUE):
        _refuse(line, f"{action} {'needs' if action in _WITH_VALUE else 'takes no'} value")
    if value:
        found = _VALUES[action].fullmatch(value.strip())
        if found is None:
            _refuse(
                line, "route needs a destination's number, mention a role or @name, tag a word"
            )
        value = found[1]
    filters.parse(when)
    return Rule(when, cast("Action", action), value)


def _refuse(line: str, why: str) -> NoReturn:
    raise UserError(f"The rule {line[:80]!r} cannot be read: {why}.", code="invalid_rule")


def ruling(layers: Sequence[tuple[str, tuple[Rule, ...]]], subject: Subject) -> Ruling:
    """What the rules of all places, most special first, want done with an entry."""
    matching = _matching(layers, subject)
    if not matching:
        return Ruling()
    verdict: Literal["keep", "drop", ""] = ""
    for _, rule in matching:
        if rule.action in ("keep", "drop") and not verdict:
            verdict = "keep" if rule.action == "keep" else "drop"
    said = (f"rule {from_whom(whose)}: {rule.when} -> {_said(rule)}" for whose, rule in matching)
    return Ruling(
        verdict=verdict,
        why="; ".join(dict.fromkeys(said)),
        muted=any(rule.action == "mute" for _, rule in matching),
        marks=_marks([(whose, rule) for whose, rule in matching if whose not in OF_READERS]),
        mentions=_values(matching, "mention"),
        tags=_values(matching, "tag"),
        leads_to=tuple(map(int, _values(matching, "route"))),
    )


def marks(layers: Sequence[tuple[str, tuple[Rule, ...]]], subject: Subject) -> Marks:
    """What the rules of these places want said of an entry."""
    return _marks(_matching(layers, subject))


def _matching(
    layers: Sequence[tuple[str, tuple[Rule, ...]]], subject: Subject
) -> list[tuple[str, Rule]]:
    return [
        (whose, rule)
        for whose, rules in layers
        for rule in rules
        if filters.matches(filters.parse(rule.when), subject).passes
    ]


def _marks(matching: Sequence[tuple[str, Rule]]) -> Marks:
    return Marks(
        is_read=any(rule.action == "read" for _, rule in matching),
        is_favourite=any(rule.action == "favourite" for _, rule in matching),
        tags=_values(matching, "tag"),
    )


def from_whom(layer: str) -> str:
    """Whose wish it is, of `wishes.LAYERS`, in words."""
    return "for everyone" if layer == "everyone" else f"of the {layer}"


def _values(matching: Sequence[tuple[str, Rule]], action: Action) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule.value for _, rule in matching if rule.action == action))


def _said(rule: Rule) -> str:
    return f"{rule.action} {rule.value}".strip()

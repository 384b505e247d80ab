"""Values that are made at every poll: frozen for the type checker, and not at run time.

A frozen dataclass sets each field through `object.__setattr__`, which makes it five times as dear
as one that is not, and the hundred fields that a poll is made of a twentieth of its CPU
(docs/notes/a-poll.md). mypy refuses to change either; elsewhere `@dataclass(frozen=True)` stays
the rule.
"""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """As `@dataclass(frozen=True, slots=True)`, for what many are made of and nobody changes."""
    return dataclass(slots=True, unsafe_hash=True)(cls)

"""What the operator set for everyone's messages: settings, and what is taken out of texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.store.schema import facts, replacements

_SETTINGS = "delivery"


@dataclass(frozen=True, slots=True)
class Removal:
    """A row of the replacements: its text, or expression, is taken out."""

    id: int
    value: str
    is_regex: bool


def settings(connection: Connection) -> Mapping[str, Any]:
    """Settings that count for every route that has none of its own."""
    value = connection.execute(select(facts.c.value).where(facts.c.key == _SETTINGS)).scalar()
    return value if isinstance(value, dict) else {}


def set_settings(connection: Connection, values: Mapping[str, Any], *, now: datetime) -> None:
    changed = connection.execute(
        update(facts).where(facts.c.key == _SETTINGS).values(value=dict(values), updated_at=now)
    )
    if not changed.rowcount:
        connection.execute(insert(facts).values(key=_SETTINGS, value=dict(values), updated_at=now))


def removals(connection: Connection) -> list[Removal]:
    """In the order in which they are applied."""
    rows = connection.execute(
        select(replacements.c.id, replacements.c.value, replacements.c.is_regex).order_by(
            replacements.c.id
        )
    )
    return [Removal(*row) for row in rows]


def add_removal(connection: Connection, value: str, *, is_regex: bool, now: datetime) -> bool:
    """False when there is such a row already."""
    try:
        with connection.begin_nested():
            connection.execute(
                insert(replacements).values(value=value, is_regex=is_regex, created_at=now)
            )
    except IntegrityError:
        return False
    return True


def remove_removal(connection: Connection, removal_id: int) -> bool:
    """False when there is no such row."""
    gone = connection.execute(delete(replacements).where(replacements.c.id == removal_id))
    return gone.rowcount == 1

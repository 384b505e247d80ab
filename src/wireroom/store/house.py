"""What the operator set for everyone's messages: settings, and what is taken out of texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.store.schema import facts, replacements

_SETTINGS = "delivery"
_DEFAULTS = "delivery_defaults"


@dataclass(frozen=True, slots=True)
class Removal:
    """A row of the replacements: its text, or expression, is taken out."""

    id: int
    value: str
    is_regex: bool


def settings(connection: Connection) -> Mapping[str, Any]:
    """Settings that count for every route that has none of its own."""
    return _fact(connection, _SETTINGS)


def set_settings(connection: Connection, values: Mapping[str, Any], *, now: datetime) -> None:
    _set_fact(connection, _SETTINGS, values, now=now)


def layers(connection: Connection, channel: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What the operator wants for everyone, and below it what the profile wants of a channel."""
    defaults = _fact(connection, _DEFAULTS).get(channel)
    return settings(connection), defaults if isinstance(defaults, dict) else {}


def set_defaults(
    connection: Connection, by_channel: Mapping[str, Mapping[str, Any]], *, now: datetime
) -> None:
    """What this installation's profile wants, by channel; kept so that all processes agree."""
    if _fact(connection, _DEFAULTS) != by_channel:
        _set_fact(connection, _DEFAULTS, by_channel, now=now)


def note_once(connection: Connection, key: str, *, now: datetime) -> bool:
    """Whether this is the first time that something is noted under `key`."""
    return not _fact(connection, key) and _add_fact(connection, key, {"done": True}, now=now)


def _fact(connection: Connection, key: str) -> Mapping[str, Any]:
    value = connection.execute(select(facts.c.value).where(facts.c.key == key)).scalar()
    return value if isinstance(value, dict) else {}


def _set_fact(
    connection: Connection, key: str, value: Mapping[str, Any], *, now: datetime
) -> None:
    change = update(facts).where(facts.c.key == key).values(value=dict(value), updated_at=now)
    if not connection.execute(change).rowcount and not _add_fact(connection, key, value, now=now):
        connection.execute(change)


def _add_fact(
    connection: Connection, key: str, value: Mapping[str, Any], *, now: datetime
) -> bool:
    """False when it is there; processes that start at once come here together."""
    try:
        with connection.begin_nested():
            connection.execute(insert(facts).values(key=key, value=dict(value), updated_at=now))
    except IntegrityError:
        return False
    return True


def removals(connection: Connection) -> list[Removal]:
    """In the order in which they are applied."""
    rows = connection.execute(
        select(replacements.c.id, replacements.c.value, replacements.c.is_regex).order_by(
            replacements.c.id
        )
    )
    return [Removal(*row) for row in rows]


def add_removal(
    connection: Connection, value: str, *, is_regex: bool, now: datetime
) -> int | None:
    """The new row's id; None when there is such a row already."""
    try:
        with connection.begin_nested():
            added = connection.execute(
                insert(replacements)
                .values(value=value, is_regex=is_regex, created_at=now)
                .returning(replacements.c.id)
            )
            return int(added.scalar_one())
    except IntegrityError:
        return None


def remove_removal(connection: Connection, removal_id: int) -> bool:
    """False when there is no such row."""
    gone = connection.execute(delete(replacements).where(replacements.c.id == removal_id))
    return gone.rowcount == 1

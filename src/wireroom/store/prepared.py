"""Statements that polling runs again and again, past SQLAlchemy to the driver.

SQLAlchemy writes the text once for each engine and number of keys; what it does besides on each
run, for parameters and for rows, costs more than SQLite's own work (bench/polling.py). Here
instants go in as milliseconds, and rows come out as the driver gives them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, Dialect, bindparam
from sqlalchemy.sql import ClauseElement

Keys = Sequence[BindParameter[Any]]


@dataclass(frozen=True, slots=True)
class _Text:
    sql: str
    #: Where each parameter goes, if places count and not names.
    places: tuple[str, ...] | None
    #: The values that stand in the statement itself.
    fixed: Mapping[str, Any]


def _filled_up(keys: Sequence[Any]) -> Sequence[Any]:
    """As many as a power of two: a batch may have any size, and each new text costs SQLAlchemy
    milliseconds, and the driver one of the few statements that it keeps ready."""
    missing = (1 << (len(keys) - 1).bit_length()) - len(keys) if keys else 0
    return [*keys, *[keys[-1]] * missing] if missing else keys


class Prepared:
    """One statement, made of the parameters that stand for its keys.

    It asks whether something is among them, so that a key may stand there twice.
    """

    def __init__(self, make: Callable[[Keys], ClauseElement]) -> None:
        self._make = make
        self._texts: dict[tuple[str, int], _Text] = {}

    def rows(
        self, connection: Connection, keys: Sequence[Any] | None = None, **values: Any
    ) -> Sequence[Any]:
        """All rows of one run; none of a statement that is given no key."""
        if keys is None:
            keys = ()
        elif not keys:
            return ()
        keys = _filled_up(keys)
        text = self._text(connection.dialect, len(keys))
        given = {**text.fixed, **values}
        for number, key in enumerate(keys):
            given[f"key_{number}"] = key
        if text.places is None:
            return connection.exec_driver_sql(text.sql, given).fetchall()
        in_places = tuple([given[name] for name in text.places])
        return connection.exec_driver_sql(text.sql, in_places).fetchall()

    def _text(self, dialect: Dialect, count: int) -> _Text:
        text = self._texts.get((dialect.name, count))
        if text is None:
            text = self._texts[dialect.name, count] = self._written(dialect, count)
        return text

    def _written(self, dialect: Dialect, count: int) -> _Text:
        keys: Keys = [bindparam(f"key_{number}") for number in range(count)]
        compiled: Any = self._make(keys).compile(dialect=dialect)
        fixed = {name: each.value for name, each in compiled.binds.items() if not each.required}
        places = compiled.positiontup
        return _Text(str(compiled), None if places is None else tuple(places), fixed)

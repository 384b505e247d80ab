"""Many rows at once, past SQLAlchemy to the driver: where a profile showed that it counts.

SQLAlchemy takes four times as long to prepare the parameters of a row as SQLite takes to store it
(bench/store.py). Here they are prepared column by column, with the same values in the end.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

from sqlalchemy import JSON, Connection, Table

from wireroom.store import json_text
from wireroom.store.schema import Instant

Row = Mapping[str, Any]
Convert = Callable[[Any], Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def insert(
    connection: Connection, table: Table, rows: Sequence[Row], on_conflict: str = ""
) -> None:
    """Insert rows that all have the same columns; `on_conflict` is the SQL behind the values."""
    if rows:
        columns = tuple(rows[0])
        names, marks = ", ".join(map(_quoted, columns)), ", ".join("?" * len(columns))
        execute(
            connection,
            f"INSERT INTO {table.name} ({names}) VALUES ({marks}) {on_conflict}",  # noqa: S608
            _prepared(table, columns, rows),
        )


def update(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Set what the rows hold, all the same columns, where `id` is that of the row."""
    if rows:
        columns = (*(name for name in rows[0] if name != "id"), "id")
        sets = ", ".join(f"{_quoted(name)} = ?" for name in columns[:-1])
        execute(
            connection,
            f"UPDATE {table.name} SET {sets} WHERE id = ?",  # noqa: S608 - names are ours
            _prepared(table, columns, rows),
        )


def execute(connection: Connection, sql: str, rows: list[tuple[Any, ...]]) -> int:
    """Run a statement with `?` marks once for each row; gives how many rows it met in all."""
    if connection.dialect.name == "postgresql":
        sql = sql.replace("?", "%s")
    return connection.exec_driver_sql(sql, rows).rowcount


def _quoted(name: str) -> str:
    return f'"{name}"'


def _prepared(
    table: Table, columns: tuple[str, ...], rows: Sequence[Row]
) -> list[tuple[Any, ...]]:
    picked: list[tuple[Any, ...]] = list(map(itemgetter(*columns), rows))
    converts = _converts(table, columns)
    if not converts:
        return picked
    turned: list[Iterable[Any]] = list(zip(*picked, strict=True))
    for place, convert in converts:
        turned[place] = map(convert, turned[place])
    return list(zip(*turned, strict=True))


@functools.lru_cache(maxsize=64)
def _converts(table: Table, columns: tuple[str, ...]) -> tuple[tuple[int, Convert], ...]:
    found = ((place, _converter(table.c[name].type)) for place, name in enumerate(columns))
    return tuple((place, convert) for place, convert in found if convert is not None)


def _converter(kind: Any) -> Convert | None:
    if isinstance(kind, Instant):
        return milliseconds
    return json_text.dumps if isinstance(kind, JSON) else None


def instant(value: int | None) -> datetime | None:
    """The inverse of `milliseconds`."""
    return None if value is None else _EPOCH + timedelta(milliseconds=value)


def milliseconds(value: datetime | None) -> int | None:
    """An instant as its columns hold it."""
    if value is None:
        return None
    since = value - _EPOCH  # raises for a naive one
    return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000

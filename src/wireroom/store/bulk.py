"""Many rows at once, past SQLAlchemy to the driver: where a profile showed that it counts.

SQLAlchemy takes four times as long to prepare the parameters of a row as SQLite takes to store it
(bench/store.py). Here they are prepared column by column, with the same values in the end. Texts
are cut to what their columns hold, and mended where an engine could not keep them (`store.text`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any

from sqlalchemy import JSON, Connection, String, Table

from wireroom.store import json_text
from wireroom.store.schema import Instant
from wireroom.store.text import storable, storable_column

Row = Mapping[str, Any]
#: From a column's values to what the driver is given.
Convert = Callable[[Sequence[Any]], Iterable[Any]]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def insert(
    connection: Connection, table: Table, rows: Sequence[Row], on_conflict: str = ""
) -> None:
    """Insert rows that all have the same columns; `on_conflict` is the SQL behind the values."""
    if rows:
        columns = tuple(rows[0])
        execute(connection, _insert(table, columns, on_conflict), _prepared(table, columns, rows))


def insert_tuples(
    connection: Connection,
    table: Table,
    columns: tuple[str, ...],
    rows: list[tuple[Any, ...]],
    on_conflict: str = "",
) -> None:
    """The same for rows that are as the driver wants them: numbers and bytes."""
    if rows:
        execute(connection, _insert(table, columns, on_conflict), rows)


def update(
    connection: Connection,
    table: Table,
    rows: Sequence[Row],
    key: tuple[str, ...] = ("id",),
    besides: str = "",
) -> int:
    """Set what the rows hold, all the same columns, where the key is the row's; gives how many
    rows there were. `besides` is SQL that sets more, with a comma in front."""
    if not rows:
        return 0
    columns = (*(name for name in rows[0] if name not in key), *key)
    sets = ", ".join(f"{_quoted(name)} = ?" for name in columns[: -len(key)])
    where = " AND ".join(f"{_quoted(name)} = ?" for name in key)
    return execute(
        connection,
        f"UPDATE {table.name} SET {sets}{besides} WHERE {where}",  # noqa: S608 - names are ours
        _prepared(table, columns, rows),
    )


def execute(connection: Connection, sql: str, rows: list[tuple[Any, ...]]) -> int:
    """Run a statement with `?` marks once for each row; gives how many rows it met in all."""
    if connection.dialect.name == "postgresql":
        sql = sql.replace("?", "%s")
    return connection.exec_driver_sql(sql, rows).rowcount


def _insert(table: Table, columns: tuple[str, ...], on_conflict: str) -> str:
    names, marks = ", ".join(map(_quoted, columns)), ", ".join("?" * len(columns))
    return f"INSERT INTO {table.name} ({names}) VALUES ({marks}) {on_conflict}"  # noqa: S608


def _quoted(name: str) -> str:
    return f'"{name}"'


def _prepared(
    table: Table, columns: tuple[str, ...], rows: Sequence[Row]
) -> list[tuple[Any, ...]]:
    picked: list[tuple[Any, ...]] = list(map(itemgetter(*columns), rows))
    converts = _converts(table, columns)
    if not converts:
        return picked
    turned: list[Any] = list(zip(*picked, strict=True))
    for place, convert in converts:
        turned[place] = convert(turned[place])
    return list(zip(*turned, strict=True))


@lru_cache(maxsize=64)
def _converts(table: Table, columns: tuple[str, ...]) -> tuple[tuple[int, Convert], ...]:
    found = ((place, _converter(table.c[name].type)) for place, name in enumerate(columns))
    return tuple((place, convert) for place, convert in found if convert is not None)


def _converter(kind: Any) -> Convert | None:
    if isinstance(kind, Instant):
        return _moments
    if isinstance(kind, JSON):
        return json_text.dumps_all
    if isinstance(kind, String):
        # Long texts one by one: put together, those of a large batch would fill the memory.
        return _texts if kind.length is None else partial(storable_column, limit=kind.length)
    return None


def _texts(column: Sequence[str | None]) -> Iterable[str | None]:
    return (text and storable(text) for text in column)


def _moments(column: Sequence[datetime | None]) -> Iterable[int | None]:
    # Most rows of a batch share theirs.
    known = {moment: milliseconds(moment) for moment in set(column)}
    return map(known.__getitem__, column)


def instant(value: int | None) -> datetime | None:
    """The inverse of `milliseconds`."""
    return None if value is None else _EPOCH + timedelta(milliseconds=value)


def milliseconds(value: datetime | None) -> int | None:
    """An instant as its columns hold it."""
    if value is None:
        return None
    since = value - _EPOCH  # raises for a naive one
    return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000

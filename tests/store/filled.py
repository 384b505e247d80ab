"""A database with rows in every table there is, so that a copy that forgets one is found out."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    select,
    text,
    update,
)

from tests.rows import NOON
from wireroom.store import migrate, transfer
from wireroom.store.schema import Instant, folders
from wireroom.store.transfer import TABLES


def fill_tables(connection: Connection, tables: Sequence[Table], rows: int = 3) -> None:
    """Some rows for each table, with a value in every column; foreign keys lead to the same
    number.
    """
    for table in tables:
        made = [
            {column.name: _value(column, number) for column in table.c}
            for number in range(1, rows + 1)
        ]
        connection.execute(insert(table), made)


def fill_every_table(connection: Connection, rows: int = 3) -> None:
    """`fill_tables` for all there are, with a folder in a folder that was made after it."""
    fill_tables(connection, TABLES, rows)
    connection.execute(update(folders).where(folders.c.id == 1).values(parent_id=rows))
    connection.execute(update(folders).where(folders.c.id == rows).values(parent_id=None))
    transfer.write_counters(connection, transfer.Counters({}))


def tables_of(connection: Connection) -> list[Table]:
    """Those that hold data, as they are there: the index of words is made anew."""
    kept = MetaData()
    skipped = ("entry_search", "alembic_version")
    kept.reflect(connection, only=lambda name, _: not name.startswith(skipped))
    return kept.sorted_tables


def rows_of(connection: Connection, table: Table) -> list[dict[str, Any]]:
    """All rows in the order of their keys."""
    found = connection.execute(select(table).order_by(*table.primary_key)).mappings()
    return [dict(row) for row in found]


def call_it_migrated(connection: Connection) -> None:
    """Tables were made without migrations, and are the same."""
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
    connection.execute(text(f"INSERT INTO alembic_version VALUES ('{migrate.HEAD}')"))


def _value(column: Column[Any], number: int) -> Any:
    if column.foreign_keys and isinstance(column.type, String):
        return f"{next(iter(column.foreign_keys)).column.name}{number}"[: column.type.length]
    match column.type:
        case Instant():
            return NOON + timedelta(milliseconds=number)
        case Boolean():
            return bool(number % 2)
        case LargeBinary():
            return bytes(range(number, 16 + number))
        case JSON():
            return {"ü": [number, None, "\ud83d\ude00"]}
        case String() | Text():
            return f"{column.name}{number}"[: column.type.length]
    return number

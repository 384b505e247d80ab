"""The backup that both engines restore: JSON lines, compressed.

The first line says what the file is: format, revision of the tables, when it was taken, rows of
each table, and the numbers that were given out. Then come the tables, each with a line that names
its columns and a line for each row; instants are milliseconds, bytes base64. The last line says
that nothing is missing.
"""

import base64
import contextlib
import gzip
import json
import secrets
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import IO, Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    LargeBinary,
    MetaData,
    Table,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from wireroom.errors import StoreCorrupt, UserError
from wireroom.store import migrate, transfer
from wireroom.store.engine import Database, connect
from wireroom.store.schema import Instant
from wireroom.store.transfer import ROWS_AT_ONCE, TABLES, Counters, Progress, Row, count

_FORMAT = 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: What reading a file raises of which some is missing, changed, or of another type than it was.
#: The database's own troubles are told from these before (`store.faults`).
_DAMAGE = (
    EOFError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    ArithmeticError,
    RecursionError,
    zlib.error,
    SQLAlchemyError,
)


def write(database: Database, file: Path, now: datetime, progress: Progress) -> None:
    """Write everything, as it is at one moment."""
    with (
        database.reading() as connection,
        gzip.open(file, "wt", encoding="ascii", compresslevel=5) as lines,
    ):
        counts = {table.name: count(connection, table) for table in TABLES}
        head = {
            "wireroom": _FORMAT,
            "revision": migrate.revision(connection),
            "taken_at": now.isoformat(),
            "rows": counts,
            "numbers": dict(transfer.read_counters(connection).highest),
        }
        _write(lines, head)
        for table in TABLES:
            columns = list(table.c)
            _write(lines, {"table": table.name, "columns": [column.name for column in columns]})
            streamed = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
            for done, row in enumerate(streamed, start=1):
                _write(lines, [_out(value) for value in row])
                if done % ROWS_AT_ONCE == 0 or done == counts[table.name]:
                    progress(table.name, done, counts[table.name])
        _write(lines, {"end": True})


def _write(lines: IO[str], value: Any) -> None:
    lines.write(json.dumps(value, separators=(",", ":")) + "\n")


def restore(file: Path, target: Database, now: datetime, progress: Progress) -> dict[str, int]:
    """Bring such a file into a database without data; gives the rows of each table.

    Raises UserError for another file or that of a newer version, StoreCorrupt for one that is cut
    or damaged, Conflict when the target holds data.
    """
    migrate.migrate(target)
    try:
        with gzip.open(file, "rt", encoding="ascii") as lines:
            head = json.loads(lines.readline())
            _check_head(file, head)
            counters = Counters(
                {str(name): int(top) for name, top in dict(head["numbers"]).items()}
            )
            if head["revision"] != migrate.HEAD:
                return _restore_older(file, head, _Lines(lines), target, now, progress)
            counts = {table.name: head["rows"][table.name] for table in TABLES}
            return transfer.fill(target, _Lines(lines).rows, counts, counters, now, progress)
    except _DAMAGE as error:
        raise StoreCorrupt(f"{file} is cut or damaged; nothing was restored.") from error


def _check_head(file: Path, head: Any) -> None:
    if not isinstance(head, dict) or head.get("wireroom") != _FORMAT:
        raise UserError(f"{file} is no backup that Wireroom wrote.")
    if not migrate.knows(head["revision"]):
        raise UserError(
            f"{file} holds the tables of revision {head['revision']}, and this Wireroom knows "
            f"those up to {migrate.HEAD}: restore it with the version that wrote it, or a newer."
        )


class _Lines:
    """The rows of a portable file, table by table in its own order."""

    def __init__(self, lines: IO[str]) -> None:
        self._lines = lines
        self._next: dict[str, Any] = dict(json.loads(lines.readline()))

    @property
    def table(self) -> str:
        """The name of the table that comes next; "" at the end."""
        return "" if self._next.get("end") else str(self._next["table"])

    def rows(self, table: Table) -> Iterator[Row]:
        """Those of one table, read up to the head of the next."""
        if self.table != table.name:
            raise ValueError(f"{table.name} is missing")
        columns = [table.c[name] for name in self._next["columns"]]
        for line in self._lines:
            values = json.loads(line)
            if isinstance(values, dict):
                self._next = values
                self._check_end()
                return
            yield {
                column.name: _in(column, value)
                for column, value in zip(columns, values, strict=True)
            }
        raise EOFError

    def _check_end(self) -> None:
        """Behind the last line stands the checksum, which is compared when it is read."""
        if not self.table and self._lines.read(1):
            raise ValueError("something follows the end")


# -- of older versions ----------------------------------------------------------------------------


def _restore_older(
    file: Path, head: Any, lines: _Lines, target: Database, now: datetime, progress: Progress
) -> dict[str, int]:
    """By way of a database that has the tables of then, and is brought to this version's."""
    with beside(file) as way, contextlib.closing(connect(f"sqlite:///{way}")) as source:
        migrate.migrate(source, through=head["revision"])
        with source.writing() as connection:
            # Folders come before those that they were put into.
            connection.execute(text("PRAGMA defer_foreign_keys = ON"))
            if _fill_as_it_was(connection, lines) != head["rows"]:
                raise ValueError("rows are missing")
        migrate.migrate(source)
        with source.writing() as connection:
            transfer.write_counters(connection, Counters(head["numbers"]))
        return bring_forward(source, target, now, progress)


def _fill_as_it_was(connection: Connection, lines: _Lines) -> dict[str, int]:
    """Write rows into the tables that are there, whatever this version's are like."""
    there = MetaData()
    found: dict[str, int] = {}
    known = {*inspect(connection).get_table_names()} - {"alembic_version"}
    while lines.table:
        if lines.table not in known:
            raise ValueError(f"{lines.table} is no table of then")
        # Instants are found as numbers, which is how they stand in the file.
        table = Table(lines.table, there, autoload_with=connection)
        waiting = lines.rows(table)
        while some := [*islice(waiting, ROWS_AT_ONCE)]:
            connection.execute(table.insert(), some)
        found[table.name] = count(connection, table)
    return found


@contextlib.contextmanager
def beside(file: Path) -> Iterator[Path]:
    """A place for a SQLite file in the same folder; what is there goes in the end."""
    way = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        way.touch(0o600)
        yield way
    except OSError as error:
        raise UserError(f"{file} cannot be copied: {error.strerror or error}.") from error
    finally:
        for each in (way, *(way.with_name(way.name + end) for end in ("-wal", "-shm"))):
            each.unlink(missing_ok=True)


def bring_forward(
    source: Database, target: Database, now: datetime, progress: Progress
) -> dict[str, int]:
    """Bring a copy of older tables to this version's, and move it; gives the rows of each."""
    migrate.migrate(source)
    with source.writing() as connection:
        transfer.free_leases(connection, now)  # who worked when it was taken works elsewhere
    return transfer.move(source, target, now, progress)


# -- a value --------------------------------------------------------------------------------------


def _out(value: Any) -> Any:
    match value:
        case datetime():
            return (value - _EPOCH) // timedelta(milliseconds=1)
        case bytes() | memoryview():
            return base64.b64encode(value).decode("ascii")
    return value


def _in(column: Column[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column.type, Instant):
        return _EPOCH + timedelta(milliseconds=value)
    if isinstance(column.type, LargeBinary):
        return base64.b64decode(value)
    return bool(value) if isinstance(column.type, Boolean) else value

"""Backups: one file that holds everything, taken while Wireroom runs, and the way back.

SQLite gives a SQLite file (its online backup, consistent at the last moment of copying).
PostgreSQL
gives a portable file: JSON lines, compressed, that any engine restores. The secret key is in
neither: keep a copy of it apart, or stored webhooks and tokens stay sealed.
"""

import base64
import contextlib
import gzip
import json
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Boolean, Column, LargeBinary, Table, select

from wireroom.errors import StoreCorrupt, StoreError, UserError
from wireroom.store import migrate
from wireroom.store.engine import Database, connect
from wireroom.store.schema import Instant
from wireroom.store.transfer import (
    ROWS_AT_ONCE,
    TABLES,
    Counters,
    Progress,
    Row,
    count,
    fill,
    free_leases,
    move,
    read_counters,
    silent,
)

_SQLITE_MAGIC = b"SQLite format 3\0"
_GZIP_MAGIC = b"\x1f\x8b"
_FORMAT = 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def back_up(
    database: Database,
    file: Path,
    now: datetime,
    progress: Progress = silent,
    *,
    portable: bool = False,
) -> None:
    """Write everything to `file`, which must not exist; it appears only when it is whole.

    `portable` writes the file that both engines restore, for SQLite too.
    """
    if file.exists():
        raise UserError(f"{file} exists already; a backup never writes over another.")
    with _appearing(file) as aside:
        if database.is_sqlite and not portable:
            _copy_pages(database, aside)
        else:
            _write_lines(database, aside, now, progress)


def restore(
    file: Path, target: Database, now: datetime, progress: Progress = silent
) -> dict[str, int]:
    """Bring a backup into a database without data; gives the rows of each table.

    Raises UserError for a file that is no backup, StoreCorrupt for one that is cut or damaged,
    Conflict when the target holds data.
    """
    magic = _magic(file)
    if magic.startswith(_SQLITE_MAGIC):
        return _restore_pages(file, target, now, progress)
    if magic.startswith(_GZIP_MAGIC):
        return _restore_lines(file, target, now, progress)
    raise UserError(f"{file} is no backup that Wireroom wrote.")


def _magic(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_SQLITE_MAGIC))
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}.") from error


@contextlib.contextmanager
def _appearing(file: Path) -> Iterator[Path]:
    """A file beside `file` that takes its name at the end, safe on disk, or goes on an error."""
    aside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        aside.touch(0o600)
        yield aside
        with aside.open("rb") as written:
            os.fsync(written.fileno())
        aside.rename(file)
    except OSError as error:
        raise UserError(f"{file} cannot be written: {error.strerror or error}.") from error
    finally:
        aside.unlink(missing_ok=True)


# -- SQLite's own ---------------------------------------------------------------------------------


def _copy_pages(database: Database, aside: Path) -> None:
    with database.reading() as connection, contextlib.closing(sqlite3.connect(aside)) as copy:
        original = connection.connection.driver_connection
        assert isinstance(original, sqlite3.Connection)
        connection.rollback()  # a snapshot of ours would hold the copy at an old moment
        try:
            # In one step: begun anew at every write of others, it would never end beside polling.
            # Writers are not held up; the write-ahead log grows meanwhile.
            original.backup(copy)
            (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        except sqlite3.Error as error:
            raise StoreError(f"The backup could not be written: {error}.") from error
    if verdict != "ok":
        raise StoreCorrupt(f"The database is damaged, and so would be its backup: {verdict}.")


def _restore_pages(
    file: Path, target: Database, now: datetime, progress: Progress
) -> dict[str, int]:
    """By way of a copy that is brought to this version's tables, as the backup may be older."""
    copy = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        shutil.copyfile(file, copy)
        source = connect(f"sqlite:///{copy}")
        try:
            migrate.migrate(source)
            with source.writing() as connection:
                free_leases(connection, now)  # who worked when it was taken works elsewhere
            return move(source, target, now, progress)
        finally:
            source.close()
    except OSError as error:
        raise UserError(f"{file} cannot be copied: {error.strerror or error}.") from error
    finally:
        for each in (copy, *(copy.with_name(copy.name + end) for end in ("-wal", "-shm"))):
            each.unlink(missing_ok=True)


# -- portable -------------------------------------------------------------------------------------


def _write_lines(database: Database, aside: Path, now: datetime, progress: Progress) -> None:
    with (
        database.reading() as connection,
        gzip.open(aside, "wt", encoding="ascii", compresslevel=5) as lines,
    ):
        counts = {table.name: count(connection, table) for table in TABLES}
        head = {
            "wireroom": _FORMAT,
            "revision": migrate.revision(connection),
            "taken_at": now.isoformat(),
            "rows": counts,
            "numbers": dict(read_counters(connection).highest),
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


def _restore_lines(
    file: Path, target: Database, now: datetime, progress: Progress
) -> dict[str, int]:
    migrate.migrate(target)
    try:
        with gzip.open(file, "rt", encoding="ascii") as lines:
            head = json.loads(lines.readline())
            _check_head(file, head)
            reading = _Lines(lines)
            return fill(
                target,
                reading.rows,
                {table.name: head["rows"][table.name] for table in TABLES},
                Counters(head["numbers"]),
                now,
                progress,
            )
    except (EOFError, OSError, ValueError, KeyError, TypeError) as error:
        raise StoreCorrupt(f"{file} is cut or damaged; nothing was restored.") from error


def _check_head(file: Path, head: Any) -> None:
    if not isinstance(head, dict) or head.get("wireroom") != _FORMAT:
        raise UserError(f"{file} is no backup that Wireroom wrote.")
    if head["revision"] != migrate.HEAD:
        raise UserError(
            f"{file} holds the tables of revision {head['revision']}, and this Wireroom has those "
            f"of {migrate.HEAD}: restore it with the version that wrote it, then move on."
        )


class _Lines:
    """The rows of a portable file, table by table in its own order."""

    def __init__(self, lines: IO[str]) -> None:
        self._lines = lines
        self._next = json.loads(lines.readline())

    def rows(self, table: Table) -> Iterator[Row]:
        """Those of one table, read up to the head of the next."""
        if self._next.get("table") != table.name:
            raise ValueError(f"{table.name} is missing")
        columns = [table.c[name] for name in self._next["columns"]]
        for line in self._lines:
            values = json.loads(line)
            if isinstance(values, dict):
                self._next = values
                return
            yield {
                column.name: _in(column, value)
                for column, value in zip(columns, values, strict=True)
            }
        raise EOFError


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

"""Backups: one file that holds everything, taken while Wireroom runs, and the way back.

SQLite gives a SQLite file (its online backup, consistent at the last moment of copying),
PostgreSQL a portable file (`store.portable_file`). Backups of older versions are restored as well.
The secret key is in neither: keep a copy of it apart, or stored webhooks and tokens stay sealed.
"""

import contextlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from wireroom.errors import StoreCorrupt, StoreError, UserError
from wireroom.store import portable_file
from wireroom.store.engine import Database, connect
from wireroom.store.portable_file import beside, bring_forward
from wireroom.store.transfer import Progress, silent

_SQLITE_MAGIC = b"SQLite format 3\0"
_GZIP_MAGIC = b"\x1f\x8b"


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
            portable_file.write(database, aside, now, progress)


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
        return portable_file.restore(file, target, now, progress)
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
    with beside(file) as copy:
        shutil.copyfile(file, copy)
        with contextlib.closing(connect(f"sqlite:///{copy}")) as source:
            return bring_forward(source, target, now, progress)

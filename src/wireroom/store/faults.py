"""The drivers' errors, sorted by what helps against them."""

import sqlite3
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError

from wireroom.errors import StoreCorrupt, StoreError, StoreUnavailable

if TYPE_CHECKING:
    import psycopg

_FULL: Final = "The disk that holds the database is full."
_LOCKED: Final = "The database is locked by another program."
_READ_ONLY: Final = "The database can only be read: check the rights of its file and folder."
_UNOPENED: Final = "The database file cannot be opened: check its folder and rights."
_CORRUPT: Final = (
    "The database file is damaged. Stop Wireroom, keep a copy of the file, and restore the newest "
    "backup (`wireroom restore FILE`), or recover what can be read with `sqlite3 FILE .recover`."
)

#: By primary result code (sqlite.org/rescode.html). What is missing is a fault of ours.
_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CANTOPEN: _UNOPENED,
    sqlite3.SQLITE_IOERR: "The disk that holds the database does not read or write.",
    sqlite3.SQLITE_NOMEM: "There is not enough memory for the database.",
}
_SQLITE_CORRUPT: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

#: By class or whole SQLSTATE (PostgreSQL, appendix A), most special first.
_POSTGRESQL: Final = {
    "25006": "The database can only be read: the server is a replica, or changing its role.",
    "28": "The database refuses the login: check user and password.",
    "3D": "There is no database of this name on the server.",
    "40": "Another transaction was in the way.",
    "42501": "The database refuses: the user lacks a right.",
    "53100": _FULL,
    "53": "The database has no room: connections, memory or disk.",
    "55P03": _LOCKED,
    "57": "The database stopped the statement: it restarts, or an operator intervened.",
    "58": "The database's disk does not read or write.",
    "08": "The connection to the database was lost.",
    "25P03": "The connection to the database was lost.",
}


def by_remedy(error: DBAPIError) -> StoreError | None:
    """StoreCorrupt: give up. StoreUnavailable: try again. None: a fault of the program's own."""
    return of_driver(error.orig, lost=error.connection_invalidated)


def of_driver(error: BaseException | None, *, lost: bool = False) -> StoreError | None:
    """The same for an error that comes from a driver itself."""
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(error)
    import psycopg  # late: who keeps everything in SQLite never loads it

    if isinstance(error, psycopg.Error):
        return _of_postgresql(error, lost=lost)
    return None


def _of_sqlite(error: sqlite3.Error) -> StoreError | None:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in _SQLITE_CORRUPT:
        return StoreCorrupt(_CORRUPT)
    words = _SQLITE.get(primary) if primary is not None else None
    return None if words is None else StoreUnavailable(words)


def _of_postgresql(error: "psycopg.Error", *, lost: bool) -> StoreError | None:
    import psycopg

    state = error.sqlstate or ""
    if state in ("XX001", "XX002"):
        return StoreCorrupt(
            "The database is damaged, PostgreSQL says. Stop Wireroom and restore a backup."
        )
    for begin, words in _POSTGRESQL.items():
        if state.startswith(begin):
            return StoreUnavailable(words)
    if lost or (
        not state and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    ):
        return StoreUnavailable("The database does not answer; is it running?")
    return None

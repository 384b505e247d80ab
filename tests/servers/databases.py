"""PostgreSQL databases for tests: made with all tables, and used by one test after another.

To copy all tables takes a server far longer than to empty them again.
"""

import contextlib
import itertools
import os
from collections.abc import Iterator

import psycopg
from sqlalchemy.engine import make_url

from wireroom.store import schema
from wireroom.store.engine import Database, connect

#: Differs where a test changed the tables themselves. Copies have the numbers of their template.
_SHAPE = """
    SELECT string_agg(concat_ws(' ', oid, relname, relnatts), ',' ORDER BY oid)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace"""
_BYTES = """
    SELECT sum(pg_relation_size(oid)) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace"""
#: What was deleted stays in the files for a while, and slows down who reads them.
_MOST_BYTES = 16 << 20

_END_OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_COUNT_FROM_ONE = """
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    FROM pg_sequences"""


class Databases:
    """Empty databases on one server. Nothing of a test is left for the next."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._names = (f"wireroom_{os.getpid()}_{number}" for number in itertools.count(1))
        self._free: list[str] = []
        self._made: list[str] = []
        self._template, self._shape = "", ""

    def take(self) -> Database:
        """An empty database with all tables."""
        if not self._template:
            self._make_template()
        if not self._free:
            self._free.append(self._make(f"TEMPLATE {self._template}"))
        return connect(self._address(self._free.pop()))

    def give_back(self, database: Database) -> None:
        """Close it and empty it for the next test; one with changed tables goes for good."""
        database.close()
        name = str(database.url.database)
        with self._connected(name) as connection:
            if is_sound := self._is_sound(connection):
                connection.execute(_END_OTHERS)
                _empty(connection)
        if is_sound:
            self._free.append(name)
        else:
            self._drop(name)

    @contextlib.contextmanager
    def bare(self, like: str = "") -> Iterator[str]:
        """The address of a database without any table, or with all that is in another one here,
        to which nobody is connected.
        """
        name = self._make(f"TEMPLATE {make_url(like).database}" if like else "")
        yield self._address(name)
        self._drop(name)

    def close(self) -> None:
        """Drop everything."""
        for name in reversed(self._made):
            self._drop(name)

    def _make_template(self) -> None:
        self._template = self._make()
        database = connect(self._address(self._template))
        with database.writing() as connection:
            schema.metadata.create_all(connection)
        database.close()
        with self._connected(self._template) as connection:
            self._shape = _value(connection, _SHAPE)

    def _is_sound(self, connection: "psycopg.Connection[tuple[object, ...]]") -> bool:
        is_unchanged = self._shape == _value(connection, _SHAPE)
        return is_unchanged and int(_value(connection, _BYTES)) < _MOST_BYTES

    def _make(self, how: str = "") -> str:
        name = next(self._names)
        self._administer(f"CREATE DATABASE {name} {how}")
        self._made.append(name)
        return name

    def _drop(self, name: str) -> None:
        self._administer(f"DROP DATABASE {name} WITH (FORCE)")
        self._made.remove(name)

    def _administer(self, statement: str) -> None:
        """Run what no transaction may hold."""
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(statement.encode())

    def _connected(self, name: str) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(self._address(name), autocommit=True)

    def _address(self, name: str) -> str:
        url = make_url(self._server).set(database=name, drivername="postgresql")
        return url.render_as_string(hide_password=False)


def _value(connection: "psycopg.Connection[tuple[object, ...]]", query: str) -> str:
    row = connection.execute(query.encode()).fetchone()
    return str(row[0]) if row else ""


def _empty(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    known = [table.name for table in reversed(schema.metadata.sorted_tables)]
    statements = [f"DELETE FROM {name};" for name in ("entry_search", *known)]
    with connection.transaction():
        connection.execute("".join(statements).encode())
        connection.execute(_COUNT_FROM_ONE.encode())

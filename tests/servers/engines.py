"""What makes databases quick to come by where each test has one of its own."""

import functools
from typing import Any

from sqlalchemy import Engine

from wireroom.store import engine, schema
from wireroom.store.engine import Database, connect


def in_memory() -> Database:
    """An empty SQLite database with all tables, which is gone when it is closed."""
    database = connect("sqlite://")
    _driver(database).deserialize(_empty_database())
    return database


@functools.cache
def _empty_database() -> bytes:
    """To copy its bytes takes a millisecond, to make the tables forty."""
    database = connect("sqlite://")
    with database.writing() as connection:
        schema.metadata.create_all(connection)
    content: bytes = _driver(database).serialize()
    database.close()
    return content


def _driver(database: Database) -> Any:
    """The one connection of a database in memory, as the driver has it."""
    with database.reading() as connection:
        return connection.connection.driver_connection


def compile_once() -> None:
    """Let all engines of this process share the statements that SQLAlchemy compiled.

    It keeps them for each engine and dialect, so that every test would compile its own.
    """
    make = engine.create_engine
    first: dict[str, Engine] = {}

    def create_engine(*arguments: Any, **options: Any) -> Engine:
        made = make(*arguments, **options)
        shared = first.setdefault(made.dialect.name, made)
        made.dialect = made.pool._dialect = shared.dialect
        made._compiled_cache = shared._compiled_cache
        return made

    engine.create_engine = create_engine

"""What SQLite and PostgreSQL both can, and SQLAlchemy spells once for each."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    Table,
    any_,
    bindparam,
    column,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite


def insert_or(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that may say what happens on conflict."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def among(dialect: str, number: ColumnElement[int], name: str) -> ColumnElement[bool]:
    """The number is one of those in the parameter `name`, made by `numbers`.

    One parameter, however many numbers: written out one by one, a hundred of them take SQLAlchemy
    four times as long as the statement takes.
    """
    if dialect == "postgresql":
        listed = bindparam(name, type_=postgresql.ARRAY(BigInteger))
        return number == any_(listed)
    each = func.json_each(bindparam(name)).table_valued(column("value", BigInteger))
    return number.in_(select(each.c.value))


def chosen(dialect: str, key: ColumnElement[Any], keys: Select[Any]) -> ColumnElement[bool]:
    """The key is one of a few that a query chose: each is looked up in the key's index.

    PostgreSQL would sooner read ten thousand rows to find 32 of them by a hash, however often
    that turns out badly; what is in an array it looks up.
    """
    if dialect == "postgresql":
        return key == any_(func.array(keys.scalar_subquery()))
    return key.in_(keys)


def numbers(dialect: str, found: Iterable[int]) -> Any:
    """The parameter that `among` reads."""
    return list(found) if dialect == "postgresql" else json.dumps(list(found))

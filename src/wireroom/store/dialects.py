"""What SQLite and PostgreSQL both can, and SQLAlchemy spells once for each."""

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_or(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that may say what happens on conflict."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)

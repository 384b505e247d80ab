"""A whole installation goes from one database to another, between engines too, row for row.

The source is read in one snapshot and the target is written in one transaction: a copy is
whole, or
there is none. Row counts are compared before it counts as done.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Protocol

from sqlalchemy import Connection, Table, bindparam, func, insert, select, text, update

from wireroom.errors import Conflict, StoreError, UserError
from wireroom.store import indexing, migrate
from wireroom.store.engine import Database
from wireroom.store.schema import accounts, destinations, feeds, folders, lanes, metadata

#: Rows that are held in memory and written in one statement.
ROWS_AT_ONCE = 1_000

#: Every table, those before it that it refers to.
TABLES: Sequence[Table] = metadata.sorted_tables

Row = Mapping[str, Any]


class Progress(Protocol):
    """Told of every table: how many rows of how many are there by now."""

    def __call__(self, table: str, done: int, total: int) -> None: ...


def silent(table: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Counters:
    """The highest number that each table ever gave out, so that none is given again."""

    highest: Mapping[str, int]


def move(
    source: Database, target: Database, now: datetime, progress: Progress = silent
) -> dict[str, int]:
    """Carry everything over; the target must be without data. Gives the rows of each table.

    The source is left as it is. Raises Conflict when the target holds data, or when somebody works
    in the source.
    """
    migrate.migrate(target)
    with source.reading() as reader:
        _refuse_other_revision(reader, source)
        _refuse_work(reader, now)
        counts = {table.name: count(reader, table) for table in TABLES}

        def rows(table: Table) -> Iterator[Row]:
            streamed = reader.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
            return map(dict, streamed.mappings())

        return fill(target, rows, counts, read_counters(reader), now, progress)


def fill(
    target: Database,
    rows: Callable[[Table], Iterable[Row]],
    counts: Mapping[str, int],
    counters: Counters,
    now: datetime,
    progress: Progress = silent,
) -> dict[str, int]:
    """Write all tables into a migrated database without data, in one transaction."""
    with target.writing() as writer:
        _refuse_data(writer, target)
        for table in TABLES:
            _fill_table(writer, table, rows(table), counts[table.name], progress)
        # The index is not carried over: what was copied is indexed anew.
        written = {table.name: count(writer, table) for table in TABLES}
        if written != dict(counts):
            wrong = [name for name in written if written[name] != counts[name]]
            raise StoreError(f"The copy is not whole and was dropped: {', '.join(wrong)} differ.")
        write_counters(writer, counters)
        free_leases(writer, now)
        indexing.index_all(writer)
    return written


def _fill_table(
    writer: Connection, table: Table, rows: Iterable[Row], total: int, progress: Progress
) -> None:
    parents: list[dict[str, Any]] = []
    done = 0
    waiting = iter(rows)
    while some := [dict(row) for row in islice(waiting, ROWS_AT_ONCE)]:
        if table is folders:  # a folder may have been put into one that was made after it
            parents += [
                {"folder": row["id"], "parent": row["parent_id"]}
                for row in some
                if row["parent_id"]
            ]
            some = [{**row, "parent_id": None} for row in some]
        writer.execute(insert(table), some)
        done += len(some)
        progress(table.name, done, total)
    if parents:
        writer.execute(_PARENTS, parents)


_PARENTS = (
    update(folders)
    .where(folders.c.id == bindparam("folder"))
    .values(parent_id=bindparam("parent"))
)


def count(connection: Connection, table: Table) -> int:
    """How many rows a table has."""
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def free_leases(connection: Connection, now: datetime) -> None:
    """Nobody works in a copy: what was leased is due."""
    for table in (lanes, destinations):
        connection.execute(
            update(table)
            .where(table.c.lease_owner.is_not(None))
            .values(lease_owner=None, ready_at=now)
        )


# -- what may not be ------------------------------------------------------------------------------


def _refuse_data(writer: Connection, target: Database) -> None:
    for table in (accounts, feeds):
        if writer.execute(select(table.c.id).limit(1)).first():
            raise Conflict(f"{target.name} holds data already; name an empty database.")


def _refuse_other_revision(reader: Connection, source: Database) -> None:
    found = migrate.revision(reader)
    if found != migrate.HEAD:
        raise UserError(
            f"{source.name} has the tables of revision {found}, and this Wireroom those of "
            f"{migrate.HEAD}: run `wireroom migrate` on it first."
        )


def _refuse_work(reader: Connection, now: datetime) -> None:
    for table in (lanes, destinations):
        at_work = select(table.c.lease_owner).where(
            table.c.lease_owner.is_not(None), table.c.ready_at > now
        )
        if reader.execute(at_work.limit(1)).first():
            raise Conflict(
                "A Wireroom is at work in this database: stop it, and wait three minutes if it "
                "was killed."
            )


# -- numbers that are never given twice -----------------------------------------------------------


def _numbered() -> list[Table]:
    return [table for table in TABLES if table.kwargs.get("sqlite_autoincrement")]


def read_counters(connection: Connection) -> Counters:
    """The highest number that each table gave out."""
    if connection.dialect.name == "sqlite":
        rows = connection.execute(text("SELECT name, seq FROM sqlite_sequence"))
        return Counters({row.name: row.seq for row in rows})
    highest = {}
    for table in _numbered():
        row = connection.execute(
            text(f"SELECT last_value, is_called FROM {table.name}_id_seq")  # noqa: S608 - ours
        ).one()
        highest[table.name] = row.last_value if row.is_called else 0
    return Counters(highest)


def write_counters(connection: Connection, counters: Counters) -> None:
    """Let every table go on behind the highest number that it gave out."""
    for table in TABLES:
        if "id" not in table.c or table.autoincrement_column is not table.c.id:
            continue  # numbered by somebody else, as chats are by their platform
        top = connection.execute(select(func.max(table.c.id))).scalar() or 0
        top = max(top, counters.highest.get(table.name, 0))
        if not top:
            continue
        if connection.dialect.name == "postgresql":
            sequence = f"{table.name}_id_seq"
            connection.execute(select(func.setval(sequence, top)))
        elif table in _numbered():
            named = {"name": table.name, "top": top}
            connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), named)
            connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :top)"), named)

"""Giving room back to the disk, and keeping indexes and statistics in order.

What is deleted leaves holes that later rows fill. `reclaim` gives the holes at the end back, in
short steps beside everything else that runs. `rewrite` makes the file as small as it can be, and
everybody waits meanwhile.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wireroom.store.engine import Database, Run

#: Pages of 4 KiB that a step gives back: some milliseconds.
_PAGES_AT_ONCE = 1_000
_INCREMENTAL = 2


@dataclass(frozen=True, slots=True)
class Reclaimed:
    """What the database took on the disk, before and after."""

    before_bytes: int
    after_bytes: int
    #: Holes that only `rewrite` gives back.
    left_bytes: int = 0


async def reclaim(database: Database) -> Reclaimed:
    """Give back what can be given back while polling and delivery go on."""
    before = await database.administer(_size(database))
    if database.is_sqlite:
        while await database.administer(_give_some_back):
            pass  # others write in between
        await database.administer(_tidy_sqlite)
    else:
        for table in await database.administer(_tables):
            # Named one by one: each is let go of before the next is begun.
            await database.administer(_running(f'VACUUM (ANALYZE) "{table}"'))
    after = await database.administer(_size(database))
    left = await database.administer(_holes) if database.is_sqlite else 0
    return Reclaimed(before, after, left)


async def rewrite(database: Database) -> Reclaimed:
    """Write everything anew without holes. Everybody else waits; needs as much room again."""
    before = await database.administer(_size(database))
    for statement in _rewriting(database):
        await database.administer(_running(statement))
    return Reclaimed(before, await database.administer(_size(database)))


def _rewriting(database: Database) -> Iterator[str]:
    if database.is_sqlite:
        yield f"PRAGMA auto_vacuum = {_INCREMENTAL}"  # counts from the next VACUUM on
        yield "VACUUM"
        yield "PRAGMA wal_checkpoint(TRUNCATE)"
    else:
        yield "VACUUM (FULL, ANALYZE)"


def _running(statement: str) -> Callable[[Run], object]:
    return lambda run: run(statement)


def _size(database: Database) -> Callable[[Run], int]:
    def ask(run: Run) -> int:
        if database.is_sqlite:
            return _number(run, "page_count") * _number(run, "page_size")
        return int(run("SELECT pg_database_size(current_database())")[0][0])

    return ask


def _number(run: Run, pragma: str) -> int:
    return int(run(f"PRAGMA {pragma}")[0][0])


def _holes(run: Run) -> int:
    return _number(run, "freelist_count") * _number(run, "page_size")


def _give_some_back(run: Run) -> bool:
    """True while there is more to give back."""
    if _number(run, "auto_vacuum") != _INCREMENTAL or not _number(run, "freelist_count"):
        return False
    run(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
    return bool(_number(run, "freelist_count"))


def _tidy_sqlite(run: Run) -> None:
    run("INSERT INTO entry_search (entry_search) VALUES ('optimize')")
    run("PRAGMA optimize")
    run("PRAGMA wal_checkpoint(TRUNCATE)")


def _tables(run: Run) -> list[str]:
    rows = run("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    return [name for (name,) in rows]

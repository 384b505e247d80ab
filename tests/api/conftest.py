"""A station in memory, Ada with a phone, and Bob with another one."""

from collections.abc import Iterator

import pytest
from litestar.testing import TestClient

from tests.api.apps import Phone, Station
from tests.rows import add_account
from tests.servers.engines import in_memory


@pytest.fixture
def station() -> Iterator[Station]:
    """An empty database with the API over it."""
    database = in_memory()
    yield Station(database)
    database.close()


def _phone(station: Station, name: str) -> Iterator[Phone]:
    with station.database.writing() as connection:
        account_id = add_account(connection, name, "member")
    token = station.token(account_id)
    with TestClient(station.app(), raise_server_exceptions=False) as client:
        yield Phone(client, account_id, token)


@pytest.fixture
def ada(station: Station) -> Iterator[Phone]:
    yield from _phone(station, "ada")


@pytest.fixture
def bob(station: Station) -> Iterator[Phone]:
    yield from _phone(station, "bob")

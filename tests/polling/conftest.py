"""A newsroom on each engine, in the small internet of `tests.servers.world`."""

from collections.abc import AsyncIterator

import pytest

from tests.fetching.conftest import OpenClient, authority, open_client, open_site, world
from tests.polling.newsroom import Newsroom, open_newsroom
from wireroom.store.engine import Database

__all__ = ["authority", "newsroom", "open_client", "open_site", "world"]


@pytest.fixture
async def sqlite_newsroom(
    sqlite_database: Database, open_client: OpenClient
) -> AsyncIterator[Newsroom]:
    """An empty newsroom for what has nothing to do with the engine."""
    async with open_client() as client, open_newsroom(sqlite_database, client) as opened:
        yield opened


@pytest.fixture
async def newsroom(database: Database, open_client: OpenClient) -> AsyncIterator[Newsroom]:
    """An empty newsroom; every test that asks for it runs on both engines."""
    async with open_client() as client, open_newsroom(database, client) as opened:
        yield opened

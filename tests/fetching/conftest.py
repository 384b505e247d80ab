"""A small internet, an authority that signs its certificates, and clients that live in it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from tests.rows import NOON
from tests.servers.authority import Authority
from tests.servers.scripted import Behaviour, ScriptedServer
from tests.servers.world import World
from wireroom.fetching.client import Client

OpenClient = Callable[..., AbstractAsyncContextManager[Client]]
OpenSite = Callable[..., AbstractAsyncContextManager[ScriptedServer]]


@pytest.fixture(scope="session")
def authority() -> Authority:
    """One authority for all tests: making keys takes time."""
    return Authority()


@pytest.fixture
def world() -> World:
    """An internet with nobody in it."""
    return World()


@pytest.fixture
def open_client(world: World, authority: Authority) -> OpenClient:
    """`async with open_client(**settings) as client`: a client that lives in `world`."""

    @asynccontextmanager
    async def opened(**settings: Any) -> AsyncIterator[Client]:
        client = Client(
            user_agent="Wireroom/0.1 (+https://wireroom.example/bot)",
            tls=authority.for_clients(),
            lookup=world.lookup,
            make_socket=world.make_socket,
            **{"clock": lambda: NOON, **settings},
        )
        async with client:
            yield client

    return opened


@pytest.fixture
def open_site(world: World, authority: Authority) -> OpenSite:
    """`async with open_site(script, name) as server`: a site in `world`, over https by default."""

    @asynccontextmanager
    async def opened(
        script: dict[str, Behaviour],
        name: str = "news.example",
        address: str = "93.184.216.34",
        *,
        https: bool = True,
    ) -> AsyncIterator[ScriptedServer]:
        tls = authority.for_servers(name) if https else None
        async with ScriptedServer(script, tls=tls) as server:
            world.put(server, name, address)
            yield server

    return opened

"""The client end to end, against servers that do as they are told."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from tests.servers.authority import Authority
from tests.servers.scripted import Reply, ScriptedServer
from tests.servers.world import World
from wireroom.fetching.client import Client
from wireroom.fetching.outcome import (
    Fetched,
    Hops,
    Validators,
)
from wireroom.fetching.request import Request

OpenClient = Callable[..., AbstractAsyncContextManager[Client]]
FEED = b"<rss version='2.0'/>"
PUBLIC = "93.184.216.34"


async def test_feed_is_fetched(
    world: World, authority: Authority, open_client: OpenClient
) -> None:
    """A 200 comes back whole, with what its head says."""
    reply = Reply(headers=(("Content-Type", "application/rss+xml"), ("ETag", 'W/"a"')), body=FEED)
    tls = authority.for_servers("news.example")
    async with ScriptedServer({"/feed": reply}, tls=tls) as server, open_client() as client:
        world.put(server, "news.example", PUBLIC)

        outcome = await client.get(Request("https://news.example/feed"))

    assert (
        Fetched(
            Hops("https://news.example/feed"),
            200,
            FEED,
            "application/rss+xml",
            Validators('W/"a"'),
        )
        == outcome
    )
    assert [(PUBLIC, 443)] == world.dialled

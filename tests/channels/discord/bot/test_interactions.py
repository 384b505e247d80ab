"""Commands that come to our own address, signed; and what comes that is not Discord's."""

import asyncio
import contextlib
import functools
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.channels.discord.bot.conftest import FEED, Bench
from tests.servers import discord_platform as platform
from wireroom.channels.discord.bot import client, interactions
from wireroom.channels.discord.bot.interactions import Interactions, is_signed

URL = "https://news.example.org" + interactions.PATH


@pytest.fixture
async def called(bench: Bench) -> AsyncIterator[Bench]:
    """The same bot without a gateway, as the operator may want it."""
    await bench.stop()
    bench.discord.identifies.clear()

    async def close() -> None:
        pass

    made = Interactions(
        lambda: client.Bot(bench.desk(), registers=False),
        platform.TOKEN,
        lambda: datetime.now(UTC),
        close,
    )

    async def receive(
        body: bytes, signature: str, timestamp: str, *, waited: float = 0.0
    ) -> tuple[int, Any]:
        arrived = time.monotonic() - waited
        answer = await made.receive(body, signature, timestamp, arrived)
        return answer.status, answer.body

    bench.discord.endpoint = receive
    tasks = [
        asyncio.create_task(made.run()),
        asyncio.create_task(
            client.run(
                client.Bot(bench.desk()),
                platform.TOKEN,
                base_url=bench.discord.base_url,
                called_at=URL,
            )
        ),
    ]
    async with asyncio.timeout(30):
        while not bench.discord.application:
            done, _ = await asyncio.wait(tasks, timeout=0.05)
            for task in done:
                task.result()  # neither of them ends by itself
    yield bench
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def test_everything_works_without_a_gateway(called: Bench) -> None:
    """Commands, suggestions, buttons and forms; Discord was told where to call."""
    added = await called.run("rss add", feed_url=FEED)
    listed = await called.run("rss list")
    found = await called.discord.complete(called.owner, called.channel, "rss why", "feed", "")
    form = await called.run("rss template", feed="1")
    kept = await called.discord.fill_in(called.owner, form, source="{{ title }}")

    assert URL == called.discord.application["interactions_endpoint_url"]
    assert [] == called.discord.identifies
    assert "Feed added" in added.all_text
    assert "#1 Harbour" in listed.all_text
    assert ["1"] == [each["value"] for each in found]
    assert kept.text.startswith("✅")


async def test_time_before_the_work_counts(called: Bench) -> None:
    """From the first byte of the request: what has waited for too long is promised at once."""
    at_once = await called.run("rss list")
    receive = called.discord.endpoint
    assert receive is not None
    called.discord.endpoint = functools.partial(receive, waited=2.0)
    late = await called.run("rss list")

    assert [4, 5] == [each.interaction.kind for each in (at_once, late)]
    assert "No feeds yet" in late.text


async def test_the_server_has_its_name(called: Bench) -> None:
    """Discord does not say it with the command, so it is asked for, once."""
    await called.run("rss add", feed_url=FEED)
    listed = await called.run("rss list")
    await called.run("rss list")
    asked = [path for _, path, _ in called.discord.requests if path.endswith(called.guild.id)]

    assert "Feeds of Harbour" == listed.embeds[0]["title"]
    assert 1 == len(asked)


async def test_back_to_the_gateway(called: Bench) -> None:
    """Whoever turns the setting off gets commands over the gateway again."""
    called.discord.endpoint = None
    await called.start()
    shown = await called.run("rss list")

    assert called.discord.application["interactions_endpoint_url"] is None
    assert "No feeds yet" in shown.text


async def test_a_thread_is_known_without_a_gateway(called: Bench) -> None:
    """Where a command was typed comes along with it."""
    thread = called.discord.add_channel(called.guild, 11, parent=called.channel)
    await called.run("rss add", feed_url=FEED, in_=thread)

    assert [thread.id] == [each.channel for each in called.discord.messages]


async def test_what_is_not_discords(called: Bench) -> None:
    """Wrong key, old recording, no signature: 401, and nothing happens."""
    ping = {"type": 1}
    forged = await called.discord.call(ping, key=Ed25519PrivateKey.generate())
    old = await called.discord.call(ping, age=600)
    assert called.discord.endpoint is not None
    bare = await called.discord.endpoint(b'{"type":1}', "", "")

    assert [401, 401, 401] == [forged[0], old[0], bare[0]]
    assert (200, {"type": 1}) == await called.discord.call(ping)
    assert 400 == (await called.discord.call("nonsense"))[0]
    assert 400 == (await called.discord.call({"type": 2}))[0]


@pytest.mark.parametrize(
    ("signature", "timestamp"),
    [("zz", "1"), ("00" * 64, "1"), ("", ""), ("00" * 64, "soon")],
)
def test_odd_signatures(signature: str, timestamp: str) -> None:
    """None of them is an exception."""
    key = Ed25519PrivateKey.generate().public_key().public_bytes_raw()

    assert not is_signed(key, signature, timestamp, b"", now=datetime.now(UTC))


def test_a_signature_for_another_body() -> None:
    """What was signed is the time and the body, to the byte."""
    key = Ed25519PrivateKey.generate()
    at = str(int(time.time()))
    signature = key.sign(at.encode() + b"body").hex()
    public = key.public_key().public_bytes_raw()

    assert is_signed(public, signature, at, b"body", now=datetime.now(UTC))
    assert not is_signed(public, signature, at, b"body ", now=datetime.now(UTC))

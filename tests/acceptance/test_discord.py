"""The bot within the real program: a newcomer's first hour in a server."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.acceptance.program import Program, Publisher, until
from tests.servers import discord_platform as platform
from tests.servers.discord_platform import MANAGE_GUILD, FakePlatform


@pytest.fixture
async def discord() -> AsyncIterator[FakePlatform]:
    async with FakePlatform() as made:
        yield made


@pytest.fixture
async def publisher() -> AsyncIterator[Publisher]:
    async with Publisher().open() as made:
        yield made


@pytest.fixture
async def program(folder: Path, discord: FakePlatform) -> AsyncIterator[Program]:
    """An installation without feeds, with a Discord bot that polls every second."""
    settings = {
        "ALLOW_HTTP": "on",
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "PROFILE": "el-monitorro",
        "POLL_INTERVAL": "1s",
        "POLL_INTERVAL_MIN": "1s",
        "POLL_TICK": "1s",
        "FETCH_SPACING": "0.1s",
        "DISCORD_TOKEN": platform.TOKEN,
        "DISCORD_API": discord.base_url,
    }
    async with Program(folder, settings) as made:
        yield made


def titles(discord: FakePlatform) -> list[str]:
    return [each.embed["title"] for each in discord.messages]


async def test_a_newcomers_first_hour(
    program: Program, discord: FakePlatform, publisher: Publisher
) -> None:
    """Add a website, see its newest story, filter; news come by themselves, a kill between."""
    guild = discord.add_guild()
    channel = discord.add_channel(guild)
    owner = discord.add_member(guild, MANAGE_GUILD)
    await program.start()
    await discord.connected()

    added = await discord.command(owner, channel, "rss add", feed_url=publisher.url)
    assert "Harbour News" in added.all_text
    assert ["Story & number 3"] == titles(discord)

    await discord.command(owner, channel, "rss filter", feed="1", text='-"number 4"')
    await program.kill()
    discord.sockets.clear()
    await program.start()
    await discord.connected()
    publisher.items += [4, 5]
    await until(lambda: "Story & number 5" in titles(discord), "two stories")
    listed = await discord.command(owner, channel, "rss list")

    assert ["Story & number 3", "Story & number 5"] == titles(discord)
    assert "Harbour News" in listed.all_text
    assert 0 == await program.stop()


async def test_commands_over_http(
    program: Program, discord: FakePlatform, publisher: Publisher
) -> None:
    """With a public address and one setting Discord calls us, and there is no gateway."""
    guild = discord.add_guild()
    channel = discord.add_channel(guild)
    owner = discord.add_member(guild, MANAGE_GUILD)

    async def call(body: bytes, signature: str, timestamp: str) -> tuple[int, Any]:
        headers = {
            "X-Signature-Ed25519": signature,
            "X-Signature-Timestamp": timestamp,
            "Content-Type": "application/json",
        }
        # The world reaches the program by a proxy; here it is called where it listens.
        url = f"{listening}/discord/interactions"
        async with (
            ClientSession() as session,
            session.post(url, data=body, headers=headers) as answer,
        ):
            is_json = answer.content_type == "application/json"
            return answer.status, await answer.json() if is_json else None

    listening = f"http://127.0.0.1:{free_port()}"
    discord.endpoint = call
    program.settings |= {
        "PUBLIC_URL": "https://news.example.org",
        "LISTEN": listening.removeprefix("http://"),
        "DISCORD_INTERACTIONS": "on",
    }
    await program.start()
    await until(lambda: bool(discord.application), "Discord is told where to call")
    added = await discord.command(owner, channel, "rss add", feed_url=publisher.feed_url)

    assert "Harbour News" in added.all_text
    assert [] == discord.identifies


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


async def test_bots_without_a_token(program: Program) -> None:
    """A clear message, and exit code 1 (DCC-27)."""
    program.settings["DISCORD_TOKEN"] = ""
    code, printed = await program.command("bots")

    assert 1 == code
    assert "WIREROOM_DISCORD_TOKEN" in printed


async def test_a_wrong_token(program: Program) -> None:
    """The start says what to do, and nothing of the token."""
    program.settings["DISCORD_TOKEN"] = "MTEw.wrong.token"
    code, printed = await program.command("bots")

    assert 1 == code
    assert "copy the bot's token again" in printed
    assert "MTEw.wrong" not in printed


async def test_bots_beside_a_running_wireroom(
    program: Program, discord: FakePlatform, publisher: Publisher
) -> None:
    """The bot as a process of its own, polling and delivery in another."""
    guild = discord.add_guild()
    channel = discord.add_channel(guild)
    owner = discord.add_member(guild, MANAGE_GUILD)
    token = program.settings.pop("DISCORD_TOKEN")
    await program.start()
    async with Program(program.folder, program.settings | {"DISCORD_TOKEN": token}) as bots:
        process = await bots._begin("bots")
        bots._process = process
        await discord.connected()
        await discord.command(owner, channel, "rss add", feed_url=publisher.feed_url)
        publisher.items.append(4)
        await until(lambda: "Story & number 4" in titles(discord), "a story")

    assert ["Story & number 3", "Story & number 4"] == titles(discord)

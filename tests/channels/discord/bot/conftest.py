"""A bot at its desk: a real client at a fake Discord, a real store, and publishers."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from tests.fetching.conftest import OpenClient, OpenSite, authority, open_client, open_site, world
from tests.polling.newsroom import Newsroom, open_newsroom, rss
from tests.servers import discord_platform as platform
from tests.servers.discord_platform import (
    MANAGE_GUILD,
    Channel,
    FakePlatform,
    Guild,
    Member,
    Shown,
)
from tests.servers.scripted import Reply
from wireroom.channels.discord.bot import client
from wireroom.channels.discord.bot.desk import Desk
from wireroom.channels.discord.bot.icons import Icons
from wireroom.channels.discord.sender import DiscordChannel
from wireroom.delivery.deliver import deliver
from wireroom.delivery.turn import Delivering
from wireroom.store import claims
from wireroom.store.engine import Database
from wireroom.store.vault import Vault

__all__ = ["authority", "open_client", "open_site", "world"]

FEED = "https://news.example/feed"
OTHER = "https://news.example/other"


def feed(*items: str) -> Reply:
    return Reply(headers=(("Content-Type", "application/rss+xml"),), body=rss(*items))


@dataclass
class Bench:
    """One server with a channel, somebody who may manage it, and somebody who may not."""

    discord: FakePlatform
    room: Newsroom
    script: dict[str, Any]
    guild: Guild
    channel: Channel
    owner: Member
    member: Member
    vault: Vault = field(default_factory=lambda: Vault(b"k" * 32))
    _running: list[asyncio.Task[None]] = field(default_factory=list)
    _senders: list[DiscordChannel] = field(default_factory=list)

    @property
    def database(self) -> Database:
        return self.room.database

    def sender(self) -> DiscordChannel:
        async def sleep(seconds: float) -> None:
            self.room.clock.move(timedelta(seconds=seconds))

        made = DiscordChannel(
            base_url=self.discord.base_url, now=self.room.clock, sleep=sleep, token=platform.TOKEN
        )
        self._senders.append(made)
        return made

    def desk(self) -> Desk:
        return Desk(
            self.room.tools,
            self.vault,
            self.room.bell,
            self.sender(),
            owner="bot",
            icons=Icons(),
            page_size=2,
            outbox_seconds=0,
        )

    async def start(
        self, *, shards: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> client.Bot:
        """The bot, connected."""
        bot = client.Bot(self.desk(), shards=shards, clock=clock)
        running = client.run(bot, platform.TOKEN, base_url=self.discord.base_url)
        self._running.append(asyncio.create_task(running))
        await self.discord.connected(shards or 1)
        return bot

    async def stop(self) -> None:
        """The bot is gone, as at the end of its process."""
        self.discord.sockets.clear()
        for task in self._running:
            task.cancel()
        ended = await asyncio.gather(*self._running, return_exceptions=True)
        self._running.clear()
        assert [] == [each for each in ended if not isinstance(each, asyncio.CancelledError)]
        for sender in self._senders:
            await sender.close()

    async def restart(self) -> client.Bot:
        await self.stop()
        return await self.start()

    async def run(self, typed: str, /, *, by: Member | None = None, **options: Any) -> Shown:
        """A command of the owner, in the channel."""
        channel = options.pop("in_", self.channel)
        return await self.discord.command(by or self.owner, channel, typed, **options)

    async def deliver(self) -> None:
        """Everything that waits goes out."""
        tools = Delivering(
            self.database, {"discord": self.sender()}, self.vault, self.room.clock, lambda: 0.5
        )
        while leases := await self.database.write(
            lambda connection: claims.claim_destinations(
                connection, owner="d", channels=["discord"], now=self.room.clock(), limit=9
            )
        ):
            for lease in leases:
                await deliver(lease, tools)

    @property
    def posts(self) -> list[str]:
        """Titles of what webhooks posted, in order."""
        return [each.embed.get("title", "") for each in self.discord.messages]


@pytest.fixture
async def bench(
    sqlite_database: Database, open_client: OpenClient, open_site: OpenSite
) -> AsyncIterator[Bench]:
    """A bot that is connected."""
    script: dict[str, Any] = {"/feed": feed("2", "1"), "/other": feed("b", "a")}
    async with (
        open_client() as http,
        open_newsroom(sqlite_database, http) as room,
        open_site(script),
        FakePlatform() as discord,
    ):
        guild = discord.add_guild()
        channel = discord.add_channel(guild)
        owner = discord.add_member(guild, MANAGE_GUILD)
        made = Bench(discord, room, script, guild, channel, owner, discord.add_member(guild))
        await made.start()
        try:
            yield made
        finally:
            await made.stop()

"""How long a large server waits for its bot: 2,000 feeds in 200 channels of one server.

`python -m bench.discord [FEEDS] [CHANNELS]` prints median and 95th percentile of suggestions and
of commands, from the interaction to the answer's arrival, the CPU time of one, and the memory of
the process. Discord waits for 3 seconds. It is played on loopback in the same process, so the
figures are upper bounds.
"""

import asyncio
import logging
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection, insert
from tests.servers import discord_platform as platform
from tests.servers.discord_platform import MANAGE_GUILD, FakePlatform

from wireroom.channels.discord.bot import client as bots
from wireroom.channels.discord.bot.desk import Desk
from wireroom.channels.discord.bot.icons import Icons
from wireroom.channels.discord.sender import DiscordChannel
from wireroom.fetching.client import Client
from wireroom.polling.parser import Parser
from wireroom.polling.policies import WIREROOM
from wireroom.polling.tools import Polling
from wireroom.store import schema
from wireroom.store.bell import Bell
from wireroom.store.engine import Database, connect
from wireroom.store.vault import Vault

_TIMES = 40
_NOW = datetime.now(UTC)
_ACCOUNT = 1
#: Discord's own patience.
_MOST_SECONDS = 3.0


def fill(connection: Connection, guild: str, feeds: int, channels: int) -> None:
    """One server with a webhook in each channel, and its feeds spread over them."""
    connection.execute(
        insert(schema.accounts).values(id=_ACCOUNT, name="Harbour", created_at=_NOW)
    )
    connection.execute(
        insert(schema.identities).values(
            account_id=_ACCOUNT, kind="discord", subject=guild, created_at=_NOW
        )
    )
    places = range(1, channels + 1)
    connection.execute(insert(schema.destinations), [_place(each) for each in places])
    connection.execute(
        insert(schema.discord_webhooks),
        [
            {
                "destination_id": each,
                "guild_id": guild,
                "channel_id": str(5000 + each),
                "added_by": "1",
            }
            for each in places
        ],
    )
    numbers = range(1, feeds + 1)
    connection.execute(insert(schema.lanes), [{"key": f"h{n}.example"} for n in numbers])
    connection.execute(insert(schema.feeds), [_feed(n) for n in numbers])
    connection.execute(insert(schema.entries), [_entry(n) for n in numbers])
    connection.execute(insert(schema.subscriptions), [_subscription(n) for n in numbers])
    connection.execute(insert(schema.routes), [_route(n, channels) for n in numbers])


def _place(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "account_id": _ACCOUNT,
        "channel": "discord",
        "address": str(9000 + number),
        "created_at": _NOW,
    }


def _feed(number: int) -> dict[str, Any]:
    url = f"https://h{number}.example/feed.xml"
    return {
        "id": number,
        "url": url,
        "canonical_key": url,
        "lane": f"h{number}.example",
        "title": f"News of harbour {number}",
        "last_seq": 1,
        "last_success_at": _NOW,
        "failure_count": number % 7 == 0,
        "last_error": "The server answers 503." if number % 7 == 0 else "",
        "created_at": _NOW,
    }


def _entry(number: int) -> dict[str, Any]:
    return {
        "feed_id": number,
        "seq": 1,
        "public_id": str(number),
        "title": f"Story {number}",
        "summary": "<p>Text</p>",
        "sort_at": _NOW,
        "first_seen_at": _NOW,
        "content_hash": bytes(16),
        "digest": bytes(16),
    }


def _subscription(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "account_id": _ACCOUNT,
        "feed_id": number,
        "data_store_uuid": str(number),
        "created_at": _NOW,
    }


def _route(number: int, channels: int) -> dict[str, Any]:
    return {
        "id": number,
        "subscription_id": number,
        "feed_id": number,
        "destination_id": number % channels + 1,
        "cursor": 1,
        "asked_through": 1,
        "settings": {"filter": "-crypto", "layout": "text"},
        "created_at": _NOW,
    }


async def run(feeds: int, channels: int) -> None:
    """Fill a database, let the bot answer, print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        database = connect(f"sqlite:///{Path(folder) / 'bench.sqlite3'}")
        async with (
            FakePlatform() as discord,
            Client(user_agent="Bench") as client,
            Parser() as parser,
        ):
            guild = discord.add_guild()
            with database.writing() as connection:
                schema.metadata.create_all(connection)
                fill(connection, guild.id, feeds, channels)
            print(f"filled: {feeds} feeds in {channels} channels of one server")
            polling = Polling(
                database, client, parser.read, WIREROOM, lambda: datetime.now(UTC), lambda: 0.5
            )
            await _measure(discord, database, polling, feeds)
        database.close()


async def _measure(
    discord: FakePlatform, database: Database, polling: Polling, feeds: int
) -> None:
    sender = DiscordChannel(base_url=discord.base_url)
    desk = Desk(polling, Vault(bytes(32)), Bell(), sender, "bench", Icons())
    bot = bots.Bot(desk, shards=1)
    running = asyncio.create_task(bots.run(bot, platform.TOKEN, base_url=discord.base_url))
    await discord.connected()
    guild = discord.guilds[0]
    channel = discord.add_channel(guild)
    owner = discord.add_member(guild, MANAGE_GUILD)
    for name, work in _works(discord, owner, channel, feeds).items():
        await _times(name, work)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory: {memory:.0f} MB at most, Discord's side included")
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await sender.close()


Work = Callable[[int], Awaitable[Any]]


def _works(discord: FakePlatform, owner: Any, channel: Any, feeds: int) -> dict[str, Work]:
    def complete(written: str) -> Work:
        return lambda number: discord.complete(
            owner, channel, "rss remove", "feed", written.format(n=number * 47 % feeds + 1)
        )

    def command(typed: str, **options: str) -> Work:
        return lambda number: discord.command(
            owner,
            channel,
            typed,
            **{key: value.format(n=number * 47 % feeds + 1) for key, value in options.items()},
        )

    return {
        "suggestions, nothing typed": complete(""),
        "suggestions, a name": complete("harbour {n}"),
        "suggestions, none fits": complete("zzz"),
        "/rss list": command("rss list"),
        "/rss status": command("rss status"),
        "/rss why, by number": command("rss why", feed="{n}"),
        "/rss why, by address": command("rss why", feed="https://h{n}.example/feed.xml"),
        "/rss export": command("rss export"),
        "20 times /rss list at once": lambda _: asyncio.gather(
            *(discord.command(owner, channel, "rss list") for _ in range(20))
        ),
    }


async def _times(name: str, work: Work) -> None:
    took = []
    cpu = time.process_time()
    for number in range(_TIMES):
        began = time.perf_counter()
        await work(number)
        took.append(time.perf_counter() - began)
    cpu = (time.process_time() - cpu) / _TIMES
    took.sort()
    middle, high = statistics.median(took), took[int(0.95 * len(took))]
    mark = "" if high < _MOST_SECONDS else "  TOO SLOW"
    spent = f"median {middle * 1000:6.0f} ms, 95 % {high * 1000:6.0f} ms, CPU {cpu * 1000:6.0f} ms"
    print(f"{name:28} {spent}{mark}")


def main() -> None:
    """Measure with as many feeds and channels as the command line says."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    numbers = [int(each) for each in sys.argv[1:3]]
    asyncio.run(run(*(numbers + [2000, 200][len(numbers) :])))


if __name__ == "__main__":
    main()

"""How long a command takes while delivery runs at its full pace: 5,000 chats with 20 feeds each.

`python -m bench.telegram [CHATS] [FEEDS]` prints the median and the slowest of a hundred commands,
and the memory of the process. Telegram is played on loopback in the same process, so the figures
are upper bounds.
"""

import asyncio
import logging
import resource
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection, insert
from tests.servers.telegram import FakeTelegram

from wireroom.channels.telegram.commands.roles import Access
from wireroom.channels.telegram.commands.service import Conduct, House, serve
from wireroom.channels.telegram.sender import TelegramChannel
from wireroom.delivery.deliver import Delivering
from wireroom.delivery.worker import deliver_forever
from wireroom.fetching.client import Client
from wireroom.polling.parser import Parser
from wireroom.polling.policies import WIREROOM
from wireroom.polling.tools import Polling
from wireroom.store import schema
from wireroom.store.bell import Bell
from wireroom.store.engine import connect
from wireroom.store.vault import Vault

_COMMANDS = 100
_NOW = datetime.now(UTC)


def fill(connection: Connection, chats: int, per_chat: int) -> None:
    """Chats with accounts, destinations and routes; one entry of every feed waits for each."""
    feeds = max(per_chat * 10, chats * per_chat // 50)
    connection.execute(insert(schema.lanes), [{"key": f"h{n}.example"} for n in range(feeds)])
    connection.execute(
        insert(schema.feeds),
        [
            {
                "id": n + 1,
                "url": f"https://h{n}.example/feed",
                "canonical_key": f"https://h{n}.example/feed",
                "lane": f"h{n}.example",
                "title": f"Feed {n}",
                "last_seq": 1,
                "last_success_at": _NOW,
                "created_at": _NOW,
            }
            for n in range(feeds)
        ],
    )
    connection.execute(
        insert(schema.entries),
        [
            {
                "feed_id": n + 1,
                "seq": 1,
                "public_id": str(n),
                "title": f"Story {n}",
                "summary": "<p>Text</p>",
                "sort_at": _NOW,
                "first_seen_at": _NOW,
                "content_hash": bytes(16),
                "digest": bytes(16),
            }
            for n in range(feeds)
        ],
    )
    for chat in range(1, chats + 1):
        _fill_chat(connection, chat, per_chat, feeds)


def _fill_chat(connection: Connection, chat: int, per_chat: int, feeds: int) -> None:
    connection.execute(
        insert(schema.accounts).values(id=chat, name=f"Chat {chat}", created_at=_NOW)
    )
    connection.execute(
        insert(schema.identities).values(
            account_id=chat, kind="telegram", subject=str(chat), created_at=_NOW
        )
    )
    connection.execute(
        insert(schema.destinations).values(
            id=chat,
            account_id=chat,
            channel="telegram",
            address=str(chat),
            ready_at=_NOW,
            created_at=_NOW,
        )
    )
    ids = [(chat - 1) * per_chat + n + 1 for n in range(per_chat)]
    chosen = [(each * 7) % feeds + 1 for each in ids]
    connection.execute(
        insert(schema.subscriptions),
        [
            {
                "id": each,
                "account_id": chat,
                "feed_id": feed,
                "data_store_uuid": str(each),
                "created_at": _NOW,
            }
            for each, feed in zip(ids, chosen, strict=True)
        ],
    )
    connection.execute(
        insert(schema.routes),
        [
            {
                "id": each,
                "subscription_id": each,
                "feed_id": feed,
                "destination_id": chat,
                "cursor": 0,
                "asked_through": 1,
                "created_at": _NOW,
            }
            for each, feed in zip(ids, chosen, strict=True)
        ],
    )


async def answered(telegram: FakeTelegram, chat: int, text: str) -> float:
    """Seconds from the moment the update is there to the answer's arrival at Telegram."""
    who = {"id": chat, "is_bot": False, "first_name": f"Chat {chat}", "language_code": "en"}
    place = {"id": chat, "type": "private", "first_name": f"Chat {chat}"}
    started, seen = time.perf_counter(), len(telegram.messages)
    telegram.say(text, chat=place, sender=who)
    while True:
        for message in telegram.messages[seen:]:
            if message.chat == chat and "Story" not in message.text:
                return time.perf_counter() - started
        seen = len(telegram.messages)
        await asyncio.sleep(0.001)


async def run(chats: int, per_chat: int) -> None:
    """Fill a database, deliver and answer at the same time, print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        database = connect(f"sqlite:///{Path(folder) / 'bench.sqlite3'}")
        with database.writing() as connection:
            schema.metadata.create_all(connection)
            fill(connection, chats, per_chat)
        print(f"filled: {chats} chats with {per_chat} subscriptions each")
        async with (
            FakeTelegram() as telegram,
            Client(user_agent="Bench") as client,
            Parser() as parser,
        ):
            await _measure(telegram, database, client, parser, chats)
        database.close()


async def _measure(
    telegram: FakeTelegram, database: Any, client: Client, parser: Parser, chats: int
) -> None:
    def now() -> datetime:
        return datetime.now(UTC)

    bell = Bell()
    polling = Polling(database, client, parser.read, WIREROOM, now, lambda: 0.5)
    sender = TelegramChannel(telegram.token, base_url=telegram.base_url)
    tools = Delivering(database, {"telegram": sender}, Vault(bytes(32)), now, lambda: 0.0)
    conduct = Conduct(token=telegram.token, access=Access("open"), base_url=telegram.base_url)
    house = House(polling, tools, sender.rhythm, "bench", now, bell)
    loops = [
        asyncio.create_task(serve(conduct, house)),
        asyncio.create_task(deliver_forever(tools, bell, owner="bench", concurrency=64)),
    ]
    await asyncio.sleep(3)
    sent, began = len(telegram.messages), time.perf_counter()
    texts = ("/list", "/status", "/settings", "/help", "/set_timezone 60")
    took = []
    for number in range(_COMMANDS):
        chat = number * 37 % chats + 1
        took.append(await answered(telegram, chat, texts[number % len(texts)]))
        await asyncio.sleep(0.05)
    rate = (len(telegram.messages) - sent - _COMMANDS) / (time.perf_counter() - began)
    took.sort()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"delivery meanwhile: {rate:.1f} messages a second")
    print(f"answers: median {statistics.median(took) * 1000:.0f} ms, ", end="")
    print(f"95 % {took[int(0.95 * len(took))] * 1000:.0f} ms, slowest {took[-1] * 1000:.0f} ms")
    print(f"memory: {memory:.0f} MB at most, Telegram's side included")
    for loop in loops:
        loop.cancel()
    await asyncio.gather(*loops, return_exceptions=True)
    await sender.close()


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    asyncio.run(run(int((sys.argv[1:] or ["5000"])[0]), int((sys.argv[2:] or ["20"])[0])))

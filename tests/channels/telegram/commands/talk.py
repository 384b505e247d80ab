"""Conversations with the bot over real HTTP: people, chats, a publisher, and a Bot API that plays
Telegram."""

import asyncio
import contextlib
import ipaddress
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select

from tests.polling.newsroom import STEADY, Clock, rss
from tests.servers.scripted import Reply, ScriptedServer
from tests.servers.telegram import FakeTelegram, SentMessage
from wireroom.channels.telegram.commands.desk import Limits
from wireroom.channels.telegram.commands.roles import Access
from wireroom.channels.telegram.commands.service import Conduct, House, serve
from wireroom.channels.telegram.sender import TelegramChannel
from wireroom.delivery.deliver import Delivering
from wireroom.delivery.worker import deliver_forever
from wireroom.fetching.client import Client
from wireroom.fetching.guard import Rules
from wireroom.polling.parser import Parser
from wireroom.polling.tools import Polling
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.schema import destinations, feeds, routes, telegram_updates
from wireroom.store.vault import Vault

#: No wait of a test is longer, however slow the machine.
PATIENCE_SECONDS = 20

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")

BOT = 123456789


def person(number: int, name: str = "", language: str = "en") -> dict[str, Any]:
    return {
        "id": number,
        "is_bot": False,
        "first_name": name or f"User {number}",
        "language_code": language,
    }


ADA = person(7, "Ada")
EVE = person(66, "Eve")
EMIL = person(8, "Emil", "de-AT")
ANONYMOUS = person(1087968824, "Group") | {"is_bot": True, "username": "GroupAnonymousBot"}


def private(who: dict[str, Any]) -> dict[str, Any]:
    return {"id": who["id"], "type": "private", "first_name": who["first_name"]}


GROUP: dict[str, Any] = {"id": -42, "type": "group", "title": "Harbour watch"}
FORUM: dict[str, Any] = {
    "id": -1001,
    "type": "supergroup",
    "title": "Shipping",
    "is_forum": True,
}
CHANNEL: dict[str, Any] = {
    "id": -1002,
    "type": "channel",
    "title": "Harbour News",
    "username": "harbournews",
}


@dataclass
class Talk:
    """See the module. `said` are the bot's messages since the last thing that somebody did."""

    telegram: FakeTelegram
    site: ScriptedServer
    database: Database
    clock: Clock
    bell: Bell
    script: dict[str, Any]
    #: Set by each write of the bot.
    written: asyncio.Event
    said: list[SentMessage] = field(default_factory=list)

    async def say(
        self,
        text: str,
        who: dict[str, Any] | None = ADA,
        chat: dict[str, Any] | None = None,
        **more: Any,
    ) -> str:
        """Somebody writes; gives all that the bot says to it. In private unless `chat` says."""
        if chat is None:
            assert who is not None
            chat = private(who)
        if topic := more.pop("topic", None):
            more |= {"message_thread_id": topic, "is_topic_message": True}
        return await self._after(self.telegram.say(text, chat=chat, sender=who, **more))

    async def press(
        self,
        label: str,
        who: dict[str, Any] = ADA,
        *,
        under: SentMessage | None = None,
        data: str = "",
    ) -> str:
        """Somebody presses a button under the bot's last message; gives how it looks then, or what
        was said newly."""
        message = under or self.last
        edits = len(self.telegram.edits)
        said = await self._after(self.telegram.press(message, label, sender=who, data=data))
        assert self.telegram.answered_callbacks, "the wheel turns for ever"
        if said:
            return said
        return message.text if len(self.telegram.edits) > edits else ""

    async def update(self, **update: Any) -> str:
        """Something else happens."""
        return await self._after(self.telegram.push(update))

    @property
    def last(self) -> SentMessage:
        return self.telegram.messages[-1]

    @property
    def note(self) -> str:
        """What the last press showed for a moment."""
        return str(self.telegram.answered_callbacks[-1].get("text") or "")

    async def _after(self, update_id: int) -> str:
        before = len(self.telegram.messages)
        await self.settled(update_id)
        self.said = self.telegram.messages[before:]
        return "\n\n".join(message.text for message in self.said)

    async def settled(self, update_id: int) -> None:
        """The update is dealt with and written down."""

        def is_done(connection: Connection) -> bool:
            row = connection.execute(
                select(telegram_updates.c.done_at).where(telegram_updates.c.update_id == update_id)
            ).first()
            return row is not None and row.done_at is not None

        async with asyncio.timeout(PATIENCE_SECONDS):
            self.written.clear()
            while not await self.database.read(is_done):
                await self.written.wait()
                self.written.clear()

    async def going(self) -> list[tuple[str, str]]:
        """What goes where: the feed's path and the destination's address."""

        def look(connection: Connection) -> list[tuple[str, str]]:
            rows = connection.execute(
                select(feeds.c.url, destinations.c.address)
                .select_from(routes)
                .join(feeds, feeds.c.id == routes.c.feed_id)
                .join(destinations, destinations.c.id == routes.c.destination_id)
                .order_by(feeds.c.url, destinations.c.address)
            )
            return [(row.url.removeprefix(self.site.url("")), row.address) for row in rows]

        return await self.database.read(look)

    def url(self, path: str = "/feed") -> str:
        return self.site.url(path)


def page(*feeds_: tuple[str, str]) -> Reply:
    """A web page that advertises feeds: (address, title)."""
    links = "".join(
        f"<link rel='alternate' type='application/rss+xml' title='{title}' href='{href}'>"
        for href, title in feeds_
    )
    body = f"<!doctype html><html><head><title>Page</title>{links}</head></html>".encode()
    return Reply(headers=(("Content-Type", "text/html"),), body=body)


def feed(*items: str) -> Reply:
    return Reply(headers=(("Content-Type", "application/rss+xml"),), body=rss(*items))


def usual_script() -> dict[str, Any]:
    """Paths of the publisher's site."""
    return {
        "/feed": feed("2", "1"),
        "/other": Reply(body=rss("9").replace(b"<title>Harbour<", b"<title>Lighthouse<", 1)),
        "/page": page(("/feed", "News"), ("/other", "Lighthouse")),
        "/lonely": page(("/other", "Lighthouse")),
        "/broken": Reply(500, body=b"out of order"),
        "/plain": Reply(headers=(("Content-Type", "text/plain"),), body=b"just text"),
    }


@contextlib.asynccontextmanager
async def open_talk(
    database: Database,
    *,
    access: Access | None = None,
    limits: Limits | None = None,
    initial_items: int = 0,
    delivers: bool = False,
    counts: bool = False,
    public_url: str = "",
    press_seconds: float = PATIENCE_SECONDS,
) -> AsyncIterator[Talk]:
    """A bot in mode open that asks the fake Bot API for updates; `delivers` sends news as well.

    With `counts` the API has its flood control, and news wait by moving the clock.
    """
    clock, bell, script = Clock(), Bell(), usual_script()
    rules = Rules(allow_http=True, allowed_networks=(LOOPBACK,), high_ports=True)
    async with (
        FakeTelegram() as telegram,
        ScriptedServer(script) as site,
        Client(user_agent="Test", rules=rules) as client,
        Parser() as parser,
    ):
        telegram.members[-42, ADA["id"]] = "administrator"
        telegram.members[-1001, ADA["id"]] = "creator"
        telegram.members[-1002, ADA["id"]] = "administrator"
        telegram.chats |= {each["id"]: dict(each) for each in (GROUP, FORUM, CHANNEL)}
        vault = Vault(bytes(32))
        polling = Polling(
            database, client, parser.read, STEADY, clock, lambda: 0.5, vault=lambda: vault
        )
        telegram.flood, telegram.clock = counts, lambda: clock().timestamp()

        async def sleep(seconds: float) -> None:
            if counts:
                clock.move(timedelta(seconds=seconds))

        sender = TelegramChannel(
            telegram.token, base_url=telegram.base_url, now=clock, sleep=sleep
        )
        tools = Delivering(database, {"telegram": sender}, vault, clock, lambda: 0.0)
        conduct = Conduct(
            token=telegram.token,
            access=access or Access("open"),
            base_url=telegram.base_url,
            limits=limits or Limits(),
            initial_items=initial_items,
            public_url=public_url,
            is_called=bool(public_url),
            press_seconds=press_seconds,
        )
        house = House(polling, tools, sender.rhythm, "bot", clock, bell)
        written = _told_of_writes(database)
        loops = [asyncio.create_task(serve(conduct, house))]
        if delivers:
            loops.append(
                asyncio.create_task(deliver_forever(tools, bell, owner="sender", concurrency=4))
            )
        try:
            yield Talk(telegram, site, database, clock, bell, script, written)
            for loop in loops:
                assert not loop.done() or loop.exception() is None
        finally:
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)
            await sender.close()


def _told_of_writes(database: Database) -> asyncio.Event:
    """What is set whenever something was written."""
    written, write = asyncio.Event(), database.write

    async def tell(*work: Any) -> Any:
        done = await write(*work)
        written.set()
        return done

    database.write = tell  # type: ignore[method-assign]
    return written


async def until(condition: Any, what: str) -> None:
    """Wait for something that a loop does; fails in words when it does not happen."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"did not happen: {what}"
        await asyncio.sleep(0.01)

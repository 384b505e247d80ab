"""A polling Wireroom in a small internet: a real store, a real client, and a clock."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, select

from tests.rows import NOON, add_account
from wireroom import subscribing
from wireroom.fetching.client import Client
from wireroom.polling.commit import Committer
from wireroom.polling.parser import Parser
from wireroom.polling.policies import MINUTE, WIREROOM, Policy
from wireroom.polling.tools import Pace, Polling
from wireroom.polling.worker import poll_forever
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.schema import entries, feeds, lanes
from wireroom.subscribing import Subscribed

#: No wait of a test is longer, however slow the machine.
PATIENCE_SECONDS = 30

#: Every 10 minutes, without chance.
STEADY = replace(WIREROOM, kind="fixed", base=10 * MINUTE, jitter=0.0)


def rss(*items: str, more: str = "") -> bytes:
    """A feed with these items, newest first; an item is "guid" or "guid|title"."""
    listed = "".join(
        f"<item><guid isPermaLink='false'>{guid}</guid>"
        f"<title>{title or f'Story {guid}'}</title>"
        f"<link>https://news.example/{guid}</link>"
        f"<description>Text of {guid}.</description></item>"
        for guid, _, title in (item.partition("|") for item in items)
    )
    head = f"<title>Harbour</title><link>https://news.example/</link>{more}"
    return f"<rss version='2.0'><channel>{head}{listed}</channel></rss>".encode()


@dataclass
class Clock:
    """Stands still until it is moved."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def move(self, wait: timedelta) -> None:
        self.now += wait


@dataclass
class Newsroom:
    """See the module; made by `open_newsroom`."""

    database: Database
    tools: Polling
    clock: Clock
    account: int
    bell: Bell = field(default_factory=Bell)

    async def subscribe(self, url: str, **options: Any) -> Subscribed:
        return await subscribing.subscribe(
            self.tools, self.account, url, owner="front end", **options
        )

    async def poll(self, *, owner: str = "poller", concurrency: int = 8) -> None:
        """Let the loop run until nothing is due at the clock's time and no lane is leased."""
        async with (
            self.polling(owner=owner, concurrency=concurrency),
            asyncio.timeout(PATIENCE_SECONDS),
        ):
            while await self.database.read(self._is_busy):  # noqa: ASYNC110 - the store changes
                await asyncio.sleep(0.01)

    @contextlib.asynccontextmanager
    async def polling(
        self,
        *,
        owner: str = "poller",
        concurrency: int = 8,
        spacing: timedelta = timedelta(0),
        tools: Polling | None = None,
        pace: Pace | None = None,
    ) -> AsyncIterator[asyncio.Task[None]]:
        """The loop at work while the block runs; `pace` replaces width, tick and spacing."""
        tools = tools or self.tools
        tools.pace = pace or Pace(concurrency, timedelta(milliseconds=20), spacing)
        async with Committer(
            self.database, self.bell, self.clock, pace=lambda: tools.pace
        ) as committer:
            loop = asyncio.create_task(poll_forever(tools, committer, self.bell, owner=owner))
            try:
                yield loop
            finally:
                loop.cancel()
                await asyncio.gather(loop, return_exceptions=True)

    def _is_busy(self, connection: Connection) -> bool:
        due = lanes.c.ready_at <= self.clock()
        busy = select(lanes.c.key).where(due | lanes.c.lease_owner.is_not(None))
        return connection.execute(busy).first() is not None

    async def poll_after(self, wait: timedelta) -> None:
        self.clock.move(wait)
        await self.poll()

    async def poll_when_due(self) -> None:
        """Move the clock to the next due feed, and poll."""
        due = await self.database.read(
            lambda connection: connection.scalar(select(func.min(lanes.c.ready_at)))
        )
        assert due is not None, "nothing will ever be due"
        self.clock.now = max(self.clock.now, due)
        await self.poll()

    async def feed(self, feed_id: int) -> Row[Any] | None:
        return await self.database.read(
            lambda connection: connection.execute(
                select(feeds).where(feeds.c.id == feed_id)
            ).first()
        )

    async def standing(self, feed_id: int) -> Row[Any]:
        row = await self.feed(feed_id)
        assert row is not None
        return row

    async def titles(self, feed_id: int, *, news: bool | None = None) -> list[str]:
        """Titles of a feed's entries in the order of their numbers; only news, or only others."""
        query = select(entries.c.title).where(entries.c.feed_id == feed_id).order_by(entries.c.seq)
        if news is not None:
            query = query.where(entries.c.is_news == news)
        return await self.database.read(lambda connection: list(connection.scalars(query)))


@contextlib.asynccontextmanager
async def open_newsroom(
    database: Database, client: Client, *, policy: Policy = STEADY
) -> AsyncIterator[Newsroom]:
    """A newsroom with one account, in which nobody polls yet."""
    clock = Clock()
    account = await database.write(add_account)
    async with Parser() as parser:
        tools = Polling(database, client, parser.read, policy, clock, lambda: 0.5)
        yield Newsroom(database, tools, clock, account)

"""Many processes on one PostgreSQL, while machines die, the database restarts and clocks jump.

The servers' own log is the proof: no host saw two requests at once, no entry was lost or stored
twice, and every route got each entry once, with one repeat per kill at most.
"""

import asyncio
import contextlib
import random
import secrets
import subprocess
import time
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, func, insert, select

from tests.servers import postgresql
from tests.servers.postgresql import Postgresql
from tests.soak.fleet import Fleet
from tests.soak.outside import FIRST, Outside
from wireroom import records
from wireroom.feeds import urls
from wireroom.store import accounts, routes, schema
from wireroom.store.engine import Database, connect
from wireroom.store.migrate import migrate
from wireroom.store.vault import Vault

pytestmark = pytest.mark.postgresql

#: So long nothing may stand still: a lease, and a little.
PATIENCE_SECONDS = 210.0


@dataclass(frozen=True)
class Size:
    """How large and how long a run is."""

    parts: tuple[str, ...]
    feeds: int
    hosts: int
    webhooks: int
    seconds: float
    interval: str
    #: Seconds between two of each kind.
    kills: float
    restarts: float
    steps: float
    #: Items that all feeds together publish in a second.
    news: float


SHORT = Size(
    parts=("poll", "poll", "run", "deliver"),
    feeds=150,
    hosts=25,
    webhooks=60,
    seconds=9,
    interval="2s",
    kills=2.5,
    restarts=4,
    steps=1,
    news=15,
)
LONG = Size(
    parts=("poll",) * 6 + ("deliver",) * 3 + ("run",),
    feeds=10_000,
    hosts=1_000,
    webhooks=1_000,
    seconds=240,
    interval="90s",
    kills=4,
    restarts=45,
    steps=2,
    news=40,
)


@pytest.mark.parametrize(
    "size",
    [pytest.param(SHORT, id="short"), pytest.param(LONG, id="long", marks=pytest.mark.soak)],
)
async def test_nothing_is_lost_or_doubled_whatever_befalls_the_fleet(
    size: Size, tmp_path: Path
) -> None:
    """Kills, restarts of the database and clock steps at random, and what came of it."""
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    outside = Outside(size.feeds, size.hosts, seed)
    programs = postgresql.programs()
    if programs is None:
        pytest.skip("no PostgreSQL of the test's own")
    with (
        contextlib.closing(await outside.open()),
        postgresql.running(programs) as server,
        opened(server) as database,
    ):
        key = secrets.token_bytes(32)
        settings = settings_of(outside, server, key, size, tmp_path)
        await asyncio.to_thread(follow_all, database, outside, size, Vault(key))
        async with Fleet(tmp_path, size.parts, settings) as fleet:
            await run_down(lambda: count_unread(database), "feeds that were never read")
            await trouble(fleet, outside, server, size, chance)
            await run_down(lambda: count_waiting(database, outside), "items not kept or not sent")
            dead = fleet.dead()
        kept = entries_of(database)
    kills, told = fleet.kills, outside.told
    repeats = Counter(message for each in told.values() for message in each)
    print(f"{kills} kills, {sum(outside.requests.values())} requests, {dict(outside.answers)}")
    print(f"{repeats.total()} messages, {repeats.total() - len(repeats)} repeats")

    assert [] == outside.overlaps
    assert [] == dead
    assert everything_published(outside) == kept
    assert everything_to_tell(outside) == sorted(repeats)
    assert max(repeats.values()) <= 1 + kills
    assert [] == out_of_order(outside)
    assert [] == fleet.complaints()


# -- before ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def opened(server: Postgresql) -> Iterator[Database]:
    database = connect(server.address)
    try:
        migrate(database)
        yield database
    finally:
        database.close()


def settings_of(
    outside: Outside, server: Postgresql, key: bytes, size: Size, folder: Path
) -> dict[str, str]:
    return {
        "DATA_DIR": str(folder),
        "DATABASE": server.address,
        "SECRET_KEY": b64encode(key).decode(),
        "LISTEN": "127.0.0.1:0",
        "PROFILE": "el-monitorro",
        "POLL_INTERVAL": size.interval,
        "POLL_INTERVAL_MIN": size.interval,
        "POLL_TICK": "1s",
        "FETCH_SPACING": "0.02s",
        "ALLOW_HTTP": "on",
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "DISCORD_API": f"http://127.0.0.1:{outside.port}",
        "LOG_LEVEL": "WARNING",
    }


def follow_all(database: Database, outside: Outside, size: Size, vault: Vault) -> None:
    """Every feed is followed, and goes to one webhook; each has the number of its address + 1."""
    now = records.now()
    numbers = range(1, size.feeds + 1)
    urls_of = {number: outside.url_of(number - 1) for number in numbers}
    with database.writing() as connection:
        account_id = accounts.operator_account(connection, now)
        webhooks = [
            routes.add_destination(
                connection,
                account_id=account_id,
                channel="discord",
                address=f"{10_000 + number}",
                secret=vault.seal(f"token{number}"),
                title="",
                now=now,
            )
            for number in range(size.webhooks)
        ]

        def add(table: Table, row: Callable[[int], dict[str, Any]]) -> None:
            connection.execute(insert(table), [row(number) for number in numbers])

        hosts = sorted({urls.lane(url) for url in urls_of.values()})
        connection.execute(
            insert(schema.lanes), [{"key": host, "ready_at": now} for host in hosts]
        )
        add(
            schema.feeds,
            lambda number: {
                "id": number,
                "url": urls_of[number],
                "canonical_key": urls.canonical(urls_of[number]),
                "lane": urls.lane(urls_of[number]),
                "next_poll_at": now,
                "created_at": now,
                "subscriber_count": 1,
            },
        )
        add(
            schema.subscriptions,
            lambda number: {
                "id": number,
                "account_id": account_id,
                "feed_id": number,
                "data_store_uuid": str(number),
                "created_at": now,
            },
        )
        add(
            schema.routes,
            lambda number: {
                "subscription_id": number,
                "feed_id": number,
                "destination_id": webhooks[number % len(webhooks)],
                "initial_items": 0,
                "created_at": now,
            },
        )


# -- meanwhile ------------------------------------------------------------------------------------


async def trouble(
    fleet: Fleet, outside: Outside, server: Postgresql, size: Size, chance: random.Random
) -> None:
    """News, and everything that can befall the machines, for the time of the run."""
    async with asyncio.timeout(size.seconds * 3) as _, asyncio.TaskGroup() as group:

        async def news() -> None:
            outside.publish(chance.randrange(size.feeds))

        async def clocks() -> None:
            fleet.step_a_clock(chance)

        async def kills() -> None:
            await fleet.kill_one(chance)

        async def restarts() -> None:
            await restart(server, chance)

        for work, pause in (
            (news, 1 / size.news),
            (clocks, size.steps),
            (kills, size.kills),
            (restarts, size.restarts),
        ):
            group.create_task(again_and_again(work, pause, size.seconds))


async def again_and_again(
    work: Callable[[], AsyncIterator[None] | object], pause: float, seconds: float
) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(pause)
        await work()  # type: ignore[misc]


async def restart(server: Postgresql, chance: random.Random) -> None:
    """A crash or an orderly restart, and a while without a database."""
    await asyncio.to_thread(server.stop, chance.choice(("immediate", "fast")))
    await asyncio.sleep(chance.uniform(0, 2))
    with contextlib.suppress(subprocess.CalledProcessError):
        await asyncio.to_thread(server.start)


async def run_down(count: Callable[[], int], what: str) -> None:
    """Wait until nothing is left, for as long as it becomes less."""
    least, since = await asyncio.to_thread(count), time.monotonic()
    while left := await asyncio.to_thread(count):
        if left < least:
            least, since = left, time.monotonic()
        assert time.monotonic() < since + PATIENCE_SECONDS, f"{left} {what}"
        await asyncio.sleep(0.5)


# -- afterwards -----------------------------------------------------------------------------------


def count_unread(database: Database) -> int:
    with database.reading() as connection:
        return connection.execute(
            select(func.count()).where(schema.feeds.c.last_success_at.is_(None))
        ).scalar_one()


def count_waiting(database: Database, outside: Outside) -> int:
    """Items that are not in the database yet, and those that have not gone out."""
    waiting = func.coalesce(func.sum(schema.feeds.c.last_seq - schema.routes.c.cursor), 0)
    with database.reading() as connection:
        kept = connection.execute(select(func.count()).select_from(schema.entries)).scalar_one()
        unsent = connection.execute(
            select(waiting).select_from(schema.routes.join(schema.feeds))
        ).scalar_one()
    return max(0, sum(outside.published) - kept) + int(unsent)


def entries_of(database: Database) -> list[str]:
    with database.reading() as connection:
        return sorted(connection.execute(select(schema.entries.c.public_id)).scalars())


def everything_published(outside: Outside) -> list[str]:
    return sorted(
        f"story-{feed}-{number}"
        for feed, count in enumerate(outside.published)
        for number in range(1, count + 1)
    )


def everything_to_tell(outside: Outside) -> list[tuple[int, int]]:
    """All items but those that the first reading found."""
    return sorted(
        (feed, number)
        for feed, count in enumerate(outside.published)
        for number in range(FIRST + 1, count + 1)
    )


def out_of_order(outside: Outside) -> list[tuple[int, list[int]]]:
    """Feeds whose items came to their webhook in another order than they were published in."""
    first_told: dict[int, list[int]] = {}
    for messages in outside.told.values():
        for feed, number in dict.fromkeys(messages):
            first_told.setdefault(feed, []).append(number)
    return [(feed, numbers) for feed, numbers in first_told.items() if numbers != sorted(numbers)]

"""Polls per CPU second, from the lease of a lane to the commit, against the bare HTTP client.

The real loop (`poll_forever`, committer, guarded client, parser, SQLite) polls feeds on loopback
hosts; the floor makes the same requests in the same order with aiohttp alone, no guard, no
reading, no store. Three cases: 304; a 200 with the body that we have; one new item of thirty.
CPU seconds are those of this process with all its threads (`store`: the share of those that run
SQL); the web server is another process.

    python -m bench polling [--feeds 400] [--hosts 50] [--rounds 3] [--profile 304]
"""

import argparse
import asyncio
import contextlib
import cProfile
import ipaddress
import pstats
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import uvloop
from sqlalchemy import update

from bench import publisher
from wireroom import logs, wiring
from wireroom.feeds import urls
from wireroom.polling.commit import Committer
from wireroom.polling.worker import Pace, poll_forever
from wireroom.settings import Settings
from wireroom.store import accounts, feeds, schema, subscriptions
from wireroom.store.ingest import Committed, Finished

#: Hosts asked at the same time, by us and by the floor.
AT_ONCE = 32
#: A round that takes longer is cut off and counted as far as it came.
MOST_SECONDS = 40.0


@dataclass
class Counting:
    """Stands before the committer: counts outcomes, and says when all feeds were polled."""

    committer: Committer
    wanted: int
    outcomes: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    async def commit(self, finished: Finished) -> Committed:
        committed = await self.committer.commit(finished)
        self.outcomes[f"{finished.status} {finished.outcome}"] += 1
        if sum(self.outcomes.values()) >= self.wanted:
            self.complete.set()
        return committed


@dataclass(frozen=True)
class Result:
    """One round: how many polls, and what they cost."""

    polls: int
    cpu: float
    wall: float
    outcomes: str
    #: CPU seconds of the store's threads, which `cpu` contains.
    store: float = 0.0

    @property
    def per_cpu_second(self) -> float:
        return self.polls / self.cpu


def _store_seconds() -> float:
    clocks = [
        time.pthread_getcpuclockid(thread.ident)
        for thread in threading.enumerate()
        if thread.ident and thread.name.startswith("store")
    ]
    return sum(map(time.clock_gettime, clocks))


async def poll_all(room: wiring.Room, wanted: int) -> Result:
    """Make every feed due and run the real loop until all were polled."""
    await room.database.write(_make_all_due, room.polling.now())
    async with Committer(room.database, room.bell, wiring.now) as committer:
        counting = Counting(committer, wanted)
        pace = Pace(AT_ONCE, timedelta(seconds=30), timedelta(0))
        cpu, wall, store = time.process_time(), time.perf_counter(), _store_seconds()
        loop = asyncio.create_task(
            poll_forever(room.polling, counting, room.bell, owner=room.owner, pace=pace)  # type: ignore[arg-type]
        )
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MOST_SECONDS):
                await counting.complete.wait()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        store = _store_seconds() - store
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
    words = ", ".join(f"{count} x {name}" for name, count in sorted(counting.outcomes.items()))
    return Result(sum(counting.outcomes.values()), cpu, wall, words, store)


def _make_all_due(connection: Any, now: Any) -> None:
    connection.execute(update(schema.feeds).values(next_poll_at=now))
    connection.execute(update(schema.lanes).values(ready_at=now, lease_owner=None))


async def ask_all(addresses: list[str], tags: dict[str, str]) -> Result:
    """The floor: the same requests by aiohttp alone; fills in the tags that it is given."""
    lanes: defaultdict[str, list[str]] = defaultdict(list)
    for address in addresses:
        lanes[urls.lane(address)].append(address)
    at_once, statuses = asyncio.Semaphore(AT_ONCE), defaultdict[str, int](int)
    cpu, wall = time.process_time(), time.perf_counter()
    async with aiohttp.ClientSession() as session:

        async def ask(lane: list[str]) -> None:
            async with at_once:
                for address in lane:
                    headers = {"If-None-Match": tags[address]} if address in tags else {}
                    async with session.get(address, headers=headers) as response:
                        await response.read()
                    statuses[str(response.status)] += 1
                    if tag := response.headers.get("ETag"):
                        tags[address] = tag

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MOST_SECONDS):
                await asyncio.gather(*map(ask, lanes.values()))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    words = ", ".join(f"{count} x {name}" for name, count in sorted(statuses.items()))
    return Result(sum(statuses.values()), cpu, wall, words)


def _follow_all(connection: Any, addresses: list[str], now: Any) -> None:
    account_id = accounts.operator_account(connection, now)
    for address in addresses:
        feed_id = feeds.make(
            connection,
            url=address,
            canonical_key=urls.canonical(address),
            lane=urls.lane(address),
            now=now,
        )
        subscriptions.add(
            connection, account_id=account_id, feed_id=feed_id, folder_id=None, now=now
        )


@contextlib.contextmanager
def _profiled(wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    profile = cProfile.Profile(time.thread_time)  # not the waiting
    profile.enable()
    try:
        yield
    finally:
        profile.disable()
        stats = pstats.Stats(profile, stream=sys.stdout)
        stats.sort_stats("tottime").print_stats(35)
        stats.sort_stats("cumulative").print_stats(r"wireroom|aiohttp.client", 45)


async def _case(
    name: str,
    arguments: argparse.Namespace,
    ours: Callable[[], Awaitable[Result]],
    floor: Callable[[], Awaitable[Result]],
    *,
    rounds: int = 1,
) -> None:
    """Both in turns, so that whatever else the machine does meets them alike; prints medians."""
    bare, real = [], []
    for _ in range(rounds):
        bare.append(await floor())
        with _profiled(arguments.profile == name):
            real.append(await ours())
    below, above = _median(bare), _median(real)
    print(
        f"{name:10}{above.per_cpu_second:12.0f}{below.per_cpu_second:8.0f}"
        f"{above.per_cpu_second / below.per_cpu_second:8.1%}{above.store / above.cpu:8.0%}"
        f"{above.polls / above.wall:9.0f}   {above.outcomes}"
    )


def _median(results: list[Result]) -> Result:
    return sorted(results, key=lambda result: result.per_cpu_second)[len(results) // 2]


async def _measure(arguments: argparse.Namespace, folder: Path) -> None:
    publisher.write_feeds(folder, arguments.feeds, newest=publisher.WINDOW)
    addresses = publisher.hosts(arguments.hosts)
    with publisher.serving(folder, addresses) as (port, server):
        print(f"{arguments.feeds} feeds on {arguments.hosts} hosts, served by {server}")
        print(f"{'':10}{'polls/CPU s':>12}{'floor':>8}{'ratio':>8}{'store':>8}{'polls/s':>9}")
        for kind in ("cached", "plain"):
            asked = [
                f"http://{addresses[n % len(addresses)]}:{port}/{kind}/{n}"
                for n in range(arguments.feeds)
            ]
            await _measure_kind(kind, arguments, folder, asked)


async def _measure_kind(
    kind: str, arguments: argparse.Namespace, folder: Path, asked: list[str]
) -> None:
    settings = Settings(
        data_dir=folder / kind,
        profile="el-monitorro",
        poll_interval=timedelta(hours=1),
        allow_http=True,
        allow_networks=(ipaddress.ip_network("127.0.0.0/8"),),
    )
    tags: dict[str, str] = {}
    async with wiring.open_room(settings) as room:
        await room.database.write(_follow_all, asked, wiring.now())

        def ours() -> Awaitable[Result]:
            return poll_all(room, len(asked))

        def floor() -> Awaitable[Result]:
            return ask_all(asked, tags)

        if kind == "plain":
            await ours()
            await _case("same 200", arguments, ours, floor, rounds=arguments.rounds)
            return
        await _case("first", arguments, ours, floor)
        await _case("304", arguments, ours, floor, rounds=arguments.rounds)
        publisher.write_feeds(folder, arguments.feeds, newest=publisher.WINDOW + 1)
        await _case("1 of 30", arguments, ours, floor)


def main() -> None:
    """Run all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--feeds", type=int, default=400)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3, help="of 304 and of the same 200")
    parser.add_argument("--log-level", default="INFO", help="what is logged goes nowhere")
    parser.add_argument("--profile", default="", help="profile a case: first, 304, '1 of 30', …")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="wireroom-bench-") as folder,
        Path("/dev/null").open("w") as nowhere,
        contextlib.redirect_stderr(nowhere),
    ):
        logs.configure(arguments.log_level, "console")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_measure(arguments, Path(folder)))


if __name__ == "__main__":
    main()

"""Polls per CPU second, from the lease of a lane to the commit, against the bare HTTP client.

The real loop (`poll_forever`, committer, guarded client, parser, SQLite) polls feeds on loopback
hosts, over http and https, over connections that are reused or new; the floor makes the same
requests in the same order with aiohttp alone, no guard, no reading, no store. Three cases: 304; a
200 with the body that we have; one new item of thirty. CPU seconds are those of this process with
all its threads (`store`: the share of those that run SQL); the web server is another process.

The schedule is that of the default profile at its dearest: no feed's habits are remembered. 304 is
also measured by a profile whose schedule is a division (`--beside`).

    python -m bench polling [--feeds 400] [--hosts 100] [--rounds 3] [--at-once 64] [--road https]
        [--watch 304] [--idle 100000] [--profile wireroom] [--beside el-monitorro]
"""

import argparse
import asyncio
import contextlib
import cProfile
import ipaddress
import pstats
import shutil
import socket
import ssl
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import uvloop
from aiohttp.abc import AbstractResolver, ResolveResult
from sqlalchemy import update

from bench import idle, publisher
from wireroom import collecting, logs, records, wiring
from wireroom.feeds import urls
from wireroom.fetching.client import Client
from wireroom.fetching.guard import Rules
from wireroom.fetching.tls import tls_with
from wireroom.polling.commit import Committer
from wireroom.polling.habits import habits
from wireroom.polling.tools import Pace
from wireroom.polling.worker import poll_forever
from wireroom.settings import Settings
from wireroom.store import accounts, feeds, schema, subscriptions
from wireroom.store.ingest import Committed, Finished

#: A round that takes longer is cut off and counted as far as it came.
MOST_SECONDS = 40.0


@dataclass
class Counting:
    """Stands before the committer: counts outcomes, and says when all feeds were polled."""

    committer: Committer
    wanted: int
    outcomes: defaultdict[tuple[int | None, str], int] = field(
        default_factory=lambda: defaultdict(int)
    )
    polls: int = 0
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    async def commit(self, finished: Finished) -> Committed:
        committed = await self.committer.commit(finished)
        self.outcomes[finished.status, finished.outcome] += 1
        self.polls += 1
        if self.polls >= self.wanted:
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


async def poll_all(room: wiring.Room, wanted: int, at_once: int) -> Result:
    """Make every feed due and run the real loop until all were polled."""
    habits.cache_clear()
    await room.database.write(_make_all_due, room.polling.now())
    tools = room.polling
    tools.pace = Pace(at_once, timedelta(seconds=30), timedelta(0))
    async with Committer(
        room.database, room.bell, records.now, pace=lambda: tools.pace
    ) as committer:
        counting = Counting(committer, wanted)
        cpu, wall, store = time.process_time(), time.perf_counter(), _store_seconds()
        loop = asyncio.create_task(
            poll_forever(tools, counting, room.bell, owner=room.owner)  # type: ignore[arg-type]
        )
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MOST_SECONDS):
                await counting.complete.wait()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        store = _store_seconds() - store
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
    words = ", ".join(
        f"{count} x {status} {outcome}" for (status, outcome), count in counting.outcomes.items()
    )
    return Result(counting.polls, cpu, wall, words, store)


def _make_all_due(connection: Any, now: Any) -> None:
    connection.execute(update(schema.feeds).values(next_poll_at=now))
    connection.execute(update(schema.lanes).values(ready_at=now, lease_owner=None))


async def ask_all(
    session: aiohttp.ClientSession, addresses: list[str], tags: dict[str, str], many: int
) -> Result:
    """The floor: the same requests by aiohttp alone; fills in the tags that it is given."""
    lanes: defaultdict[str, list[str]] = defaultdict(list)
    for address in addresses:
        lanes[urls.lane(address)].append(address)
    at_once, statuses = asyncio.Semaphore(many), defaultdict[str, int](int)
    cpu, wall = time.process_time(), time.perf_counter()

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
    """Both in turns, so that whatever else the machine does meets them alike; prints sums."""
    bare, real = [], []
    for _ in range(rounds):
        bare.append(await floor())
        with _profiled(arguments.watch == name):
            real.append(await ours())
    below, above = _together(bare), _together(real)
    print(
        f"  {name:14}{above.per_cpu_second:12.0f}{below.per_cpu_second:8.0f}"
        f"{above.per_cpu_second / below.per_cpu_second:8.1%}{above.store / above.cpu:8.0%}"
        f"{above.polls / above.wall:9.0f}   {above.outcomes}"
    )


def _together(results: list[Result]) -> Result:
    """All rounds as one: the sums, and the outcomes of the last."""
    return Result(
        polls=sum(each.polls for each in results),
        cpu=sum(each.cpu for each in results),
        wall=sum(each.wall for each in results),
        outcomes=results[-1].outcomes,
        store=sum(each.store for each in results),
    )


@dataclass(frozen=True)
class Road:
    """How hosts are reached: the ratio of our work to the bare client's depends on it."""

    name: str
    tls: bool = False
    keeps_alive: bool = True
    #: A host for each feed: no connection serves two.
    is_wide: bool = False


ROADS = (
    Road("http, reused"),
    Road("https, reused", tls=True),
    Road("https, new", tls=True, keeps_alive=False, is_wide=True),
)


def _trust(certificate: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Ours, which takes up sessions of before, and the bare client's."""
    return tls_with("", certificate.read_text()), ssl.create_default_context(
        cafile=str(certificate)
    )


@dataclass(frozen=True)
class Names:
    """The hosts' names and certificate, for us and for the floor."""

    addresses: dict[str, str]
    tls: ssl.SSLContext
    #: The bare client's, which takes up no session of before.
    bare_tls: ssl.SSLContext

    async def lookup(self, host: str) -> list[str]:
        return [self.addresses.get(host, host)]


class Resolver(AbstractResolver):
    """The floor's: it answers at once, as ours does."""

    def __init__(self, names: Names) -> None:
        self._names = names

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        (address,) = await self._names.lookup(host)
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)
        ]

    async def close(self) -> None:
        """Nothing is open."""


async def _measure(arguments: argparse.Namespace, folder: Path) -> None:
    certificate = publisher.write_certificate(folder)
    print(f"{'':16}{'polls/CPU s':>12}{'floor':>8}{'ratio':>8}{'store':>8}{'polls/s':>9}")
    for number, road in enumerate(ROADS):
        if arguments.road in road.name:
            here = folder / str(number)
            here.mkdir()
            await _measure_road(road, arguments, here, certificate)
    if arguments.idle:
        await idle.measure(arguments.idle, folder)


async def _measure_road(
    road: Road, arguments: argparse.Namespace, folder: Path, certificate: Path
) -> None:
    for file in ("certificate.pem", "key.pem"):
        shutil.copy(certificate.parent / file, folder)
    publisher.write_feeds(folder, arguments.feeds, newest=publisher.WINDOW)
    addresses = publisher.hosts(arguments.feeds if road.is_wide else arguments.hosts)
    hosts = [f"h{n}.{publisher.DOMAIN}" if road.tls else each for n, each in enumerate(addresses)]
    names = Names(
        dict(zip(hosts, addresses, strict=True)),
        *_trust(certificate),
    )
    with publisher.serving(folder, addresses, tls=road.tls, keeps_alive=road.keeps_alive) as (
        port,
        server,
    ):
        print(f"{road.name}: {arguments.feeds} feeds on {len(hosts)} hosts, served by {server}")
        for kind in ("cached", "plain"):
            asked = [
                f"http{'s' if road.tls else ''}://{hosts[n % len(hosts)]}:{port}/{kind}/{n}"
                for n in range(arguments.feeds)
            ]
            await _measure_kind(kind, arguments, folder, asked, names)


async def _measure_kind(
    kind: str, arguments: argparse.Namespace, folder: Path, asked: list[str], names: Names
) -> None:
    settings = Settings(
        data_dir=folder / kind,
        profile=arguments.profile,
        poll_interval=timedelta(hours=1),
        allow_http=True,
        allow_networks=(ipaddress.ip_network("127.0.0.0/8"),),
    )
    tags: dict[str, str] = {}
    connector = aiohttp.TCPConnector(
        ssl=names.bare_tls, resolver=Resolver(names), use_dns_cache=False
    )
    rules = Rules(allow_http=True, allowed_networks=settings.allow_networks, high_ports=True)
    async with (
        wiring.open_room(settings) as opened,
        Client(
            user_agent=wiring.user_agent(settings),
            rules=rules,
            tls=names.tls,
            lookup=names.lookup,
        ) as client,
        aiohttp.ClientSession(connector=connector) as session,
    ):
        room = replace(opened, polling=replace(opened.polling, client=client))
        await room.database.write(_follow_all, asked, records.now())
        collecting.settle()  # as the program does, and for the floor as well

        def ours() -> Awaitable[Result]:
            return poll_all(room, len(asked), arguments.at_once)

        def floor() -> Awaitable[Result]:
            return ask_all(session, asked, tags, arguments.at_once)

        if kind == "plain":
            await ours()
            await _case("same 200", arguments, ours, floor, rounds=arguments.rounds)
            return
        await _case("first", arguments, ours, floor)
        await _case("304", arguments, ours, floor, rounds=arguments.rounds)
        room.polling.policy = wiring.policy(replace(settings, profile=arguments.beside))
        await _case("304, beside", arguments, ours, floor, rounds=arguments.rounds)
        room.polling.policy = opened.polling.policy
        publisher.write_feeds(folder, arguments.feeds, newest=publisher.WINDOW + 1)
        await _case("1 of 30", arguments, ours, floor)


def main() -> None:
    """Run all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--feeds", type=int, default=400)
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3, help="of 304 and of the same 200")
    parser.add_argument("--at-once", type=int, default=64, help="hosts, by us and by the floor")
    parser.add_argument("--log-level", default="INFO", help="what is logged goes nowhere")
    parser.add_argument("--road", default="", help="only roads with this in their name")
    parser.add_argument("--profile", default="wireroom", help="polling policy, by its profile")
    parser.add_argument("--beside", default="el-monitorro", help="another one, for 304 as well")
    parser.add_argument("--idle", type=int, default=0, help="also: what so many idle feeds cost")
    parser.add_argument("--watch", default="", help="profile a case: first, 304, '1 of 30', …")
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

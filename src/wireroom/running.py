"""Wireroom at work: the loops of one process, all of them or those of its part.

`wireroom run` is everything in one process. `poll`, `deliver`, `serve` and `bots` are the same
loops in processes of their own, as many as wanted, on one database: leases keep them apart, and
the bell wakes one for what another stored.
"""

import asyncio
import contextlib
import dataclasses
import functools
import signal
import socket
from collections.abc import Callable, Collection, Coroutine
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog
from sqlalchemy import Connection

from wireroom import __version__, bots, collecting, records, reloading, serving, wiring
from wireroom.delivery.addressing import address_forever
from wireroom.delivery.marking import mark_forever
from wireroom.delivery.worker import deliver_forever
from wireroom.errors import SettingsError, StoreError
from wireroom.feeds import adapters
from wireroom.polling.articles import Articles
from wireroom.polling.calibration import calibrate_daily
from wireroom.polling.commit import Committer
from wireroom.polling.pushes import OFF, Pushes
from wireroom.polling.worker import poll_forever
from wireroom.settings import Settings
from wireroom.store import indexing, owners, retention, switches, vacuum
from wireroom.store.bell import hear_others
from wireroom.wiring import Room

if TYPE_CHECKING:
    import uvicorn

log = structlog.get_logger(__name__)

Part = Literal["poll", "deliver", "serve", "bots"]
EVERYTHING: Final[frozenset[Part]] = frozenset({"poll", "deliver", "serve", "bots"})

_SWEEP_EVERY: Final = timedelta(hours=6)
_SWEEP_LOOK_SECONDS: Final = 600.0
_CHORE_PAUSE_SECONDS: Final = 60.0

#: Work that goes on beside polling and delivery.
Work = Callable[[], Coroutine[Any, Any, None]]
#: Told once everything runs: the address to open, if there is one, and the code that the first
#: visit asks for, if it does.
Announce = Callable[[str | None, str | None], None]


async def run(
    settings: Settings,
    parts: Collection[Part] = EVERYTHING,
    *,
    announce: Announce,
    machine: Callable[[], datetime] = records.now,
    reread: Callable[[], Settings] | None = None,
    dotenv: Path = Path(".env"),
) -> None:
    """Work until SIGINT or SIGTERM. `machine` is the clock of this machine.

    `reread` gives the settings as they are by now: SIGHUP, and a change of the file `dotenv`, put
    the bounds of polling among them to use.
    """
    if not settings.poll and set(parts) == {"poll"}:
        raise SettingsError("WIREROOM_POLL is off: this process would have nothing to do.")
    if set(parts) == {"bots"}:
        bots.check(settings)
    _tell_of_broken_adapters()
    _raise_limits()
    listening = serving.listen(settings) if "serve" in parts else None
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with wiring.open_room(settings, machine=machine) as room:
        freed = await room.database.write(owners.free_leases_of_the_dead, room.now())
        if freed:
            log.info("took over from processes that were killed", owners=freed)
        watch: Work | None = None
        if reread is not None:
            watch = functools.partial(reloading.follow_file, room, reread, dotenv)
            if hasattr(signal, "SIGHUP"):
                asyncio.get_running_loop().add_signal_handler(
                    signal.SIGHUP, reloading.reload_bounds, room, reread
                )
        collecting.settle()
        log.info(
            "running",
            version=__version__,
            parts=sorted(parts),
            profile=settings.profile,
            user_agent=wiring.user_agent(settings),
        )
        await _work(room, parts, listening, stop, announce, watch)


def _tell_of_broken_adapters() -> None:
    for name, reason in adapters.BROKEN.items():
        log.warning(
            "adapter cannot be loaded; its feeds are read as they are",
            adapter=name,
            reason=reason,
        )


async def _work(
    room: Room,
    parts: Collection[Part],
    listening: socket.socket | None,
    stop: asyncio.Event,
    announce: Announce,
    watch: Work | None,
) -> None:
    """All loops of these parts, until `stop` is set or one of them fails."""
    pushes = _pushes(room)
    server: uvicorn.Server | None = None
    code = None
    works = _loops(room, parts, pushes)
    if watch is not None:
        works["settings"] = _kept_up("settings", watch)
    if listening is not None:
        code = await serving.setup_code(room, listening)
        called = bots.interactions(room)
        server = serving.server(room, listening, code, pushes, called, closing=stop)
        works |= {"discord commands": called.run} if called else {}
    loops = [asyncio.create_task(work(), name=name) for name, work in works.items()]
    web = _start(server, listening)
    ending = asyncio.create_task(stop.wait())
    announce(_address(room.settings, listening), code)
    await asyncio.wait({ending, *web, *loops}, return_when=asyncio.FIRST_COMPLETED)
    log.info("stopping")
    stop.set()
    room.bell.ring()  # live streams see that the program ends
    if server is not None:
        server.should_exit = True
    for task in (ending, *loops):
        task.cancel()
    results = await asyncio.gather(*web, *loops, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


def _start(
    server: "uvicorn.Server | None", listening: socket.socket | None
) -> list[asyncio.Task[None]]:
    if server is None or listening is None:
        return []
    return [asyncio.create_task(server.serve(sockets=[listening]), name="web")]


def _address(settings: Settings, listening: socket.socket | None) -> str | None:
    if listening is None:
        return None
    return settings.public_url or f"http://{serving.spelled(listening)}/"


def _loops(room: Room, parts: Collection[Part], pushes: Pushes) -> dict[str, Work]:
    """What runs in this process, by name; the chores among it are kept up when they fail."""
    polls = "poll" in parts and room.settings.poll
    loops: dict[str, Work] = {}
    chores: dict[str, Work] = {"hear": lambda: hear_others(room.database, room.bell)}
    if polls:
        loops["poll"] = lambda: _poll(room)
    if "deliver" in parts:
        loops["deliver"] = lambda: _deliver(room)
        chores["notices"] = lambda: address_forever(room.database, room.bell, room.now)
    if "deliver" in parts or polls:  # feeds that become one wait for rules
        chores["rules"] = lambda: _mark(room)
    if "bots" in parts:
        loops |= bots.started(room)
    if "poll" in parts:
        chores["sweep"] = lambda: _sweep(room)
        chores["index"] = lambda: indexing.keep_indexed(room.database, room.bell)
    if polls:
        chores["articles"] = _articles(room).run
    if "serve" in parts:
        chores["wake"] = serving.waking(room).run
    if polls and pushes.is_on:
        chores["hubs"] = pushes.keep_subscribed
    elif polls:
        log.info("WebSub is off", why=OFF)
    daily = wiring.calibration(room.settings)
    if polls and daily is not None:
        chores["calibrate"] = lambda: calibrate_daily(room.polling, room.bell, daily)
    if "serve" in parts and room.settings.poll and pushes.is_on:
        chores["pushes"] = pushes.take_in_all
    return loops | {name: _kept_up(name, work) for name, work in chores.items()}


def _kept_up(name: str, work: Work) -> Work:
    """A mistake in a chore costs a minute of it, and nothing of polling and delivery."""

    async def keep() -> None:
        while True:
            try:
                await work()
            except Exception:
                log.exception("chore failed; trying again", chore=name)
            await asyncio.sleep(_CHORE_PAUSE_SECONDS)

    return keep


def _articles(room: Room) -> Articles:
    return Articles(room.polling, room.parser.extract, room.bell, room.owner)


async def _poll(room: Room) -> None:
    tools = room.polling
    async with Committer(room.database, room.bell, room.now, pace=lambda: tools.pace) as committer:
        await poll_forever(tools, committer, room.bell, owner=room.owner)


async def _deliver(room: Room) -> None:
    tools = wiring.delivering(room)
    try:
        await deliver_forever(
            tools, room.bell, owner=room.owner, concurrency=room.settings.send_concurrency
        )
    finally:
        await wiring.close(tools.channels)


async def _mark(room: Room) -> None:
    await mark_forever(room.database, room.bell, room.now)


def _pushes(room: Room) -> Pushes:
    """What hubs push; on where the world can reach us over https."""
    settings = room.settings
    vault = records.open_vault(settings)
    return Pushes(room.polling, vault, room.bell, settings.public_url, room.owner)


async def _sweep(room: Room) -> None:
    """Throw away what is past its time, four times a day, whichever process looks first."""
    while True:
        await asyncio.sleep(_SWEEP_LOOK_SECONDS)
        try:
            if await room.database.write(_is_time_to_sweep, room.now()):
                keep = wiring.keep(room.settings)
                swept = await retention.sweep(room.database, keep, room.now())
                log.info("swept", **dataclasses.asdict(swept))
                if room.database.is_sqlite:  # PostgreSQL sees to that by itself
                    await vacuum.reclaim(room.database)
        except StoreError as error:
            log.warning("not swept", error=str(error))


def _is_time_to_sweep(connection: Connection, now: datetime) -> bool:
    return switches.take_turn(connection, "swept", since=now - _SWEEP_EVERY, now=now)


def _raise_limits() -> None:
    """As many sockets as the system lets us have: idle visitors must not cost polling its own."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

"""Everything is built here, once, from the settings; nothing else reads them."""

import asyncio
import contextlib
import dataclasses
import ipaddress
import random
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import structlog

from wireroom import __version__, accounts, outgoing, subscribing
from wireroom.delivery.channel import Channel
from wireroom.delivery.deliver import Delivering
from wireroom.delivery.worker import deliver_forever
from wireroom.errors import SettingsError, StoreError
from wireroom.fetching.client import Client
from wireroom.fetching.guard import Rules
from wireroom.fetching.request import FetchLimits
from wireroom.pictures.addresses import Addresses
from wireroom.pictures.cache import Cache
from wireroom.pictures.proxy import Proxy
from wireroom.polling.calibration import calibrate_daily
from wireroom.polling.commit import Committer
from wireroom.polling.parser import Parser
from wireroom.polling.policies import PROFILES, Policy
from wireroom.polling.pushes import Pushes
from wireroom.polling.refresh import Polling
from wireroom.polling.worker import Pace, poll_forever
from wireroom.routing.replacements import seed_once
from wireroom.settings import Settings
from wireroom.store import house, indexing, owners, retention
from wireroom.store.bell import Bell, hear_others
from wireroom.store.engine import Database, connect
from wireroom.store.migrate import migrate
from wireroom.store.vault import Vault, vault_from_file, vault_from_text
from wireroom.subscribing import Choice, Subscribed, Unsubscribed

if TYPE_CHECKING:
    import uvicorn
    from litestar import Litestar

log = structlog.get_logger(__name__)

_SWEEP_EVERY_SECONDS = 6 * 3600.0
_CHORE_PAUSE_SECONDS = 60.0

#: Open connections to the web reader and API; more are answered with 503.
MOST_VISITORS = 2_000


@dataclass(frozen=True, slots=True)
class Room:
    """An opened Wireroom: everything that use cases and loops need."""

    settings: Settings
    database: Database
    polling: Polling
    bell: Bell
    #: Who we are in leases: unique for each process.
    owner: str


def now() -> datetime:
    """The one clock."""
    return datetime.now(UTC)


def open_database(settings: Settings) -> Database:
    """The database, migrated. Raises StoreError or SettingsError in words."""
    database = connect(settings.database_url)
    applied = migrate(database)
    if applied:
        log.info("database migrated", database=database.name, revisions=applied)
    return database


def open_vault(settings: Settings) -> Vault:
    """The vault with the operator's key, or with the one beside the data."""
    if settings.secret_key:
        return vault_from_text(settings.secret_key)
    return vault_from_file(settings.key_file)


def policy(settings: Settings) -> Policy:
    """The polling policy of the chosen profile, with the operator's own intervals."""
    try:
        chosen = PROFILES[settings.profile]
    except KeyError as error:
        raise SettingsError(
            f"WIREROOM_PROFILE={settings.profile!r} is none of {', '.join(PROFILES)}."
        ) from error
    return replace(
        chosen,
        base=settings.poll_interval or chosen.base,
        minimum=settings.poll_interval_min or chosen.minimum,
        maximum=settings.poll_interval_max or chosen.maximum,
    )


def user_agent(settings: Settings) -> str:
    """Who we say we are: our page for publishers where the world can reach it (HTTP-09)."""
    about = "self-hosted feed reader"
    if settings.public_url:
        about = f"+{settings.public_url.rstrip('/')}/bot"
    elif settings.contact:
        about += f"; {settings.contact}"
    return f"Wireroom/{__version__} ({about})"


def open_client(settings: Settings) -> Client:
    """The guarded client, not yet entered."""
    rules = Rules(
        allow_http=settings.allow_http,
        allowed_networks=settings.allow_networks,
        high_ports=settings.allow_high_ports,
    )
    limits = FetchLimits(wire_bytes=settings.max_body_bytes, body_bytes=settings.max_body_bytes)
    return Client(user_agent=user_agent(settings), rules=rules, limits=limits)


@contextlib.asynccontextmanager
async def open_room(settings: Settings) -> AsyncIterator[Room]:
    """Open database, client and parser, and close them in order."""
    chosen = policy(settings)
    defaults = outgoing.defaults(settings)
    database = open_database(settings)
    try:
        await database.write(
            lambda connection: house.set_defaults(connection, defaults, now=now())
        )
        if settings.profile == "rssbot":
            await database.write(lambda connection: seed_once(connection, now=now()))
        async with (
            open_client(settings) as client,
            Parser() as parser,
        ):
            polling = Polling(
                database=database,
                client=client,
                read=parser.read,
                policy=chosen,
                now=now,
                random=random.random,
            )
            yield Room(settings, database, polling, Bell(), owners.new_owner())
    finally:
        database.close()


def delivering(room: Room) -> Delivering:
    """What delivery and samples need; `close` its channels when done."""
    made = outgoing.channels(room.settings, room.polling.client)
    return Delivering(room.database, made, open_vault(room.settings), now, random.random)


async def run(
    settings: Settings,
    *,
    announce: Callable[[str, str | None], None],
    bots: Callable[[Room], "Sequence[tuple[str, Chore]]"] = lambda _: (),
) -> None:
    """Web reader, polling, delivery and the bots in one process, until SIGINT or SIGTERM.

    `announce` gets the address to open once everything runs, and the code that the first visit
    asks for, if it does.
    """
    _raise_limits()
    listening = _listen(settings)
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with open_room(settings) as room:
        freed = await room.database.write(owners.free_leases_of_the_dead, now())
        if freed:
            log.info("took over from processes that were killed", owners=freed)
        setup_code = await _setup_code(room, listening)
        pushes = _pushes(room)
        server = _server(room, listening, setup_code, pushes, closing=stop)
        loops = [
            asyncio.create_task(server.serve(sockets=[listening]), name="web"),
            asyncio.create_task(_deliver(room), name="deliver"),
            *(
                asyncio.create_task(_kept_up(name, work), name=name)
                for name, work in _chores(room, pushes)
            ),
        ]
        if settings.poll:
            loops.append(asyncio.create_task(_poll(room), name="poll"))
        loops += [asyncio.create_task(work(), name=name) for name, work in bots(room)]
        ending = asyncio.create_task(stop.wait())
        announce(settings.public_url or f"http://{_spelled(listening)}/", setup_code)
        await asyncio.wait({ending, *loops}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        stop.set()
        room.bell.ring()  # live streams see that the program ends
        server.should_exit = True
        for loop in loops[1:]:
            loop.cancel()
        ending.cancel()
        results = await asyncio.gather(*loops, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


async def _poll(room: Room) -> None:
    settings = room.settings
    pace = Pace(settings.poll_concurrency, settings.poll_tick, settings.fetch_spacing)
    async with Committer(room.database, room.bell, now, rest=pace.spacing) as committer:
        await poll_forever(room.polling, committer, room.bell, owner=room.owner, pace=pace)


def _pushes(room: Room) -> Pushes:
    """What hubs push; on where the world can reach us over https."""
    settings = room.settings
    vault = open_vault(settings)
    return Pushes(room.polling, vault, room.bell, settings.public_url, room.owner)


#: Work that goes on beside polling and delivery, by name.
Chore = Callable[[], Coroutine[Any, Any, None]]


def _chores(room: Room, pushes: Pushes) -> list[tuple[str, Chore]]:
    database, bell = room.database, room.bell
    chores: list[tuple[str, Chore]] = [
        ("sweep", lambda: _sweep(room)),
        ("index", lambda: indexing.keep_indexed(database, bell)),
        ("hear", lambda: hear_others(database, bell)),
    ]
    if room.settings.poll and pushes.is_on:
        chores.append(("websub", pushes.run))
    if room.settings.profile == "rss-feed":  # its users know the daily reset (SCH-43)
        chores.append(("calibrate", lambda: calibrate_daily(room.polling, bell)))
    return chores


async def _kept_up(name: str, work: Chore) -> None:
    """A mistake in a chore costs a minute of it, and nothing of polling and delivery."""
    while True:
        try:
            await work()
        except Exception:
            log.exception("chore failed; trying again", chore=name)
        await asyncio.sleep(_CHORE_PAUSE_SECONDS)


async def _sweep(room: Room) -> None:
    """Throw away what is past its time, four times a day."""
    while True:
        await asyncio.sleep(_SWEEP_EVERY_SECONDS)
        try:
            swept = await retention.sweep(room.database, retention.Keep(), now())
        except StoreError as error:
            log.warning("not swept", error=str(error))
        else:
            log.info("swept", **dataclasses.asdict(swept))


async def _deliver(room: Room) -> None:
    tools = delivering(room)
    try:
        await deliver_forever(
            tools, room.bell, owner=room.owner, concurrency=room.settings.send_concurrency
        )
    finally:
        await close(tools.channels)


async def close(made: Mapping[str, Channel]) -> None:
    """Let go of all connections."""
    for channel in made.values():
        await channel.close()


def _raise_limits() -> None:
    """As many sockets as the system lets us have: idle visitors must not cost polling its own."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(settings: Settings) -> socket.socket:
    """The web reader's socket. Raises SettingsError when the address is taken or not ours."""
    host, port = settings.host_and_port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise SettingsError(
            f"The web reader cannot listen on {settings.listen}: {error.strerror or error}. "
            "End the program that uses this port, or set WIREROOM_LISTEN to another one."
        ) from error


def _spelled(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _server(
    room: Room,
    listening: socket.socket,
    setup_code: str | None,
    pushes: Pushes,
    *,
    closing: asyncio.Event,
) -> "uvicorn.Server":
    import uvicorn

    from wireroom.api.native.app import beside

    class Server(uvicorn.Server):
        """Leaves signals to us: all loops end together, and the database last."""

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    listening_at = f"http://{_spelled(listening)}"
    web = _web(room, listening_at, setup_code, pushes, closing)
    config = uvicorn.Config(
        beside(web, _api(room, listening_at)),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the web side looks at them itself, and believes few
        limit_concurrency=MOST_VISITORS,
        timeout_graceful_shutdown=3,
    )
    return Server(config)


def _web(
    room: Room,
    listening_at: str,
    setup_code: str | None,
    pushes: Pushes,
    closing: asyncio.Event,
) -> "Litestar":
    """The web reader, with the use cases that it calls bound to this room."""
    from wireroom.web import pictures as picture_pages
    from wireroom.web import websub
    from wireroom.web.app import build
    from wireroom.web.room import Settings as WebSettings

    settings = room.settings

    async def subscribe(account_id: int, typed: str, folder_id: int | None) -> Subscribed | Choice:
        return await subscribing.subscribe_or_choose(
            room.polling, account_id, typed, owner=room.owner, folder_id=folder_id
        )

    async def unsubscribe(account_id: int, subscription_id: int) -> Unsubscribed:
        return await subscribing.unsubscribe(room.polling, account_id, subscription_id)

    async def refresh(account_id: int, feed_id: int | None) -> None:
        await subscribing.request_refresh(room.polling, account_id, feed_id)
        room.bell.ring()

    policy = room.polling.policy
    pictures = _pictures(room)
    beside = [websub.router(pushes)]
    if pictures is not None:
        cache = Cache(settings.data_dir / "pictures")
        proxy = Proxy(pictures, room.polling.client, room.database, cache, now)
        beside.append(picture_pages.router(proxy))
    return build(
        database=room.database,
        subscribe=subscribe,
        unsubscribe=unsubscribe,
        refresh=refresh,
        bell=room.bell,
        now=now,
        closing=closing,
        beside=beside,
        pictures=pictures,
        settings=WebSettings(
            base_url=settings.public_url or listening_at,
            allowed_hosts=settings.allowed_hosts,
            setup_code=setup_code,
            trusted_proxies=settings.trusted_proxies,
            user_agent=user_agent(settings),
            contact=settings.contact,
            shortest_poll_minutes=round(policy.minimum.total_seconds() / 60),
            longest_poll_minutes=round(policy.maximum.total_seconds() / 60),
        ),
    )


def _pictures(room: Room, base: str = "") -> Addresses | None:
    if not room.settings.picture_proxy:
        return None
    return Addresses(open_vault(room.settings).derived("pictures"), base)


def _api(room: Room, listening_at: str) -> "Litestar":
    """The reader API, with the use cases that it calls bound to this room."""
    from wireroom.api.native.app import build
    from wireroom.api.native.door import Tools

    async def subscribe(account_id: int, typed: str, folder_id: int | None) -> Subscribed:
        followed = await subscribing.subscribe(
            room.polling, account_id, typed, owner=room.owner, folder_id=folder_id
        )
        room.bell.ring()
        return followed

    async def unsubscribe(account_id: int, subscription_id: int) -> Unsubscribed:
        return await subscribing.unsubscribe(room.polling, account_id, subscription_id)

    pictures = _pictures(room, room.settings.public_url.rstrip("/") or listening_at)
    return build(Tools(room.database, subscribe, unsubscribe, room.bell, now, pictures))


async def _setup_code(room: Room, listening: socket.socket) -> str | None:
    """A code for the first visit, where more than this machine could make it.

    Behind a proxy we listen on loopback, too; whoever sets one up names it or its host.
    """
    settings = room.settings
    is_loopback = ipaddress.ip_address(listening.getsockname()[0]).is_loopback
    is_known_outside = settings.public_url or settings.allowed_hosts or settings.trusted_proxies
    if is_loopback and not is_known_outside:
        return None
    return secrets.token_hex(4) if await accounts.needs_setup(room.database) else None

"""Everything is built here, once, from the settings; `running` and `serving` put it to work."""

import contextlib
import functools
import random
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

import structlog

from wireroom import __version__, outgoing
from wireroom.delivery.channel import Channel
from wireroom.delivery.deliver import Delivering
from wireroom.delivery.pages import Pages
from wireroom.errors import SettingsError
from wireroom.fetching.client import Client
from wireroom.fetching.guard import Rules
from wireroom.fetching.request import FetchLimits
from wireroom.outgoing import Paces
from wireroom.polling.calibration import Daily
from wireroom.polling.parser import Parser
from wireroom.polling.policies import MANNERS, PROFILES, Manners, Policy, SyRule
from wireroom.polling.tools import Pace, Polling
from wireroom.records import now, open_database, open_vault
from wireroom.routing.replacements import seed_once
from wireroom.settings import Settings, time_and_zone
from wireroom.store import clock, house, owners
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.retention import Keep
from wireroom.store.vault import Vault

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Room:
    """An opened Wireroom: everything that use cases and loops need."""

    settings: Settings
    database: Database
    polling: Polling
    bell: Bell
    #: Who we are in leases: unique for each process.
    owner: str
    parser: Parser
    #: The rhythm of each platform, shared by all who send there from this process.
    paces: Paces = field(default_factory=Paces)

    @property
    def now(self) -> Callable[[], datetime]:
        """The clock that leases run by: on PostgreSQL the database's own, the same everywhere."""
        return self.polling.now


def keep(settings: Settings) -> Keep:
    """What sweeps leave."""
    return Keep(
        fetches=settings.keep_fetches,
        deliveries=settings.keep_deliveries,
        tombstones=settings.keep_tombstones,
        items=settings.keep_items,
        items_age=settings.keep_items_age,
        trim_what_is_read=not settings.keep_read_feeds_whole,
    )


def policy(settings: Settings) -> Policy:
    """The polling policy of the chosen profile, with the operator's own intervals."""
    try:
        chosen = PROFILES[settings.profile]
    except KeyError as error:
        raise SettingsError(
            f"WIREROOM_PROFILE={settings.profile!r} is none of {', '.join(PROFILES)}."
        ) from error
    policy = replace(
        chosen,
        kind=chosen.kind if settings.poll_adaptive else "fixed",
        base=settings.poll_interval or chosen.base,
        minimum=settings.poll_interval_min or chosen.minimum,
        maximum=settings.poll_interval_max or chosen.maximum,
        sy=cast("SyRule", settings.update_period or chosen.sy),  # checked when read
        backoff=replace(chosen.backoff, cap=settings.poll_backoff_max or chosen.backoff.cap),
    )
    if policy.maximum < policy.ceiling:
        log.info("longest interval raised to the base", maximum=str(policy.ceiling))
    return policy


def manners(settings: Settings) -> Manners:
    """How wide and how patiently the chosen profile asks, with the operator's own numbers."""
    chosen = MANNERS.get(settings.profile, Manners())
    return Manners(
        concurrency=settings.poll_concurrency or chosen.concurrency,
        tick=settings.poll_tick or chosen.tick,
        operation=settings.fetch_patience or chosen.operation,
        total=settings.fetch_timeout or chosen.total,
        verbatim=chosen.verbatim
        if settings.verbatim_validators is None
        else settings.verbatim_validators,
    )


def pace(settings: Settings) -> Pace:
    """How wide and how tight the polling loop runs."""
    chosen = manners(settings)
    return Pace(chosen.concurrency, chosen.tick, settings.fetch_spacing)


def fetch_limits(settings: Settings) -> FetchLimits:
    """How long one fetch may take, and how much may come of it."""
    patience = manners(settings)
    return FetchLimits(
        wire_bytes=settings.max_body_bytes,
        body_bytes=settings.max_body_bytes,
        operation=patience.operation,
        total=patience.total,
    )


def calibration(settings: Settings) -> Daily | None:
    """When every feed is read in full, if ever: rss-feed does so at 00:01 at GMT+7 (SCH-43)."""
    default = "17:01" if settings.profile == "rss-feed" else "off"
    written = settings.calibrate_at or default
    return None if written == "off" else Daily(*time_and_zone(written))


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
    return Client(user_agent=user_agent(settings), rules=rules, limits=fetch_limits(settings))


@contextlib.asynccontextmanager
async def open_room(
    settings: Settings, *, machine: Callable[[], datetime] = now
) -> AsyncIterator[Room]:
    """Open database, client and parser, and close them in order. `machine` is its clock."""
    chosen = policy(settings)
    defaults = outgoing.defaults(settings)
    database = open_database(settings)
    try:
        await database.write(
            lambda connection: house.set_defaults(connection, defaults, now=machine())
        )
        if settings.profile == "rssbot":
            await database.write(lambda connection: seed_once(connection, now=machine()))
        async with (
            clock.of(database, machine) as shared,
            open_client(settings) as client,
            Parser() as parser,
        ):
            polling = Polling(
                database=database,
                client=client,
                read=parser.read,
                policy=chosen,
                now=shared,
                random=random.random,
                vault=functools.cache(lambda: open_vault(settings)),
                verbatim=manners(settings).verbatim,
                pace=pace(settings),
            )
            yield Room(settings, database, polling, Bell(), owners.new_owner(), parser)
    finally:
        database.close()


def delivering(room: Room) -> Delivering:
    """What delivery and samples need; `close` its channels when done."""
    made = outgoing.channels(room.settings, room.polling.client, room.paces)
    vault = open_vault(room.settings)
    pages = pages_of(room.settings, vault)
    return Delivering(
        room.database,
        made,
        vault,
        room.now,
        random.random,
        pages=pages,
        meters=room.polling.meters,
    )


def pages_of(settings: Settings, vault: Vault) -> Pages | None:
    """Where whole texts are shown, if the world can reach us."""
    if not settings.public_url:
        return None
    return Pages(settings.public_url, vault.derived("pages"))


async def close(made: Mapping[str, Channel]) -> None:
    """Let go of all connections."""
    for channel in made.values():
        await channel.close()

"""What a destination's turn is made of: its tools, its lease, and how it goes on."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Connection

from wireroom.delivery.channel import Address, Channel
from wireroom.delivery.effects import Effect
from wireroom.delivery.message import Message
from wireroom.delivery.pages import Pages
from wireroom.delivery.replacements import Replacement
from wireroom.delivery.single_file import SingleFile
from wireroom.delivery.stories import Story
from wireroom.delivery.wishes import Wishes, wishes
from wireroom.errors import SettingsError, StoreUnavailable
from wireroom.meters import Meters
from wireroom.store import errands, house, routes
from wireroom.store.claims import DestinationLease
from wireroom.store.engine import Database
from wireroom.store.house import Removal
from wireroom.store.routes import Destination, Note, Route
from wireroom.store.sent import DIGEST
from wireroom.store.vault import Vault

log = structlog.get_logger(__name__)

T = TypeVar("T")

#: After so long a turn ends, so that one long backlog holds no place for ever.
LONGEST_TURN: Final = timedelta(minutes=1)
#: A destination whose secret cannot be opened is looked at again then; only the operator can help.
WITHOUT_SECRET: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Delivering:
    """What delivering needs: where things are kept, how they are sent, the clock and chance."""

    database: Database
    channels: Mapping[str, Channel]
    vault: Vault
    now: Callable[[], datetime]
    random: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    #: Set at the end of the program: no further message is begun.
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    #: Where whole texts are shown; None where the world cannot reach us.
    pages: Pages | None = None
    #: Channels that rest as a whole, and until when: their platform is away or wants silence.
    resting: dict[str, datetime] = field(default_factory=dict)
    #: Messages of all destinations go out through it.
    file: SingleFile = field(default_factory=SingleFile)
    meters: Meters = field(default_factory=Meters)


@dataclass(frozen=True, slots=True)
class Turn:
    """One lease on one destination, its channel, its address in clear, and the house's rules."""

    lease: DestinationLease
    destination: Destination
    channel: Channel
    address: Address
    ends_at: datetime
    #: What counts for all routes, the operator's before the profile's; and what is taken out of
    #: texts.
    house: tuple[Mapping[str, Any], ...]
    removed: Sequence[Replacement]
    pages: Pages | None = None
    #: Whether something besides the routes waits; what comes during the turn wakes another one.
    has_errands: bool = False
    #: Stories that were told here lately, once somebody asked.
    told: list[Story] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    def wishes(self, route: Route) -> Wishes:
        """What is wished of this route by all who have a say."""
        return wishes((route.settings, *route.wider, *self.house))


@dataclass(frozen=True, slots=True)
class Along:
    """Another route whose entries are in the same letter."""

    route: Route
    notes: Mapping[int, Note]
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """A message, and what is noted of the entries that it deals with once it is out."""

    message: Message
    notes: Mapping[int, Note]
    revision: int = 0
    #: What rules do besides; carried out when the letter is out.
    effects: tuple[Effect, ...] = ()
    #: Nobody's phone rings.
    muted: bool = False
    #: Routes that go on with this one; their entries are dealt with in the same transaction.
    along: tuple[Along, ...] = ()

    @property
    def seq(self) -> int:
        """Where the cursor goes."""
        return max(self.notes)

    @property
    def gathers(self) -> bool:
        """Whether it holds many entries, or speaks of them; such a letter never changes."""
        return any(
            note.outcome != "sent" or note.detail.startswith(DIGEST)
            for note in self.notes.values()
        )


@dataclass(frozen=True, slots=True)
class Next:
    """Go on behind this entry."""


@dataclass(frozen=True, slots=True)
class LeaveRoute:
    """Nothing more of this route in this round: it waits, ended, or stands elsewhere by now."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Nothing more to this destination now; `retry_at` None leaves it to what comes."""

    retry_at: datetime | None = None


#: How a turn goes on after a message.
Progress = Next | LeaveRoute | EndTurn


async def insist(work: Callable[[Connection], T], tools: Delivering) -> T:
    """Commit what must be written down, however long the database is away.

    Nothing else is sent to the destination meanwhile. Raises StoreUnavailable only at the end of
    the program.
    """
    pause = 0.5
    while True:
        try:
            return await tools.database.write_first(work)
        except StoreUnavailable as error:
            if tools.stopping.is_set():
                raise
            log.warning("waiting for the database to write down a turn", error=str(error))
            await tools.sleep(pause)
            pause = min(2 * pause, 30)


async def begin(lease: DestinationLease, tools: Delivering) -> Turn | EndTurn:
    """Everything that the turn needs, or why there is none."""

    def look(
        connection: Connection,
    ) -> tuple[Destination | None, tuple[Mapping[str, Any], ...], list[Removal], bool]:
        found = routes.destination(connection, lease.destination_id)
        layers = house.layers(connection, found.channel if found else "")
        runs = bool(errands.due(connection, lease.destination_id, now=tools.now()))
        return found, layers, house.removals(connection), runs

    destination, everyone, removals, has_errands = await tools.database.read(look)
    if destination is None or destination.suspended_at is not None:
        return EndTurn()
    try:
        secret = tools.vault.open(destination.secret) if destination.secret else ""
    except SettingsError as error:
        why = str(error)  # which says it all
        log.error("destination cannot be used", destination=destination.id, why=why)  # noqa: TRY400
        return EndTurn(tools.now() + WITHOUT_SECRET)
    return Turn(
        lease,
        destination,
        tools.channels[destination.channel],
        Address(destination.address, secret),
        tools.now() + LONGEST_TURN,
        everyone,
        tuple(Replacement(each.value, each.is_regex) for each in removals),
        tools.pages,
        has_errands,
    )

"""A channel that plays scripted answers, and a wire room with routes for it to send on."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update

from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from wireroom.delivery.channel import Address, Answer, Go, Parcel, Sent, at_once
from wireroom.delivery.deliver import Delivering, deliver
from wireroom.delivery.message import Message
from wireroom.store import claims, routes
from wireroom.store.claims import DestinationLease
from wireroom.store.engine import Database
from wireroom.store.schema import deliveries, destinations
from wireroom.store.schema import routes as routes_table
from wireroom.store.vault import Vault

VAULT = Vault(bytes(32))

Reply = Answer | Exception | Callable[[], Awaitable[Answer]]


class ScriptedChannel:
    """Accepts everything, unless a reply was laid ready; keeps what it accepted."""

    def __init__(self, kind: str = "telegram") -> None:
        self.kind = kind
        self.pace = timedelta(0)
        self.replies: deque[Reply] = deque()
        #: Address and text of everything that was accepted.
        self.told: list[tuple[str, str]] = []
        self.secrets: list[str] = []
        #: Messages that were changed, by id, and what they show since.
        self.edited: list[tuple[str, str]] = []
        self.settings: list[Mapping[str, Any]] = []
        self.messages: list[Message] = []
        self.asked = 0
        #: Titles that cannot be rendered, and how many parcels an entry is split into.
        self.poison: set[str] = set()
        self.parts = 1
        #: How many lines fit into a parcel.
        self.most_lines = 1_000

    @property
    def titles(self) -> list[str]:
        return [text for _, text in self.told]

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        if message.title in self.poison:
            raise ValueError(message.title)
        self.messages.append(message)
        self.settings.append(settings)
        text = message.title if message.laid_out is None else message.laid_out
        lines = text.splitlines()
        if len(lines) > self.most_lines:
            starts = range(0, len(lines), self.most_lines)
            parts = ("\n".join(lines[n : n + self.most_lines]) for n in starts)
            return tuple(Parcel("send", {"text": part}) for part in parts)
        if self.parts == 1:
            return (Parcel("send", {"text": text}),)
        return tuple(Parcel("send", {"text": f"{text}/{n}"}) for n in range(1, self.parts + 1))

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        await go()
        self.asked += 1
        reply: Reply = self.replies.popleft() if self.replies else Sent(f"m{self.asked}")
        if callable(reply):
            reply = await reply()
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Sent):
            self.told.append((address.public, parcel.payload["text"]))
            self.secrets.append(address.secret)
        return reply

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        self.edited.append((message_id, parcel.payload["text"]))
        reply: Reply = self.replies.popleft() if self.replies else Sent(message_id)
        assert isinstance(reply, Answer)
        return reply

    async def close(self) -> None:
        return


@dataclass
class Clock:
    """Time that stands still unless it is moved."""

    time: datetime = NOON

    def __call__(self) -> datetime:
        return self.time

    def move(self, **distance: float) -> None:
        self.time += timedelta(**distance)


@dataclass
class WireRoom:
    """A database with one account, its destinations and routes, and the tools to deliver."""

    database: Database
    channel: ScriptedChannel = field(default_factory=ScriptedChannel)
    clock: Clock = field(default_factory=Clock)
    slept: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            await asyncio.sleep(0)

        self.tools = Delivering(
            self.database,
            {self.channel.kind: self.channel},
            VAULT,
            self.clock,
            lambda: 0.0,
            sleep=sleep,
        )
        with self.database.writing() as connection:
            self.account_id = add_account(connection)

    def destination(self, address: str = "4711", **values: Any) -> int:
        with self.database.writing() as connection:
            row = {
                "account_id": self.account_id,
                "channel": self.channel.kind,
                "address": address,
                "created_at": NOON,
                **values,
            }
            made: int = connection.execute(
                insert(destinations).values(row).returning(destinations.c.id)
            ).scalar_one()
            return made

    def route(
        self,
        destination_id: int,
        titles: Sequence[str] = (),
        *,
        feed: str = "Harbour News",
        minutes: float = -60,
        feed_id: int | None = None,
        **values: Any,
    ) -> int:
        """A route from a feed (a new one unless `feed_id` names one) with these entries."""
        with self.database.writing() as connection:
            if feed_id is None:
                feed_id = add_feed(connection, feed)
                follow(connection, self.account_id, feed_id)
            subscription_id = connection.scalar(
                select(routes_table.c.subscription_id).where(routes_table.c.feed_id == feed_id)
            ) or connection.scalar(_subscription_of(feed_id))
            row = {
                "subscription_id": subscription_id,
                "feed_id": feed_id,
                "destination_id": destination_id,
                "cursor": 0,
                "created_at": NOON,
                **values,
            }
            made: int = connection.execute(
                insert(routes_table).values(row).returning(routes_table.c.id)
            ).scalar_one()
        self.publish(feed_id, titles, minutes=minutes)
        return made

    def publish(
        self, feed_id: int, titles: Sequence[str], *, minutes: float = -60, **values: Any
    ) -> None:
        with self.database.writing() as connection:
            for number, title in enumerate(titles):
                add_entry(connection, feed_id, at(minutes + number), title, **values)
            claims.wake_destinations(connection, [feed_id], now=self.clock())

    def feed_of(self, route_id: int) -> int:
        return int(self.of_route(route_id, "feed_id"))

    def claim(self, owner: str = "me") -> list[DestinationLease]:
        with self.database.writing() as connection:
            return claims.claim_destinations(
                connection, owner=owner, channels=[self.channel.kind], now=self.clock(), limit=10
            )

    def of_route(self, route_id: int, column: str) -> Any:
        with self.database.reading() as connection:
            return connection.scalar(
                select(routes_table.c[column]).where(routes_table.c.id == route_id)
            )

    def of_destination(self, destination_id: int, column: str) -> Any:
        with self.database.reading() as connection:
            return connection.scalar(
                select(destinations.c[column]).where(destinations.c.id == destination_id)
            )

    def ledger(self, route_id: int) -> list[tuple[int, str, str]]:
        """What is written of a route: seq, outcome, and message ids or the reason."""
        with self.database.reading() as connection:
            rows = connection.execute(
                select(deliveries)
                .where(deliveries.c.route_id == route_id)
                .order_by(deliveries.c.seq)
            )
            return [(row.seq, row.outcome, row.message_ids or row.detail) for row in rows]

    def change_route(self, route_id: int, **values: Any) -> None:
        with self.database.writing() as connection:
            connection.execute(
                update(routes_table).where(routes_table.c.id == route_id).values(**values)
            )

    def suspend(self, destination_id: int) -> None:
        with self.database.writing() as connection:
            routes.suspend(connection, destination_id, reason="on request", now=self.clock())

    def resume(self, destination_id: int) -> None:
        with self.database.writing() as connection:
            routes.resume(connection, destination_id, now=self.clock())


def _subscription_of(feed_id: int) -> Any:
    from wireroom.store.schema import subscriptions

    return select(subscriptions.c.id).where(subscriptions.c.feed_id == feed_id)


def in_transaction(database: Database, work: Callable[[Connection], Any]) -> Any:
    with database.writing() as connection:
        return work(connection)


async def turn(room: WireRoom) -> int:
    """Every destination that is ready gets its turn; gives how many there were."""
    leases = room.claim()
    for lease in leases:
        await deliver(lease, room.tools)
    return len(leases)

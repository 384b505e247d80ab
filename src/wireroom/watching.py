"""Use cases of clients that stay connected: what is new for an account, as it happens.

A stream is resumed by a moment: everything that was met or said after it is told, and a little of
what was before, since a change is seen only once it is committed. Taking something over twice
changes nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from zlib import crc32

from sqlalchemy import Connection

from wireroom.store import reading
from wireroom.store import watching as store
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.reading import Body, Entry
from wireroom.store.syncing import Partition, State
from wireroom.store.watching import Stand
from wireroom.syncing import TRAILING

#: More at once than this are not told one by one: the client syncs.
MOST_AT_ONCE = 100
#: Without a ring, the database is asked this often.
LOOK_EVERY_SECONDS = 20.0
#: Several rings in a row are answered together.
GATHER_SECONDS = 0.4
#: Then the client connects again, and who it is is looked at again.
STREAM_SECONDS = 600.0
STREAMS_PER_ACCOUNT = 16


@dataclass(slots=True)
class Listeners:
    """Open streams by account, and the end of all of them."""

    closing: asyncio.Event = field(default_factory=asyncio.Event)
    open: dict[int, int] = field(default_factory=dict)

    def are_enough(self, account_id: int) -> bool:
        return self.open.get(account_id, 0) >= STREAMS_PER_ACCOUNT


async def looks(bell: Bell, listeners: Listeners, account_id: int) -> AsyncIterator[None]:
    """When to look: at once, after each ring, and every now and then, for ten minutes."""
    clock = asyncio.get_running_loop().time
    end = clock() + STREAM_SECONDS
    listeners.open[account_id] = listeners.open.get(account_id, 0) + 1
    try:
        while clock() < end and not listeners.closing.is_set():
            rings = bell.rings
            yield
            await bell.wait(rings, LOOK_EVERY_SECONDS)
            if not listeners.closing.is_set():
                await asyncio.sleep(GATHER_SECONDS)
    finally:
        listeners.open[account_id] -= 1
        if listeners.open[account_id] <= 0:
            del listeners.open[account_id]


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a stream has come, for the one that goes on after it.

    `shelf` stands for what was followed and up to when it was read: these have no moment of their
    own, so that another text only says that something about them is different.
    """

    at: datetime
    shelf: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What a stream has told."""

    at: datetime
    seen: dict[int, int]
    stands: dict[int, Stand]
    #: The states of the last moments, by (feed, seq): when they were said.
    states: dict[tuple[int, int], datetime]


@dataclass(frozen=True, slots=True)
class News:
    """What is new; `too_many`: more than is told here, so that the client has to sync."""

    entries: list[tuple[Entry, Body]]
    states: list[tuple[Partition, State]]
    #: Subscriptions whose watermark has moved.
    marked: list[Stand]
    #: Something was followed, or is not any more; after a break, also that it is read further.
    shelf_changed: bool
    too_many: bool


async def begin(database: Database, account_id: int, since: Mark | None, now: datetime) -> Heard:
    """A stream from now on, or from where another one had come to."""

    def read(connection: Connection) -> Heard:
        stands = store.stands(connection, account_id)
        if since is None:
            return Heard(
                now, {each.feed_id: each.last_seq for each in stands.values()}, stands, {}
            )
        at = min(since.at, now)
        told = stands if _shelf(stands) == since.shelf else {}
        return Heard(at, store.numbers_at(connection, account_id, at), told, {})

    return await database.read(read)


def mark(heard: Heard) -> Mark:
    """From where a stream that broke off goes on without missing anything."""
    return Mark(heard.at - TRAILING, _shelf(heard.stands))


def _shelf(stands: Mapping[int, Stand]) -> str:
    facts = sorted((each.subscription_id, each.read_watermark) for each in stands.values())
    return f"{crc32(repr(facts).encode()):08x}"


async def news(
    database: Database, account_id: int, heard: Heard, now: datetime
) -> tuple[News, Heard]:
    """What came and was said since; and what has been heard with it."""

    def read(connection: Connection) -> tuple[News, Heard]:
        stands = store.stands(connection, account_id)
        said = _states(connection, account_id, heard)
        fresh = {f: n for f, n in heard.seen.items() if f in stands and stands[f].last_seq > n}
        waiting = sum(stands[f].last_seq - n for f, n in fresh.items())
        too_many = waiting > MOST_AT_ONCE or len(said) > MOST_AT_ONCE
        told = [] if too_many else _entries(connection, account_id, fresh)
        found = News(
            told,
            [] if too_many else said,
            [s for f, s in stands.items() if _is_marked(heard.stands.get(f), s)],
            stands.keys() != heard.stands.keys(),
            too_many,
        )
        seen = {f: each.last_seq for f, each in stands.items()}
        recent = {k: at for k, at in heard.states.items() if at > now - 2 * TRAILING}
        recent |= {(which.feed_id, state.seq): state.updated_at for which, state in said}
        return found, Heard(now, seen, stands, recent)

    return await database.read(read)


def _states(
    connection: Connection, account_id: int, heard: Heard
) -> list[tuple[Partition, State]]:
    found = store.states_after(
        connection, account_id, heard.at - TRAILING, MOST_AT_ONCE + len(heard.states) + 1
    )
    return [
        (which, state)
        for which, state in found
        if heard.states.get((which.feed_id, state.seq)) != state.updated_at
    ]


def _entries(
    connection: Connection, account_id: int, fresh: dict[int, int]
) -> list[tuple[Entry, Body]]:
    found = [
        entry
        for feed_id, number in fresh.items()
        for entry in reading.entries_past(connection, account_id, feed_id, number, MOST_AT_ONCE)
    ]
    bodies = reading.bodies(connection, account_id, reading.keys_of(found))
    return [(entry, bodies[entry.feed_id, entry.seq]) for entry in found]


def _is_marked(before: Stand | None, now: Stand) -> bool:
    return before is not None and before.read_watermark != now.read_watermark

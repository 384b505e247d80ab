"""The delivery loop: it wakes, it rests, and it ends without losing or repeating anything."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.delivery.scripted import WireRoom
from wireroom.delivery.channel import Answer, Sent, TryLater
from wireroom.delivery.worker import TICK, deliver_forever
from wireroom.errors import StoreUnavailable
from wireroom.store import speaking
from wireroom.store.bell import Bell
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


@contextlib.asynccontextmanager
async def running(room: WireRoom, *, concurrency: int = 4) -> AsyncIterator[Bell]:
    bell = Bell()
    loop = asyncio.create_task(
        deliver_forever(
            room.tools,
            bell,
            owner="loop",
            concurrency=concurrency,
            tick=timedelta(milliseconds=50),
        )
    )
    try:
        yield bell
    finally:
        loop.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await loop


async def told(room: WireRoom, count: int) -> list[str]:
    """What was told once there are so many messages; bounded in time."""
    async with asyncio.timeout(20):
        while len(room.channel.told) < count:  # noqa: ASYNC110 - bounded
            await asyncio.sleep(0.01)
    return room.channel.titles


def test_the_longest_wait_without_a_ring() -> None:
    """News of another process go out within the minute that people are used to (TGD-07)."""
    assert timedelta(0) < TICK <= timedelta(seconds=60)


async def test_waiting_messages_go_out(room: WireRoom) -> None:
    """What waited at the start, and what another process stores later, without a ring."""
    there = room.destination()
    route = room.route(there, ["one"])
    async with running(room):
        await told(room, 1)
        room.publish(room.feed_of(route), ["two"])
        await told(room, 2)

    assert ["one", "two"] == room.channel.titles


async def test_one_slow_chat_does_not_hold_the_others(room: WireRoom) -> None:
    """Destinations have their turns side by side."""
    for number in range(3):
        room.route(room.destination(str(number)), [f"to {number}"], feed=f"Feed {number}")
    free = asyncio.Event()

    async def slow() -> Answer:
        await free.wait()
        return Sent("late")

    room.channel.replies += [slow]
    async with running(room, concurrency=2):
        await told(room, 2)
        free.set()
        await told(room, 3)


async def test_the_message_under_way_is_finished_at_the_end(room: WireRoom) -> None:
    """The answer of a message that was handed over is written down; no further one is begun."""
    there = room.destination()
    route = room.route(there, ["one", "two"])
    begun = asyncio.Event()

    async def takes_a_while() -> Answer:
        begun.set()
        await asyncio.sleep(0.2)
        return Sent("a")

    room.channel.replies += [takes_a_while]
    async with running(room):
        await begun.wait()

    assert ["one"] == room.channel.titles
    assert [(1, "sent", "a")] == room.ledger(route)
    assert None is room.of_destination(there, "lease_owner")
    assert room.of_destination(there, "ready_at") is not None


async def test_a_channel_that_rests_costs_nothing(room: WireRoom) -> None:
    """While the platform wants silence no destination of the channel is even claimed."""
    for number in range(3):
        room.route(room.destination(str(number)), ["x"], feed=f"Feed {number}")
    room.channel.replies += [TryLater("token refused", timedelta(hours=1), scope="channel")]
    async with running(room, concurrency=1):
        async with asyncio.timeout(20):
            while not room.tools.resting:  # noqa: ASYNC110 - bounded
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        tokens = [room.of_destination(number, "lease_token") for number in (1, 2, 3)]
        room.clock.move(hours=2)
        await told(room, 3)

    assert 1 == sum(tokens)


async def test_a_turn_that_fails_harms_no_other(room: WireRoom) -> None:
    """A mistake in one turn is logged; its lease runs out, and others go on."""
    broken, good = room.destination("1"), room.destination("2")
    room.route(broken, ["one"], feed="A")
    room.route(good, ["two"], feed="B")
    with room.database.writing() as connection:
        connection.exec_driver_sql(
            f"UPDATE routes SET settings = '[]' WHERE destination_id = {broken}"
        )
    async with running(room):
        await told(room, 1)

    assert "two" in room.channel.titles


async def test_a_database_that_is_away_is_waited_for(room: WireRoom) -> None:
    """Claims that fail are tried again with the next tick."""
    room.route(room.destination(), ["one"])
    write, failures = room.database.write, [StoreUnavailable("The database is locked.")] * 3

    async def refusing(work, *args):  # type: ignore[no-untyped-def]
        if failures:
            raise failures.pop()
        return await write(work, *args)

    room.database.write = refusing  # type: ignore[method-assign]
    room.database.write_first = refusing  # type: ignore[method-assign]
    async with running(room):
        await told(room, 1)

    assert ["one"] == room.channel.titles


async def test_one_process_sends_with_a_token(room: WireRoom) -> None:
    """Its limits are held by one; another takes over when that ends, is silent, or has died."""

    def held_by(owner: str) -> bool:
        with room.database.writing() as connection:
            names = ["telegram"]
            return speaking.held(connection, names, owner=owner, now=room.clock()) == names

    assert [True, False, True] == [held_by("a"), held_by("b"), held_by("a")]
    room.clock.move(seconds=20)
    assert held_by("a")
    room.clock.move(seconds=20)
    assert not held_by("b")
    room.clock.move(seconds=11)
    assert held_by("b")
    with room.database.writing() as connection:
        speaking.let_go(connection, ["telegram"], owner="a")
        speaking.let_go(connection, ["telegram"], owner="b")
    assert held_by("a")


async def test_a_second_process_waits_for_the_token(room: WireRoom) -> None:
    """What waits is sent by the one that speaks, and by the other once that has ended."""
    route = room.route(room.destination(), ["one"])
    with room.database.writing() as connection:
        speaking.held(connection, ["telegram"], owner="other", now=room.clock())
    async with running(room):
        await asyncio.sleep(0.3)
        assert [] == room.channel.titles
        with room.database.writing() as connection:
            speaking.let_go(connection, ["telegram"], owner="other")
        await told(room, 1)

    assert 1 == room.of_route(route, "cursor")

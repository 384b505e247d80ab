"""What comes between during a turn: changes, lost leases, the end, a database that is away."""

import asyncio

import pytest

from tests.delivery.scripted import WireRoom, turn
from tests.rows import at
from wireroom.delivery.channel import Answer, Sent
from wireroom.delivery.deliver import deliver
from wireroom.errors import LeaseLost, StoreUnavailable
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


async def test_a_moved_destination_is_followed(room: WireRoom) -> None:
    """The new address is kept with the message that told it, and used from the next one on."""
    there = room.destination("-1")
    route = room.route(there, ["one", "two"])
    room.channel.replies += [Sent("a", moved_to="-100")]
    await turn(room)
    await turn(room)

    assert [("-1", "one"), ("-100", "two")] == room.channel.told
    assert [(1, "sent", "a"), (2, "sent", "m2")] == room.ledger(route)


async def test_a_destination_that_moves_onto_another_one(room: WireRoom) -> None:
    """Both become one; what was sent is not sent again and what waits goes out at once."""
    old, new = room.destination("-1"), room.destination("-100")
    route = room.route(old, ["one", "two"])
    room.channel.replies += [Sent("a", moved_to="-100")]
    await turn(room)
    await turn(room)

    assert [("-1", "one"), ("-100", "two")] == room.channel.told
    assert new == room.of_route(route, "destination_id")


async def test_pausing_takes_effect_at_once(room: WireRoom) -> None:
    """Whoever paused a route in the middle of a turn gets nothing more, and all of it later."""
    there = room.destination()
    route = room.route(there, ["one", "two", "three"])

    async def pause() -> Answer:
        room.change_route(route, paused_until=at(60))
        return Sent("a")

    room.channel.replies += [pause]
    await turn(room)
    assert ["one"] == room.channel.titles
    assert at(60) == room.of_destination(there, "ready_at")
    room.clock.move(hours=1)
    await turn(room)

    assert ["one", "two", "three"] == room.channel.titles


async def test_ending_a_route_in_the_middle_of_a_turn(room: WireRoom) -> None:
    """An unsubscribed route sends nothing more; the others go on."""
    there = room.destination()
    room.route(there, ["a1", "a2"], feed="A")
    room.route(there, ["b1"], feed="B", minutes=-20)

    async def unsubscribe() -> Answer:
        with room.database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM routes WHERE id = 1")
        return Sent("a")

    room.channel.replies += [unsubscribe]
    await turn(room)

    assert ["a1", "b1"] == room.channel.titles


async def test_a_replay_in_the_middle_of_a_turn(room: WireRoom) -> None:
    """The cursor that somebody moved back is not moved forward by what was under way."""
    there = room.destination()
    route = room.route(there, ["one", "two", "three"])

    async def replay() -> Answer:
        room.change_route(route, cursor=0)
        return Sent("a")

    room.channel.replies += [Sent("x"), replay]
    await turn(room)

    assert ["one", "two", "one", "two", "three"] == room.channel.titles


async def test_suspending_in_the_middle_of_a_message(room: WireRoom) -> None:
    """The message under way is written down, nothing follows, and nothing is repeated later."""
    there = room.destination()
    room.route(there, ["one", "two"])

    async def suspend() -> Answer:
        room.suspend(there)
        return Sent("a")

    room.channel.replies += [suspend]
    await turn(room)
    assert (["one"], None) == (room.channel.titles, room.of_destination(there, "ready_at"))
    room.resume(there)
    await turn(room)

    assert ["one", "two"] == room.channel.titles


async def test_a_message_is_written_down_without_the_lease(room: WireRoom) -> None:
    """The lease ran out while the platform took its time: who took over sends only the rest."""
    there = room.destination()
    room.route(there, ["one", "two"])

    async def too_slow() -> Answer:
        room.clock.move(minutes=10)
        room.claim("somebody else")
        return Sent("a")

    room.channel.replies += [too_slow]
    with pytest.raises(LeaseLost):
        await turn(room)
    room.clock.move(minutes=10)
    await turn(room)

    assert ["one", "two"] == room.channel.titles


async def test_nothing_is_sent_without_the_lease(room: WireRoom) -> None:
    """A process that slept through its lease looks before it sends."""
    there = room.destination()
    room.route(there, ["one"])
    (lease,) = room.claim("sleeper")
    room.clock.move(minutes=10)
    await turn(room)
    room.publish(room.feed_of(1), ["two"])
    with pytest.raises(LeaseLost):
        await deliver(lease, room.tools)

    assert ["one"] == room.channel.titles


async def test_cancelled_between_answer_and_commit(room: WireRoom) -> None:
    """The cursor moves although the task is cancelled while the store is still busy elsewhere."""
    there = room.destination()
    route = room.route(there, ["one"])
    (lease,) = room.claim()
    accepted = asyncio.Event()
    blockers = []

    async def accept() -> Answer:
        import time

        loop = asyncio.get_running_loop()
        blockers.extend(
            loop.run_in_executor(room.database._write_threads, time.sleep, 0.3) for _ in range(8)
        )
        accepted.set()
        return Sent("a")

    room.channel.replies += [accept]
    task = asyncio.create_task(deliver(lease, room.tools))
    await accepted.wait()
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.gather(task, *blockers, return_exceptions=True)
    async with asyncio.timeout(10):
        while not room.ledger(route):  # noqa: ASYNC110 - a store thread writes it
            await asyncio.sleep(0.02)

    assert [(1, "sent", "a")] == room.ledger(route)


async def test_a_database_that_is_away_repeats_nothing(room: WireRoom) -> None:
    """What was accepted waits to be written down, and only then the next message goes out."""
    there = room.destination()
    route = room.route(there, ["one", "two"])
    write, failures = room.database.write, [StoreUnavailable("The disk is full.")] * 3

    async def refusing(work, *args):  # type: ignore[no-untyped-def]
        if room.channel.told and failures:
            raise failures.pop()
        return await write(work, *args)

    room.database.write = refusing  # type: ignore[method-assign]
    room.database.write_first = refusing  # type: ignore[method-assign]
    await turn(room)

    assert ["one", "two"] == room.channel.titles
    assert [0.5, 1.0, 2.0] == room.slept
    assert [(1, "sent", "m1"), (2, "sent", "m2")] == room.ledger(route)


async def test_a_turn_that_the_database_ends_is_not_lost(room: WireRoom) -> None:
    """The destination is given back when the database is there again, not a lease later."""
    there = room.destination()
    route = room.route(there, ["one", "two"])
    write, failures = room.database.write, [StoreUnavailable("It restarts.")] * 2

    async def away(*_: object) -> object:
        raise StoreUnavailable("It restarts.")

    async def refusing(work, *args):  # type: ignore[no-untyped-def]
        if failures:
            raise failures.pop()
        return await write(work, *args)

    (lease,) = room.claim()
    read, room.database.read = room.database.read, away  # type: ignore[method-assign]
    room.database.write = refusing  # type: ignore[method-assign]
    room.database.write_first = refusing  # type: ignore[method-assign]
    await deliver(lease, room.tools)
    room.database.read = read  # type: ignore[method-assign]
    await turn(room)

    assert ["one", "two"] == room.channel.titles
    assert [0.5, 1.0] == room.slept
    assert [(1, "sent", "m1"), (2, "sent", "m2")] == room.ledger(route)

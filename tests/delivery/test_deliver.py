"""A destination's turn on both engines: order, the four answers, and nothing lost or repeated."""

import asyncio
from datetime import timedelta

import pytest

from tests.delivery.scripted import ScriptedChannel, WireRoom
from tests.rows import at
from wireroom.delivery.channel import Answer, Gone, Rejected, Sent, TryLater
from wireroom.delivery.deliver import deliver
from wireroom.delivery.retry import REFUSALS
from wireroom.errors import LeaseLost, StoreUnavailable
from wireroom.store import routes
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


async def turn(room: WireRoom) -> int:
    """Every destination that is ready gets its turn; gives how many there were."""
    leases = room.claim()
    for lease in leases:
        await deliver(lease, room.tools)
    return len(leases)


# -- order and accounts ---------------------------------------------------------------------------


async def test_entries_go_out_in_order(room: WireRoom) -> None:
    """Over all routes by first sight, within one by seq (TGD-03); each is noted with its id."""
    there = room.destination()
    early = room.route(there, ["a1", "a2", "a3"], feed="A", minutes=-60)
    room.route(there, ["b1"], feed="B", minutes=-58.5)
    await turn(room)

    assert ["a1", "a2", "b1", "a3"] == room.channel.titles
    assert [(1, "sent", "m1"), (2, "sent", "m2"), (3, "sent", "m4")] == room.ledger(early)
    assert 3 == room.of_route(early, "cursor")


@pytest.mark.parametrize("days", [-20_000, -400, 400], ids=["1972", "last year", "next year"])
async def test_what_counts_is_when_it_came(room: WireRoom, days: int) -> None:
    """Entries with an old date, or with one to come, are delivered like all others (TGD-08)."""
    route = room.route(room.destination(), ["today"])
    room.publish(room.feed_of(route), ["odd"], minutes=-30, published_at=at(days * 1440))
    room.publish(room.feed_of(route), ["later"], minutes=-20)
    (lease,) = room.claim()
    await deliver(lease, room.tools)

    assert ["today", "odd", "later"] == room.channel.titles


async def test_a_long_backlog_goes_out_whole(room: WireRoom) -> None:
    """More routes and entries than one look takes in: all of them, once."""
    there = room.destination()
    for number in range(23):
        titles = [f"{number}.{n}" for n in range(12)]
        room.route(there, titles, feed=f"Feed {number}", minutes=-2000 + number)
    await turn(room)

    assert 23 * 12 == len(room.channel.told) == len(set(room.channel.titles))
    for number in range(23):
        told = [title for title in room.channel.titles if title.startswith(f"{number}.")]
        assert [f"{number}.{n}" for n in range(12)] == told


async def test_a_turn_ends_and_goes_on_later(room: WireRoom) -> None:
    """A slow destination gives its place back after a while and is ready again at once."""
    there = room.destination()
    room.route(there, ["one", "two", "three"])

    async def slow() -> Answer:
        room.clock.move(seconds=45)
        return Sent("x")

    room.channel.replies += [slow, slow, slow]
    await turn(room)
    assert ["one", "two"] == room.channel.titles
    await turn(room)

    assert ["one", "two", "three"] == room.channel.titles


async def test_what_is_no_news_is_passed_over(room: WireRoom) -> None:
    """Entries that slid in are skipped with the reason, unless they were asked for."""
    there = room.destination()
    route = room.route(there, [], asked_through=1)
    for title in ("asked for", "slid in"):
        room.publish(room.feed_of(route), [title], is_news=False, not_news_why="re-numbered")
    await turn(room)

    assert ["asked for"] == room.channel.titles
    assert (2, "skipped", "re-numbered") == room.ledger(route)[1]


async def test_trimmed_entries_do_not_block(room: WireRoom) -> None:
    """A route whose whole backlog was trimmed is brought up to date, with a note."""
    there = room.destination()
    route = room.route(there, ["one", "two"])
    with room.database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM entries")
    await turn(room)

    assert [(2, "skipped", "no longer kept")] == room.ledger(route)
    assert 0 == await turn(room)


# -- the four answers -----------------------------------------------------------------------------


async def test_asked_to_wait(room: WireRoom) -> None:
    """A time that the platform names is kept; the same message goes out first afterwards."""
    there = room.destination()
    route = room.route(there, ["one", "two"])
    room.channel.replies += [TryLater("flood", after=timedelta(minutes=5))]
    await turn(room)
    assert 0 == room.of_route(route, "attempts")
    assert at(5) == room.of_destination(there, "ready_at")
    room.clock.move(minutes=4)
    assert 0 == await turn(room)
    room.clock.move(minutes=1)
    await turn(room)

    assert ["one", "two"] == room.channel.titles


async def test_an_outage_is_waited_for(room: WireRoom) -> None:
    """Failures without a time back off, are counted, and lose nothing (TGD-41)."""
    there = room.destination()
    route = room.route(there, ["one"])
    room.channel.replies += [TryLater("HTTP 502")] * 6
    for _ in range(6):
        room.clock.move(hours=1)
        assert 1 == await turn(room)
    assert 6 == room.of_route(route, "attempts")
    room.clock.move(hours=1)
    await turn(room)

    assert ["one"] == room.channel.titles
    assert (0, None) == (
        room.of_route(route, "attempts"),
        room.of_route(route, "failing_since"),
    )


async def test_a_channel_that_rests_is_left_alone(room: WireRoom) -> None:
    """When everything must wait, other destinations of the channel do not even try."""
    first, second = room.destination("1"), room.destination("2")
    room.route(first, ["one"], feed="A")
    room.route(second, ["two"], feed="B")
    room.channel.replies += [TryLater("token refused", timedelta(minutes=5), scope="channel")]
    await turn(room)
    assert 1 == room.channel.asked
    room.clock.move(minutes=5)
    await turn(room)

    assert ["one", "two"] == sorted(room.channel.titles)


async def test_a_rejected_message_is_skipped(room: WireRoom) -> None:
    """The reason is kept, and those behind it go out in the same turn."""
    there = room.destination()
    route = room.route(there, ["bad", "good"])
    room.channel.replies += [Rejected("message is \0 too long")]
    await turn(room)

    assert ["good"] == room.channel.titles
    assert (1, "skipped", "message is \ufffd too long") == room.ledger(route)[0]


async def test_one_bad_route_does_not_stop_a_chat(room: WireRoom) -> None:
    """A message that is refused in unknown words waits alone; other routes go on (TGD-12)."""
    there = room.destination()
    bad = room.route(there, ["bad", "behind"], feed="A")
    room.route(there, ["good 1", "good 2"], feed="B", minutes=-50)
    room.channel.replies += [Rejected("what?", certain=False)]
    await turn(room)
    assert ["good 1", "good 2"] == room.channel.titles
    for _ in range(REFUSALS - 1):
        room.channel.replies += [Rejected("what?", certain=False)]
        room.clock.move(hours=1)
        await turn(room)

    assert ["good 1", "good 2", "behind"] == room.channel.titles
    assert [(1, "skipped", "what?"), (2, "sent", "m8")] == room.ledger(bad)


async def test_one_message_that_breaks_the_platform_holds_only_its_route(room: WireRoom) -> None:
    """A platform that answers one message with 500 again and again still gets the others."""
    there = room.destination()
    room.route(there, ["breaks it"], feed="A")
    room.route(there, ["good"], feed="B", minutes=-10)
    for _ in range(3):
        room.channel.replies += [TryLater("HTTP 500")]
        await turn(room)
        room.clock.move(minutes=1)

    assert ["good"] == room.channel.titles


async def test_a_gone_destination_is_suspended(room: WireRoom) -> None:
    """Nothing more goes there, the reason is kept, and resuming sends what waited."""
    there = room.destination()
    room.route(there, ["one"])
    room.channel.replies += [Gone("bot was kicked")]
    await turn(room)
    assert "bot was kicked" == room.of_destination(there, "suspended_reason")
    room.publish(room.feed_of(1), ["two"])
    room.clock.move(days=3)
    assert 0 == await turn(room)
    room.resume(there)
    await turn(room)

    assert ["one", "two"] == room.channel.titles


# -- poison ---------------------------------------------------------------------------------------


async def test_an_entry_that_cannot_be_rendered_is_passed_over(room: WireRoom) -> None:
    """A poisoned entry is noted and blocks nothing."""
    there = room.destination()
    route = room.route(there, ["poison", "good"])
    room.channel.poison = {"poison"}
    await turn(room)

    assert ["good"] == room.channel.titles
    assert "skipped" == room.ledger(route)[0][1]


async def test_a_channel_that_raises_is_tried_again_and_then_passed(room: WireRoom) -> None:
    """A mistake of the channel over one message counts as a refusal in unknown words."""
    there = room.destination()
    room.route(there, ["odd", "good"])
    for _ in range(REFUSALS):
        room.channel.replies += [UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate")]
        await turn(room)
        room.clock.move(hours=1)

    assert ["good"] == room.channel.titles


async def test_a_secret_that_cannot_be_opened(room: WireRoom) -> None:
    """Another key than the one that sealed it: nothing is sent or lost, and it is tried again."""
    there = room.destination(secret=b"\x01not sealed by this key at all")
    route = room.route(there, ["one"])
    await turn(room)

    assert (0, 0) == (room.channel.asked, room.of_route(route, "cursor"))
    assert at(5) == room.of_destination(there, "ready_at")


async def test_a_channel_without_settings_keeps_its_backlog(room: WireRoom) -> None:
    """What waits for a channel that this process cannot send through stays where it is."""
    there = room.destination()
    route = room.route(there, ["one"])
    other = WireRoom.__new__(WireRoom)
    other.database, other.channel, other.clock = (
        room.database,
        ScriptedChannel("discord"),
        room.clock,
    )

    assert [] == other.claim()
    assert 0 == room.of_route(route, "cursor")


# -- messages of several parcels ------------------------------------------------------------------


async def test_only_the_rest_of_a_message_is_sent_again(room: WireRoom) -> None:
    """Parcels that were accepted stay accepted over a failure, with all their ids (TGD-09)."""
    there = room.destination()
    route = room.route(there, ["long"])
    room.channel.parts = 3
    room.channel.replies += [Sent("a"), Sent("b"), TryLater("HTTP 502")]
    await turn(room)
    assert 2 == room.of_route(route, "parcels_sent")
    room.clock.move(minutes=1)
    await turn(room)

    assert ["long/1", "long/2", "long/3"] == room.channel.titles
    assert [(1, "sent", "a,b,m4")] == room.ledger(route)


async def test_a_message_that_became_shorter_is_finished(room: WireRoom) -> None:
    """An edit in the middle of a long message leaves nothing to send: it counts as sent."""
    there = room.destination()
    route = room.route(there, ["long"])
    room.channel.parts = 2
    room.channel.replies += [Sent("a"), TryLater("HTTP 502")]
    await turn(room)
    room.channel.parts = 1
    room.clock.move(minutes=1)
    await turn(room)

    assert [(1, "sent", "a")] == room.ledger(route)


async def test_the_end_comes_between_two_parcels(room: WireRoom) -> None:
    """A shutdown does not wait for all parcels of a long message; the rest goes out later."""
    there = room.destination()
    room.route(there, ["long"])
    room.channel.parts = 3

    async def end() -> Answer:
        room.tools.stopping.set()
        return Sent("a")

    room.channel.replies += [end]
    await turn(room)
    assert ["long/1"] == room.channel.titles
    room.tools.stopping.clear()
    await turn(room)

    assert ["long/1", "long/2", "long/3"] == room.channel.titles


# -- what changes during a turn -------------------------------------------------------------------


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


# -- leases, cancellation, and a database that is away --------------------------------------------


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


async def test_a_held_route_wakes_its_destination(room: WireRoom) -> None:
    """What a route holds back goes out when its time comes, without any news."""
    there = room.destination()
    room.route(there, ["later"], feed="A", not_before=at(30))
    room.route(there, ["now"], feed="B")
    await turn(room)
    assert ["now"] == room.channel.titles
    assert at(30) == room.of_destination(there, "ready_at")
    room.clock.move(minutes=30)
    await turn(room)

    assert ["now", "later"] == room.channel.titles


async def test_news_of_another_feed_do_not_wait_for_a_held_route(room: WireRoom) -> None:
    """A destination that only holds something back is woken by news."""
    there = room.destination()
    room.route(there, ["later"], feed="A", not_before=at(30))
    other = room.route(there, [], feed="B")
    await turn(room)
    room.publish(room.feed_of(other), ["news"])
    room.clock.move(minutes=1)
    await turn(room)

    assert ["news"] == room.channel.titles


def test_the_head_of_a_route_is_found_again(room: WireRoom) -> None:
    """A route is read with what its subscription, destination and account want."""
    there = room.destination(settings={"silent": True})
    route_id = room.route(there, ["one"], settings={"content": 100})
    with room.database.reading() as connection:
        route = routes.find(connection, route_id)

    assert route is not None
    assert ({"content": 100}, ({}, {"silent": True}, {})) == (route.settings, route.wider)

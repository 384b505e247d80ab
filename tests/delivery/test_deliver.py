"""A destination's turn on both engines: order, messages of several parcels, what waits."""

import pytest

from tests.delivery.scripted import WireRoom, turn
from tests.rows import at
from wireroom.delivery.channel import Answer, Sent, TryLater
from wireroom.delivery.deliver import deliver
from wireroom.store import routes
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


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

"""What a platform's answers do to a destination, and entries that nobody could send."""

from datetime import timedelta

import pytest

from tests.delivery.scripted import ScriptedChannel, WireRoom, turn
from tests.rows import at
from wireroom.delivery.channel import Gone, Rejected, TryLater
from wireroom.delivery.retry import REFUSALS
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


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

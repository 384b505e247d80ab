"""An entry that changes after it was sent: the message follows, a new one comes, or nothing."""

from collections import deque
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.delivery.scripted import WireRoom, turn
from wireroom.delivery.channel import Gone, Rejected, Sent, TryLater
from wireroom.store import read_states, schema, sent
from wireroom.store.engine import Database
from wireroom.store.read_states import StateChange


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


def edit(room: WireRoom, route: int, seq: int, title: str) -> None:
    """The publisher changes an entry, as a poll would store it."""
    feed_id = room.feed_of(route)
    here = (schema.entries.c.feed_id == feed_id, schema.entries.c.seq == seq)
    now = room.clock()
    with room.database.writing() as connection:
        connection.execute(
            update(schema.entries)
            .where(*here)
            .values(title=title, revision=schema.entries.c.revision + 1)
        )
        since = now - timedelta(hours=48)
        sent.want_edits(connection, {(feed_id, seq)}, since=since, now=now)


async def sent_with(room: WireRoom, **settings: Any) -> int:
    route = room.route(room.destination(settings=settings), ["Tpyo", "Other"])
    await turn(room)
    return route


def left(room: WireRoom) -> int:
    with room.database.reading() as connection:
        return len(connection.execute(select(schema.errands)).all())


async def test_the_message_follows(room: WireRoom) -> None:
    """Once for each state of the entry, however often it was looked at."""
    route = await sent_with(room, on_update="edit")
    edit(room, route, 1, "Typo")
    edit(room, route, 1, "Typos")
    await turn(room)
    await turn(room)

    assert [("m1", "Typos")] == room.channel.edited
    assert ["Tpyo", "Other"] == room.channel.titles
    assert 0 == left(room)


async def test_buttons_show_how_the_entry_stands(room: WireRoom) -> None:
    """What its reader said of it is not taken back by an edit."""
    route = await sent_with(room, on_update="edit")
    with room.database.writing() as connection:
        account = connection.execute(select(schema.accounts.c.id)).scalar_one()
        change = StateChange(room.feed_of(route), 1, is_read=True, is_favorite=True)
        read_states.set_states(connection, account, [change], room.clock())
    edit(room, route, 1, "Typo")
    await turn(room)

    first, *_, edited = room.channel.messages
    assert (False, False) == (first.is_read, first.is_favorite)
    assert (True, True) == (edited.is_read, edited.is_favorite)


async def test_a_new_message_comes(room: WireRoom) -> None:
    """The ledger names the new one, which a later edit would be about."""
    route = await sent_with(room, on_update="repost")
    edit(room, route, 1, "Typo")
    await turn(room)

    assert ["Tpyo", "Other", "Typo"] == room.channel.titles
    assert (1, "sent", "m3") == room.ledger(route)[0]


async def test_nothing_happens_unless_it_is_wished(room: WireRoom) -> None:
    """Nor for entries that were sent long ago."""
    route = await sent_with(room)
    edit(room, route, 1, "Typo")
    await turn(room)
    room.change_route(route, settings={"on_update": "edit"})
    room.clock.move(days=3)
    edit(room, route, 1, "Late")
    await turn(room)

    assert ([], ["Tpyo", "Other"], 0) == (room.channel.edited, room.channel.titles, left(room))


def changing(room: WireRoom, route: int, title: str, message_id: str) -> Any:
    """The channel takes a message, and before that is known its entry changes."""

    async def answer() -> Sent:
        edit(room, route, 1, title)
        return Sent(message_id)

    return answer


async def test_a_change_overtakes_its_message(room: WireRoom) -> None:
    """A poll stores it between the channel's answer and our note of that: the edit follows."""
    route = room.route(room.destination(settings={"on_update": "edit"}), ["Tpyo"])
    room.channel.replies = deque([changing(room, route, "Typo", "m1")])
    await turn(room)
    await turn(room)

    assert (["Tpyo"], [("m1", "Typo")]) == (room.channel.titles, room.channel.edited)
    assert 0 == left(room)


async def test_a_change_overtakes_its_edit(room: WireRoom) -> None:
    """The second change is shown as well, though an errand for the first was under way."""
    route = await sent_with(room, on_update="repost")
    edit(room, route, 1, "Typo")
    room.channel.replies = deque([changing(room, route, "Type", "m3")])
    await turn(room)
    await turn(room)

    assert ["Tpyo", "Other", "Typo", "Type"] == room.channel.titles
    assert 0 == left(room)


async def test_where_nothing_follows_nothing_is_asked(room: WireRoom) -> None:
    """A message that changes overtook stays as it is, without an errand."""
    route = room.route(room.destination(), ["Tpyo"])
    room.channel.replies = deque([changing(room, route, "Typo", "m1")])
    await turn(room)

    assert ([], 0) == (room.channel.edited, left(room))


async def test_an_entry_in_a_digest_stays(room: WireRoom) -> None:
    """Its message holds others as well."""
    route = room.route(
        room.destination(settings={"on_update": "edit", "digest": "13:00"}), ["one", "two"]
    )
    await turn(room)
    room.clock.move(hours=2)
    await turn(room)
    assert 1 == len(room.channel.told)
    edit(room, route, 1, "One")
    await turn(room)

    assert [] == room.channel.edited


@pytest.mark.parametrize(
    "answer", [Rejected("message to edit not found"), Gone("kicked")], ids=["rejected", "gone"]
)
async def test_an_edit_that_cannot_be_is_given_up(room: WireRoom, answer: Any) -> None:
    """It never suspends a destination: news that come will show what is the matter."""
    route = await sent_with(room, on_update="edit")
    edit(room, route, 1, "Typo")
    room.channel.replies.append(answer)
    await turn(room)

    assert 0 == left(room)
    assert room.of_destination(room.of_route(route, "destination_id"), "suspended_at") is None


async def test_an_edit_waits_as_a_message_does(room: WireRoom) -> None:
    """It is tried again when the platform has time, and nothing overtakes the wait."""
    route = await sent_with(room, on_update="edit")
    edit(room, route, 1, "Typo")
    room.channel.replies.append(TryLater("flood", timedelta(seconds=30)))
    await turn(room)
    assert 1 == left(room)
    room.clock.move(seconds=40)
    await turn(room)

    assert [("m1", "Typo")] * 2 == room.channel.edited
    assert 0 == left(room)


async def test_an_entry_that_a_filter_drops_now_stays_as_it_was(room: WireRoom) -> None:
    """What was sent is not unsent."""
    route = await sent_with(room, on_update="edit", filter="!typo")
    edit(room, route, 1, "Typo")
    await turn(room)

    assert ([], 0) == (room.channel.edited, left(room))


async def test_an_edited_entry_that_was_trimmed_is_nothing(room: WireRoom) -> None:
    """The errand ends."""
    route = await sent_with(room, on_update="edit")
    edit(room, route, 1, "Typo")
    with room.database.writing() as connection:
        connection.execute(schema.entries.delete().where(schema.entries.c.seq == 1))
    await turn(room)

    assert ([], 0) == (room.channel.edited, left(room))

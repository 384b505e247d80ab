"""Rules of accounts mark what comes, whether it is sent anywhere or not: once, and all of it."""

import asyncio
import contextlib
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, text, true, update

from tests.delivery.scripted import WireRoom, turn
from tests.rows import add_account, add_entry, add_feed, at, follow
from wireroom import routing
from wireroom.delivery import marking
from wireroom.errors import UserError
from wireroom.routing import EVERYONE, Place
from wireroom.store import places, read_states, ruled, subscriptions
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.read_states import StateChange
from wireroom.store.schema import entry_states, entry_tags, tags
from wireroom.store.schema import subscriptions as followed

RULES = "rust -> read\ngo -> favourite\nrust -> tag crab"


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


def subscribed(room: WireRoom, title: str = "Harbour News", account: int | None = None) -> Any:
    """A feed that the account follows, without a route: its number, and the subscription's."""
    with room.database.writing() as connection:
        feed = add_feed(connection, title)
        return feed, follow(connection, account or room.account_id, feed)


async def rule(room: WireRoom, what: str = RULES, place: Place | None = None) -> None:
    where = place or Place("account", room.account_id)
    await routing.set_wish(room.database, room.account_id, where, "rules", what, now=room.clock())


async def unrule(room: WireRoom) -> None:
    def write(connection: Any) -> None:
        place = Place("account", room.account_id)
        places.change_settings(connection, place, {}, now=room.clock())

    await room.database.write(write)


async def mark(room: WireRoom) -> int:
    return await marking.mark_all(room.database, room.clock)


def said(room: WireRoom) -> list[tuple[int, bool | None, bool]]:
    with room.database.reading() as connection:
        query = select(entry_states.c.seq, entry_states.c.is_read, entry_states.c.is_favorite)
        return [tuple(row) for row in connection.execute(query.order_by("feed_id", "seq"))]


def tagged(room: WireRoom) -> list[tuple[int, str]]:
    with room.database.reading() as connection:
        query = select(entry_tags.c.seq, tags.c.name).join(tags).order_by("seq")
        return [tuple(row) for row in connection.execute(query)]


def through(room: WireRoom, subscription: int) -> int | None:
    with room.database.reading() as connection:
        return connection.scalar(
            select(followed.c.ruled_through).where(followed.c.id == subscription)
        )


@pytest.mark.parametrize("kind", ["account", "subscription"])
async def test_rules_act_without_a_route(room: WireRoom, kind: Any) -> None:
    """What comes after they were set is marked; what was there before is left alone."""
    feed, subscription = subscribed(room)
    room.publish(feed, ["old rust"])
    ids = {"account": room.account_id, "subscription": subscription}
    await rule(room, place=Place(kind, ids[kind]))
    room.publish(feed, ["rust", "go", "zig"])
    await mark(room)

    assert [(2, True, False), (3, None, True)] == said(room)
    assert [(2, "crab")] == tagged(room)
    assert 4 == through(room, subscription)


async def test_rules_for_everyone_act_for_all(room: WireRoom) -> None:
    """The operator's count for each account, and leave no trace once they are gone."""
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    feed, subscription = subscribed(room, account=eve)
    await rule(room, place=EVERYONE)
    room.publish(feed, ["rust"])
    await mark(room)
    assert [(1, True, False)] == said(room)

    with room.database.writing() as connection:
        places.change_settings(connection, EVERYONE, {}, now=room.clock())
    assert through(room, subscription) is None


async def test_what_is_not_news_is_passed_over(room: WireRoom) -> None:
    """A feed's first reading is no news, and gaps in the numbers do not stop the cursor."""
    feed, subscription = subscribed(room)
    await rule(room)
    room.publish(feed, ["rust"], is_news=False)
    room.publish(feed, ["rust", "rust"])
    with room.database.writing() as connection:
        connection.execute(
            text("DELETE FROM entries WHERE feed_id = :feed AND seq = 3"), {"feed": feed}
        )
    await mark(room)

    assert [(2, True, False)] == said(room)
    assert 3 == through(room, subscription)


async def test_more_than_one_page_is_marked(
    room: WireRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of entries and of subscriptions end where they end, and none is left out."""
    monkeypatch.setattr(marking, "MOST_ENTRIES", 2)
    monkeypatch.setattr(marking, "MOST_SUBSCRIPTIONS", 1)
    several = [subscribed(room, title) for title in ("One", "Two", "Three")]
    await rule(room)
    for feed, _ in several:
        room.publish(feed, ["rust"] * 5)

    assert 15 == await mark(room)
    assert [5, 5, 5] == [through(room, subscription) for _, subscription in several]


async def test_nothing_is_marked_twice(room: WireRoom) -> None:
    """What the reader says afterwards stands, also when rules change or the entry is sent late."""
    route = room.route(room.destination())
    feed = room.feed_of(route)
    await rule(room)
    room.publish(feed, ["rust"])
    await mark(room)
    with room.database.writing() as connection:
        unread = StateChange(feed, 1, is_read=False)
        read_states.set_states(connection, room.account_id, [unread], room.clock())
    await rule(room, "rust -> read\nrust -> mute")
    await turn(room)
    await mark(room)

    assert ["rust"] == room.channel.titles
    assert room.channel.settings[0]["silent"] is True
    assert [(1, False, False)] == said(room)


async def test_a_route_that_drops_leaves_the_marks(room: WireRoom) -> None:
    """Marks of the account come without the route; the route's own with its walk."""
    route = room.route(room.destination())
    await rule(room, "rust -> drop\nrust -> read")
    await rule(room, "rust -> favourite", Place("route", route))
    room.publish(room.feed_of(route), ["rust"])
    await mark(room)
    assert [(1, True, False)] == said(room)
    await turn(room)

    assert [] == room.channel.titles
    assert [(1, True, True)] == said(room)


async def test_a_kill_in_between_marks_once(room: WireRoom) -> None:
    """Judged but not written is asked again; of two processes one writes, the other nothing."""
    feed, subscription = subscribed(room)
    await rule(room)
    room.publish(feed, ["rust"])
    with room.database.reading() as connection:
        one, other = (marking.judge(connection, subscription) for _ in range(2))
    assert one is not None
    assert other is not None
    with contextlib.suppress(KeyboardInterrupt), room.database.writing() as connection:
        marking.write_down(connection, one, room.clock())
        raise KeyboardInterrupt
    assert ([], 0) == (said(room), through(room, subscription))

    with room.database.writing() as connection:
        assert marking.write_down(connection, one, room.clock())
        assert not marking.write_down(connection, other, room.clock())
    assert [(1, True, False)] == said(room)


async def test_an_edit_moves_no_cursor(room: WireRoom) -> None:
    """What came under the old rules and was not looked at yet is asked by the new ones."""
    feed, subscription = subscribed(room)
    await rule(room, "zig -> read")
    room.publish(feed, ["rust"])
    await rule(room)
    assert 0 == through(room, subscription)
    await mark(room)

    assert [(1, True, False)] == said(room)


async def test_rules_end_and_begin_anew(room: WireRoom) -> None:
    """What comes in between is nobody's; a judgement from before is written no more."""
    feed, subscription = subscribed(room)
    await rule(room)
    room.publish(feed, ["rust"])
    with room.database.reading() as connection:
        late = marking.judge(connection, subscription)
    await unrule(room)
    assert late is not None
    with room.database.writing() as connection:
        assert not marking.write_down(connection, late, room.clock())
    await rule(room)
    room.publish(feed, ["go"])
    await mark(room)

    assert [(2, None, True)] == said(room)


async def test_a_new_subscription_is_ruled(room: WireRoom) -> None:
    """From the entry on that comes next, when the account has rules; without them never."""
    with room.database.writing() as connection:
        feed = add_feed(connection, "Late")
        add_entry(connection, feed, at(-90), "rust")
        other = add_account(connection, "eve", "member")
    await rule(room)
    with room.database.writing() as connection:
        made, plain = (
            subscriptions.add(connection, account_id=each, feed_id=feed, now=room.clock())
            for each in (room.account_id, other)
        )
    room.publish(feed, ["rust"])
    await mark(room)

    assert [(2, True, False)] == said(room)
    assert (2, None) == (through(room, made.subscription_id), through(room, plain.subscription_id))


async def test_a_bad_rule_from_before_costs_nobody_anything(room: WireRoom) -> None:
    """What cannot be read any more marks nothing, and the cursor goes on."""
    feed, subscription = subscribed(room)
    with pytest.raises(UserError):
        await rule(room, "((( -> read")
    with room.database.writing() as connection:
        bad = {"rules": "((( -> read"}
        connection.execute(update(followed).values(settings=bad))
        ruled.settle(connection, true())
    room.publish(feed, ["rust"])
    await mark(room)

    assert ([], 1) == (said(room), through(room, subscription))


async def test_the_loop_hears_the_bell(room: WireRoom) -> None:
    """It settles what an upgrade left, marks what comes, and tells open pages."""
    feed, _ = subscribed(room)
    with room.database.writing() as connection:
        connection.execute(update(followed).values(settings={"rules": RULES}))
    bell = Bell()
    loop = asyncio.create_task(
        marking.mark_forever(room.database, bell, room.clock, tick=timedelta(seconds=60))
    )
    try:
        async with asyncio.timeout(20):
            while through(room, 1) is None:  # noqa: ASYNC110 - bounded
                await asyncio.sleep(0.01)
            room.publish(feed, ["rust"])
            heard = bell.rings
            bell.ring()
            while bell.rings < heard + 2:  # noqa: ASYNC110 - bounded
                await asyncio.sleep(0.01)
    finally:
        loop.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await loop

    assert [(1, True, False)] == said(room)

"""Who is told what: notices reach the owner of the places concerned, once (C10, C11)."""

import re
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.delivery.scripted import WireRoom, turn
from tests.rows import NOON, add_account
from wireroom.delivery import notices as words
from wireroom.delivery.addressing import address
from wireroom.delivery.channel import Gone, Rejected, TryLater
from wireroom.store import house, notices
from wireroom.store import schema as tables
from wireroom.store.doors import Door, add_door
from wireroom.store.engine import Database
from wireroom.store.notices import Happened

_FAILING = Happened("failing", {"error": "HTTP 500", "failures": 4})


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


def happens(room: WireRoom, feed_id: int, what: Happened = _FAILING) -> None:
    """It is stored, and given to those whom it concerns."""
    with room.database.writing() as connection:
        notices.of_feeds(connection, [(feed_id, what, NOON)])
        address(connection, now=room.clock())


def by_default(room: WireRoom, **settings: Any) -> None:
    with room.database.writing() as connection:
        house.set_defaults(connection, {room.channel.kind: settings}, now=NOON)


async def told(room: WireRoom) -> list[tuple[str, str]]:
    """Where something was said, and its first line."""
    for _ in range(5):
        await turn(room)
    return [(place, text.partition("\n")[0]) for place, text in room.channel.told]


_FIRST_LINE = "⚠️ <b>Harbour News</b> cannot be read: 4 errors in a row."


async def test_a_person_is_told_where_nobody_else_reads(room: WireRoom) -> None:
    """Once, however many groups the feed goes to; the groups hear nothing."""
    room.destination("77")
    group = room.route(room.destination("-1001"), [])
    room.route(room.destination("-1002"), [], feed_id=room.feed_of(group))
    happens(room, room.feed_of(group))

    assert [("77", _FIRST_LINE)] == await told(room)


async def test_without_a_private_chat_nobody_is_told(room: WireRoom) -> None:
    """A group is no place for an owner's worries (TGD-02)."""
    route = room.route(room.destination("-1001"), [])
    happens(room, room.feed_of(route))

    assert [] == await told(room)


async def test_the_chat_with_the_bot_is_found(room: WireRoom) -> None:
    """Who talks to the bot is told there, though no feed goes there."""
    with room.database.writing() as connection:
        add_door(connection, room.account_id, Door("telegram", "4242"), now=NOON)
    route = room.route(room.destination("-1001"), [])
    happens(room, room.feed_of(route))

    assert [("4242", _FIRST_LINE)] == await told(room)


@pytest.mark.parametrize(
    ("wished", "hears"),
    [({}, True), ({"recovery": True}, True), ({"recovery": False}, False)],
    ids=["unsaid", "on", "off"],
)
async def test_the_end_of_trouble_can_be_left_untold(
    room: WireRoom, wished: dict[str, Any], hears: bool
) -> None:
    """✅ is switchable, and trouble itself is told as ever (FAIL-24, C11)."""
    route = room.route(room.destination("77", settings=wished), [])
    happens(room, room.feed_of(route))
    happens(room, room.feed_of(route), Happened("recovered", {}))

    end = [("77", "✅ <b>Harbour News</b> can be read again.")]
    assert [("77", _FIRST_LINE), *(end if hears else [])] == await told(room)


def test_the_colour_of_trouble() -> None:
    """DF's red, or the operator's own; the end of trouble is green (FAIL-23, FAIL-24)."""
    own = [{}, {"error_color": 0x112233}]

    assert [0xE74C3C, 0x112233] == [words.settings("failing", each)["color"] for each in ([], own)]
    assert 0x2ECC71 == words.settings("recovered", own)["color"]


async def test_a_profile_may_tell_everybody(room: WireRoom) -> None:
    """Each place once, though one of them fails at first (FAIL-25)."""
    by_default(room, notices="here")
    route = room.route(room.destination("-1001"), [])
    room.route(room.destination("-1002"), [], feed_id=room.feed_of(route))
    room.channel.replies.append(TryLater("away"))
    happens(room, room.feed_of(route))
    await turn(room)
    room.clock.move(hours=1)

    assert [("-1001", _FIRST_LINE), ("-1002", _FIRST_LINE)] == sorted(await told(room))


async def test_a_place_may_be_left_alone(room: WireRoom) -> None:
    """Its own wish counts before the profile's."""
    by_default(room, notices="here")
    route = room.route(room.destination("-1001", settings={"notices": "off"}), [])
    happens(room, room.feed_of(route))

    assert [] == await told(room)


async def test_the_operator_may_be_the_one_who_is_told(room: WireRoom) -> None:
    """Then members hear nothing of it."""
    by_default(room, notices="operator")
    room.destination("77")
    with room.database.writing() as connection:
        member = add_account(connection, "eve", "member")
    there = room.destination("88", account_id=member)
    route = room.route(there, [])
    happens(room, room.feed_of(route))

    assert [("77", _FIRST_LINE)] == await told(room)


async def test_a_suspension_is_told_elsewhere(room: WireRoom) -> None:
    """The owner's private chat hears why, once."""
    room.destination("77")
    there = room.destination("-1001", title="Harbour group")
    room.route(there, ["one"])
    room.channel.replies.append(Gone("bot was kicked"))
    await turn(room)
    with room.database.writing() as connection:
        address(connection, now=room.clock())

    ((place, text),) = await told(room)
    assert "77" == place
    assert text.startswith("🚫 Nothing is sent to <b>Harbour group</b> any more: bot was kicked.")


async def test_a_private_chat_that_is_gone_is_told_nothing(room: WireRoom) -> None:
    """There is nowhere else to say it; nothing loops."""
    room.route(room.destination("77"), ["one"])
    room.channel.replies.append(Gone("blocked by the user"))
    await turn(room)
    with room.database.writing() as connection:
        address(connection, now=room.clock())

    assert [] == await told(room)


async def test_a_notice_that_is_refused_is_given_up(room: WireRoom) -> None:
    """What comes behind it goes out."""
    there = room.destination("77")
    route = room.route(there, [])
    happens(room, room.feed_of(route))
    room.publish(room.feed_of(route), ["news"])
    room.channel.replies.append(Rejected("nonsense"))

    assert [("77", "news")] == await told(room)
    with room.database.reading() as connection:
        assert [] == connection.execute(select(tables.errands)).all()


async def test_a_person_is_told_in_their_language(room: WireRoom) -> None:
    """By the wish of the place."""
    there = room.destination("77", settings={"language": "de"})
    happens(room, room.feed_of(room.route(there, [])), Happened("recovered", {}))

    assert [("77", "✅ <b>Harbour News</b> kann wieder gelesen werden.")] == await told(room)


async def test_a_chat_is_told_in_its_accounts_language(room: WireRoom) -> None:
    """A chat by itself keeps what it wants at its account (TGC-42)."""
    route = room.route(room.destination("77"), [])
    wish = {"delivery": {"language": "de"}}
    with room.database.writing() as connection:
        connection.execute(update(tables.accounts).values(preferences=wish))
    happens(room, room.feed_of(route), Happened("recovered", {}))

    assert [("77", "✅ <b>Harbour News</b> kann wieder gelesen werden.")] == await told(room)


@pytest.mark.parametrize("said_in", ["en", "de"])
@pytest.mark.parametrize("kind", sorted(words.NOTICES))
def test_every_notice_is_escaped(kind: str, said_in: Any) -> None:
    """No value can break out of the text (FAIL-29)."""
    names = ("feed", "url", "error", "from", "to", "place", "excerpt")
    facts = dict.fromkeys(names, "<b>&") | {"next_at": "2026-11-30T12:00:00+00:00"}
    shown = words.message(kind, facts, said_in).laid_out or ""
    for tag in ("<b>", "</b>", "<pre>", "</pre>"):
        shown = shown.replace("&lt;b&gt;", "").replace(tag, "")

    assert "<" not in shown


def test_what_is_shown_of_an_error_and_of_a_page_is_short() -> None:
    """200 characters of what went wrong, 500 of what the server wrote (FAIL-19, FAIL-27)."""
    facts = {"feed": "Harbour", "url": "https://h.example/", "error": "e" * 600}
    shown = words.message("disabled", {**facts, "excerpt": "x" * 900}, "en").laid_out or ""

    assert (200, 500) == (longest(shown, "e"), longest(shown, "x"))
    assert "https://h.example/" in shown


def longest(text: str, letter: str) -> int:
    """Of the runs of one letter."""
    return max(len(run) for run in re.findall(f"{letter}+", text))


@pytest.mark.parametrize(
    ("address_", "channel", "private"),
    [
        ("77", "telegram", True),
        ("77/5", "telegram", True),
        ("-1001", "telegram", False),
        ("@channel", "telegram", False),
        ("123", "discord", False),
        ("me@example.org", "mail", True),
    ],
)
def test_where_nobody_else_reads(address_: str, channel: str, private: bool) -> None:
    """Chats with one person, and post; never a group, a channel or a webhook of Discord."""
    place = notices.Place(1, 1, channel, address_, False, ())

    assert private == words.is_private(place)

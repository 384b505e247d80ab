"""What people want of their messages, at every place, and what is refused."""

from typing import Any

import pytest

from tests.delivery.scripted import WireRoom, turn
from tests.rows import NOON, add_account
from wireroom import routing
from wireroom.errors import NotAllowed, NotFound, UserError
from wireroom.routing import EVERYONE, Place
from wireroom.store import house
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


def places_of(room: WireRoom, route: int) -> dict[str, Place]:
    there = int(room.of_route(route, "destination_id"))
    subscription = int(room.of_route(route, "subscription_id"))
    return {
        "route": Place("route", route),
        "subscription": Place("subscription", subscription),
        "destination": Place("destination", there),
        "account": Place("account", room.account_id),
        "everyone": EVERYONE,
    }


async def set_wish(room: WireRoom, place: Place, name: str, value: Any) -> None:
    await routing.set_wish(room.database, room.account_id, place, name, value, now=room.clock())


@pytest.mark.parametrize("kind", ["route", "subscription", "destination", "account", "everyone"])
async def test_a_wish_counts_from_every_place(room: WireRoom, kind: str) -> None:
    """It is kept there, shown again, decides about the next entry, and can be taken back."""
    route = room.route(room.destination(), [])
    place = places_of(room, route)[kind]
    await set_wish(room, place, "filter", "rust")
    room.publish(room.feed_of(route), ["go", "rust"])
    await turn(room)
    assert {"filter": "rust"} == await routing.get_wishes(room.database, room.account_id, place)
    await set_wish(room, place, "filter", None)
    room.publish(room.feed_of(route), ["go again"])
    await turn(room)

    assert ["rust", "go again"] == room.channel.titles
    assert {} == await routing.get_wishes(room.database, room.account_id, place)


async def test_a_new_wish_frees_what_the_old_one_held_back(room: WireRoom) -> None:
    """Silent hours that are taken back at the account let its routes send at once."""
    route = room.route(room.destination(), [])
    account = Place("account", room.account_id)
    await set_wish(room, account, "quiet", "11:00-14:00")
    room.publish(room.feed_of(route), ["one"])
    await turn(room)
    assert [] == room.channel.titles
    await set_wish(room, account, "quiet", None)
    await turn(room)

    assert ["one"] == room.channel.titles


async def test_the_profile_counts_below_everyone(room: WireRoom) -> None:
    """Its burst cap holds until the operator sets another one."""
    route = room.route(room.destination(), ["a", "b", "c"])
    with room.database.writing() as connection:
        defaults = {"telegram": {"burst": 1, "more_line": False}, "discord": {"burst": 3}}
        house.set_defaults(connection, defaults, now=NOON)
    await turn(room)
    assert ["c"] == room.channel.titles
    await set_wish(room, EVERYONE, "burst", 2)
    room.publish(room.feed_of(route), ["d", "e", "f"])
    await turn(room)

    assert ["c", "e", "f"] == room.channel.titles


async def test_only_the_operator_speaks_for_everyone(room: WireRoom) -> None:
    """Others can neither read nor set it."""
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    with pytest.raises(NotAllowed):
        await routing.set_wish(room.database, eve, EVERYONE, "burst", 1, now=NOON)
    with pytest.raises(NotAllowed):
        await routing.get_wishes(room.database, eve, EVERYONE)


async def test_other_peoples_places_are_none(room: WireRoom) -> None:
    """Somebody else's route, subscription, destination and account look like none (promise 10)."""
    route = room.route(room.destination(), ["one"])
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    for kind, place in places_of(room, route).items():
        if kind != "everyone":
            with pytest.raises(NotFound):
                await routing.set_wish(room.database, eve, place, "burst", 1, now=NOON)
            with pytest.raises(NotFound):
                await routing.get_wishes(room.database, eve, place)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        pytest.param("utc_offset_minutes", 45, "multiple of 30", id="no half hour"),
        pytest.param("utc_offset_minutes", 870, "multiple of 30", id="too far east"),
        pytest.param("content", -1, "from 0 up", id="less than nothing"),
        pytest.param("color", 1 << 24, "16777215", id="no colour"),
        pytest.param("filter", "  ", "rust", id="no filter at all"),
        pytest.param("ellipsis", "x" * 201, "…", id="too long"),
        pytest.param("source", ["full"], "full or summary", id="no text"),
    ],
)
async def test_what_cannot_be_is_refused(
    room: WireRoom, name: str, value: Any, words: str
) -> None:
    """One sentence that shows how it is written."""
    with pytest.raises(UserError, match=words):
        await set_wish(room, Place("account", room.account_id), name, value)

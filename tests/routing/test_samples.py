"""A layout counts only once a real chat took a message in it (TGC-23, TGC-24)."""

from datetime import timedelta

import pytest

from tests.delivery.scripted import Reply, WireRoom
from tests.rows import NOON, add_account
from wireroom import routing
from wireroom.delivery.channel import Gone, Parcel, Rejected, TryLater
from wireroom.errors import NotAllowed, NotFound, UserError
from wireroom.routing import EVERYONE, Place
from wireroom.routing.samples import _as_it_is
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


async def settings(room: WireRoom, place: Place) -> dict[str, object]:
    return dict(await routing.get_wishes(room.database, room.account_id, place))


async def test_the_chat_sees_the_newest_entry_in_it(room: WireRoom) -> None:
    """Only then it is kept; the route's own order is not touched."""
    route = Place("route", room.route(room.destination(), ["old", "1 < 2"]))
    shown = await routing.set_template(room.tools, room.account_id, route, "<b>{{ title }}</b>")

    assert "<b>1 &lt; 2</b>" == shown
    assert ["<b>1 &lt; 2</b>"] == room.channel.titles
    assert {"template": "<b>{{ title }}</b>"} == await settings(room, route)
    assert 0 == room.of_route(route.id, "cursor")


async def test_a_feed_without_entries_has_a_made_up_one(room: WireRoom) -> None:
    """Also before its first reading."""
    route = Place("route", room.route(room.destination(), [], cursor=None))
    await routing.set_template(room.tools, room.account_id, route, "{{ title }}!")

    assert ["A sample entry!"] == room.channel.titles


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Rejected("can't parse entities"), "sample_refused"),
        (Gone("the bot was kicked"), "sample_refused"),
        (TryLater("flood control", timedelta(seconds=30)), "try_later"),
    ],
    ids=["rejected", "gone", "not now"],
)
async def test_what_the_chat_does_not_take_is_not_kept(
    room: WireRoom, reply: Reply, code: str
) -> None:
    """The sentence says what the platform said."""
    destination = Place("destination", room.destination())
    room.route(destination.id, ["one"])
    room.channel.replies.append(reply)
    with pytest.raises(UserError) as refused:
        await routing.set_template(room.tools, room.account_id, destination, "{{ title }}")

    assert code == refused.value.code
    assert {} == await settings(room, destination)


async def test_what_does_not_render_is_not_sent(room: WireRoom) -> None:
    """Nor kept."""
    route = Place("route", room.route(room.destination(), ["one"]))
    with pytest.raises(UserError):
        await routing.set_template(room.tools, room.account_id, route, "{{ boom( }}")

    assert 0 == room.channel.asked


async def test_a_suspended_chat_is_not_written_to(room: WireRoom) -> None:
    """Another of the account's chats sees the sample; with none left rendering is enough."""
    account = Place("account", room.account_id)
    first = room.destination("1", suspended_at=NOON, suspended_reason="kicked")
    room.route(first, ["one"])
    await routing.set_template(room.tools, room.account_id, account, "{{ title }}")
    assert [] == room.channel.told
    room.route(room.destination("2"), ["two"], feed="Tide Tables")
    await routing.set_template(room.tools, room.account_id, account, "{{ title }}")

    assert [("2", "two")] == room.channel.told


async def test_a_template_for_everyone_is_the_operators(room: WireRoom) -> None:
    """It is rendered, sent to nobody, and nobody else may set it."""
    room.route(room.destination(), ["one"])
    await routing.set_template(room.tools, room.account_id, EVERYONE, "{{ title }}")
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    with pytest.raises(NotAllowed):
        await routing.set_template(room.tools, eve, EVERYONE, "{{ title }}")

    assert [] == room.channel.told
    assert {"template": "{{ title }}"} == await settings(room, EVERYONE)


async def test_a_sample_with_settings_for_this_once(room: WireRoom) -> None:
    """They are not kept, and somebody else's route has no sample."""
    route = Place("route", room.route(room.destination(), ["one"]))
    changed = {"template": "just {{ title }}"}
    await routing.send_sample(room.tools, room.account_id, route, changed)
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    with pytest.raises(NotFound):
        await routing.send_sample(room.tools, eve, route)

    assert ["just one"] == room.channel.titles
    assert {} == await settings(room, route)


def test_no_form_of_a_sample_is_mended() -> None:
    """It may go without its picture, but that form has no plain one behind it either."""
    simpler = Parcel("execute", {"embeds": [{}]}, plain=Parcel("execute", {"content": "x"}))
    shown = _as_it_is(Parcel("execute", {}, plain=simpler.plain, without_media=simpler))

    assert None is shown.plain
    assert Parcel("execute", {"embeds": [{}]}) == shown.without_media

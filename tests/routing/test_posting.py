"""How the newest would be posted with one wish changed: said in words, and nothing is sent."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.delivery.samples import message
from tests.delivery.scripted import WireRoom
from tests.rows import add_account
from wireroom import routing
from wireroom.channels.discord import render as discord
from wireroom.channels.telegram import render as telegram
from wireroom.channels.webhook import render as webhook
from wireroom.delivery.channel import Address, Parcel
from wireroom.errors import NotAllowed, NotFound, UserError
from wireroom.feeds.model import Enclosure
from wireroom.routing import EVERYONE, Place, Posting
from wireroom.routing.posting import _read
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


async def shown(room: WireRoom, place: Place, **changed: Any) -> Posting:
    posting = await routing.show_posting(room.tools, room.account_id, place, changed)
    assert posting is not None
    return posting


async def test_the_newest_is_shown_and_nothing_is_sent(room: WireRoom) -> None:
    """A wish that is tried is not kept either."""
    route = Place("route", room.route(room.destination(title="Pier"), ["old", "new"]))
    posting = await shown(room, route, silent=True)

    assert Posting("Pier", ("new",), is_silent=True, comes_at=None) == posting
    assert 0 == room.channel.asked
    assert {} == await routing.get_wishes(room.database, room.account_id, route)


async def test_a_digest_comes_on_the_owners_clocks(room: WireRoom) -> None:
    """All of it is shown, with the next of its times."""
    route = Place(
        "route", room.route(room.destination(), ["one", "two"], settings={"zone": "Asia/Tokyo"})
    )
    posting = await shown(room, route, digest="08:00,23:30")

    assert posting.comes_at is not None
    assert datetime(2026, 11, 30, 14, 30, tzinfo=UTC) == posting.comes_at
    assert "23:30" == f"{posting.comes_at:%H:%M}"
    assert all(title in posting.messages[0] for title in ("one", "two"))


async def test_silent_hours_that_last_now(room: WireRoom) -> None:
    """Their end is when it would come."""
    route = Place("route", room.route(room.destination(), ["one"]))

    assert (
        datetime(2026, 11, 30, 13, 0, tzinfo=UTC)
        == (await shown(room, route, quiet="11:00-13:00")).comes_at
    )
    assert None is (await shown(room, route, quiet="22:00-07:00")).comes_at


@pytest.mark.parametrize("kind", ["account", "everyone", "destination", "route"])
async def test_what_a_more_special_place_says_still_counts(room: WireRoom, kind: Any) -> None:
    """A wish is tried where it will stand: the route has a template of its own."""
    destination = room.destination()
    route = room.route(destination, ["one"], settings={"template": "mine: {{ title }}"})
    number = {
        "account": room.account_id,
        "everyone": 0,
        "destination": destination,
        "route": route,
    }
    posting = await shown(room, Place(kind, number[kind]), template="theirs: {{ title }}")

    assert ("theirs: one" if kind == "route" else "mine: one",) == posting.messages


async def test_a_feed_without_entries_shows_nothing(room: WireRoom) -> None:
    """Nor does an account whose news go nowhere."""
    account = Place("account", room.account_id)
    assert (
        await routing.show_posting(room.tools, room.account_id, account, {"silent": True}) is None
    )
    room.route(room.destination(), [], cursor=None)

    assert (
        await routing.show_posting(room.tools, room.account_id, account, {"silent": True}) is None
    )


async def test_nobody_elses_and_nothing_that_cannot_be(room: WireRoom) -> None:
    """Somebody else's place is none, and what could not be saved is not tried."""
    route = Place("route", room.route(room.destination(), ["one"]))
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    with pytest.raises(NotFound):
        await routing.show_posting(room.tools, eve, route, {"silent": True})
    with pytest.raises(NotAllowed):
        await routing.show_posting(room.tools, eve, EVERYONE, {"silent": True})
    with pytest.raises(UserError):
        await routing.show_posting(room.tools, room.account_id, route, {"burst": 0})


PICTURES = tuple(Enclosure(f"https://e.org/{each}.png", "image/png", None) for each in "ab")
STORY = message(title="Ships & sails", body="<p>Past <b>noon</b></p>", enclosures=PICTURES)


@pytest.mark.parametrize(
    ("parcels", "expected"),
    [
        pytest.param(
            telegram.render(STORY, Address("1"), {"media": "none"}),
            ["Ships & sails\nExample Blog\n\nPast noon"],
            id="a text in Telegram",
        ),
        pytest.param(
            telegram.render(STORY, Address("1"), {"media": "all"}),
            ["https://e.org/a.png\nhttps://e.org/b.png"],
            id="an album in Telegram",
        ),
        pytest.param(
            telegram.render(STORY, Address("1"), {"rich": True}),
            ["Past noon"],
            id="a rich message in Telegram",
        ),
        pytest.param(
            discord.render(STORY, Address("1"), {"media": "all"}),
            [
                "Ships & sails\nPast **noon**\nby A. Writer\nhttps://e.org/a.png\nhttps://e.org/b.png"
            ],
            id="an embed in Discord",
        ),
        pytest.param(
            discord.render(STORY, Address("1"), {"layout": "components"}),
            ["Past **noon**"],
            id="components in Discord",
        ),
        pytest.param(
            webhook.render(STORY, Address("1"), {}), ["Past noon"], id="the text of a webhook"
        ),
    ],
)
def test_what_is_read_of_each_channels_messages(
    parcels: tuple[Parcel, ...], expected: list[str]
) -> None:
    """Words and pictures, without markup that a chat would not show and without anything else."""
    read = ["\n".join(_read(each.payload)) for each in parcels]

    assert len(expected) == len(read)
    for part, whole in zip(expected, read, strict=True):
        assert part in whole
        assert not {"<b>", "parse_mode", "execute", "color"} & set(whole.split())

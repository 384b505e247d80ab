"""Use cases of routes: pausing, sending again, wishes, and why something came or did not."""

from typing import Any

import pytest
from sqlalchemy import insert, update

from tests.delivery.scripted import WireRoom, turn
from tests.rows import NOON, add_account, at
from wireroom import routing
from wireroom.errors import NotFound, UserError
from wireroom.routing import Place
from wireroom.store.engine import Database
from wireroom.store.routes import MERGED
from wireroom.store.schema import deliveries


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


async def set_wish(room: WireRoom, route: int, name: str, value: Any) -> None:
    await routing.set_wish(
        room.database, room.account_id, Place("route", route), name, value, now=room.clock()
    )


async def why(room: WireRoom, route: int, seq: int) -> str:
    return await routing.why(room.database, room.account_id, route, seq, now=room.clock())


async def test_a_pause_and_its_end(room: WireRoom) -> None:
    """Nothing goes out meanwhile; then all of it does."""
    route = room.route(room.destination(), ["one"])
    await routing.pause(room.database, room.account_id, route, now=NOON)
    await turn(room)
    room.clock.move(days=400)
    await turn(room)
    assert "It waits: paused until further notice." == await why(room, route, 1)
    assert [] == room.channel.titles
    await routing.resume(room.database, room.account_id, route, now=room.clock())
    await turn(room)

    assert ["one"] == room.channel.titles


async def test_only_the_newest_after_a_pause(room: WireRoom) -> None:
    """The others are noted as passed over."""
    route = room.route(room.destination(), ["a", "b", "c"])
    await routing.pause(room.database, room.account_id, route, now=NOON, until=at(60))
    await routing.resume(room.database, room.account_id, route, now=NOON, newest=1)
    await turn(room)

    assert ["c"] == room.channel.titles
    assert "during a pause" in await why(room, route, 1)


async def test_what_a_merge_passed_over_is_sent_when_asked_for(room: WireRoom) -> None:
    """Why it did not come is known, and "send the last so many" brings it all the same."""
    route = room.route(room.destination(), ["a", "b", "c"])
    reason = (
        "passed over: two feeds became one, and only the newest 1 of 3 that the other had met are "
        "sent"
    )
    with room.database.writing() as connection:
        noted = {"outcome": MERGED, "detail": reason, "at": NOON, "route_id": route}
        connection.execute(insert(deliveries), [{**noted, "seq": seq} for seq in (1, 2)])
    await turn(room)
    assert ["c"] == room.channel.titles
    assert f"Not sent: {reason}." == await why(room, route, 2)

    with room.database.writing() as connection:
        connection.execute(update(deliveries).values(outcome=MERGED))
    await routing.replay(room.database, room.account_id, route, now=NOON, newest=2)
    await turn(room)
    assert ["c", "b", "c"] == room.channel.titles


@pytest.mark.parametrize(
    ("asked", "again"),
    [({"newest": 2}, ["b", "c"]), ({"since": at(-58.5)}, ["c"]), ({"newest": 9}, ["a", "b", "c"])],
)
async def test_sending_again(room: WireRoom, asked: dict[str, Any], again: list[str]) -> None:
    """The newest so many, or all since a moment, in order, also what was no news."""
    route = room.route(room.destination(), ["a", "b", "c"])
    await turn(room)
    room.channel.told.clear()
    count = await routing.replay(room.database, room.account_id, route, now=NOON, **asked)
    await turn(room)

    assert (len(again), again) == (count, room.channel.titles)


async def test_sending_again_keeps_what_waits(room: WireRoom) -> None:
    """A replay of fewer than wait skips none of them."""
    route = room.route(room.destination(), ["a", "b", "c"])
    await routing.replay(room.database, room.account_id, route, now=NOON, newest=1)
    await turn(room)

    assert ["a", "b", "c"] == room.channel.titles


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("filter", "((("),
        ("template", "{{ boom( }}"),
        ("digest", "noon"),
        ("quiet", "22"),
        ("burst", 0),
        ("per_day", "many"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused(room: WireRoom, name: str, value: Any) -> None:
    """One sentence, and nothing is stored."""
    route = room.route(room.destination(), ["a"])
    with pytest.raises(UserError):
        await set_wish(room, route, name, value)

    assert {} == room.of_route(route, "settings")


async def test_a_wish_is_set_and_taken_back(room: WireRoom) -> None:
    """A filter counts from the next entry on, and no longer once it is taken back."""
    route = room.route(room.destination(), [])
    await set_wish(room, route, "filter", "rust")
    room.publish(room.feed_of(route), ["go"])
    await turn(room)
    assert "Not sent: filter of the route: does not match rust." == await why(room, route, 1)
    assert "Nicht gesendet: Filter der Route: passt nicht zu rust." == await routing.why(
        room.database, room.account_id, route, 1, now=room.clock(), language="de"
    )
    await set_wish(room, route, "filter", None)
    room.publish(room.feed_of(route), ["go again"])
    await turn(room)

    assert ["go again"] == room.channel.titles
    assert "Sent." == await why(room, route, 2)


async def test_a_template_is_shown_before_it_is_stored(room: WireRoom) -> None:
    """The preview is the newest entry in it."""
    route = room.route(room.destination(), ["old", "1 < 2"])
    shown = await routing.preview(room.database, room.account_id, route, "<b>{{ title }}</b>")

    assert "<b>1 &lt; 2</b>" == shown


async def test_a_dry_run_sends_nothing(room: WireRoom) -> None:
    """It tells what would become of the newest entries, with a filter that is only tried."""
    route = room.route(room.destination(), ["rust", "go", "rust again"])
    would = await routing.dry_run(
        room.database, room.account_id, route, newest=2, changed={"filter": "rust"}
    )

    assert [(2, False), (3, True)] == [(each.seq, each.is_sent) for each in would]
    assert (0, {}) == (room.channel.asked, room.of_route(route, "settings"))


async def test_a_dry_run_knows_what_was_told(room: WireRoom) -> None:
    """A story of another feed is not told twice, and what a rule mutes makes no sound."""
    destination = room.destination(settings={"once": True, "rules": "rust -> mute"})
    room.route(destination, ["The ferry has made its very last trip"])
    await turn(room)
    titles = ["The ferry has made its very last trip", "Rust 2"]
    other = room.route(destination, titles, feed="Other News")
    would = await routing.dry_run(room.database, room.account_id, other)

    assert [(False, False), (True, True)] == [(each.is_sent, each.is_muted) for each in would]
    assert would[0].why.endswith("told the same story")


async def test_a_suspended_destination_says_so(room: WireRoom) -> None:
    """Its owner suspends and resumes it; what waited goes out then."""
    there = room.destination()
    route = room.route(there, ["one"])
    await routing.suspend_destination(
        room.database, room.account_id, there, now=NOON, reason="holidays"
    )
    await turn(room)
    assert "It waits: the destination is suspended (holidays)." == await why(room, route, 1)
    await routing.resume_destination(room.database, room.account_id, there, now=NOON)
    await turn(room)

    assert ["one"] == room.channel.titles
    assert 1 == len(await routing.delivered(room.database, room.account_id, route))


async def test_somebody_elses_route_is_none(room: WireRoom) -> None:
    """Every use case answers a stranger as if there were no such thing (promise 10)."""
    there = room.destination()
    route = room.route(there, ["one"])
    with room.database.writing() as connection:
        stranger = add_account(connection, "eve", "member")
    db, now = room.database, NOON
    for attempt in (
        routing.pause(db, stranger, route, now=now),
        routing.resume(db, stranger, route, now=now),
        routing.replay(db, stranger, route, now=now, newest=1),
        routing.set_wish(db, stranger, Place("route", route), "filter", "x", now=now),
        routing.preview(db, stranger, route, "x"),
        routing.dry_run(db, stranger, route),
        routing.delivered(db, stranger, route),
        routing.why(db, stranger, route, 1, now=now),
        routing.suspend_destination(db, stranger, there, now=now, reason="x"),
        routing.resume_destination(db, stranger, there, now=now),
    ):
        with pytest.raises(NotFound):
            await attempt

    assert [] == await routing.list_routes(db, stranger)
    assert 1 == len(await routing.list_routes(db, room.account_id))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        pytest.param("filer", "ships", "did you mean filter", id="a slip"),
        pytest.param("nonsense", 3, "there are", id="no setting at all"),
        pytest.param("zone", "Europe/Nowhere", "Europe/Berlin", id="no such zone"),
        pytest.param("preview", 3, "on or off", id="no switch"),
    ],
)
async def test_a_wish_that_nobody_would_read_is_refused(
    database: Database, name: str, value: object, words: str
) -> None:
    """A setting that is spelled wrong must not be passed over: unwanted messages would go out."""
    with pytest.raises(UserError, match=words):
        await routing.set_wish(database, 1, Place("route", 1), name, value, now=NOON)

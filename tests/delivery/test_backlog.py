"""Filters, templates, bursts, digests and silent hours, as they work on a destination's turn."""

import asyncio
from collections import deque
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from tests.delivery.scripted import WireRoom, turn
from tests.rows import NOON, add_folder, at
from wireroom.delivery.channel import Rejected, Sent, TryLater
from wireroom.store import house, schema
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


def route_with(room: WireRoom, titles: list[str], **settings: Any) -> int:
    return room.route(room.destination(), titles, settings=settings)


async def test_filtered_entries_are_done_with(room: WireRoom) -> None:
    """They move the cursor (TGD-38); the ledger says which filter decided, of those sent, too."""
    route = route_with(room, ["rust is out", "go is out", "rust jobs"], filter="rust, !jobs")
    await turn(room)

    assert ["rust is out"] == room.channel.titles
    named = "filter “rust, !jobs” of the route"
    assert [
        (1, "sent", "m1"),
        (2, "skipped", f"{named}: does not match rust"),
        (3, "skipped", f'{named}: left out by "jobs"'),
    ] == room.ledger(route)


async def test_filters_of_all_places_count(room: WireRoom) -> None:
    """What the chat does not want is dropped whatever the route says (C28)."""
    there = room.destination(settings={"filter": "!jobs"})
    room.route(there, ["rust", "rust jobs", "jobs"], settings={"filter": "rust"})
    await turn(room)

    assert ["rust"] == room.channel.titles


async def test_one_feed_goes_to_a_chat_by_two_filters(room: WireRoom) -> None:
    """Two routes of one feed with filters of their own, from one fetch (wish 13)."""
    first = room.route(room.destination("1"), ["rust", "go"], settings={"filter": "rust"})
    room.route(room.destination("2"), feed_id=room.feed_of(first), settings={"filter": "go"})
    room.publish(room.feed_of(first), [])
    await turn(room)

    assert [("1", "rust"), ("2", "go")] == sorted(room.channel.told)


async def test_a_filter_that_cannot_be_read_drops_nothing(room: WireRoom) -> None:
    """No entry is lost because rules became stricter."""
    route_with(room, ["one"], filter="(((")
    await turn(room)

    assert ["one"] == room.channel.titles


async def test_a_template_lays_messages_out(room: WireRoom) -> None:
    """Its text goes to the channel, with values escaped once."""
    route_with(room, ["1 < 2"], template="<b>{{.Title}}</b> {{.FeedTitle}}")
    await turn(room)

    assert ["<b>1 &lt; 2</b> Harbour News"] == room.channel.titles


async def test_a_template_that_fails_is_not_told(room: WireRoom) -> None:
    """The channel's own layout is used instead (TGD-35)."""
    route_with(room, ["one"], template="{{ boom( }}")
    await turn(room)

    assert ["one"] == room.channel.titles
    assert None is room.channel.messages[0].laid_out


async def test_replacements_apply_to_all_texts(room: WireRoom) -> None:
    """In table order, in title, feed's title and text, never inside a tag."""
    with room.database.writing() as connection:
        house.add_removal(connection, " [Advert]", is_regex=False, now=NOON)
        house.add_removal(connection, r"\(\d+ min read\)", is_regex=True, now=NOON)
    route = room.route(room.destination(), [], feed="Harbour News [Advert]")
    body = '<p title="(5 min read)">Text &amp; more [Advert] (5 min read)</p>'
    room.publish(room.feed_of(route), ["Title [Advert]"], content=body)
    await turn(room)
    (message,) = room.channel.messages

    assert ("Title", "Harbour News") == (message.title, message.feed_title)
    assert '<p title="(5 min read)">Text &amp; more </p>' == message.body


# -- bursts ---------------------------------------------------------------------------------------


async def test_a_burst_is_cut_to_the_newest(room: WireRoom) -> None:
    """The newest go out after a line that counts the others, each noted with the reason (C22)."""
    route = route_with(room, [f"n{n}" for n in range(1, 61)], burst=3)
    await turn(room)
    line, *newest = room.channel.titles

    assert "57 more entries" in line
    assert ["n58", "n59", "n60"] == newest
    assert 60 == len(room.ledger(route))
    reason = "passed over: only the newest 3 of 60 that waited are sent"
    assert (57, "skipped", reason) == room.ledger(route)[56]


async def test_a_surplus_is_logged(room: WireRoom) -> None:
    """Whoever runs this sees how many were not sent, and on which route (DCD-09)."""
    route = route_with(room, ["a", "b", "c"], burst=2, more_line=False)
    with capture_logs() as logs:
        await turn(room)

    assert [(route, 1, 3)] == [
        (line["route"], line["passed"], line["of"])
        for line in logs
        if line["event"] == "surplus passed over"
    ]


async def test_the_line_of_a_burst_is_counted_after_filtering(room: WireRoom) -> None:
    """What a filter drops is no surplus (TGD-06)."""
    titles = [f"{word} {n}" for n in range(4) for word in ("rust", "go")]
    route_with(room, titles, burst=3, filter="rust")
    await turn(room)

    assert "1 more entry" in room.channel.titles[0]
    assert ["rust 1", "rust 2", "rust 3"] == room.channel.titles[1:]


async def test_no_burst_no_line(room: WireRoom) -> None:
    """As many as the measure, or fewer: all of them and nothing else; nor a line in a channel."""
    route_with(room, ["a", "b", "c"], burst=3)
    other = room.route(
        room.destination("2"), ["d", "e"], feed="B", settings={"burst": 1, "more_line": False}
    )
    await turn(room)

    assert ["a", "b", "c", "e"] == sorted(room.channel.titles)
    assert 2 == room.of_route(other, "cursor")


async def test_a_line_that_is_not_taken_waits_like_any_message(room: WireRoom) -> None:
    """The surplus is passed over only once the line is out."""
    route = route_with(room, ["a", "b", "c"], burst=1)
    room.channel.replies += [TryLater("HTTP 502")]
    await turn(room)
    assert 0 == room.of_route(route, "cursor")
    room.clock.move(minutes=1)
    await turn(room)

    assert ["c"] == room.channel.titles[1:]


async def test_a_days_measure(room: WireRoom) -> None:
    """No 24 hours hold more than so many; the others wait, and nothing is lost."""
    route = route_with(room, [f"n{n}" for n in range(5)], per_day=2)
    await turn(room)
    assert ["n0", "n1"] == room.channel.titles
    assert at(24 * 60) == room.of_route(route, "not_before")
    for _ in range(2):
        room.clock.move(days=1)
        await turn(room)

    assert [f"n{n}" for n in range(5)] == room.channel.titles


# -- later ----------------------------------------------------------------------------------------


async def test_silent_hours_hold_back(room: WireRoom) -> None:
    """Nothing goes out in them; all of it does when they end, without any news."""
    there = room.destination(settings={"quiet": "11:00-13:00"})
    room.route(there, ["one", "two"])
    await turn(room)
    assert ([], at(60)) == (room.channel.titles, room.of_destination(there, "ready_at"))
    room.clock.move(hours=1)
    await turn(room)

    assert ["one", "two"] == room.channel.titles


async def test_gathered_entries_are_counted_in_german(room: WireRoom) -> None:
    """The head of a digest, its entry without a title, and the line for a burst (TGC-42)."""
    german = {"language": "de"}
    gathered = room.destination("1", settings={"digest": "every 2", **german})
    room.route(gathered, ["eins", " "])
    more = room.destination("2", settings=german)
    room.route(more, ["a", "b"], feed="Tides", settings={"burst": 1})
    await turn(room)
    await turn(room)
    told = dict(reversed(room.channel.told))

    assert told["1"].startswith("<b>Harbour News</b>: 2 neue Einträge\n• ")
    assert "Ohne Titel" in told["1"]
    assert "<i>1 weiterer Eintrag von Tides: die neuesten folgen.</i>" == told["2"]


async def test_a_digest_gathers(room: WireRoom) -> None:
    """One message at its time of day, with all that came until then, each noted as sent."""
    route = route_with(room, ["one", "go"], digest="18:00", filter="!go")
    await turn(room)
    room.clock.move(hours=1)
    room.publish(room.feed_of(route), ["two"], minutes=60)
    await turn(room)
    assert [] == room.channel.titles
    room.clock.move(hours=5)
    await turn(room)
    (text,) = room.channel.titles

    assert "2 new entries" in text
    assert text.index("one") < text.index("two")
    assert [(1, "sent"), (2, "skipped"), (3, "sent")] == [each[:2] for each in room.ledger(route)]
    room.publish(room.feed_of(route), ["three"], minutes=400)
    await turn(room)
    assert at(30 * 60) == room.of_route(route, "not_before")


def in_a_folder(room: WireRoom, *feeds: tuple[str, int], **settings: object) -> list[int]:
    """Routes of one destination whose feeds lie in one folder; each with so many entries."""
    destination = room.destination(settings={"digest": "18:00", "digest_by": "folder", **settings})
    made = [
        room.route(destination, [f"{feed} {n}" for n in range(count)], feed=feed)
        for feed, count in feeds
    ]
    with room.database.writing() as connection:
        folder = add_folder(connection, room.account_id, "Craft")
        connection.execute(update(schema.subscriptions).values(folder_id=folder))
    return made


async def test_a_digest_of_a_folder(room: WireRoom) -> None:
    """One message for its feeds, each behind its title; every route is noted in its own ledger."""
    made = in_a_folder(room, ("Ships", 2), ("Trains", 1), ("Birds", 1))
    await turn(room)
    room.clock.move(hours=6)
    await turn(room)
    (text,) = room.channel.titles

    assert text.startswith("<b>Craft</b>: 4 new entries")
    assert text.index("<i>Ships</i>") < text.index("Ships 1") < text.index("<i>Trains</i>")
    assert [2, 1, 1] == [room.of_route(each, "cursor") for each in made]
    assert {"m1"} == {line[2] for each in made for line in room.ledger(each)}


async def test_a_long_digest_of_a_folder(room: WireRoom) -> None:
    """Nothing is left out or told twice where it takes several messages."""
    made = in_a_folder(room, ("Ships", 25), ("Trains", 25), ("Birds", 25))
    await turn(room)
    room.clock.move(hours=6)
    await turn(room)
    told = "\n".join(room.channel.titles).splitlines()
    items = [line.partition(">")[2].partition("<")[0] for line in told if line.startswith("•")]

    assert 75 == len(items) == len(set(items))
    assert [25] * 3 == [room.of_route(each, "cursor") for each in made]


async def test_a_folders_digest_that_fails_moves_nothing(room: WireRoom) -> None:
    """All of it is sent when the platform has time again."""
    made = in_a_folder(room, ("Ships", 1), ("Trains", 1))
    await turn(room)
    room.clock.move(hours=6)
    room.channel.replies.append(TryLater("flood", timedelta(seconds=30)))
    await turn(room)
    assert [0, 0] == [room.of_route(each, "cursor") for each in made]
    room.clock.move(minutes=1)
    await turn(room)

    assert [1, 1] == [room.of_route(each, "cursor") for each in made]
    assert "2 new entries" in room.channel.titles[-1]


async def test_a_long_digest_is_several_messages(room: WireRoom) -> None:
    """Each with its part of the entries, at once and in order; none is lost."""
    route = route_with(room, [f"n{n:02}" for n in range(70)], digest="18:00")
    await turn(room)
    room.clock.move(hours=6)
    await turn(room)

    assert 3 == len(room.channel.titles)
    assert 70 == room.of_route(route, "cursor")
    assert all(f"n{n:02}" in "".join(room.channel.titles) for n in range(70))


@pytest.mark.parametrize(
    ("eve", "digests"),
    [
        # There is no 02:30 on that day; it comes when the clocks have jumped.
        pytest.param("2027-03-27T20:30Z", ["28 01:30", "29 00:30"], id="spring"),
        # 02:30 comes twice, and its digest with the first one.
        pytest.param("2026-10-24T20:30Z", ["25 00:30", "26 01:30"], id="autumn"),
    ],
)
async def test_a_digest_in_the_night_in_which_clocks_change(
    room: WireRoom, eve: str, digests: list[str]
) -> None:
    """Once a night, and every entry in one of them."""
    room.clock.time = datetime.fromisoformat(eve)
    wished = {"digest": "02:30", "zone": "Europe/Berlin"}
    route = room.route(room.destination(), ["n00"], settings=wished)
    came = []
    for hour in range(1, 31):
        before = len(room.channel.titles)
        await turn(room)
        if len(room.channel.titles) > before:
            came.append(f"{room.clock():%d %H:%M}")
        if hour < 25:
            room.publish(room.feed_of(route), [f"n{hour:02}"])
        room.clock.move(hours=1)

    assert digests == came
    told = [each for text in room.channel.titles for each in _entries(text)]
    assert [f"n{n:02}" for n in range(25)] == told


async def _dies() -> Sent:
    """The program ends before the channel takes anything."""
    raise asyncio.CancelledError


async def _dies_at(room: WireRoom, parcel: int) -> None:
    """A turn that ends before this parcel, and the time in which its lease runs out."""
    room.channel.replies = deque([*(Sent(f"p{n}") for n in range(1, parcel)), _dies])
    with pytest.raises(asyncio.CancelledError):
        await turn(room)
    room.clock.move(minutes=5)


@pytest.mark.parametrize("parcel", [1, 2, 3])
async def test_a_kill_between_the_parcels_of_a_digest(room: WireRoom, parcel: int) -> None:
    """The rest goes out with the lines it had; what came meanwhile makes the next message."""
    room.channel.most_lines = 4
    route = route_with(room, [f"n{n:02}" for n in range(10)], digest="18:00")
    await turn(room)
    room.clock.move(hours=6)
    await _dies_at(room, parcel)
    room.publish(room.feed_of(route), ["late1", "late2"])
    await turn(room)
    told = _entries("\n" + "\n".join(room.channel.titles))
    titles = [each for each in told if each and each != "Harbour News"]

    wanted = [f"n{n:02}" for n in range(10)]
    assert wanted == [each for each in titles if each.startswith("n")]
    assert ["late1", "late2"] == titles[-2:]


@pytest.mark.parametrize("parcel", [1, 2, 3, 4])
async def test_a_kill_between_the_parcels_of_a_folders_digest(room: WireRoom, parcel: int) -> None:
    """Each feed goes by itself where they do not fit into one parcel: nothing is lost or
    repeated, whatever comes meanwhile."""
    room.channel.most_lines = 4
    made = in_a_folder(room, ("Ships", 6), ("Trains", 2), ("Birds", 1))
    await turn(room)
    room.clock.move(hours=6)
    await _dies_at(room, parcel)
    for each in made:
        room.publish(room.feed_of(each), [f"Late {each}"])
    for _ in range(3):
        await turn(room)
        room.clock.move(hours=24)
    told = "\n".join(room.channel.titles).splitlines()
    items = [line.partition(">")[2].partition("<")[0] for line in told if line.startswith("•")]

    assert 12 == len(items) == len(set(items))
    assert [7, 3, 2] == [room.of_route(each, "cursor") for each in made]


async def test_a_digest_that_fails_is_tried_again_as_a_digest(room: WireRoom) -> None:
    """A backoff does not turn it into single messages, nor move it to the next day."""
    route_with(room, ["one", "two"], digest="18:00")
    await turn(room)
    room.clock.move(hours=6)
    room.channel.replies += [TryLater("HTTP 502"), Rejected("hm", certain=False), Sent("a")]
    for _ in range(3):
        await turn(room)
        room.clock.move(minutes=10)

    assert 1 == len(room.channel.titles)
    assert room.clock() - NOON < timedelta(hours=7)


async def test_a_digest_of_so_many(room: WireRoom) -> None:
    """Ten make a message; what is over waits for the next ten, and nothing is lost."""
    route = room.route(room.destination(), ["a", "b"], settings={"digest": "every 3"})
    await turn(room)
    assert [] == room.channel.titles
    room.publish(room.feed_of(route), ["c", "d"])
    room.clock.move(minutes=6)
    await turn(room)
    assert ["a", "b", "c"] == _entries(room.channel.titles[0])
    room.publish(room.feed_of(route), ["e", "f"])
    room.clock.move(minutes=6)
    await turn(room)

    assert ["d", "e", "f"] == _entries(room.channel.titles[1])


def _entries(text: str) -> list[str]:
    """The titles in a digest."""
    return [line.partition(">")[2].partition("<")[0] for line in text.splitlines()[1:]]

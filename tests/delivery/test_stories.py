"""A story that several feeds tell goes to a destination once, where that is wished."""

import pytest

from tests.delivery.scripted import WireRoom, turn
from wireroom.delivery import stories
from wireroom.delivery.stories import Story
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


def story(link: str, title: str, feed_id: int = 1) -> Story:
    return stories.story(link=link, title=title, feed_id=feed_id, feed_title="A feed")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("https://a.example/x?utm_source=rss", "A"), ("http://www.a.example/x/", "B"), True),
        (("https://a.example/x#top", "A"), ("https://a.example/x", "B"), True),
        (("https://a.example/x", "A"), ("https://a.example/y", "A"), False),
        (("https://a.example/", "A"), ("https://a.example/", "B"), False),
        (("", ""), ("", ""), False),
        (
            ("https://a.example/1", "Harbour opens new ferry pier"),
            ("https://b.example/2", "Harbour opens: new ferry pier!"),
            True,
        ),
        (
            ("https://a.example/1", "Harbour opens new ferry pier"),
            ("https://b.example/2", "Harbour closes old ferry pier"),
            False,
        ),
        (("https://a.example/1", "Weekly links"), ("https://b.example/2", "Weekly links"), False),
    ],
    ids=[
        "trackers and www",
        "a fragment",
        "other links",
        "only the site's page",
        "nothing known",
        "nearly the same title",
        "another title",
        "too few words",
    ],
)
def test_what_counts_as_the_same_story(
    one: tuple[str, str], other: tuple[str, str], same: bool
) -> None:
    """The same link, or nearly the same words; never two entries of one feed."""
    assert same == (stories.twin(story(*one, feed_id=2), [story(*other)]) is not None)
    assert stories.twin(story(*one), [story(*other)]) is None


async def test_a_story_goes_out_once(room: WireRoom) -> None:
    """The ledger says who told it before; after two days it may be told again."""
    there = room.destination(settings={"once": True})
    first = room.route(there, [])
    second = room.route(there, [], feed="Tide Tables")
    link = {"link": "https://story.example/ferry"}
    room.publish(room.feed_of(first), ["Ferry pier"], **link)
    room.publish(room.feed_of(second), ["The same pier"], minutes=-30, **link)
    await turn(room)
    room.publish(room.feed_of(second), ["Again the pier"], minutes=-20, **link)
    await turn(room)
    assert ["Ferry pier"] == room.channel.titles
    assert "Harbour News told the same story" == room.ledger(second)[0][2]
    room.clock.move(hours=49)
    room.publish(room.feed_of(second), ["Much later"], minutes=0, **link)
    await turn(room)

    assert ["Ferry pier", "Much later"] == room.channel.titles


async def test_without_the_wish_both_go_out(room: WireRoom) -> None:
    """Nothing is left out that nobody asked to leave out."""
    there = room.destination()
    for feed in ("Harbour News", "Tide Tables"):
        route = room.route(there, [], feed=feed)
        room.publish(room.feed_of(route), [feed], link="https://story.example/ferry")
    await turn(room)

    assert ["Harbour News", "Tide Tables"] == room.channel.titles

"""Rules: which entries they find, and what is done with those."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from tests.delivery.scripted import WireRoom, turn
from tests.rows import add_account
from wireroom import routing
from wireroom.delivery import rules
from wireroom.delivery.rules import Rule
from wireroom.errors import NotFound, UserError
from wireroom.feeds.filters import Subject
from wireroom.routing import EVERYONE, Place
from wireroom.store import schema
from wireroom.store.engine import Database


@pytest.fixture
def room(database: Database) -> WireRoom:
    return WireRoom(database)


def test_rules_are_read_line_by_line() -> None:
    """Blank lines do not count; spellings of both shores do."""
    text = 'title:ad -> drop\n\n"big news" -> route to 3\nrust -> favorite\nx -> tag #new'

    assert (
        Rule("title:ad", "drop"),
        Rule('"big news"', "route", "3"),
        Rule("rust", "favourite"),
        Rule("x", "tag", "new"),
    ) == rules.parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "1 to 50"),
        ("title:ad", "FILTER -> ACTION"),
        ("x -> explode", "the actions are"),
        ("x -> mention", "needs"),
        ("x -> drop it", "takes no"),
        ("x -> route home", "number"),
        ("((( -> drop", "missing at the end"),
        ("\n".join(["x -> drop"] * 51), "1 to 50"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, words: str) -> None:
    """The sentence shows the line and what is wrong with it."""
    with pytest.raises(UserError, match=words):
        rules.parse(text)


@given(st.text(max_size=120), st.sampled_from(["", " -> drop", " -> tag x", "\nx -> route 1"]))
def test_any_text_is_read_or_refused_in_words(text: str, end: str) -> None:
    """And what was read can be applied to any entry."""
    try:
        read = rules.parse(text + end)
    except UserError as refused:
        assert str(refused)
    else:
        rules.ruling([("route", read)], Subject(title=text, text=end))


def test_the_first_that_keeps_or_drops_decides() -> None:
    """All others that match are carried out as well, from the most special place to the widest."""
    layers = [
        ("route", rules.parse("rust -> keep\nrust -> mention 7\nrust -> mute")),
        (
            "account",
            rules.parse("rust -> drop\nrust -> mention 8\nrust -> mention 7\ngo -> tag go"),
        ),
    ]
    found = rules.ruling(layers, Subject(title="Rust"))

    assert ("keep", True, ("7", "8"), ()) == (
        found.verdict,
        found.muted,
        found.mentions,
        found.tags,
    )
    assert "rule of the route: rust -> keep" in found.why


async def wish(room: WireRoom, route: int, name: str, value: Any) -> None:
    place = Place("route", route)
    await routing.set_wish(room.database, room.account_id, place, name, value, now=room.clock())


def test_what_rules_lead_to() -> None:
    """All destinations that are named; none where nothing can be read."""
    assert {3, 4} == rules.led_to("a -> route 3\nb -> drop\nc -> route to 4")
    assert set() == rules.led_to("nonsense")


async def test_keep_and_drop_count_before_filters(room: WireRoom) -> None:
    """The ledger says which rule it was."""
    route = room.route(room.destination(), ["ad: rust", "rust", "go", "go security"])
    await wish(room, route, "filter", "rust")
    await wish(room, route, "rules", "title:ad -> drop\nsecurity -> keep")
    await turn(room)

    assert ["rust", "go security"] == room.channel.titles
    assert "rule of the route: title:ad -> drop" == room.ledger(route)[0][2]


async def test_what_rules_do_besides_sending(room: WireRoom) -> None:
    """Muted, with a role called and a tag; marked in the reader, also when it is not sent."""
    route = room.route(room.destination(), ["rust", "go"])
    await wish(
        room,
        route,
        "rules",
        "rust -> mute\nrust -> mention 7\nrust -> tag crab\nrust -> favourite\n"
        "go -> drop\ngo -> read",
    )
    await turn(room)
    with room.database.reading() as connection:
        states = connection.execute(
            select(schema.entry_states.c.seq, schema.entry_states.c.is_read).order_by("seq")
        ).all()

        tagged = connection.execute(
            select(schema.entry_tags.c.seq, schema.tags.c.name).join(schema.tags)
        ).all()

    assert [(1, "crab")] == [tuple(row) for row in tagged]
    (message,) = room.channel.messages
    assert (("7",), ("crab",)) == (message.mentions, message.tags)
    assert room.channel.settings[0]["silent"] is True
    assert [(1, None), (2, True)] == [tuple(row) for row in states]


async def test_a_rule_leads_elsewhere(room: WireRoom) -> None:
    """The entry goes there too, or with `drop` only there; a chat that rests loses nothing."""
    other = room.destination("other")
    route = room.route(room.destination("home"), ["rust", "go", "crab"])
    await wish(room, route, "rules", f"rust -> route {other}\ngo -> route {other}\ngo -> drop")
    room.suspend(other)
    for _ in range(3):
        await turn(room)
    assert [("home", "rust"), ("home", "crab")] == room.channel.told
    room.resume(other)
    for _ in range(3):
        await turn(room)

    assert [("other", "rust"), ("other", "go")] == room.channel.told[2:]


async def test_a_rule_leads_only_to_ones_own(room: WireRoom) -> None:
    """Somebody else's destination is as good as none (promise 10)."""
    route = room.route(room.destination(), ["one"])
    with room.database.writing() as connection:
        eve = add_account(connection, "eve", "member")
    theirs = room.destination("theirs", account_id=eve)
    with pytest.raises(NotFound):
        await wish(room, route, "rules", f"x -> route {theirs}")
    with pytest.raises(NotFound):
        await routing.set_wish(
            room.database, room.account_id, EVERYONE, "rules", "x -> route 1", now=room.clock()
        )

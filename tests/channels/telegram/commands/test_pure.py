"""Reading updates, addressing, buttons and splitting, apart from any chat."""

import html
from typing import Any

import pytest

from wireroom.channels.telegram.commands import buttons, splitting
from wireroom.channels.telegram.commands.addressed import Order, order
from wireroom.channels.telegram.commands.incoming import Message, read
from wireroom.delivery.richtext import units

_BOT = 1


def message(text: str, **more: Any) -> Message:
    body = {
        "message_id": 5,
        "chat": {"id": 7, "type": "private", "first_name": "Ada"},
        "from": {"id": 7, "first_name": "Ada"},
        "text": text,
        **more,
    }
    found = read({"update_id": 1, "message": body}, _BOT)
    assert isinstance(found, Message)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/sub https://x.example", Order("sub", "https://x.example")),
        ("/SUB@Our_Bot  x ", Order("sub", "x", is_to_us=True)),
        ("/sub@other x", None),
        ("/sub\nx", Order("sub", "x")),
        ("see /sub", None),
        ("/subä", None),
        ("/", None),
        ("", None),
    ],
)
def test_order(text: str, expected: Order | None) -> None:
    """Whole words at the beginning, for us (TGC-33, TGC-34)."""
    assert expected == order(message(text), "our_bot")


def test_a_command_that_is_a_part_of_a_word() -> None:
    """What the server marks as a command goes on to the next blank for us."""
    entities = [{"type": "bot_command", "offset": 0, "length": 5}]
    assert None is order(message("/help.html", entities=entities), "our_bot")


@pytest.mark.parametrize(
    "update",
    [
        {},
        {"message": None},
        {"message": {}},
        {"message": {"chat": {"id": "x"}, "message_id": 1}},
        {"message": {"chat": {"id": 1, "type": "secret"}, "message_id": 1}},
        {"callback_query": {"id": "1", "data": "x"}},
        {"callback_query": {"id": "1", "from": {"id": 1}, "message": {"chat": {}}}},
        {"my_chat_member": {"chat": {"id": 1, "type": "group"}}},
        {"poll": {"id": "1"}},
        {
            "message": {
                "chat": {"id": 1, "type": "group"},
                "message_id": 1,
                "is_automatic_forward": 1,
            }
        },
    ],
)
def test_odd_updates_are_nothing(update: dict[str, Any]) -> None:
    """Whatever comes, reading it raises nothing."""
    assert None is read(update, _BOT)


def test_topics_and_threads() -> None:
    """A thread of replies is no topic, and General is none (trap 1)."""
    assert None is message("x", message_thread_id=9).topic
    assert 9 == message("x", message_thread_id=9, is_topic_message=True).topic
    assert None is message("x", message_thread_id=1, is_topic_message=True).topic


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (("http://nas:8080/feed",), "http://nas:8080/feed"),
        ((), "look at http://nas:8080/feed"),
        ((), "nas:8080"),
    ],
)
def test_an_address_that_telegram_does_not_mark(expected: tuple[str, ...], text: str) -> None:
    """A message that is nothing but an address is one."""
    assert expected == message(text).links


def test_links_count_in_utf16() -> None:
    """Entities behind an emoji are found where they are."""
    entities = [{"type": "url", "offset": 3, "length": 9}]
    assert ("x.example",) == message("🙂 x.example", entities=entities).links


@pytest.mark.parametrize(
    "lines",
    [
        ["x"] * 10_000,
        ["<b>bold</b> and <i>more</i>"] * 300,
        ["🙂" * 3000, "end"],
        [html.escape("<&>" * 3000)],
        ["", "  ", "x"],
    ],
    ids=["many", "entities", "emoji", "escaped", "blank"],
)
def test_no_reply_is_too_long(lines: list[str]) -> None:
    """Every message is within all limits, and none is empty."""
    made = splitting.messages(lines)

    assert made
    for text in made:
        assert 0 < units(splitting.visible(text)) <= 4096
        assert len(text.encode()) < 35_000
        assert text.count("</") <= 100


def test_lines_stay_whole() -> None:
    """Cutting happens between lines, and nothing is left out."""
    lines = [f"<b>{number}</b> line" for number in range(1000)]

    assert lines == "\n".join(splitting.messages(lines)).split("\n")


def test_data_that_does_not_fit_is_a_mistake() -> None:
    """64 bytes, not characters."""
    assert "go.1" == buttons.data("go", 1)
    with pytest.raises(ValueError, match="does not fit"):
        buttons.data("go", "ä" * 40)


@pytest.mark.parametrize(
    ("number", "total", "expected"),
    [(0, 0, (0, 0, 0, 1)), (0, 9, (0, 0, 8, 2)), (5, 9, (1, 8, 9, 2)), (-1, 3, (0, 0, 3, 1))],
)
def test_pages(number: int, total: int, expected: tuple[int, ...]) -> None:
    """A page that is gone becomes the nearest there is."""
    shown = buttons.page(number, total)

    assert expected == (shown.number, shown.first, shown.end, shown.pages)

from typing import Any

import pytest
from hypothesis import given

from tests.delivery.samples import any_message, long_html, message, unhurried
from tests.servers.discord_rules import check_message, embed_length, pings_of
from wireroom.channels.discord.render import render, username
from wireroom.delivery.channel import Address, Parcel
from wireroom.delivery.htmltext import parse
from wireroom.delivery.message import Message
from wireroom.feeds.model import SafeHtml

_HOOK = Address("123", "secret")
_WHOLE = {"content": 0}


def _rendered(entry: Message, **settings: Any) -> Parcel:
    (parcel,) = render(entry, _HOOK, settings)
    return parcel


def _embed(entry: Message, **settings: Any) -> dict[str, Any]:
    embed: dict[str, Any] = _rendered(entry, **settings).payload["embeds"][0]
    return embed


def test_embed() -> None:
    """Every part of the embed as the checklist has it (DCD-02, DCD-04 to DCD-08)."""
    entry = message(icon_url="https://e.org/icon.png", image_url="https://e.org/a.jpg")

    assert {
        "username": "Example Blog",
        "avatar_url": "https://e.org/icon.png",
        "allowed_mentions": {"parse": []},
        "embeds": [
            {
                "title": "Release 4.2 & notes",
                "url": "https://example.org/p/9?a=1&b=2",
                "description": "First lines.",
                "color": 0xEE802F,
                "timestamp": "2026-11-30T12:00:00Z",
                "author": {"name": "Example Blog", "url": "https://example.org/"},
                "footer": {"text": "by A. Writer"},
                "image": {"url": "https://e.org/a.jpg"},
            }
        ],
    } == _rendered(entry).payload


def test_what_is_not_known_is_left_out() -> None:
    """Empty strings are refused, so absent facts have no key; a title there always is."""
    entry = Message(feed_title=" ", title="", link="not a url", body=SafeHtml(""))
    payload = _rendered(entry).payload

    assert [{"title": "Untitled", "color": 0xEE802F}] == payload["embeds"]
    assert "username" not in payload


def test_description_is_cut_at_a_space() -> None:
    """300 characters back to the last space, and the ellipsis (DCD-05)."""
    text = _embed(message("<p>" + "word " * 100))["description"]

    assert "word " * 59 + "word …" == text


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Discord News", "Dis-cord News"),
        ("BONNIE AND CLYDE", "BONNIE AND CL-YDE"),
        ("everyone", "everyone feed"),
        ("x" * 100, "x" * 79 + "…"),
        (" \n ", ""),
    ],
)
def test_username(title: str, expected: str) -> None:
    """Names that Discord keeps for itself are mended, long ones cut."""
    assert expected == username(title)


def test_settings() -> None:
    """Colour, sound, picture and length are the route's choice."""
    entry = message("<p>" + "word " * 50, image_url="https://e.org/a.jpg")
    parcel = _rendered(entry, color=255, silent=True, media="none", content=20)
    embed = parcel.payload["embeds"][0]

    assert 4096 == parcel.payload["flags"]
    assert 255 == embed["color"]
    assert "image" not in embed
    assert "word word word word …" == embed["description"]


def test_plain_form_is_title_and_link() -> None:
    """What is sent when the embed was refused can hardly be refused."""
    plain = _rendered(message(title="*a* @everyone")).plain

    assert plain is not None
    assert {
        "content": "\\*a\\* \\@everyone\n<https://example.org/p/9?a=1&b=2>",
        "allowed_mentions": {"parse": []},
    } == plain.payload


def test_long_text_in_parts() -> None:
    """A text sent whole is several messages, and only the first has a title."""
    parcels = render(message("<p>" + "word " * 2000), _HOOK, _WHOLE)
    embeds = [parcel.payload["embeds"][0] for parcel in parcels]

    assert 3 == len(parcels)
    assert [True, False, False] == ["title" in embed for embed in embeds]
    assert 2000 == sum(embed["description"].count("word") for embed in embeds)


def test_long_author_leaves_less_room() -> None:
    """Title, author, footer and description together stay within 6000 (trap 2)."""
    entry = message("<p>" + "word " * 2000, author="A" * 3000, title="T" * 300)
    embed = render(entry, _HOOK, _WHOLE)[0].payload["embeds"][0]

    assert 5900 < embed_length(embed) <= 6000


@unhurried
@given(any_message())
def test_any_message_is_accepted(entry: Message) -> None:
    """Whatever an entry holds, every form is within Discord's limits and calls nobody (DCD-14)."""
    for settings in ({}, _WHOLE, {"media": "all"}):
        for parcel in render(entry, _HOOK, settings):
            assert parcel.plain is not None
            for form in filter(None, (parcel, parcel.without_media, parcel.plain)):
                check_message(form.payload)
                assert [] == pings_of(dict(form.payload))


@unhurried
@given(long_html)
def test_no_text_is_lost_unless_cut(html: SafeHtml) -> None:
    """Asked for whole, the parts together hold every letter of the text in order."""
    parcels = render(message(html), _HOOK, _WHOLE)
    shown = "".join(parcel.payload["embeds"][0].get("description", "") for parcel in parcels)
    blocks = parse(html).blocks
    # An address that is linked by another's text shows itself instead, so links are left out.
    linked = any(span.href for block in blocks for span in block.spans)
    if len(parcels) < 10 and not linked:
        assert _letters("".join(b.marker + b.language + b.text for b in blocks)) == _letters(shown)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalpha())

"""The same entry as embed, text and components, each within what Discord takes."""

from typing import Any

import pytest

from tests.delivery.samples import message
from tests.servers.discord_rules import check_message
from wireroom.channels.discord import layouts
from wireroom.channels.discord.render import render
from wireroom.delivery.channel import Address
from wireroom.feeds.model import SafeHtml

LONG = SafeHtml("<p>" + "A word and <b>another</b>. " * 2000 + "</p>")


def bodies(settings: dict[str, Any], **changes: Any) -> list[dict[str, Any]]:
    parcels = render(message(**changes), Address("1"), settings)
    return [dict(each.payload) for each in parcels]


def test_text() -> None:
    """Title as a link that opens no preview, the text, and where it is from in small letters."""
    (body,) = bodies({"layout": "text"}, title="Rust 2", link="https://ex.org/2")

    assert "embeds" not in body
    assert body["content"].startswith("**[Rust 2](<https://ex.org/2>)**\n")
    assert "\n-# " in body["content"]


def test_components() -> None:
    """A container with the same lines, and nothing that components do not bear beside them."""
    (body,) = bodies({"layout": "components"}, title="Rust 2")

    assert {"content", "embeds"} & set(body) == set()
    assert layouts.COMPONENTS_V2 == body["flags"]
    assert [17] == [each["type"] for each in body["components"]]


@pytest.mark.parametrize("layout", ["text", "components", "embed", "nonsense"])
@pytest.mark.parametrize("content", [0, 300])
def test_within_limits(layout: str, content: int) -> None:
    """However long the text, every part is taken."""
    for body in bodies({"layout": layout, "content": content}, body=LONG):
        check_message(body)


@pytest.mark.parametrize("layout", ["text", "components"])
def test_the_first_line_names_a_post(layout: str) -> None:
    """A forum's post is called like its entry, without signs."""
    (body,) = bodies({"layout": layout}, title="Rust 2")

    assert "Rust 2" == layouts.first_line(body)


def test_an_address_that_would_break_the_link() -> None:
    """Then the title stands alone."""
    assert {"content": "**Title**"} == layouts.shaped(
        {"title": "Title", "url": "https://ex.org/>"}, {"layout": "text"}
    )


def test_tags_are_numbers() -> None:
    """At most five; words are none."""
    (body,) = bodies({"tags": "1,x,2,3,4,5,6"})

    assert ["1", "2", "3", "4", "5"] == body["applied_tags"]


def test_an_avatar_of_its_own() -> None:
    """What was found for the site counts before the feed's own picture; junk does not."""
    found = bodies({"avatar": "https://ex.org/i.png"}, icon_url="https://ex.org/feed.png")
    junk = bodies({"avatar": "i.png"}, icon_url="https://ex.org/feed.png")

    assert "https://ex.org/i.png" == found[0]["avatar_url"]
    assert "https://ex.org/feed.png" == junk[0]["avatar_url"]


_PICTURED = SafeHtml(
    "".join(f'<p>x <img src="https://pics.example/{n}.jpg" alt=""></p>' for n in range(6))
)


def test_several_pictures_in_embeds() -> None:
    """Up to four, in embeds of one address: Discord shows them as one gallery."""
    (body,) = bodies({"media": "all"}, body=_PICTURED, image_url="https://pics.example/0.jpg")
    check_message(body)

    assert 4 == len(body["embeds"])
    assert 1 == len({each["url"] for each in body["embeds"]})
    shown = [each["image"]["url"] for each in body["embeds"]]
    assert [f"https://pics.example/{n}.jpg" for n in range(4)] == shown


def test_several_pictures_in_a_gallery() -> None:
    """All six of them."""
    (body,) = bodies({"media": "all", "layout": "components"}, body=_PICTURED)
    check_message(body)
    inside = body["components"][0]["components"]
    (gallery,) = (each for each in inside if each["type"] == 12)

    assert 6 == len(gallery["items"])


def test_one_picture_unless_all_are_wished() -> None:
    """The entry's own."""
    (body,) = bodies({"media": "auto"}, body=_PICTURED, image_url="https://pics.example/5.jpg")

    assert ["https://pics.example/5.jpg"] == [each["image"]["url"] for each in body["embeds"]]

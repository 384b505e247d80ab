"""Nothing that we answer is ever too long for Telegram, whatever feeds are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.channels.telegram.commands.talk import Talk
from tests.delivery.samples import unhurried
from tests.servers.scripted import Reply
from wireroom.channels.telegram.commands import buttons, splitting
from wireroom.channels.telegram.commands.buttons import Button
from wireroom.delivery.richtext import units

FAMILY = "👩‍👩‍👧‍👦"


@unhurried
@given(st.text(max_size=400), st.integers(1, 200))
def test_what_is_shown_over_a_button(text: str, most: int) -> None:
    """Never more UTF-16 units than are allowed, and never half a character."""
    shown = splitting.cut(text.encode("utf-8", "ignore").decode(), most)

    assert units(shown) <= most
    assert shown == shown.encode().decode()


@unhurried
@given(st.text(min_size=1, max_size=400))
def test_labels(text: str) -> None:
    """A button's label is short, whatever it is made of."""
    label = buttons.keyboard([[Button(text, "x")]])["inline_keyboard"][0][0]["text"]

    assert len(label) <= buttons.MOST_LABEL


@pytest.mark.parametrize(
    "title",
    [FAMILY * 600, "&lt;b&gt;&amp;amp; " * 300, "x" * 5000, "\u202e" * 50 + "tfel", "é" * 1024],
    ids=["emoji", "markup", "long", "bidi", "accents"],
)
async def test_titles_of_any_kind(talk: Talk, title: str) -> None:
    """Feeds and entries with such titles: every list, menu and answer is taken."""
    for number in range(3):
        talk.script[f"/f{number}"] = Reply(
            body=f"<rss version='2.0'><channel><title>{title}</title><item><guid>1</guid>"
            f"<title>{title}</title><description>{title}</description></item></channel></rss>"
            "".encode()
        )
        await talk.say(f"/sub {talk.url(f'/f{number}')}")
    number = talk.last.buttons[0]["callback_data"].split(".")[1]
    for text in (
        "/list",
        "/status",
        f"/feed {number}",
        f"/settings {number}",
        f"/preview {number}",
        f"/filter {number} nothing",
        f"/test {talk.url('/f1')}",
        f"/template {number} {{{{ title }}}}{{{{ title }}}}{{{{ text }}}}",
        f"/why {number}",
        f"/feed {title[:3000]}",
        f"/{'x' * 3000}",
        f"/help {title[:3000]}",
        "/del",
    ):
        assert await talk.say(text), text

    assert [] == [each for each in talk.telegram.refusals if "too long" in each[1]]
    assert [] == [each for each in talk.telegram.refusals if "parse" in each[1]]
    assert [] == [each.lost for each in talk.telegram.messages if each.lost]

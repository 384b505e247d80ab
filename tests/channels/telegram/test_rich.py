"""Rich messages: what they keep of a publisher's HTML, and when the classic form is sent."""

import pytest

from tests.delivery.samples import message
from tests.servers.telegram import FakeTelegram
from tests.servers.telegram_rich import read_rich
from wireroom.channels.telegram import marks, rich
from wireroom.channels.telegram.sender import TelegramChannel
from wireroom.delivery.channel import Address, Sent

_CHAT = Address("-1001000000000")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>a <b>b</b></p>", "<p>a <b>b</b></p>"),
        ("a<br>b", "<p>a</p>\n<p>b</p>"),
        ("<h3>Head</h3><ul><li>one</li> <li>two</li></ul>", None),
        ("<table><tr><th>x</th></tr><tr><td>1 &lt; 2</td></tr></table>", None),
        ("<div><p>in a div</p></div>", "<p>in a div</p>"),
        ("<p>a <em>b</em> <kbd>c</kbd></p>", "<p>a <i>b</i> <code>c</code></p>"),
        ('<p><a href="javascript:x">no</a></p>', "<p>no</p>"),
    ],
)
def test_what_is_kept(body: str, expected: str | None) -> None:
    """The server's tags stay, strictly nested; others are unwrapped."""
    made = rich.html(message(body))

    assert (expected or body.replace("</li> <li>", "</li><li>")) in made
    read_rich(made)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<p>" + "long " * 8000 + "</p>",
        "<p>x</p>" * 600,
        "<blockquote>" * 20 + "deep" + "</blockquote>" * 20,
        "<table><tr>" + "<td>x</td>" * 30 + "</tr></table>",
    ],
    ids=["empty", "too_long", "too_many", "too_deep", "too_wide"],
)
def test_what_is_too_much(body: str) -> None:
    """Beyond the server's limits there is no rich message."""
    assert "" == rich.html(message(body))


async def test_a_server_that_knows_them() -> None:
    """The document is sent as one message, with buttons where they are wanted."""
    async with FakeTelegram() as fake:
        channel = TelegramChannel(fake.token, base_url=fake.base_url)
        entry = message("<h3>Head</h3><ul><li>one</li></ul>")
        (parcel,) = channel.render(entry, _CHAT, {"rich": True, "marks": True})

        assert Sent("1") == await channel.send(_CHAT, parcel)
        assert ["sendrichmessage"] == [sent.method for sent in fake.messages]
        assert marks.keyboard() == fake.messages[0].payload["reply_markup"]
        await channel.close()


async def test_a_server_that_does_not() -> None:
    """The classic message is sent instead, and the method is not asked for again (§8)."""
    async with FakeTelegram(unknown_methods={"sendrichmessage"}) as fake:
        channel = TelegramChannel(fake.token, base_url=fake.base_url)
        (parcel,) = channel.render(message("<h3>Head</h3><p>x</p>"), _CHAT, {"rich": True})
        for number in ("1", "2"):
            assert Sent(number) == await channel.send(_CHAT, parcel)

        assert ["sendmessage", "sendmessage"] == [sent.method for sent in fake.messages]
        assert 1 == [method for method, _ in fake.requests].count("sendrichmessage")
        await channel.close()


async def test_a_long_text_without_rich_messages() -> None:
    """A text of several messages is one document, or one message that breaks off."""
    async with FakeTelegram(unknown_methods={"sendrichmessage"}) as fake:
        channel = TelegramChannel(fake.token, base_url=fake.base_url)
        entry = message("<p>word</p>" * 400 + "<p>" + "word " * 1200 + "</p>")
        settings = {"rich": True, "content": 0}
        (parcel,) = channel.render(entry, _CHAT, settings)

        assert isinstance(await channel.send(_CHAT, parcel), Sent)
        assert fake.messages[0].text.endswith("…")
        await channel.close()


async def test_a_document_that_is_refused() -> None:
    """No right to send rich messages, or a mistake of ours: the classic message goes out."""
    async with FakeTelegram() as fake:
        fake.fail_next(
            400,
            "Bad Request: not enough rights to send the rich message to the chat",
            method="sendrichmessage",
        )
        channel = TelegramChannel(fake.token, base_url=fake.base_url)
        (parcel,) = channel.render(message("<h3>Head</h3><p>x</p>"), _CHAT, {"rich": True})

        assert isinstance(await channel.send(_CHAT, parcel), Sent)
        assert ["sendmessage"] == [sent.method for sent in fake.messages]
        await channel.close()

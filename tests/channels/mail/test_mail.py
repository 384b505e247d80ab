"""Mail to a real SMTP server on loopback, and what follows from its answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.delivery.samples import message
from wireroom.channels.mail.sender import MailChannel, Server, server
from wireroom.delivery.channel import Address, Answer, Channel, Gone, Rejected, Sent, TryLater
from wireroom.errors import SettingsError
from wireroom.feeds.model import Enclosure, SafeHtml

_ME = Address("me@example.org")


class _Post:
    """Takes mail, or answers what a test wants."""

    def __init__(self, *, rcpt: str = "250 OK", data: str = "250 OK") -> None:
        self.rcpt = rcpt
        self.data = data
        self.taken: list[EmailMessage] = []

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, smtp: SMTP, session: Session, envelope: Envelope, to: str, options: list[str]
    ) -> str:
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(to)
        return self.rcpt

    async def handle_DATA(  # noqa: N802
        self, smtp: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.data.startswith("250"):
            assert isinstance(envelope.content, bytes)
            self.taken.append(message_from_bytes(envelope.content, policy=default))  # type: ignore[arg-type]
        return self.data


@asynccontextmanager
async def _post_office(**answers: str) -> AsyncIterator[tuple[_Post, MailChannel]]:
    import asyncio

    post = _Post(**answers)
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(lambda: SMTP(post, loop=loop), "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    try:
        yield post, MailChannel(Server("127.0.0.1", port, False, False), "news@example.org")
    finally:
        listening.close()


async def _send(channel: Channel, **values: Any) -> Answer:
    (parcel,) = channel.render(message(**values), _ME, {})
    return await channel.send(_ME, parcel)


async def test_an_entry_arrives_as_text_and_html() -> None:
    """Subject, names and both forms; nothing of a feed gets into a header."""
    async with _post_office() as (post, channel):
        answer = await _send(
            channel, title="Ships\r\nBcc: eve@example.org", feed_title="Harbour <News>"
        )

    (mail,) = post.taken
    assert Sent(str(mail["Message-ID"])) == answer
    assert "Ships Bcc: eve@example.org" == mail["Subject"]
    assert ("me@example.org", None) == (mail["To"], mail["Bcc"])
    assert "news@example.org" == mail["From"].addresses[0].addr_spec
    assert {"text/plain", "text/html"} == {part.get_content_type() for part in mail.iter_parts()}


@pytest.mark.parametrize(("media", "times"), [("auto", 1), ("none", 0)])
def test_an_episode_can_be_heard(media: str, times: int) -> None:
    """The address of a recording stands in both forms of a mail, unless no media are wanted."""
    episode = Enclosure("https://example.org/1.mp3?a=1&b=2", "audio/mpeg")
    told = message(enclosures=(episode, episode, Enclosure("https://example.org/1.png")))
    channel = MailChannel(server("smtp://127.0.0.1:25"), "news@example.org")
    (parcel,) = channel.render(told, Address("me@example.org"), {"media": media})

    assert times == parcel.payload["text"].count("https://example.org/1.mp3?a=1&b=2")
    assert times == parcel.payload["html"].count(">https://example.org/1.mp3?a=1&amp;b=2</a>")
    assert "1.png" not in parcel.payload["text"]


async def test_a_repeat_has_the_same_name() -> None:
    """So a mail program shows it once."""
    async with _post_office() as (post, channel):
        for _ in range(2):
            await _send(channel, title="Ships")
        await _send(channel, title="Tides")

    first, again, other = (mail["Message-ID"] for mail in post.taken)
    assert first == again != other


async def test_a_digest_keeps_its_lines() -> None:
    """A layout's line ends count in both forms."""
    async with _post_office() as (post, channel):
        await _send(channel, title="", laid_out=SafeHtml("<b>News</b>: 2 new\n• one\n• two"))

    (mail,) = post.taken
    text = mail.get_body(("plain",))
    assert text is not None
    assert ["News: 2 new", "• one", "• two"] == [
        line for line in text.get_content().splitlines() if line
    ]
    assert "News: 2 new" == mail["Subject"]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"rcpt": "450 later"}, TryLater("the mail server puts the address off (450)")),
        (
            {"rcpt": "550 nobody"},
            Gone("the mail server refuses the address (550)", certain=False),
        ),
        ({"data": "451 busy"}, TryLater("the mail server is busy (451)")),
        (
            {"data": "554 spam"},
            Rejected("the mail server refuses the message (554)", certain=False),
        ),
    ],
    ids=["address put off", "no such address", "busy", "refused"],
)
async def test_what_an_answer_means(answers: dict[str, str], expected: Answer) -> None:
    """Sorted by what is to be done."""
    async with _post_office(**answers) as (_, channel):
        assert expected == await _send(channel)


async def test_a_server_that_is_away() -> None:
    """Everything by mail rests."""
    async with _post_office() as (_, channel):
        pass
    answer = await _send(channel)

    assert isinstance(answer, TryLater)
    assert "channel" == answer.scope


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example.org", Server("mail.example.org", 587, False, True)),
        (
            "smtps://u:p%40@mail.example.org",
            Server("mail.example.org", 465, True, False, "u", "p@"),
        ),
        ("smtp://127.0.0.1:1025", Server("127.0.0.1", 1025, False, False)),
    ],
)
def test_how_a_server_is_written(url: str, expected: Server) -> None:
    """TLS always, but to this machine."""
    assert expected == server(url)
    with pytest.raises(SettingsError):
        server("http://mail.example.org")

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

from tests.delivery.samples import NOON, message
from tests.servers.telegram import TOKEN, FakeTelegram
from wireroom.channels.telegram.sender import Target, TelegramChannel, who_am_i
from wireroom.delivery.channel import (
    Address,
    Answer,
    Channel,
    Gone,
    Parcel,
    Rejected,
    Sent,
    TryLater,
)
from wireroom.delivery.message import Message
from wireroom.errors import SettingsError, WireroomError
from wireroom.feeds.model import Enclosure

_CHAT = Address("-1001000000000")
_PERSON = Address("77")
_FLOOD = "Telegram's flood control"


@dataclass
class _Clock:
    """Time that passes only by sleeping."""

    now: datetime = NOON
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return self.now.timestamp()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += timedelta(seconds=seconds)


@asynccontextmanager
async def _telegram(
    *,
    token: str = TOKEN,
    patience: float = 10,
    download: Callable[[str], Awaitable[bytes | None]] | None = None,
    clock: _Clock | None = None,
) -> AsyncIterator[tuple[FakeTelegram, TelegramChannel]]:
    clock = clock or _Clock()
    async with FakeTelegram(clock=clock.seconds) as fake:
        channel = TelegramChannel(
            token,
            base_url=fake.base_url,
            timeout=timedelta(seconds=patience),
            download=download,
            now=clock,
            sleep=clock.sleep,
        )
        try:
            yield fake, channel
        finally:
            await channel.close()


def _parcel(**settings: object) -> Parcel:
    entry = message("<b>bold</b>", image_url="https://example.org/i.png")
    return TelegramChannel.render(None, entry, _CHAT, settings)[0]  # type: ignore[arg-type]


async def test_a_message_arrives_as_rendered() -> None:
    """Text, entities and preview reach the chat, and the answer names the message."""
    async with _telegram() as (fake, channel):
        assert Sent("1") == await channel.send(_CHAT, _parcel())

        (sent,) = fake.messages
        assert (-1001000000000, None) == (sent.chat, sent.thread)
        assert "Release 4.2 & notes\nExample Blog\n\nbold" == sent.text
        assert ["text_link", "bold", "italic", "bold"] == [e["type"] for e in sent.entities]
        assert {"url": message().link} == sent.preview
        assert [] == sent.lost


async def test_the_channel_is_a_channel() -> None:
    """The protocol that delivery knows is kept."""
    async with _telegram() as (_, channel):
        checked: Channel = channel

        assert "telegram" == checked.kind
        assert TOKEN not in repr(channel)


@pytest.mark.parametrize(
    ("public", "expected"),
    [
        ("-100/57", Target(-100, 57)),
        ("-100/1", Target(-100)),
        ("77", Target(77)),
        ("@news", Target("@news")),
    ],
)
def test_target(public: str, expected: Target) -> None:
    """The General topic (1) is addressed by naming none (trap 1)."""
    assert expected == Target.of(Address(public))


async def test_topics() -> None:
    """A topic gets its messages (TGD-40); those for General go without a thread."""
    async with _telegram() as (fake, channel):
        fake.chats[-100] = {"topics": {57}}
        for topic in ("57", "1"):
            assert isinstance(await channel.send(Address(f"-100/{topic}"), _parcel()), Sent)

        assert [57, None] == [sent.thread for sent in fake.messages]


@pytest.mark.parametrize(
    ("code", "description", "expected"),
    [
        (
            403,
            "Forbidden: bot was blocked by the user",
            Gone("Forbidden: bot was blocked by the user"),
        ),
        (
            403,
            "Forbidden: bot was kicked from the channel chat",
            Gone("Forbidden: bot was kicked from the channel chat"),
        ),
        (403, "Forbidden: something new", Gone("Forbidden: something new", certain=False)),
        (400, "Bad Request: TOPIC_CLOSED", Gone("the topic is closed", certain=False)),
        (
            400,
            "Bad Request: not enough rights to send text messages to the chat",
            Gone("Not enough rights to send text messages to the chat", certain=False),
        ),
        (409, "Conflict: two", TryLater("Conflict: two", timedelta(seconds=5), "channel")),
        (429, "Too Many Requests", TryLater(_FLOOD, timedelta(seconds=60))),
        (500, "Internal Server Error", TryLater("Internal Server Error", maybe_sent=True)),
        (502, "Bad Gateway", TryLater("Bad Gateway", maybe_sent=True)),
    ],
)
async def test_answers(code: int, description: str, expected: Answer) -> None:
    """Each refusal of the Bot API is one answer, and one request."""
    async with _telegram() as (fake, channel):
        fake.fail_next(code, description)

        assert expected == await channel.send(_CHAT, _parcel())
        assert 1 == len(fake.requests)


async def test_missing_chat_is_looked_for_once_more() -> None:
    """A chat that was not found is gone only if it cannot be looked up either."""
    async with _telegram() as (fake, channel):
        for missing, expected in (
            (True, Gone("Chat not found")),
            (False, TryLater("Chat not found")),
        ):
            fake.chats[77] = {"missing": missing}
            fake.fail_next(400, "Bad Request: chat not found")

            assert expected == await channel.send(_PERSON, _parcel())


async def test_flood_wait_is_obeyed_without_asking_again() -> None:
    """The chat rests as long as was asked (TGD-10); meanwhile nothing is sent, others go on
    (wishes 7 and 38)."""
    clock = _Clock()
    async with _telegram(clock=clock) as (fake, channel):
        fake.fail_next(429, "Too Many Requests: retry after 60", retry_after=60)
        minute = timedelta(seconds=60)

        assert TryLater(_FLOOD, minute) == await channel.send(_CHAT, _parcel())
        resting = await channel.send(_CHAT, _parcel())
        assert TryLater("waiting for Telegram's rate limit", minute) == resting
        assert 1 == len(fake.requests)
        assert isinstance(await channel.send(_PERSON, _parcel()), Sent)
        clock.now += minute
        assert isinstance(await channel.send(_CHAT, _parcel()), Sent)


async def test_floods_in_several_chats_rest_the_bot() -> None:
    """The third flooded chat at once means that the bot itself is too fast (§7)."""
    async with _telegram() as (fake, channel):
        fake.fail_next(429, "Too Many Requests: retry after 9", retry_after=9, times=3)
        answers = [await channel.send(Address(str(chat)), _parcel()) for chat in (1, 2, 3, 4)]

        scopes = [answer.scope for answer in answers if isinstance(answer, TryLater)]
        assert ["destination", "destination", "channel", "destination"] == scopes
        assert 3 == len(fake.requests)


async def test_moved_group_is_followed() -> None:
    """The message goes to the supergroup at once, and the new address is told, topic kept
    (wish 37)."""
    async with _telegram() as (fake, channel):
        fake.migrate(-5, -1009)
        for _ in range(2):
            assert "-1009/57" == _moved(await channel.send(Address("-5/57"), _parcel()))

        assert [-1009, -1009] == [sent.chat for sent in fake.messages]


def _moved(answer: Answer) -> str:
    assert isinstance(answer, Sent)
    return answer.moved_to


async def test_unreadable_markup_goes_out_as_plain_text() -> None:
    """What Telegram cannot parse is sent again without markup, once (B38)."""
    async with _telegram() as (fake, channel):
        plain = Parcel("sendMessage", {"text": "1 < 2 & <b"})
        broken = Parcel("sendMessage", {"text": "1 < 2 & <b", "parse_mode": "HTML"}, plain=plain)

        assert Sent("1") == await channel.send(_CHAT, broken)
        assert ["1 < 2 & <b"] == fake.texts()


@pytest.mark.parametrize(
    ("description", "certain"),
    [("Bad Request: message is too long", True), ("Bad Request: new", False)],
)
async def test_rejected_after_the_plain_form_too(description: str, certain: bool) -> None:
    """A message that is refused in both forms is rejected; unknown words are not certain."""
    async with _telegram() as (fake, channel):
        fake.fail_next(400, description, times=2)
        reason = description.removeprefix("Bad Request: ").capitalize()

        assert Rejected(reason, certain) == await channel.send(_CHAT, _parcel())
        assert 2 == len(fake.requests)


@pytest.mark.parametrize(
    ("picture", "expected"),
    [(b"\x89PNG", ["sendphoto"]), (None, ["sendmessage"])],
    ids=["uploaded", "left out"],
)
async def test_broken_picture(picture: bytes | None, expected: list[str]) -> None:
    """A picture that Telegram cannot load is uploaded if we can, else left out (B40)."""

    async def download(_: str) -> bytes | None:
        return picture

    async with _telegram(download=download) as (fake, channel):
        fake.broken_media["https://example.org/i.png"] = "failed to get HTTP URL content"

        assert Sent("1") == await channel.send(_CHAT, _parcel(media="auto"))
        assert expected == [sent.method for sent in fake.messages]


async def test_no_right_to_send_pictures() -> None:
    """Where pictures are forbidden and text is not, the text goes out."""
    async with _telegram() as (fake, channel):
        fake.fail_next(
            400, "Bad Request: not enough rights to send photos to the chat", method="sendphoto"
        )

        assert isinstance(await channel.send(_CHAT, _parcel(media="auto")), Sent)
        assert ["sendmessage"] == [sent.method for sent in fake.messages]


async def test_refused_token_rests_the_channel(caplog: pytest.LogCaptureFixture) -> None:
    """A wrong token is the operator's matter: everything waits, nobody is suspended."""
    wrong = "123456789:AAAnotherTokenThatTelegramDoesNotKnow"
    async with _telegram(token=wrong) as (fake, channel):
        for _ in range(3):
            answer = await channel.send(_CHAT, _parcel())

        assert isinstance(answer, TryLater)
        assert 1 == len(fake.requests)
        assert wrong not in caplog.text


async def test_a_proxys_page_says_nothing_about_the_chat() -> None:
    """403 or 404 pages that are not the API's suspend nobody."""
    for status in (400, 403):
        async with _telegram() as (fake, channel):
            fake.answer_next(status, "<html>blocked</html>")
            answer = await channel.send(_CHAT, _parcel())

            assert isinstance(answer, TryLater)
            assert "channel" == answer.scope
            assert "html" not in answer.reason


@pytest.mark.parametrize("after_accepting", [True, False])
async def test_lost_answer(after_accepting: bool) -> None:
    """When the connection breaks after the request went out, the message may have arrived."""
    async with _telegram() as (fake, channel):
        fake.drop_next(after_accepting=after_accepting)
        answer = await channel.send(_CHAT, _parcel())

        assert isinstance(answer, TryLater)
        assert answer.maybe_sent
        assert after_accepting == bool(fake.messages)


async def test_slow_answer() -> None:
    """A timeout after the request was sent may have delivered."""
    async with _telegram(patience=0.2) as (fake, channel):
        fake.hang_next(1)
        answer = await channel.send(_CHAT, _parcel())

        assert isinstance(answer, TryLater)
        assert answer.maybe_sent
        assert 1 == len(fake.messages)


async def test_nobody_there(caplog: pytest.LogCaptureFixture) -> None:
    """Without a connection nothing was sent, and no text names the token."""
    caplog.set_level(logging.DEBUG)
    channel = TelegramChannel(TOKEN, base_url="http://127.0.0.1:1")
    answer = await channel.send(_CHAT, _parcel())
    await channel.close()

    assert isinstance(answer, TryLater)
    assert not answer.maybe_sent
    assert TOKEN not in answer.reason
    assert TOKEN not in caplog.text


async def test_pace_keeps_telegram_content() -> None:
    """Forty messages to a group and to people pass flood control without a refusal."""
    clock = _Clock()
    async with _telegram(clock=clock) as (fake, channel):
        fake.flood = True
        for number in range(40):
            address = _CHAT if number % 2 else Address(str(number + 1))
            answer = await channel.send(address, _parcel())
            if isinstance(answer, TryLater):
                assert "waiting for Telegram's rate limit" == answer.reason
                assert answer.after is not None
                clock.now += answer.after
                answer = await channel.send(address, _parcel())
            assert isinstance(answer, Sent)

        assert 40 == len(fake.messages)


async def test_who_am_i() -> None:
    """A good token tells the bot's name; a refused one is the operator's matter."""
    async with FakeTelegram() as fake:
        assert "wireroom_bot" == await who_am_i(TOKEN, base_url=fake.base_url)
        with pytest.raises(SettingsError) as refusal:
            await who_am_i(TOKEN[:-1] + "x", base_url=fake.base_url)

    assert TOKEN[:20] not in str(refusal.value)
    with pytest.raises(WireroomError) as unreachable:
        await who_am_i(TOKEN, base_url="http://127.0.0.1:1")

    assert TOKEN not in str(unreachable.value)


# -- changing what was sent -----------------------------------------------------------------------


async def test_a_text_is_changed() -> None:
    """Saying what it says already is as good as done."""
    async with _telegram() as (fake, channel):
        (parcel,) = channel.render(message(title="Tpyo"), _PERSON, {})
        sent = await channel.send(_PERSON, parcel)
        assert isinstance(sent, Sent)
        (better,) = channel.render(message(title="Typo"), _PERSON, {})
        answers = [await channel.edit(_PERSON, sent.message_id, better) for _ in range(2)]

        assert [Sent(sent.message_id)] * 2 == answers
        assert fake.messages[0].text.startswith("Typo")


async def test_a_caption_is_changed() -> None:
    """Also where the new message would be a text, as long as it fits."""
    picture = message(title="Tpyo", image_url="https://pics.example/1.jpg")
    async with _telegram() as (fake, channel):
        (parcel,) = channel.render(picture, _PERSON, {"media": "auto"})
        sent = await channel.send(_PERSON, parcel)
        assert isinstance(sent, Sent)
        (better,) = channel.render(message(title="Typo"), _PERSON, {})

        assert Sent(sent.message_id) == await channel.edit(_PERSON, sent.message_id, better)
        assert fake.messages[0].text.startswith("Typo")


def _pictured(title: str, *names: str) -> Message:
    body = "".join(f'<p><img src="https://pics.example/{name}.jpg" alt=""></p>' for name in names)
    return message(title=title, body=body, image_url=f"https://pics.example/{names[0]}.jpg")


async def _changed(
    channel: TelegramChannel, old: Message, new: Message, media: str = "auto"
) -> Answer:
    """Send one, then let it show the other."""
    (parcel,) = channel.render(old, _PERSON, {"media": media})
    sent = await channel.send(_PERSON, parcel)
    assert isinstance(sent, Sent)
    (better,) = channel.render(new, _PERSON, {"media": media})
    answer = await channel.edit(_PERSON, sent.message_id, better)
    assert not isinstance(answer, Sent) or answer.message_id == sent.message_id
    return answer


async def test_a_picture_is_changed() -> None:
    """With its caption, in one request."""
    async with _telegram() as (fake, channel):
        await _changed(channel, _pictured("Tpyo", "1"), _pictured("Typo", "2"))

    (shown,) = fake.messages
    assert "https://pics.example/2.jpg" == shown.payload["photo"]
    assert shown.text.startswith("Typo")
    assert ["sendphoto", "editmessagemedia"] == [method for method, _ in fake.requests]


@pytest.mark.parametrize("adds_media", [True, False], ids=["new server", "old server"])
async def test_a_text_is_given_a_picture_where_that_can_be(adds_media: bool) -> None:
    """Where it cannot, the words follow at least."""
    async with _telegram() as (fake, channel):
        fake.adds_media = adds_media
        await _changed(channel, message(title="Tpyo"), _pictured("Typo", "2"))

    (shown,) = fake.messages
    assert ("sendphoto" if adds_media else "sendmessage") == shown.method
    assert shown.text.startswith("Typo")


async def test_a_picture_that_cannot_be_loaded_stays_the_old_one() -> None:
    """Its caption follows."""
    async with _telegram() as (fake, channel):
        fake.broken_media["https://pics.example/2.jpg"] = "failed to get HTTP URL content"
        await _changed(channel, _pictured("Tpyo", "1"), _pictured("Typo", "2"))

    (shown,) = fake.messages
    assert "https://pics.example/1.jpg" == shown.payload["photo"]
    assert shown.text.startswith("Typo")


async def test_a_picture_that_only_we_can_load_is_uploaded() -> None:
    """As when a message is sent."""

    async def download(_: str) -> bytes:
        return b"picture"

    async with _telegram(download=download) as (fake, channel):
        fake.broken_media["https://pics.example/2.jpg"] = "failed to get HTTP URL content"
        answer = await _changed(channel, _pictured("Tpyo", "1"), _pictured("Typo", "2"))

    assert isinstance(answer, Sent)
    assert 2 == [method for method, _ in fake.requests].count("editmessagemedia")


async def test_a_long_text_is_cut_where_the_message_has_a_picture() -> None:
    """Telegram turns no picture into a text; a caption is shorter than a text may be."""
    long = message(title="Typo", body="<p>" + "word " * 700 + "</p>")
    async with _telegram() as (fake, channel):
        (parcel,) = channel.render(_pictured("Tpyo", "1"), _PERSON, {"media": "auto"})
        sent = await channel.send(_PERSON, parcel)
        assert isinstance(sent, Sent)
        (better,) = channel.render(long, _PERSON, {"content": 3000})
        answer = await channel.edit(_PERSON, sent.message_id, better)

    assert isinstance(answer, Sent)
    assert "Typo" == fake.messages[0].text[:4]
    assert "…" == fake.messages[0].text[-1]


async def test_an_albums_pictures_are_changed() -> None:
    """Each in its own message; the first has the caption."""
    old, new = _pictured("Tpyo", "1", "2", "3"), _pictured("Typo", "4", "5", "6")
    async with _telegram() as (fake, channel):
        await _changed(channel, old, new, media="all")

    (shown,) = fake.messages
    assert shown.text.startswith("Typo")
    assert "https://pics.example/4.jpg" == shown.payload["photo"]
    assert [f"https://pics.example/{n}.jpg" for n in (5, 6)] == fake.album_pictures()


async def test_a_rich_message_stays_one() -> None:
    """Its document is changed as a whole."""
    async with _telegram() as (fake, channel):
        (parcel,) = channel.render(message(title="Tpyo"), _PERSON, {"rich": True})
        sent = await channel.send(_PERSON, parcel)
        assert isinstance(sent, Sent)
        (better,) = channel.render(message(title="Typo"), _PERSON, {"rich": True})
        await channel.edit(_PERSON, sent.message_id, better)

    assert "rich_message" in fake.edits[0]
    assert "Typo" in fake.messages[0].text


async def test_a_message_that_is_gone_cannot_be_changed() -> None:
    """The answer is about this message, not about the chat."""
    async with _telegram() as (_, channel):
        (parcel,) = channel.render(message(), _PERSON, {})
        answer = await channel.edit(_PERSON, "99", parcel)

    assert Rejected("Message to edit not found") == answer


# -- albums, films, sound -------------------------------------------------------------------------

_PICTURES = "".join(f'<p><img src="https://pics.example/{n}.jpg" alt=""></p>' for n in range(3))


def _enclosed(kind: str, **more: int) -> dict[str, object]:
    return {"enclosures": (Enclosure(f"https://media.example/1.{kind}", kind, **more),)}


@pytest.mark.parametrize(
    ("values", "method"),
    [
        ({"body": f"<p>Text</p>{_PICTURES}"}, "sendmediagroup"),
        (_enclosed("video/mp4"), "sendvideo"),
        (_enclosed("audio/mpeg", duration_seconds=60), "sendaudio"),
        (_enclosed("video/mp4", length_bytes=50_000_000), "sendmessage"),
        ({"body": "<p>Text</p>"}, "sendmessage"),
    ],
    ids=["an album", "a film", "sound", "a film that is too large", "only text"],
)
@pytest.mark.parametrize("is_broken", [False, True], ids=["loads", "does not load"])
async def test_media_arrive_or_at_least_the_text(
    values: dict[str, object], method: str, is_broken: bool
) -> None:
    """What Telegram cannot load costs the picture, never the words (B40)."""
    async with _telegram() as (fake, channel):
        if is_broken:
            addresses = [f"https://pics.example/{n}.jpg" for n in range(3)]
            addresses += [
                "https://media.example/1.video/mp4",
                "https://media.example/1.audio/mpeg",
            ]
            fake.broken_media = dict.fromkeys(addresses, "wrong type of the web page content")
        shown = message(**{"title": "Ships", "image_url": "", **values})
        (parcel,) = channel.render(shown, _PERSON, {"media": "all"})
        answer = await channel.send(_PERSON, parcel)

        assert isinstance(answer, Sent)
        (arrived,) = fake.messages
        assert ("sendmessage" if is_broken else method) == arrived.method
        assert arrived.text.startswith("Ships")
        assert answer.message_id.partition("+")[0] == str(arrived.message_id)

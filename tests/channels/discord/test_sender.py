import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from tests.delivery.samples import NOON, message
from tests.servers.discord import FakeDiscord, Webhook
from wireroom.channels.discord.pace import Rhythm
from wireroom.channels.discord.render import render
from wireroom.channels.discord.sender import DiscordChannel
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
from wireroom.feeds.model import SafeHtml

_LIMIT = "Discord's rate limit"
_WAITING = "waiting for Discord's rate limit"


@dataclass
class _Clock:
    """Time that passes only by sleeping."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return self.now.timestamp()

    async def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@asynccontextmanager
async def _discord(
    clock: _Clock | None = None, *, patience: float = 10
) -> AsyncIterator[tuple[FakeDiscord, DiscordChannel]]:
    clock = clock or _Clock()
    async with FakeDiscord(clock=clock.seconds) as fake:
        channel = DiscordChannel(
            base_url=fake.base_url,
            timeout=timedelta(seconds=patience),
            now=clock,
            sleep=clock.sleep,
        )
        try:
            yield fake, channel
        finally:
            await channel.close()


def _address(hook: Webhook, thread: str = "") -> Address:
    return Address(hook.id + (f"?thread_id={thread}" if thread else ""), hook.token)


def _parcel(**settings: object) -> Parcel:
    return render(message(), Address("1"), settings)[0]


async def test_a_message_arrives_as_rendered() -> None:
    """The body reaches the webhook, the answer names the message, and nobody is pinged."""
    async with _discord() as (fake, channel):
        checked: Channel = channel
        answer = await checked.send(_address(fake.add_webhook()), _parcel())

        (sent,) = fake.messages
        assert Sent(sent.id) == answer
        assert _parcel().payload == sent.payload
        assert [] == sent.pings


async def test_threads() -> None:
    """A thread in the address gets the message; one that is gone is gone."""
    async with _discord() as (fake, channel):
        hook = fake.add_webhook(threads=("42",))

        assert isinstance(await channel.send(_address(hook, "42"), _parcel()), Sent)
        assert ["42"] == [sent.channel for sent in fake.messages]
        gone = Gone("the channel or thread was deleted")
        assert gone == await channel.send(_address(hook, "43"), _parcel())


async def test_forums_get_a_post_for_each_entry() -> None:
    """A forum without a thread in the address gets posts named like the entries, parts within."""
    async with _discord() as (fake, channel):
        hook = fake.add_webhook(is_forum=True)
        parts = render(message("<p>" + "word " * 1500), Address("1"), {"content": 0})
        for parcel in (*parts, _parcel()):
            assert isinstance(await channel.send(_address(hook), parcel), Sent)

        names = [sent.payload.get("thread_name") for sent in fake.messages]
        assert ["Release 4.2 & notes", None, "Release 4.2 & notes"] == names
        first, second, third = (sent.channel for sent in fake.messages)
        assert first == second != third
        assert 4 == len(fake.requests)


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (404, 10015, Gone("the webhook was deleted")),
        (401, 50027, Gone("the webhook's token is not valid any more")),
        (404, 10003, Gone("the channel or thread was deleted")),
        (404, 10004, Gone("the server was deleted")),
        (403, 50007, Gone("the person takes no messages")),
        (403, 50013, Gone("permissions are missing in the channel", certain=False)),
        (403, 50001, Gone("no access to the channel", certain=False)),
        (401, 0, Gone("Error 0", certain=False)),
        (400, 50083, Gone("the thread is archived", certain=False)),
        (400, 160005, Gone("the thread is locked", certain=False)),
        (400, 200000, Rejected("Message was blocked by automatic moderation")),
        (500, 0, TryLater("Error 0", maybe_sent=True)),
        (503, 130000, TryLater(
            "API resource is currently overloaded. Try again a little later", maybe_sent=True
        )),
        (405, 0, TryLater("unexpected: Error 0", timedelta(minutes=10))),
    ],
)  # fmt: skip
async def test_answers(status: int, code: int, expected: Answer) -> None:
    """Each refusal is one answer, and one request."""
    async with _discord() as (fake, channel):
        fake.fail_next(status, code)

        assert expected == await channel.send(_address(fake.add_webhook()), _parcel())
        assert 1 == len(fake.requests)


async def test_deleted_webhook_and_wrong_token() -> None:
    """What Discord says of unknown webhooks and tokens means gone (DCD-13)."""
    async with _discord() as (fake, channel):
        hook = fake.add_webhook()
        wrong = Address(hook.id, "x" * 60)

        assert isinstance(await channel.send(Address("999", "x" * 60), _parcel()), Gone)
        assert isinstance(await channel.send(wrong, _parcel()), Gone)


@pytest.mark.parametrize("public", ["../../users/@me", "12/34", ""])
async def test_an_address_that_is_none_is_not_asked(public: str) -> None:
    """No request leaves for a path that we did not mean."""
    async with _discord() as (fake, channel):
        assert isinstance(await channel.send(Address(public, "x" * 60), _parcel()), Gone)
        assert [] == fake.requests


async def test_refused_body_goes_out_reduced() -> None:
    """An invalid body is sent again as title and link, once (B43)."""
    async with _discord() as (fake, channel):
        fake.fail_next(400, 50035, errors={"embeds": {"0": {"_errors": [{"code": "X"}]}}})

        assert isinstance(await channel.send(_address(fake.add_webhook()), _parcel()), Sent)
        assert "embeds" not in fake.messages[0].payload


@pytest.mark.parametrize("layout", ["embed", "components"])
async def test_a_picture_that_discord_refuses_is_left_out(layout: str) -> None:
    """The rest of the message stays as it was; the port is one that no address may have (B40)."""
    entry = message(image_url="https://example.org:99999/a.jpg", icon_url="https://x.org/i.png")
    async with _discord() as (fake, channel):
        (parcel,) = render(entry, _address(fake.add_webhook()), {"layout": layout})
        answer = await channel.send(_address(next(iter(fake.webhooks.values()))), parcel)

        assert isinstance(answer, Sent)
        assert "99999" not in str(fake.messages[0].payload)
        assert "First lines." in str(fake.messages[0].payload)
        assert {"embed": "embeds", "components": "components"}[layout] in fake.messages[0].payload
        assert 2 == len(fake.requests)


async def test_rejected_after_the_reduced_body_too() -> None:
    """A message refused in both forms is rejected with the field that Discord names."""
    async with _discord() as (fake, channel):
        errors = {"content": {"_errors": [{"code": "BASE_TYPE_REQUIRED", "message": "…"}]}}
        fake.fail_next(400, 50035, times=2, errors=errors)

        assert Rejected("Invalid Form Body (content BASE_TYPE_REQUIRED)") == await channel.send(
            _address(fake.add_webhook()), _parcel()
        )
        assert 2 == len(fake.requests)


@pytest.mark.parametrize("is_global", [False, True])
async def test_rate_limit(is_global: bool) -> None:
    """The webhook, or everything, rests as long as was asked, decimals included (DCD-11)."""
    clock = _Clock()
    async with _discord(clock) as (fake, channel):
        hook, other = fake.add_webhook(), fake.add_webhook()
        fake.limit_next(64.57, is_global=is_global)
        wait = timedelta(seconds=64.57)
        scope = "channel" if is_global else "destination"

        assert TryLater(_LIMIT, wait, scope) == await channel.send(_address(hook), _parcel())
        assert TryLater(_WAITING, wait) == await channel.send(_address(hook), _parcel())
        assert is_global == isinstance(await channel.send(_address(other), _parcel()), TryLater)
        clock.now += wait
        assert isinstance(await channel.send(_address(hook), _parcel()), Sent)


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [(429, {"Retry_After": "300"}, 300), (429, {}, 600), (403, {}, 600), (404, {}, 600)],
)
async def test_cloudflares_pages(status: int, headers: dict[str, str], expected: int) -> None:
    """A page instead of JSON says nothing about the webhook: everything rests for minutes."""
    async with _discord() as (fake, channel):
        fake.page_next(status, **headers)
        answer = await channel.send(_address(fake.add_webhook()), _parcel())

        assert isinstance(answer, TryLater)
        assert ("channel", timedelta(seconds=expected)) == (answer.scope, answer.after)


async def test_pace_keeps_discord_content() -> None:
    """Forty messages through two webhooks of one channel meet no limit, hidden ones included."""
    clock = _Clock()
    async with _discord(clock) as (fake, channel):
        fake.limits = True
        hooks = [fake.add_webhook(channel="7"), fake.add_webhook(channel="7")]
        for number in range(40):
            answer = await channel.send(_address(hooks[number % 2]), _parcel())
            while isinstance(answer, TryLater):
                assert _WAITING == answer.reason
                assert answer.after is not None
                clock.now += answer.after
                answer = await channel.send(_address(hooks[number % 2]), _parcel())

        assert 40 == len(fake.messages) == len(fake.requests)


@pytest.mark.parametrize("is_divided", [False, True], ids=["one process", "two processes"])
async def test_many_webhooks_share_one_address(is_divided: bool) -> None:
    """Webhooks name no bot, so Discord counts all of them by our address: fifty requests a second,
    refused forms and edits with them (specs/discord, trap 6). No answer is a limit of Discord's.
    """
    clock = _Clock()
    async with FakeDiscord(clock=clock.seconds, limits=True) as fake:
        rhythms = [Rhythm(timedelta(0), is_divided=is_divided) for _ in range(2)]
        senders = [
            DiscordChannel(
                base_url=fake.base_url,
                rhythm=rhythms[number if is_divided else 0],
                by_hand=bool(number),
                now=clock,
                sleep=clock.sleep,
            )
            for number in range(2)
        ]
        refused = message(image_url="https://example.org:99999/a.jpg")
        answers = []
        for number in range(90):
            hook, sender = fake.add_webhook(), senders[number % 5 == 0]
            (parcel,) = render(refused if number % 2 else message(), _address(hook), {})
            sent = await sender.send(_address(hook), parcel)
            assert isinstance(sent, Sent)
            answers.append(await sender.edit(_address(hook), sent.message_id, parcel))
        for sender in senders:
            await sender.close()

    assert {Sent} == {type(each) for each in answers}
    assert 90 * 3 == len(fake.requests)


@pytest.mark.parametrize("is_divided", [False, True], ids=["one process", "two processes"])
async def test_news_and_posts_by_hand_share_the_limits(is_divided: bool) -> None:
    """In one process they share a pace; in two, each keeps to its part. Neither meets a limit."""
    clock = _Clock()
    async with FakeDiscord(clock=clock.seconds, limits=True) as fake:
        rhythms = [Rhythm(is_divided=is_divided) for _ in range(2)]
        senders = [
            DiscordChannel(
                base_url=fake.base_url,
                rhythm=rhythms[number if is_divided else 0],
                by_hand=bool(number),
                now=clock,
                sleep=clock.sleep,
            )
            for number in range(2)
        ]
        hooks = [fake.add_webhook(channel="7"), fake.add_webhook(channel="7")]
        for number in range(90):
            sender = senders[number % 3 == 0]
            answer = await sender.send(_address(hooks[number % 2]), _parcel())
            while isinstance(answer, TryLater):
                assert _WAITING == answer.reason
                assert answer.after is not None
                clock.now += answer.after
                answer = await sender.send(_address(hooks[number % 2]), _parcel())
        for sender in senders:
            await sender.close()

        assert 90 == len(fake.messages) == len(fake.requests)


async def test_who_posts_by_hand_is_patient() -> None:
    """Ten previews for one webhook take their time, and all of them come (DCD-10)."""
    clock = _Clock()
    async with FakeDiscord(clock=clock.seconds, limits=True) as fake:
        channel = DiscordChannel(
            base_url=fake.base_url, by_hand=True, now=clock, sleep=clock.sleep
        )
        hook = fake.add_webhook()
        answers = [await channel.send(_address(hook), _parcel()) for _ in range(40)]
        await channel.close()

    assert {Sent} == {type(each) for each in answers}


@pytest.mark.parametrize("after_accepting", [True, False])
async def test_lost_answer(after_accepting: bool) -> None:
    """When the connection breaks after the request went out, the message may have arrived."""
    async with _discord() as (fake, channel):
        fake.drop_next(after_accepting=after_accepting)
        answer = await channel.send(_address(fake.add_webhook()), _parcel())

        assert isinstance(answer, TryLater)
        assert answer.maybe_sent
        assert after_accepting == bool(fake.messages)


async def test_slow_answer() -> None:
    """A timeout after the request was sent may have delivered."""
    async with _discord(patience=0.2) as (fake, channel):
        fake.hang_next(1)
        answer = await channel.send(_address(fake.add_webhook()), _parcel())

        assert isinstance(answer, TryLater)
        assert answer.maybe_sent


async def test_nobody_there(caplog: pytest.LogCaptureFixture) -> None:
    """Without a connection nothing was sent, and no text names the secret."""
    caplog.set_level(logging.DEBUG)
    channel = DiscordChannel(base_url="http://127.0.0.1:1")
    answer = await channel.send(Address("123", "s3cret" * 10), _parcel())
    await channel.close()

    assert TryLater("no connection to Discord (ClientConnectorError)") == answer
    assert "s3cret" not in caplog.text


# -- changing what was sent -----------------------------------------------------------------------


async def test_a_message_is_changed_with_its_pictures() -> None:
    """All embeds of it: text and gallery follow, name and place stay."""
    pictures = {
        count: [f"https://pics.example/{count}{n}.jpg" for n in range(count)] for count in (2, 3)
    }
    shown = {
        count: message(
            title=f"{count} pictures",
            image_url="",
            body=SafeHtml("".join(f'<p>x <img src="{url}" alt=""></p>' for url in urls)),
        )
        for count, urls in pictures.items()
    }
    async with _discord() as (fake, channel):
        hook = fake.add_webhook()
        address = Address(hook.id, hook.token)
        (parcel,) = channel.render(shown[2], address, {"media": "all"})
        sent = await channel.send(address, parcel)
        assert isinstance(sent, Sent)
        (better,) = channel.render(shown[3], address, {"media": "all"})
        answer = await channel.edit(address, sent.message_id, better)

    assert isinstance(answer, Sent)
    (post,) = fake.messages
    assert pictures[3] == [each["image"]["url"] for each in post.payload["embeds"]]
    assert "3 pictures" == post.embed["title"]


@pytest.mark.parametrize("layout", ["embed", "components"])
async def test_a_change_whose_picture_discord_refuses(layout: str) -> None:
    """The message gets its new text without the picture, and keeps no word of the old."""
    was = message(title="Before", image_url="https://pics.example/a.jpg")
    now = message(title="After", image_url="https://pics.example:99999/a.jpg")
    async with _discord() as (fake, channel):
        address = _address(fake.add_webhook())
        sent = await channel.send(address, channel.render(was, address, {"layout": layout})[0])
        assert isinstance(sent, Sent)
        (parcel,) = channel.render(now, address, {"layout": layout})
        answer = await channel.edit(address, sent.message_id, parcel)

    assert isinstance(answer, Sent)
    shown = str(fake.messages[0].payload)
    assert ("After" in shown, "Before" in shown, "pics.example" in shown) == (True, False, False)
    assert 3 == len(fake.requests)


async def test_a_change_that_discord_refuses_in_every_form() -> None:
    """What stands there stays, whole: title and link alone would be less."""
    async with _discord() as (fake, channel):
        address = _address(fake.add_webhook())
        sent = await channel.send(address, _parcel())
        assert isinstance(sent, Sent)
        before = dict(fake.messages[0].payload)
        fake.fail_next(400, 50035)
        answer = await channel.edit(address, sent.message_id, _parcel())

    assert isinstance(answer, Rejected)
    assert before == fake.messages[0].payload
    assert 2 == len(fake.requests)

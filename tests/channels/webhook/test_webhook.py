"""Signed posts over real sockets, and what follows from each answer."""

import hashlib
import hmac
import json
from datetime import timedelta
from typing import Any

import pytest

from tests.delivery.samples import NOON, message
from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply
from wireroom.channels.webhook import address as addresses
from wireroom.channels.webhook.sender import WebhookChannel
from wireroom.delivery.channel import Answer, Channel, Gone, Rejected, Sent, TryLater
from wireroom.errors import InvalidURL

_KEY = "only for tests"
_THERE = addresses.made("https://hook.example/in?token=secret", _KEY)


@pytest.fixture
def one(open_client: OpenClient, open_site: OpenSite) -> Any:
    """Send one message to a site that answers like this; gives the answer and what came in."""

    async def send(reply: Reply) -> tuple[Answer, list[Any]]:
        async with (
            open_client() as client,
            open_site({"/in?token=secret": reply}, "hook.example") as site,
        ):
            channel: Channel = WebhookChannel(client, now=lambda: NOON)
            (parcel,) = channel.render(message(title="Ships"), _THERE, {})
            return await channel.send(_THERE, parcel), site.seen

    return send


async def test_a_post_is_signed_and_named(one: Any) -> None:
    """As docs/webhook.md tells receivers to check it."""
    answer, (seen,) = await one(Reply(204))
    parts = dict(part.split("=", 1) for part in seen.headers["wireroom-signature"].split(","))
    signed = f"{parts['t']}.".encode() + seen.body

    assert hmac.new(_KEY.encode(), signed, hashlib.sha256).hexdigest() == parts["v1"]
    assert int(NOON.timestamp()) == int(parts["t"])
    assert Sent(seen.headers["wireroom-id"]) == answer
    assert ("application/json", "POST") == (seen.headers["content-type"], seen.method)
    body = json.loads(seen.body)
    assert (1, "Ships") == (body["version"], body["entry"]["title"])


async def test_a_message_keeps_its_name(one: Any) -> None:
    """However often it is tried; another message has another one."""
    names = {(await one(Reply(500)))[1][0].headers["wireroom-id"] for _ in range(2)}

    assert 1 == len(names)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(429, (("Retry-After", "7"),)), TryLater("it answers 429", timedelta(seconds=7))),
        (Reply(503), TryLater("it answers 503", maybe_sent=True)),
        (Reply(400), Rejected("it answers 400", certain=False)),
        (Reply(422), Rejected("it answers 422")),
        (Reply(410), Gone("it answers 410")),
        (Reply(404), Gone("it answers 404", certain=False)),
        (Reply(302, (("Location", "https://other.example/"),)), Gone("it answers 302", False)),
    ],
    ids=["429", "503", "400", "422", "410", "404", "a redirect"],
)
async def test_what_an_answer_means(one: Any, reply: Reply, expected: Answer) -> None:
    """Sorted by what is to be done; nobody is followed anywhere."""
    answer, seen = await one(reply)

    assert expected == answer
    assert 1 == len(seen)


async def test_inside_is_no_place_for_a_webhook(open_client: OpenClient) -> None:
    """An address that leads to this machine is not dialled."""
    there = addresses.made("https://127.0.0.1/in", _KEY)
    async with open_client() as client:
        channel = WebhookChannel(client)
        (parcel,) = channel.render(message(), there, {})
        answer = await channel.send(there, parcel)

    assert isinstance(answer, Gone)
    assert not answer.certain


def test_what_is_shown_of_an_address() -> None:
    """The host, and nothing of the path, the query or the key."""
    assert _THERE.public.startswith("hook.example#")
    assert "secret" not in repr(_THERE)
    assert addresses.Secret("https://hook.example/in?token=secret", _KEY) == addresses.read(
        _THERE.secret
    )


@pytest.mark.parametrize(
    "typed", ["ftp://hook.example/", "https://[", "https://hook.example:x/", "https://\u2100.org/"]
)
def test_what_is_no_address_is_said_to_be_none(typed: str) -> None:
    """In a sentence, whatever the parser stumbles over."""
    with pytest.raises(InvalidURL):
        addresses.made(typed, _KEY)


async def test_a_sealed_text_of_another_kind_is_no_address(open_client: OpenClient) -> None:
    """It cannot be dialled, and says so."""
    async with open_client() as client:
        channel = WebhookChannel(client)
        (parcel,) = channel.render(message(), _THERE, {})

        assert isinstance(await channel.send(addresses.Address("x", "no JSON"), parcel), Gone)

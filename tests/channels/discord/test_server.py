"""The stand-in for Discord refuses what Discord does, or the other tests prove nothing."""

from typing import Any

import aiohttp
import pytest

from tests.servers.discord import FakeDiscord
from tests.servers.discord_rules import Refused, check_message, pings_of

_AGENT = {"User-Agent": "DiscordBot (https://example.org, 1.0)"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, 50006),
        ({"embeds": [{}]}, 50006),
        ({"content": "x" * 2001}, 50035),
        ({"content": " "}, 50035),
        ({"content": "x", "username": "My Discord"}, 50035),
        ({"content": "x", "username": "x" * 81}, 50035),
        ({"content": "x", "avatar_url": "no url"}, 50035),
        ({"embeds": [{"title": "x" * 257}]}, 50035),
        ({"embeds": [{"title": "😀" * 129}]}, 50035),
        ({"embeds": [{"title": " "}]}, 50035),
        ({"embeds": [{"title": "x", "url": "ftp://example.org"}]}, 50035),
        ({"embeds": [{"title": "x", "image": {"url": "http://"}}]}, 50035),
        ({"embeds": [{"title": "x", "author": {"url": "https://e.org"}}]}, 50035),
        ({"embeds": [{"title": "x", "color": -1}]}, 50035),
        ({"embeds": [{"title": "x", "timestamp": "yesterday"}]}, 50035),
        ({"embeds": [{"description": "x" * 4096}, {"description": "x" * 1905}]}, 50035),
        ({"embeds": [{"title": "x"}] * 11}, 50035),
        ({"content": "x", "allowed_mentions": {"parse": ["all"]}}, 50035),
    ],
)
def test_refusals(body: dict[str, Any], code: int) -> None:
    """Each limit is held, with the code of Discord's."""
    with pytest.raises(Refused) as refusal:
        check_message(body)

    assert code == refusal.value.body["code"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"content": "@everyone <@1>"}, ["<@1>"]),
        ({"content": "@here", "allowed_mentions": {"parse": ["everyone"]}}, ["@here"]),
        ({"content": "@here <@1>", "allowed_mentions": {"parse": []}}, []),
    ],
)
def test_pings(body: dict[str, Any], expected: list[str]) -> None:
    """A webhook pings users unless it is told not to."""
    assert expected == pings_of(body)


async def test_limits_shown_and_hidden() -> None:
    """The sixth message in two seconds is refused, and says for how long."""
    now = 0.0
    async with (
        FakeDiscord(limits=True, clock=lambda: now) as fake,
        aiohttp.ClientSession() as http,
    ):
        hook = fake.add_webhook()
        url = f"{fake.base_url}/webhooks/{hook.id}/{hook.token}?wait=true"
        statuses = []
        for _ in range(6):
            async with http.post(url, json={"content": "x"}, headers=_AGENT) as response:
                statuses.append(response.status)
                body = await response.json()

        assert [200] * 5 + [429] == statuses
        assert {"retry_after": 2.0, "global": False}.items() <= body.items()


async def test_the_user_agent_counts() -> None:
    """Without the right User-Agent there is a page instead of an answer."""
    async with FakeDiscord() as fake, aiohttp.ClientSession() as http:
        hook = fake.add_webhook()
        async with http.get(f"{fake.base_url}/webhooks/{hook.id}/{hook.token}") as response:
            assert (403, "text/html") == (response.status, response.content_type)

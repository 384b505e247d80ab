"""Discord is away for a while, or the token is wrong."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from wireroom.channels.discord.bot.staying import stay
from wireroom.errors import SettingsError


def answered(status: int) -> Any:
    return SimpleNamespace(status=status, reason="")


async def test_outages_end_nothing() -> None:
    """However Discord is away, the work is begun again."""
    outages = [
        OSError("no route"),
        TimeoutError(),
        discord.DiscordServerError(answered(503), "away"),
        discord.GatewayNotFound(),
    ]
    begun = asyncio.Event()

    async def work() -> None:
        if outages:
            raise outages.pop(0)
        begun.set()
        await asyncio.Event().wait()

    staying = asyncio.create_task(stay(work, pause_seconds=0))
    async with asyncio.timeout(10):
        await begun.wait()
    staying.cancel()

    assert [] == outages


async def test_a_wrong_token_is_for_people() -> None:
    """Trying again would not help."""

    async def work() -> None:
        raise discord.LoginFailure("Improper token has been passed.")

    with pytest.raises(SettingsError, match="copy the bot's token again"):
        await stay(work, pause_seconds=0)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (4004, "WIREROOM_DISCORD_TOKEN"),
        (4010, "WIREROOM_DISCORD_SHARDS"),
        (4011, "WIREROOM_DISCORD_SHARDS"),
        (4012, "update Wireroom"),
        (4013, "update Wireroom"),
    ],
)
async def test_closed_for_good(code: int, said: str) -> None:
    """The gateway will not have us, so it is not tried again: tries are counted, and behind a
    thousand a day the token is taken away.
    """

    async def work() -> None:
        raise discord.ConnectionClosed(SimpleNamespace(), shard_id=0, code=code)  # type: ignore[arg-type]

    with pytest.raises(SettingsError, match=said):
        await stay(work, pause_seconds=0)


async def test_no_privileged_intent_is_ours() -> None:
    """4014, which discord.py tells in its own way."""

    async def work() -> None:
        raise discord.PrivilegedIntentsRequired(shard_id=0)

    with pytest.raises(SettingsError, match="update Wireroom"):
        await stay(work, pause_seconds=0)


async def test_mistakes_of_ours_are_seen() -> None:
    """They are no outage."""

    async def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await stay(work, pause_seconds=0)

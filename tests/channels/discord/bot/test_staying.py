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


async def test_mistakes_of_ours_are_seen() -> None:
    """They are no outage."""

    async def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await stay(work, pause_seconds=0)

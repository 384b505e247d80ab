"""Discord may be away, at the start or later: that ends nothing else of Wireroom."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
import discord
import structlog

from wireroom.errors import SettingsError

log = structlog.get_logger(__name__)

#: Before the next attempt. discord.py itself resumes within seconds; this is for longer outages.
PAUSE_SECONDS: Final = 30.0
#: Outages, as discord.py tells them.
_AWAY: Final = (
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.ConnectionClosed,
    aiohttp.ClientError,
    TimeoutError,
    OSError,
)


async def stay(
    work: Callable[[], Awaitable[None]], *, pause_seconds: float = PAUSE_SECONDS
) -> None:
    """Do the work again after every outage. Raises SettingsError for a token that is none."""
    while True:
        try:
            await work()
        except discord.LoginFailure as error:
            raise SettingsError(
                "Discord does not take WIREROOM_DISCORD_TOKEN: copy the bot's token again from "
                "https://discord.com/developers/applications."
            ) from error
        except _AWAY as error:
            # Only the kind: texts of HTTP errors may hold addresses with tokens.
            log.warning("discord is away; trying again", why=type(error).__name__)
        await asyncio.sleep(pause_seconds)

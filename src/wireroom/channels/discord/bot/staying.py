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
_UNKNOWN_BOT: Final = (
    "Discord does not take WIREROOM_DISCORD_TOKEN: copy the bot's token again from "
    "https://discord.com/developers/applications."
)
_WRONG_SHARDS: Final = (
    "Discord does not take WIREROOM_DISCORD_SHARDS: leave it empty, and Discord's advice counts."
)
_TOO_OLD: Final = "Discord does not take this version's connection any more: update Wireroom."
#: Codes with which the gateway closes for good. Each further try would count against the thousand
#: of a day, behind which Discord takes the token away.
_FOR_GOOD: Final = {
    4004: _UNKNOWN_BOT,
    4010: _WRONG_SHARDS,
    4011: _WRONG_SHARDS,
    4012: _TOO_OLD,
    4013: _TOO_OLD,
}


async def stay(
    work: Callable[[], Awaitable[None]], *, pause_seconds: float = PAUSE_SECONDS
) -> None:
    """Do the work again after every outage. Raises SettingsError for what no wait will mend."""
    while True:
        try:
            await work()
        except discord.LoginFailure as error:
            raise SettingsError(_UNKNOWN_BOT) from error
        except discord.PrivilegedIntentsRequired as error:  # 4014; we ask for none
            raise SettingsError(_TOO_OLD) from error
        except _AWAY as error:
            if isinstance(error, discord.ConnectionClosed) and error.code in _FOR_GOOD:
                raise SettingsError(_FOR_GOOD[error.code]) from error
            # Only the kind: texts of HTTP errors may hold addresses with tokens.
            log.warning("discord is away; trying again", why=type(error).__name__)
        await asyncio.sleep(pause_seconds)

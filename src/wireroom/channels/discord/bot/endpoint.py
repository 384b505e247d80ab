"""Where Discord brings interactions: to our own address, or by its gateway."""

import asyncio
from typing import Final

import discord
import structlog
from discord.http import Route

log = structlog.get_logger(__name__)

#: How often Discord is asked to use our address, and the wait between: it looks at it at once.
_ATTEMPTS: Final = 20
_WAIT_SECONDS: Final = 3.0


async def point_to(bot: discord.Client, url: str) -> None:
    """Let Discord bring interactions to this address; "" is the gateway again.

    Discord pings an address at once, so somebody has to answer there.
    """
    application = bot.application
    if application is None or (application.interactions_endpoint_url or "") == url:
        return
    for _ in range(_ATTEMPTS):
        try:
            await _change(bot, url)
        except discord.HTTPException as error:
            log.warning("discord does not take our address yet", url=url, why=error.text[:200])
            await asyncio.sleep(_WAIT_SECONDS)
        else:
            log.info("discord brings commands to", address=url or "the gateway")
            return
    log.error("discord cannot reach our address; commands will not work", url=url)


async def _change(bot: discord.Client, url: str) -> None:
    # `AppInfo.edit` of discord.py 2.7 drops this key: its list has it with a blank at the end.
    change = {"interactions_endpoint_url": url or None}
    await bot.http.request(Route("PATCH", "/applications/@me"), json=change)

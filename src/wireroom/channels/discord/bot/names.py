"""What servers are called, where Discord does not say it with the command: without a gateway."""

import time
from collections.abc import Mapping
from typing import Any, Final, cast

import discord
import structlog

log = structlog.get_logger(__name__)

#: How long a name is believed; a renamed server is called by its old name for so long.
BELIEVED_SECONDS: Final = 3600.0
#: How soon one asks again where Discord did not tell.
_UNKNOWN_SECONDS: Final = 60.0
_MOST_REMEMBERED: Final = 10_000


class GuildNames:
    """Names of servers, as Discord told us lately."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._known: dict[int, tuple[float, str]] = {}

    async def of(self, guild_id: int) -> str:
        """A server's name; "" where Discord does not tell."""
        until, name = self._known.get(guild_id, (0.0, ""))
        if time.monotonic() < until:
            return name
        name = await self._asked(guild_id)
        lasting = BELIEVED_SECONDS if name else _UNKNOWN_SECONDS
        self._known.pop(guild_id, None)
        self._known[guild_id] = (time.monotonic() + lasting, name)
        if len(self._known) > _MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        return name

    async def _asked(self, guild_id: int) -> str:
        try:
            told = await self._client.http.get_guild(guild_id)
        except discord.HTTPException as error:
            log.info("a server's name is not known", guild=guild_id, status=error.status)
            return ""
        return str(cast("Mapping[str, Any]", told).get("name") or "")

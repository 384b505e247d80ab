"""Who may change what a server follows.

By default whoever may manage the server. A server's own settings (Integrations) can allow the
command to single roles and people: these may change feeds, too.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, cast

import discord
import structlog

log = structlog.get_logger(__name__)

#: How long what a server allows is believed without asking again.
BELIEVED_SECONDS: Final = 300.0
_MOST_REMEMBERED: Final = 10_000
_ROLE, _USER = 1, 2


def is_allowed(
    permissions: Sequence[Mapping[str, Any]],
    *,
    guild_id: str,
    user_id: str,
    roles: Collection[str],
) -> bool:
    """Whether overrides of a command name this person, or a role that not everybody has (pure).

    What is said of a person counts more than what is said of roles.
    """
    mine = [each for each in permissions if each["type"] == _USER and each["id"] == user_id]
    if mine:
        return bool(mine[-1]["permission"])
    return any(
        each["permission"]
        for each in permissions
        if each["type"] == _ROLE and each["id"] != guild_id and each["id"] in roles
    )


class Overrides:
    """What servers allow besides the default, as Discord told us lately."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._known: dict[str, tuple[float, list[Mapping[str, Any]]]] = {}
        #: The id that Discord gave to /rss; 0 before commands were registered.
        self.command_id = 0

    def forget(self, guild_id: str) -> None:
        """A server changed them."""
        self._known.pop(guild_id, None)

    async def of(self, guild_id: str) -> list[Mapping[str, Any]]:
        """The overrides of /rss in a server; none when Discord does not tell."""
        at, known = self._known.get(guild_id, (0.0, []))
        if at and time.monotonic() - at < BELIEVED_SECONDS:
            return known
        found = await self._asked(guild_id)
        self._known.pop(guild_id, None)
        self._known[guild_id] = (time.monotonic(), found)
        if len(self._known) > _MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        return found

    async def _asked(self, guild_id: str) -> list[Mapping[str, Any]]:
        application = self._client.application_id
        if not self.command_id or application is None:
            return []
        try:
            told = await self._client.http.get_application_command_permissions(
                application, int(guild_id), self.command_id
            )
        except discord.NotFound:  # 10066: the server has changed nothing
            return []
        except discord.HTTPException as error:
            log.warning("permissions of a command not known", guild=guild_id, why=str(error))
            return []
        return list(cast("Mapping[str, Any]", told)["permissions"])


async def may_manage(interaction: discord.Interaction[Any], overrides: Overrides) -> bool:
    """Whether this person may change what the server follows."""
    rights = interaction.permissions
    if rights.administrator or rights.manage_guild:
        return True
    member = interaction.user
    if interaction.guild_id is None or not isinstance(member, discord.Member):
        return False
    guild_id = str(interaction.guild_id)
    roles = {str(each) for each in member._roles}  # noqa: SLF001 - ids; `roles` needs the cache
    return is_allowed(
        await overrides.of(guild_id), guild_id=guild_id, user_id=str(member.id), roles=roles
    )

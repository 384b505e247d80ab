"""What members and the bot may do in a fake Discord, and what servers allow besides."""

from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.discord_bodies import ADMINISTRATOR, APPLICATION, VIEW, Channel, Member
from tests.servers.discord_rules import Refused

if TYPE_CHECKING:
    from tests.servers.discord_platform import FakePlatform


def rights_of(member: Member, channel: Channel) -> int:
    """What somebody may do in a channel."""
    if member.rights & ADMINISTRATOR or channel.member_rights is None:
        return member.rights
    return channel.member_rights


def seen_by_bot(platform: "FakePlatform", request: web.Request) -> Channel:
    """The channel of a request; refused where the bot may not look."""
    found = platform.channels.get(request.match_info["channel"])
    if found is None:
        raise Refused(404, 10003)
    if not found.bot_rights & VIEW:
        raise Refused(403, 50001)
    return found


def where_bot_may(platform: "FakePlatform", request: web.Request, right: int) -> Channel:
    """The channel of a request; refused where the bot has not this right."""
    channel = seen_by_bot(platform, request)
    if not channel.bot_rights & right:
        raise Refused(403, 50013)
    return channel


def overrides(platform: "FakePlatform", request: web.Request) -> dict[str, Any]:
    """What an admin allowed in Integrations; 404 where nothing was changed there."""
    guild = next(g for g in platform.guilds if g.id == request.match_info["guild"])
    if not guild.overrides:
        raise Refused(404, 10066)
    return {
        "id": request.match_info["command"],
        "application_id": APPLICATION,
        "guild_id": guild.id,
        "permissions": guild.overrides,
    }

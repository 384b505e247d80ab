"""What a bot asks of a fake Discord: itself, its commands, servers, channels and people."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.servers import discord_commands as rules
from tests.servers.discord_bodies import (
    ANNOUNCEMENTS,
    APPLICATION,
    bot_body,
    channel_body,
    guild_body,
    message_body,
)
from tests.servers.discord_permissions import seen_by_bot
from tests.servers.discord_rules import Refused, check_message, invalid

if TYPE_CHECKING:
    from tests.servers.discord_platform import FakePlatform


@dataclass
class Rest:
    """See the module."""

    platform: "FakePlatform"

    def me(self, _: web.Request, __: Any) -> Any:
        return bot_body()

    def application(self, _: web.Request, __: Any) -> Any:
        return {
            "id": APPLICATION,
            "name": "Wireroom",
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": self.platform.key.public_key().public_bytes_raw().hex(),
            "flags": 0,
            "summary": "",
            "team": None,
            "owner": {
                "id": "1",
                "username": "owner",
                "discriminator": "0",
                "avatar": None,
            },
            **self.platform.application,
        }

    async def change_application(self, request: web.Request, body: Any) -> Any:
        """An address is taken once it answers a ping, and refuses one that is signed wrongly."""
        if body.get("interactions_endpoint_url"):
            if self.platform.endpoint is None:
                raise invalid("interactions_endpoint_url", "APPLICATION_INTERACTIONS_ENDPOINT")
            ping = await self.platform.call({"type": 1})
            forged = await self.platform.call({"type": 1}, key=Ed25519PrivateKey.generate())
            if ping != (200, {"type": 1}) or forged[0] != 401:
                raise invalid("interactions_endpoint_url", "APPLICATION_INTERACTIONS_ENDPOINT")
        self.platform.application |= body
        return self.application(request, body)

    def register(self, _: web.Request, body: Any) -> Any:
        rules.check_commands(body)
        self.platform.syncs += 1
        known = {each["name"]: each["id"] for each in self.platform.commands}
        self.platform.commands = [
            {
                "version": "1",
                "application_id": APPLICATION,
                "default_member_permissions": None,
                "description": "",
                "type": 1,
                "nsfw": False,
                **_as_kept(each),
                "id": known.get(each["name"]) or str(next(self.platform.numbers)),
            }
            for each in body
        ]
        return self.platform.commands

    def registered(self, request: web.Request, _: Any) -> Any:
        """Commands, with their languages only for whoever asks for these."""
        if request.query.get("with_localizations") == "true":
            return self.platform.commands
        return [_without_languages(each) for each in self.platform.commands]

    def guild(self, request: web.Request, _: Any) -> Any:
        for guild in self.platform.guilds:
            if guild.id == request.match_info["guild"]:
                return guild_body(guild)
        raise Refused(404, 10004)

    def channel(self, request: web.Request, _: Any) -> Any:
        return channel_body(seen_by_bot(self.platform, request))

    def say(self, request: web.Request, body: Any) -> Any:
        check_message(body)
        number = request.match_info["channel"]
        if number.removeprefix("9") in self.platform.silent_people:
            raise Refused(403, 50007)
        self.platform.bot_messages.append((number, body))
        return message_body(body, str(next(self.platform.numbers)), number)

    def open_dm(self, _: web.Request, body: Any) -> Any:
        person = str(body["recipient_id"])
        return {
            "id": f"9{person}",
            "type": 1,
            "last_message_id": None,
            "recipients": [
                {"id": person, "username": "ann", "discriminator": "0", "avatar": None}
            ],
        }

    def crosspost(self, request: web.Request, _: Any) -> Any:
        channel = seen_by_bot(self.platform, request)
        if channel.kind != ANNOUNCEMENTS:
            raise Refused(400, 50068)
        lately = self.platform.published_at.setdefault(channel.id, [])
        if sum(self.platform.clock() - at < 3600 for at in lately) >= 10:
            raise Refused(429, 0, retry_after=60.0)
        message = request.match_info["message"]
        if message in self.platform.crossposted:
            raise Refused(400, 40033)
        lately.append(self.platform.clock())
        self.platform.crossposted.append(message)
        return message_body({}, message, channel.id)

    async def file(self, request: web.Request) -> web.Response:
        return web.Response(body=self.platform.files[request.match_info["name"]])


def _as_kept(part: Any) -> Any:
    """As Discord gives a command back: what says nothing is left out or null."""
    if isinstance(part, list):
        return [_as_kept(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {key: value for key, value in part.items() if value != [] and value is not False}
    return {key: _as_kept(value) if value != {} else None for key, value in kept.items()}


def _without_languages(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_languages(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {key: value for key, value in part.items() if not key.endswith("_localizations")}
    return {key: _without_languages(value) for key, value in kept.items()}

"""Interactions of a fake Discord: what somebody does is brought to the bot, which must answer in
time, once, and within the limits."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers import discord_commands as rules
from tests.servers.discord_bodies import (
    APPLICATION,
    Channel,
    Interaction,
    Member,
    Shown,
    channel_body,
    message_body,
    role_body,
    user_body,
)
from tests.servers.discord_permissions import rights_of
from tests.servers.discord_rules import Refused, pings_of

if TYPE_CHECKING:
    from tests.servers.discord_platform import FakePlatform

#: An interaction that is not answered by then has failed.
ANSWER_SECONDS = 3.0
PATIENCE_SECONDS = 20.0


@dataclass
class Interactions:
    """See the module."""

    platform: "FakePlatform"
    #: Later answers are refused as unknown interactions.
    patience_seconds: float = ANSWER_SECONDS
    _known: dict[str, Interaction] = field(default_factory=dict)

    def command_data(
        self,
        member: Member,
        channel: Channel,
        typed: str,
        given: dict[str, Any],
        *,
        focused: str = "",
    ) -> dict[str, Any]:
        command, options = rules.options_of(self.platform.commands, typed)
        if not focused:
            rules.check_values(options, given)
        resolved: dict[str, Any] = {}
        leaves = []
        for option in options:
            if option["name"] in given:
                value = given[option["name"]]
                leaf = {"name": option["name"], "type": option["type"]}
                leaf["value"] = self._resolve(option["type"], value, member, resolved)
                if option["name"] == focused:
                    leaf["focused"] = True
                leaves.append(leaf)
        for word in reversed(typed.split()[1:]):
            leaves = [{"name": word, "type": 1, "options": leaves}]
        if len(typed.split()) == 3:
            leaves[0]["type"] = 2
        return {
            "id": command["id"],
            "name": command["name"],
            "type": 1,
            "options": leaves,
            "resolved": resolved,
        }

    def _resolve(self, kind: int, value: Any, member: Member, resolved: dict[str, Any]) -> Any:
        if kind == rules.CHANNEL:
            resolved.setdefault("channels", {})[value.id] = {
                **channel_body(value),
                "permissions": str(rights_of(member, value)),
            }
            return value.id
        if kind == rules.ROLE:
            resolved.setdefault("roles", {})[value] = role_body(value)
            return value
        if kind == rules.ATTACHMENT:
            name, content = value
            number = str(next(self.platform.numbers))
            self.platform.files[f"{number}-{name}"] = content
            url = self.platform.base_url.replace("/api/v10", f"/files/{number}-{name}")
            resolved.setdefault("attachments", {})[number] = {
                "id": number,
                "filename": name,
                "size": len(content),
                "url": url,
                "proxy_url": url,
                "ephemeral": True,
            }
            return number
        return value

    async def bring(
        self,
        kind: int,
        member: Member,
        channel: Channel,
        data: dict[str, Any],
        *,
        pressed: Shown | None = None,
    ) -> Shown:
        """Somebody does something; gives what is shown in the end."""
        number = str(next(self.platform.numbers))
        token = f"aW50ZXJhY3Rpb24-{number}"
        interaction = self._known[token] = Interaction(number, token, kind, member, channel)
        if pressed is not None:
            interaction.pressed, interaction.is_private = pressed.data, pressed.is_private
        await self._dispatch_interaction(self._payload(interaction, data))
        try:
            async with asyncio.timeout(max(self.patience_seconds, 0.5)):
                await interaction.answered.wait()
        except TimeoutError:
            raise AssertionError("the interaction failed: no answer within 3 s") from None
        async with asyncio.timeout(PATIENCE_SECONDS):
            await interaction.shown.wait()
        shown, is_private = interaction.messages[-1]
        return Shown(interaction, shown, is_private)

    async def _dispatch_interaction(self, payload: dict[str, Any]) -> None:
        if self.platform.endpoint is not None:
            status, _ = await self.call(payload)
            assert status == 202, f"the endpoint answered {status}"
            return
        guild = int(payload.get("guild_id") or 0)
        shard = (guild >> 22) % max(1, len(self.platform.sockets))
        await self.platform.gateway.dispatch(
            self.platform.sockets[shard], "INTERACTION_CREATE", payload
        )

    async def call(self, payload: Any, *, age: int = 0, key: Any = None) -> tuple[int, Any]:
        """Bring something to the endpoint, signed as Discord does."""
        assert self.platform.endpoint is not None
        body, timestamp = json.dumps(payload).encode(), str(int(time.time()) - age)
        signature = (key or self.platform.key).sign(timestamp.encode() + body)
        return await self.platform.endpoint(body, signature.hex(), timestamp)

    def _payload(self, interaction: Interaction, data: dict[str, Any]) -> dict[str, Any]:
        member, channel = interaction.member, interaction.channel
        rights = rights_of(member, channel)
        user = user_body(member)
        body: dict[str, Any] = {
            "id": interaction.id,
            "application_id": APPLICATION,
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "channel_id": channel.id,
            "channel": {**channel_body(channel), "permissions": str(rights)},
            "app_permissions": str(channel.bot_rights),
            "locale": member.locale,
            "guild_locale": "en-US",
            "entitlements": [],
            "attachment_size_limit": 10_485_760,
            "data": data,
        }
        if channel.guild is None:
            return body | {"user": user, "context": 1, "authorizing_integration_owners": {}}
        body |= {
            "guild_id": channel.guild.id,
            "guild": {"id": channel.guild.id, "locale": "en-US", "features": []},
            "context": 0,
            "authorizing_integration_owners": {"0": channel.guild.id},
            "member": {
                "user": user,
                "roles": member.roles,
                "permissions": str(rights),
                "joined_at": "2026-01-01T00:00:00+00:00",
                "deaf": False,
                "mute": False,
                "flags": 0,
            },
        }
        if interaction.pressed is not None:
            body["message"] = message_body(
                interaction.pressed, str(next(self.platform.numbers)), channel.id
            )
        return body

    # Answers -------------------------------------------------------------------------------

    def callback(self, request: web.Request, body: Any) -> Any:
        interaction = self._known.get(request.match_info["token"])
        if interaction is None or time.monotonic() - interaction.began > self.patience_seconds:
            raise Refused(404, 10062)
        if interaction.kind:
            raise Refused(400, 40060)
        kind, data = body["type"], body.get("data") or {}
        data |= {"files": body["files"]} if "files" in body else {}
        rules.check_answer(kind, data, interaction=interaction.type)
        interaction.kind = kind
        if kind in (4, 5):
            interaction.is_private = bool(data.get("flags", 0) & 64)
        if kind not in (5, 6):
            self._show(interaction, data, is_private=interaction.is_private)
        interaction.answered.set()
        if request.query.get("with_response") not in ("1", "true"):
            return None
        return {
            "interaction": {
                "id": interaction.id,
                "type": interaction.type,
                "response_message_id": "5",
                "response_message_loading": kind == 5,
                "response_message_ephemeral": interaction.is_private,
            },
            "resource": {
                "type": kind,
                **(
                    {"message": message_body(data, "5", interaction.channel.id)}
                    if kind in (4, 7)
                    else {}
                ),
            },
        }

    def _show(self, interaction: Interaction, data: dict[str, Any], *, is_private: bool) -> None:
        if interaction.type != 4 and interaction.kind != 9:
            assert [] == pings_of(data), "an answer would ping people"
        interaction.messages.append((data, is_private))
        interaction.shown.set()

    def _interaction_of(self, request: web.Request) -> Interaction:
        interaction = self._known.get(request.match_info["token"])
        if interaction is None:
            raise Refused(401, 50027)
        if not interaction.kind:
            raise Refused(404, 10015)
        return interaction

    def follow_up(self, request: web.Request, body: Any) -> Any:
        interaction = self._interaction_of(request)
        rules.check_shown(body)
        is_first = interaction.kind == 5 and not interaction.messages
        private = interaction.is_private if is_first else bool(body.get("flags", 0) & 64)
        self._show(interaction, body, is_private=private)
        return message_body(body, str(next(self.platform.numbers)), interaction.channel.id)

    def edit(self, request: web.Request, body: Any) -> Any:
        interaction = self._interaction_of(request)
        before = interaction.messages[-1][0] if interaction.messages else {}
        data = {**before, **body}
        rules.check_shown(data)
        self._show(interaction, data, is_private=interaction.is_private)
        return message_body(data, "5", interaction.channel.id)

    def delete(self, request: web.Request, _: Any) -> Any:
        self._interaction_of(request)

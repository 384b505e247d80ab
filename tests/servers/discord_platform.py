"""All of Discord that a bot meets, on loopback: gateway, REST, interactions, webhooks.

::

    async with FakePlatform() as discord:
        guild = discord.add_guild("Harbour")
        channel = discord.add_channel(guild)
        owner = discord.add_member(guild, MANAGE_GUILD)
        ...                                       # the bot connects to discord.base_url
        shown = await discord.command(owner, channel, "rss list")
        shown.embeds, shown.is_private
        shown = await discord.press(owner, shown, "Next")

Written from the platform's documentation. What a real client would not let anybody do fails the
test; what a bot may not do is refused with Discord's code.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.servers import discord_commands as rules
from tests.servers.discord import FakeDiscord
from tests.servers.discord_bodies import (
    ADMINISTRATOR,
    ANNOUNCEMENTS,
    APPLICATION,
    EVERYBODY,
    FORUM,
    MANAGE_GUILD,
    MANAGE_WEBHOOKS,
    SEND,
    SEND_IN_THREADS,
    TOKEN,
    VIEW,
    Channel,
    Guild,
    Interaction,
    Member,
    Shown,
    bot_body,
    channel_body,
    guild_body,
    message_body,
    role_body,
    user_body,
)
from tests.servers.discord_rules import Refused, check_message, invalid, pings_of

__all__ = [
    "ADMINISTRATOR",
    "ANNOUNCEMENTS",
    "FORUM",
    "MANAGE_GUILD",
    "SEND",
    "SEND_IN_THREADS",
    "TOKEN",
    "VIEW",
    "Channel",
    "FakePlatform",
    "Guild",
    "Member",
    "Shown",
]

#: An interaction that is not answered by then has failed.
ANSWER_SECONDS = 3.0
PATIENCE_SECONDS = 20.0


@dataclass
class FakePlatform(FakeDiscord):
    """See the module."""

    guilds: list[Guild] = field(default_factory=list)
    commands: list[dict[str, Any]] = field(default_factory=list)
    syncs: int = 0
    #: Messages by the bot itself: (channel, body).
    bot_messages: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    crossposted: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    #: People who take no messages from bots.
    silent_people: set[str] = field(default_factory=set)
    #: Where interactions are brought to instead of the gateway: (body, signature, timestamp) to a
    #: status and a body.
    endpoint: Callable[[bytes, str, str], Awaitable[tuple[int, Any]]] | None = None
    identifies: list[dict[str, Any]] = field(default_factory=list)
    resumes: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sockets: dict[int, web.WebSocketResponse] = {}
        self.application: dict[str, Any] = {}
        self.key = Ed25519PrivateKey.generate()
        self._interactions: dict[str, Interaction] = {}
        self._sequence = itertools.count(1)
        self._connected = asyncio.Event()
        self._channels: dict[str, Channel] = {}

    def _add_routes(self, app: web.Application) -> None:
        base = "/api/v10"
        add = app.router.add_route
        add("GET", "/gateway", self._gateway)
        add("GET", "/files/{name}", self._file)
        for method, path, answer in (
            ("GET", "/gateway/bot", self._gateway_bot),
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application_of),
            ("GET", "/applications/@me", self._application_of),
            ("PATCH", "/applications/@me", self._change_application),
            ("PUT", f"/applications/{APPLICATION}/commands", self._register),
            ("GET", f"/applications/{APPLICATION}/commands", self._registered),
            (
                "GET",
                f"/applications/{APPLICATION}/guilds/{{guild}}/commands/{{command}}/permissions",
                self._permissions,
            ),
            ("GET", "/guilds/{guild}", self._guild_of),
            ("GET", "/channels/{channel}", self._channel_of),
            ("GET", "/channels/{channel}/webhooks", self._webhooks_of),
            ("POST", "/channels/{channel}/webhooks", self._make_webhook),
            ("POST", "/channels/{channel}/messages", self._say),
            ("POST", "/channels/{channel}/messages/{message}/crosspost", self._crosspost),
            ("POST", "/users/@me/channels", self._open_dm),
        ):
            add(method, base + path, self._as_bot(answer))
        add("POST", base + "/interactions/{id}/{token}/callback", self._open(self._callback))
        mine = base + f"/webhooks/{APPLICATION}/{{token}}"
        add("POST", mine, self._open(self._follow_up))
        add("PATCH", mine + "/messages/{message}", self._open(self._edit_answer))
        add("DELETE", mine + "/messages/{message}", self._open(self._delete_answer))
        super()._add_routes(app)

    # What a test arranges ------------------------------------------------------------------

    def add_guild(self, name: str = "Harbour") -> Guild:
        guild = Guild(str(next(self._numbers)), name)
        self.guilds.append(guild)
        return guild

    def add_channel(self, guild: Guild, kind: int = 0, **more: Any) -> Channel:
        channel = Channel(str(next(self._numbers)), guild, kind, **more)
        guild.channels.append(channel)
        self._channels[channel.id] = channel
        return channel

    def add_member(self, guild: Guild | None, rights: int = 0, **more: Any) -> Member:
        return Member(str(next(self._numbers)), guild, EVERYBODY | rights, **more)

    async def connected(self, shards: int = 1) -> None:
        """Until the bot stands at the gateway and has registered its commands."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.sockets) < shards or not self.commands:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def drop_gateway(self, code: int = 1001) -> None:
        """Close all connections of the gateway."""
        sockets, self.sockets = list(self.sockets.values()), {}
        for socket in sockets:
            await socket.close(code=code)

    # What people do ------------------------------------------------------------------------

    async def command(
        self, member: Member, channel: Channel, typed: str, /, **options: Any
    ) -> Shown:
        """Somebody uses a slash command; gives what is shown in the end."""
        data = self._command_data(member, channel, typed, options)
        return await self._interact(Interaction(*self._fresh(), 2, member, channel), data)

    async def complete(
        self, member: Member, channel: Channel, typed: str, option: str, written: str
    ) -> list[dict[str, Any]]:
        """The suggestions while somebody types an option."""
        data = self._command_data(member, channel, typed, {option: written}, focused=option)
        shown = await self._interact(Interaction(*self._fresh(), 4, member, channel), data)
        return list(shown.data["choices"])

    async def menu(self, member: Member, channel: Channel, name: str, message: Any) -> Shown:
        """Somebody uses a context menu on a message."""
        command = next(each for each in self.commands if each["name"] == name)
        body = {
            **message_body(message.payload, message.id, message.channel),
            "webhook_id": message.webhook,
        }
        data = {
            "id": command["id"],
            "name": name,
            "type": 3,
            "target_id": message.id,
            "resolved": {"messages": {message.id: body}},
        }
        return await self._interact(Interaction(*self._fresh(), 2, member, channel), data)

    async def press(self, member: Member, shown: Shown, label: str, *values: str) -> Shown:
        """Somebody presses a button, or chooses of a select (by its placeholder)."""
        part = next(
            each
            for each in shown.pressable
            if label in (each.get("label") or each.get("placeholder") or "")
        )
        assert not part.get("disabled"), f"{label} cannot be pressed"
        if part["type"] == 3:
            assert set(values) <= {each["value"] for each in part["options"]}
        data = {
            "custom_id": part["custom_id"],
            "component_type": part["type"],
            "values": list(values),
        }
        pressing = Interaction(*self._fresh(), 3, member, shown.interaction.channel)
        pressing.pressed = shown.data
        pressing.is_private = shown.is_private
        return await self._interact(pressing, data)

    async def fill_in(self, member: Member, form: Shown, **typed: str) -> Shown:
        """Somebody sends a form, with what stood in it where nothing else is typed."""
        assert form.interaction.kind == 9
        values = {**form.fields, **typed}
        data = {
            "custom_id": form.data["custom_id"],
            "components": [
                {
                    "type": 18,
                    "id": number,
                    "component": {"type": 4, "id": 50 + number, "custom_id": key, "value": value},
                }
                for number, (key, value) in enumerate(values.items(), start=1)
            ],
        }
        sending = Interaction(*self._fresh(), 5, member, form.interaction.channel)
        return await self._interact(sending, data)

    def _fresh(self) -> tuple[str, str]:
        number = str(next(self._numbers))
        return number, f"aW50ZXJhY3Rpb24-{number}"

    def _command_data(
        self,
        member: Member,
        channel: Channel,
        typed: str,
        given: dict[str, Any],
        *,
        focused: str = "",
    ) -> dict[str, Any]:
        command, options = rules.options_of(self.commands, typed)
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
                "permissions": str(self._rights(member, value)),
            }
            return value.id
        if kind == rules.ROLE:
            resolved.setdefault("roles", {})[value] = role_body(value)
            return value
        if kind == rules.ATTACHMENT:
            name, content = value
            number = str(next(self._numbers))
            self.files[f"{number}-{name}"] = content
            url = self.base_url.replace("/api/v10", f"/files/{number}-{name}")
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

    async def _interact(self, interaction: Interaction, data: dict[str, Any]) -> Shown:
        self._interactions[interaction.token] = interaction
        await self._dispatch_interaction(self._payload(interaction, data))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await interaction.answered.wait()
        except TimeoutError:
            raise AssertionError("the interaction failed: no answer within 3 s") from None
        async with asyncio.timeout(PATIENCE_SECONDS):
            await interaction.shown.wait()
        shown, is_private = interaction.messages[-1]
        return Shown(interaction, shown, is_private)

    async def _dispatch_interaction(self, payload: dict[str, Any]) -> None:
        if self.endpoint is not None:
            status, _ = await self.call(payload)
            assert status == 202, f"the endpoint answered {status}"
            return
        guild = int(payload.get("guild_id") or 0)
        shard = (guild >> 22) % max(1, len(self.sockets))
        await self._dispatch(self.sockets[shard], "INTERACTION_CREATE", payload)

    async def call(self, payload: Any, *, age: int = 0, key: Any = None) -> tuple[int, Any]:
        """Bring something to the endpoint, signed as Discord does."""
        assert self.endpoint is not None
        body, timestamp = json.dumps(payload).encode(), str(int(time.time()) - age)
        signature = (key or self.key).sign(timestamp.encode() + body)
        return await self.endpoint(body, signature.hex(), timestamp)

    def _payload(self, interaction: Interaction, data: dict[str, Any]) -> dict[str, Any]:
        member, channel = interaction.member, interaction.channel
        rights = self._rights(member, channel)
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
                interaction.pressed, str(next(self._numbers)), channel.id
            )
        return body

    def _rights(self, member: Member, channel: Channel) -> int:
        if member.rights & ADMINISTRATOR or channel.member_rights is None:
            return member.rights
        return channel.member_rights

    # The gateway ---------------------------------------------------------------------------

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        assert request.query["v"] == "10"
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            assert len(message.data) <= 4096
            await self._heard(socket, json.loads(message.data))
        return socket

    async def _heard(self, socket: web.WebSocketResponse, said: dict[str, Any]) -> None:
        if said["op"] == 1:
            await socket.send_json({"op": 11})
        elif said["op"] == 2:
            await self._identified(socket, said["d"])
        elif said["op"] == 6:
            self.resumes.append(said["d"])
            self.sockets[int(said["d"]["session_id"].rpartition("-")[2])] = socket
            await self._dispatch(socket, "RESUMED", {})

    async def _identified(self, socket: web.WebSocketResponse, said: dict[str, Any]) -> None:
        if said["token"] != TOKEN:
            await socket.close(code=4004)
            return
        privileged = (1 << 1) | (1 << 8) | (1 << 15)
        if said["intents"] & privileged:
            await socket.close(code=4014)
            return
        self.identifies.append(said)
        shard, shards = said.get("shard") or (0, 1)
        mine = [each for each in self.guilds if (int(each.id) >> 22) % shards == shard]
        await self._dispatch(
            socket,
            "READY",
            {
                "v": 10,
                "user": bot_body(),
                "guilds": [{"id": each.id, "unavailable": True} for each in mine],
                "session_id": f"session-{shard}",
                "resume_gateway_url": self._gateway_url,
                "shard": [shard, shards],
                "application": {"id": APPLICATION, "flags": 0},
            },
        )
        self.sockets[shard] = socket
        for guild in mine:
            await self._dispatch(socket, "GUILD_CREATE", guild_body(guild))

    async def _dispatch(self, socket: web.WebSocketResponse, name: str, data: Any) -> None:
        await socket.send_json({"op": 0, "t": name, "s": next(self._sequence), "d": data})

    @property
    def _gateway_url(self) -> str:
        return self.base_url.replace("http://", "ws://").replace("/api/v10", "/gateway")

    # REST as the bot -----------------------------------------------------------------------

    def _as_bot(self, answer: Any) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            if request.headers.get("Authorization") != f"Bot {TOKEN}":
                return web.json_response({"code": 0, "message": "401: Unauthorized"}, status=401)
            return await self._open(answer)(request)

        return handle

    def _open(self, answer: Any) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            body = await _body(request)
            self.requests.append((request.method, request.path, body))
            try:
                result = answer(request, body)
                if asyncio.iscoroutine(result):
                    result = await result
            except Refused as refused:
                return _json(refused.body, refused.status)
            if isinstance(result, web.StreamResponse):
                return result
            return web.Response(status=204) if result is None else _json(result, 200)

        return handle

    def _gateway_bot(self, _: web.Request, __: Any) -> Any:
        return {
            "url": self._gateway_url,
            "shards": 1,
            "session_start_limit": {
                "total": 1000,
                "remaining": 999,
                "reset_after": 1,
                "max_concurrency": 1,
            },
        }

    def _me(self, _: web.Request, __: Any) -> Any:
        return bot_body()

    def _application_of(self, _: web.Request, __: Any) -> Any:
        return {
            "id": APPLICATION,
            "name": "Wireroom",
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": self.key.public_key().public_bytes_raw().hex(),
            "flags": 0,
            "summary": "",
            "team": None,
            "owner": {
                "id": "1",
                "username": "owner",
                "discriminator": "0",
                "avatar": None,
            },
            **self.application,
        }

    async def _change_application(self, request: web.Request, body: Any) -> Any:
        """An address is taken once it answers a ping, and refuses one that is signed wrongly."""
        if body.get("interactions_endpoint_url"):
            if self.endpoint is None:
                raise invalid("interactions_endpoint_url", "APPLICATION_INTERACTIONS_ENDPOINT")
            ping = await self.call({"type": 1})
            forged = await self.call({"type": 1}, key=Ed25519PrivateKey.generate())
            if ping != (200, {"type": 1}) or forged[0] != 401:
                raise invalid("interactions_endpoint_url", "APPLICATION_INTERACTIONS_ENDPOINT")
        self.application |= body
        return self._application_of(request, body)

    def _register(self, _: web.Request, body: Any) -> Any:
        rules.check_commands(body)
        self.syncs += 1
        known = {each["name"]: each["id"] for each in self.commands}
        self.commands = [
            {
                "version": "1",
                "application_id": APPLICATION,
                "default_member_permissions": None,
                "description": "",
                "type": 1,
                **each,
                "id": known.get(each["name"]) or str(next(self._numbers)),
            }
            for each in body
        ]
        return self.commands

    def _registered(self, _: web.Request, __: Any) -> Any:
        return self.commands

    def _permissions(self, request: web.Request, _: Any) -> Any:
        guild = next(g for g in self.guilds if g.id == request.match_info["guild"])
        if not guild.overrides:
            raise Refused(404, 10066)
        return {
            "id": request.match_info["command"],
            "application_id": APPLICATION,
            "guild_id": guild.id,
            "permissions": guild.overrides,
        }

    def _guild_of(self, request: web.Request, _: Any) -> Any:
        for guild in self.guilds:
            if guild.id == request.match_info["guild"]:
                return guild_body(guild)
        raise Refused(404, 10004)

    def _known(self, request: web.Request) -> Channel:
        found = self._channels.get(request.match_info["channel"])
        if found is None:
            raise Refused(404, 10003)
        if not found.bot_rights & VIEW:
            raise Refused(403, 50001)
        return found

    def _channel_of(self, request: web.Request, _: Any) -> Any:
        return channel_body(self._known(request))

    def _webhooks_of(self, request: web.Request, _: Any) -> Any:
        channel = self._may(request, MANAGE_WEBHOOKS)
        return [self._webhook_body(h) for h in self.webhooks.values() if h.channel == channel.id]

    def _make_webhook(self, request: web.Request, body: Any) -> Any:
        channel = self._may(request, MANAGE_WEBHOOKS)
        there = [each for each in self.webhooks.values() if each.channel == channel.id]
        if len(there) >= 15:
            raise Refused(400, 30007)
        assert 1 <= len(body["name"]) <= 80
        hook = self.add_webhook(
            channel=channel.id,
            is_forum=channel.kind == FORUM,
            threads=tuple(c.id for c in self._channels.values() if c.parent is channel),
        )
        self.made.add(hook.id)
        return self._webhook_body(hook)

    @property
    def made(self) -> set[str]:
        """Webhooks that belong to the bot."""
        return self.__dict__.setdefault("_made", set())

    def _webhook_body(self, hook: Any) -> dict[str, Any]:
        mine = hook.id in self.made
        body = {
            "id": hook.id,
            "type": 1,
            "name": "Wireroom",
            "avatar": None,
            "channel_id": hook.channel,
            "guild_id": "1",
            "application_id": APPLICATION if mine else None,
        }
        return body | ({"token": hook.token} if mine else {})

    def _may(self, request: web.Request, right: int) -> Channel:
        channel = self._known(request)
        if not channel.bot_rights & right:
            raise Refused(403, 50013)
        return channel

    def _say(self, request: web.Request, body: Any) -> Any:
        check_message(body)
        number = request.match_info["channel"]
        if number.removeprefix("9") in self.silent_people:
            raise Refused(403, 50007)
        self.bot_messages.append((number, body))
        return message_body(body, str(next(self._numbers)), number)

    def _open_dm(self, _: web.Request, body: Any) -> Any:
        person = str(body["recipient_id"])
        return {
            "id": f"9{person}",
            "type": 1,
            "last_message_id": None,
            "recipients": [
                {"id": person, "username": "ann", "discriminator": "0", "avatar": None}
            ],
        }

    def _crosspost(self, request: web.Request, _: Any) -> Any:
        channel = self._known(request)
        if channel.kind != ANNOUNCEMENTS:
            raise Refused(400, 50068)
        self.crossposted.append(request.match_info["message"])
        return message_body({}, request.match_info["message"], channel.id)

    async def _file(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["name"]])

    # Answers -------------------------------------------------------------------------------

    def _callback(self, request: web.Request, body: Any) -> Any:
        interaction = self._interactions.get(request.match_info["token"])
        if interaction is None or time.monotonic() - interaction.began > ANSWER_SECONDS:
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
        interaction = self._interactions.get(request.match_info["token"])
        if interaction is None:
            raise Refused(401, 50027)
        if not interaction.kind:
            raise Refused(404, 10015)
        return interaction

    def _follow_up(self, request: web.Request, body: Any) -> Any:
        interaction = self._interaction_of(request)
        rules.check_shown(body)
        is_first = interaction.kind == 5 and not interaction.messages
        private = interaction.is_private if is_first else bool(body.get("flags", 0) & 64)
        self._show(interaction, body, is_private=private)
        return message_body(body, str(next(self._numbers)), interaction.channel.id)

    def _edit_answer(self, request: web.Request, body: Any) -> Any:
        interaction = self._interaction_of(request)
        before = interaction.messages[-1][0] if interaction.messages else {}
        data = {**before, **body}
        rules.check_shown(data)
        self._show(interaction, data, is_private=interaction.is_private)
        return message_body(data, "5", interaction.channel.id)

    def _delete_answer(self, request: web.Request, _: Any) -> Any:
        self._interaction_of(request)


async def _body(request: web.Request) -> Any:
    """JSON, or the JSON part of a form with files."""
    if request.content_type != "multipart/form-data":
        return await request.json() if request.can_read_body else None
    form = await request.post()
    body = json.loads(str(form["payload_json"]))
    files = {}
    for part in form.values():
        if isinstance(part, web.FileField):
            files[part.filename] = part.file.read()
    return body | {"files": files}


def _json(body: Any, status: int) -> web.Response:
    # discord.py reads JSON only behind exactly this content type.
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json", "Via": "1.1 google"},
    )

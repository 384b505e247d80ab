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
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.servers import discord_permissions as permissions
from tests.servers.discord import FakeDiscord
from tests.servers.discord_bodies import (
    ADMINISTRATOR,
    ANNOUNCEMENTS,
    APPLICATION,
    EVERYBODY,
    FORUM,
    MANAGE_GUILD,
    SEND,
    SEND_IN_THREADS,
    TOKEN,
    VIEW,
    Channel,
    Guild,
    Member,
    Shown,
    message_body,
)
from tests.servers.discord_gateway import Gateway
from tests.servers.discord_interactions import PATIENCE_SECONDS, Interactions
from tests.servers.discord_rest import Rest
from tests.servers.discord_webhooks import Webhooks
from tests.servers.discord_wire import Work, as_bot, open_to_all

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


@dataclass
class FakePlatform(FakeDiscord):
    """See the module."""

    guilds: list[Guild] = field(default_factory=list)
    commands: list[dict[str, Any]] = field(default_factory=list)
    syncs: int = 0
    #: Messages by the bot itself: (channel, body).
    bot_messages: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    crossposted: list[str] = field(default_factory=list)
    #: When messages of a channel were published.
    published_at: dict[str, list[float]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    #: People who take no messages from bots.
    silent_people: set[str] = field(default_factory=set)
    #: Where interactions are brought to instead of the gateway: (body, signature, timestamp) to a
    #: status and a body.
    endpoint: Callable[[bytes, str, str], Awaitable[tuple[int, Any]]] | None = None
    identifies: list[dict[str, Any]] = field(default_factory=list)
    resumes: list[dict[str, Any]] = field(default_factory=list)
    #: Identifies that came too soon after another one.
    hasty: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sockets: dict[int, web.WebSocketResponse] = {}
        self.application: dict[str, Any] = {}
        self.key = Ed25519PrivateKey.generate()
        self.numbers = self._numbers
        self.gateway = Gateway(self)
        self.rest = Rest(self)
        self.hooks = Webhooks(self)
        self.interactions = Interactions(self)
        self.channels: dict[str, Channel] = {}

    def _add_routes(self, app: web.Application) -> None:
        base = "/api/v10"
        mine = f"{base}/webhooks/{APPLICATION}/{{token}}"
        app.router.add_get("/gateway", self.gateway.open)
        app.router.add_get("/files/{name}", self.rest.file)
        for method, path, answer in self._for_the_bot():
            app.router.add_route(method, base + path, as_bot(self, answer))
        for method, path, answer in (
            ("POST", base + "/interactions/{id}/{token}/callback", self.interactions.callback),
            ("POST", mine, self.interactions.follow_up),
            ("PATCH", mine + "/messages/{message}", self.interactions.edit),
            ("DELETE", mine + "/messages/{message}", self.interactions.delete),
        ):
            app.router.add_route(method, path, open_to_all(self, answer))
        super()._add_routes(app)

    def _for_the_bot(self) -> tuple[tuple[str, str, Work], ...]:
        rest, mine, in_channel = self.rest, f"/applications/{APPLICATION}", "/channels/{channel}"
        return (
            ("GET", "/gateway/bot", self.gateway.about),
            ("GET", "/users/@me", rest.me),
            ("POST", "/users/@me/channels", rest.open_dm),
            ("GET", "/oauth2/applications/@me", rest.application),
            ("GET", "/applications/@me", rest.application),
            ("PATCH", "/applications/@me", rest.change_application),
            ("PUT", f"{mine}/commands", rest.register),
            ("GET", f"{mine}/commands", rest.registered),
            (
                "GET",
                f"{mine}/guilds/{{guild}}/commands/{{command}}/permissions",
                lambda request, _: permissions.overrides(self, request),
            ),
            ("GET", "/guilds/{guild}", rest.guild),
            ("GET", in_channel, rest.channel),
            ("GET", f"{in_channel}/webhooks", self.hooks.list_in),
            ("POST", f"{in_channel}/webhooks", self.hooks.make),
            ("POST", f"{in_channel}/messages", rest.say),
            ("POST", f"{in_channel}/messages/{{message}}/crosspost", rest.crosspost),
        )

    # What a test arranges ------------------------------------------------------------------

    def add_guild(self, name: str = "Harbour") -> Guild:
        guild = Guild(str(next(self.numbers)), name)
        self.guilds.append(guild)
        return guild

    def add_channel(self, guild: Guild, kind: int = 0, **more: Any) -> Channel:
        channel = Channel(str(next(self.numbers)), guild, kind, **more)
        guild.channels.append(channel)
        self.channels[channel.id] = channel
        return channel

    def add_member(self, guild: Guild | None, rights: int = 0, **more: Any) -> Member:
        return Member(str(next(self.numbers)), guild, EVERYBODY | rights, **more)

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
        data = self.interactions.command_data(member, channel, typed, options)
        return await self.interactions.bring(2, member, channel, data)

    async def complete(
        self, member: Member, channel: Channel, typed: str, option: str, written: str
    ) -> list[dict[str, Any]]:
        """The suggestions while somebody types an option."""
        data = self.interactions.command_data(
            member, channel, typed, {option: written}, focused=option
        )
        shown = await self.interactions.bring(4, member, channel, data)
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
        return await self.interactions.bring(2, member, channel, data)

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
        return await self.interactions.bring(
            3, member, shown.interaction.channel, data, pressed=shown
        )

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
        return await self.interactions.bring(5, member, form.interaction.channel, data)

    async def call(self, payload: Any, *, age: int = 0, key: Any = None) -> tuple[int, Any]:
        """Bring something to the endpoint, signed as Discord does."""
        return await self.interactions.call(payload, age=age, key=key)

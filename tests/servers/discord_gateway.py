"""The gateway of a fake Discord: a WebSocket that bots identify and resume on."""

import itertools
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from tests.servers.discord_bodies import APPLICATION, TOKEN, bot_body, guild_body

if TYPE_CHECKING:
    from tests.servers.discord_platform import FakePlatform

#: One identify in so many seconds (max_concurrency 1); less a little, since clocks differ.
IDENTIFY_SECONDS = 4.9


@dataclass
class Gateway:
    """See the module."""

    platform: "FakePlatform"
    _sequence: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _identified_at: float = -IDENTIFY_SECONDS

    def about(self, _: web.Request, __: Any) -> dict[str, Any]:
        """Where it is, and how bots are to connect."""
        return {
            "url": self.url,
            "shards": 1,
            "session_start_limit": {
                "total": 1000,
                "remaining": 999,
                "reset_after": 1,
                "max_concurrency": 1,
            },
        }

    async def open(self, request: web.Request) -> web.WebSocketResponse:
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
            self.platform.resumes.append(said["d"])
            self.platform.sockets[int(said["d"]["session_id"].rpartition("-")[2])] = socket
            await self.dispatch(socket, "RESUMED", {})

    async def _identified(self, socket: web.WebSocketResponse, said: dict[str, Any]) -> None:
        if said["token"] != TOKEN:
            await socket.close(code=4004)
            return
        privileged = (1 << 1) | (1 << 8) | (1 << 15)
        if said["intents"] & privileged:
            await socket.close(code=4014)
            return
        if self._is_too_soon():
            await socket.send_json({"op": 9, "d": False})
            return
        self.platform.identifies.append(said)
        shard, shards = said.get("shard") or (0, 1)
        mine = [each for each in self.platform.guilds if (int(each.id) >> 22) % shards == shard]
        await self.dispatch(
            socket,
            "READY",
            {
                "v": 10,
                "user": bot_body(),
                "guilds": [{"id": each.id, "unavailable": True} for each in mine],
                "session_id": f"session-{shard}",
                "resume_gateway_url": self.url,
                "shard": [shard, shards],
                "application": {"id": APPLICATION, "flags": 0},
            },
        )
        self.platform.sockets[shard] = socket
        for guild in mine:
            await self.dispatch(socket, "GUILD_CREATE", guild_body(guild))

    def _is_too_soon(self) -> bool:
        """Whether another connection of the bot, which still stands, did so a moment ago."""
        now = time.monotonic()
        too_soon = bool(self.platform.sockets) and now - self._identified_at < IDENTIFY_SECONDS
        self.platform.hasty += too_soon
        self._identified_at = self._identified_at if too_soon else now
        return too_soon

    async def dispatch(self, socket: web.WebSocketResponse, name: str, data: Any) -> None:
        await socket.send_json({"op": 0, "t": name, "s": next(self._sequence), "d": data})

    @property
    def url(self) -> str:
        return self.platform.base_url.replace("http://", "ws://").replace("/api/v10", "/gateway")

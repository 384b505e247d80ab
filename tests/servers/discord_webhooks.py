"""Webhooks of a fake Discord as a bot makes them; what is posted by them is in `discord`."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.discord import Webhook
from tests.servers.discord_bodies import APPLICATION, FORUM, MANAGE_WEBHOOKS
from tests.servers.discord_permissions import where_bot_may
from tests.servers.discord_rules import Refused

if TYPE_CHECKING:
    from tests.servers.discord_platform import FakePlatform


@dataclass
class Webhooks:
    """See the module."""

    platform: "FakePlatform"
    #: Those that belong to the bot.
    made: set[str] = field(default_factory=set)

    def list_in(self, request: web.Request, _: Any) -> Any:
        channel = where_bot_may(self.platform, request, MANAGE_WEBHOOKS)
        return [self._body(h) for h in self.platform.webhooks.values() if h.channel == channel.id]

    def make(self, request: web.Request, body: Any) -> Any:
        channel = where_bot_may(self.platform, request, MANAGE_WEBHOOKS)
        there = [each for each in self.platform.webhooks.values() if each.channel == channel.id]
        if len(there) >= 15:
            raise Refused(400, 30007)
        assert 1 <= len(body["name"]) <= 80
        hook = self.platform.add_webhook(
            channel=channel.id,
            is_forum=channel.kind == FORUM,
            threads=tuple(c.id for c in self.platform.channels.values() if c.parent is channel),
        )
        self.made.add(hook.id)
        return self._body(hook)

    def _body(self, hook: Webhook) -> dict[str, Any]:
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

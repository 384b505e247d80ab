"""Servers, channels and people of a fake Discord, and how Discord writes them."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any

APPLICATION = "1100000000000000001"
TOKEN = "MTEw.token-of-the-bot.secret"
ADMINISTRATOR, MANAGE_GUILD = 1 << 3, 1 << 5
VIEW, SEND, MANAGE_WEBHOOKS, SEND_IN_THREADS = 1 << 10, 1 << 11, 1 << 29, 1 << 38
EVERYBODY = VIEW | SEND | SEND_IN_THREADS
FORUM, ANNOUNCEMENTS, THREAD = 15, 5, 11


@dataclass
class Guild:
    id: str
    name: str
    channels: list["Channel"] = field(default_factory=list)
    #: What an admin set in Integrations for a command.
    overrides: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Channel:
    id: str
    guild: Guild | None
    kind: int = 0
    name: str = "news"
    parent: "Channel | None" = None
    tags: tuple[tuple[str, str], ...] = ()
    needs_tag: bool = False
    bot_rights: int = EVERYBODY | MANAGE_WEBHOOKS
    #: What members may do here instead of what their roles say.
    member_rights: int | None = None


@dataclass
class Member:
    id: str
    guild: Guild | None
    rights: int = EVERYBODY
    name: str = "Ann"
    locale: str = "en-US"
    roles: list[str] = field(default_factory=list)


@dataclass
class Shown:
    """What an interaction showed last."""

    interaction: "Interaction"
    data: dict[str, Any]
    is_private: bool

    @property
    def text(self) -> str:
        return self.data.get("content") or ""

    @property
    def embeds(self) -> list[dict[str, Any]]:
        return self.data.get("embeds") or []

    @property
    def all_text(self) -> str:
        """Everything that can be read in it."""
        return json.dumps(self.data, ensure_ascii=False)

    @property
    def pressable(self) -> list[dict[str, Any]]:
        rows = self.data.get("components") or []
        return [each for row in rows for each in row.get("components") or ()]

    @property
    def fields(self) -> dict[str, str]:
        """The lines of a form, by key."""
        lines = [each.get("component") or each["components"][0] for each in self.pressable_rows]
        return {each["custom_id"]: each.get("value") or "" for each in lines}

    @property
    def pressable_rows(self) -> list[dict[str, Any]]:
        return self.data.get("components") or []


@dataclass
class Interaction:
    id: str
    token: str
    type: int
    member: Member
    channel: Channel
    began: float = field(default_factory=time.monotonic)
    kind: int = 0
    #: Ephemeral-ness, fixed by the first answer.
    is_private: bool = False
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    shown: asyncio.Event = field(default_factory=asyncio.Event)
    messages: list[tuple[dict[str, Any], bool]] = field(default_factory=list)
    #: The message that a button was on.
    pressed: dict[str, Any] | None = None


# -- as Discord writes them ---------------------------------------------------------------------


def user_body(member: Member) -> dict[str, Any]:
    return {
        "id": member.id,
        "username": member.name.lower(),
        "global_name": member.name,
        "discriminator": "0",
        "avatar": None,
    }


def role_body(number: str) -> dict[str, Any]:
    return {
        "id": number,
        "name": "role",
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 1,
        "permissions": "0",
        "managed": False,
        "mentionable": True,
        "flags": 0,
    }


def channel_body(channel: Channel) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": channel.id,
        "type": channel.kind,
        "name": channel.name,
        "guild_id": channel.guild.id if channel.guild else None,
        "position": 0,
        "permission_overwrites": [],
        "nsfw": False,
        "parent_id": channel.parent.id if channel.parent else None,
    }
    if channel.kind == FORUM:
        body["available_tags"] = [
            {"id": number, "name": name, "moderated": False, "emoji_id": None, "emoji_name": None}
            for number, name in channel.tags
        ]
        body["flags"] = 16 if channel.needs_tag else 0
    if channel.kind == THREAD:
        body |= {
            "owner_id": "1",
            "message_count": 0,
            "member_count": 1,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": "2026-01-01T00:00:00+00:00",
                "locked": False,
            },
        }
    return body


def message_body(data: dict[str, Any], number: str, channel: str) -> dict[str, Any]:
    return {
        "id": number,
        "channel_id": channel,
        "author": {
            "id": APPLICATION,
            "username": "wireroom",
            "discriminator": "0",
            "avatar": None,
            "bot": True,
        },
        "content": data.get("content") or "",
        "timestamp": "2026-11-30T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [{"type": "rich", **each} for each in data.get("embeds") or []],
        "components": data.get("components") or [],
        "pinned": False,
        "type": 0,
        "flags": data.get("flags") or 0,
    }


def guild_body(guild: Guild) -> dict[str, Any]:
    return {
        "id": guild.id,
        "name": guild.name,
        "owner_id": "1",
        "roles": [role_body(guild.id) | {"name": "@everyone"}],
        "emojis": [],
        "features": [],
        "channels": [channel_body(c) for c in guild.channels if c.kind != THREAD],
        "threads": [channel_body(c) for c in guild.channels if c.kind == THREAD],
        "members": [],
        "member_count": 3,
        "large": False,
        "preferred_locale": "en-US",
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "premium_progress_bar_enabled": False,
        "afk_timeout": 60,
    }


def bot_body() -> dict[str, Any]:
    return {
        "id": APPLICATION,
        "username": "wireroom",
        "discriminator": "0",
        "avatar": None,
        "bot": True,
        "flags": 0,
        "mfa_enabled": True,
        "verified": True,
    }

"""Webhooks by way of the bot: looking at them, making them, taking ours away again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, cast

import discord
from discord.http import Route

from wireroom.catalogue import Language
from wireroom.catalogue import discord as texts
from wireroom.delivery.channel import Address
from wireroom.errors import UserError

NAME: Final = "Wireroom"
_TOO_MANY: Final = 30007
_FORUMS: Final = frozenset((15, 16))
_ANNOUNCEMENTS: Final = 5
_NEEDS_TAG: Final = 1 << 4
#: Deleted, or its token is another one.
_DEAD: Final = frozenset((401, 403, 404))


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or thread that somebody chose, as Discord described it with the command."""

    channel_id: str
    #: A thread of the channel, "" for none.
    thread_id: str = ""
    #: Whether whoever chose it may post there.
    is_theirs: bool = True

    @property
    def mention(self) -> str:
        return f"<#{self.thread_id or self.channel_id}>"


@dataclass(frozen=True, slots=True)
class Facts:
    """What Discord says of a webhook."""

    channel_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """What Discord says of a channel."""

    is_forum: bool
    is_announcement: bool
    #: (id, name) of a forum's tags.
    tags: tuple[tuple[str, str], ...]
    needs_tag: bool


class Webhooks:
    """Discord's side of webhooks; all refusals become UserError in the person's language."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def look(self, address: Address, language: Language) -> Facts:
        """Whether a webhook stands. Raises UserError (dead_webhook)."""
        number = int(address.public.partition("?")[0])
        try:
            found = await self._client.http.request(
                Route(
                    "GET",
                    "/webhooks/{webhook_id}/{webhook_token}",
                    webhook_id=number,
                    webhook_token=address.secret,
                )
            )
        except discord.HTTPException as error:
            if error.status in _DEAD:
                raise UserError(
                    texts.WEBHOOK_UNUSABLE.say(language), code="dead_webhook"
                ) from error
            _refused(error, language)
        told = cast("Mapping[str, Any]", found)
        return Facts(str(told.get("channel_id") or ""), str(told.get("name") or ""))

    async def make(self, place: Place, language: Language) -> Address:
        """A webhook of ours in this channel: one that stands, else a new one. Raises UserError."""
        number = int(place.channel_id)
        http = self._client.http
        try:
            there = await http.channel_webhooks(cast("Any", number))
            made = _ours(cast("Any", there), self._client.application_id)
            if made is None:
                made = await http.create_webhook(
                    cast("Any", number), name=NAME, reason="Feeds of /rss"
                )
        except discord.Forbidden as error:
            said = texts.NO_WEBHOOKS_ALLOWED.say(language, channel=f"<#{number}>")
            raise UserError(said, code="missing_permission") from error
        except discord.HTTPException as error:
            if error.code == _TOO_MANY:
                said = texts.TOO_MANY_WEBHOOKS.say(language, channel=f"<#{number}>")
                raise UserError(said, code="too_many_webhooks") from error
            _refused(error, language)
        thread = f"?thread_id={place.thread_id}" if place.thread_id else ""
        return Address(f"{made['id']}{thread}", str(made["token"]))

    async def channel(self, channel_id: str, language: Language) -> ChannelFacts:
        """What kind of channel it is. Raises UserError."""
        try:
            found = cast("Mapping[str, Any]", await self._client.http.get_channel(int(channel_id)))
        except discord.HTTPException as error:
            _refused(error, language)
        return ChannelFacts(
            is_forum=found["type"] in _FORUMS,
            is_announcement=found["type"] == _ANNOUNCEMENTS,
            tags=tuple((each["id"], each["name"]) for each in found.get("available_tags") or ()),
            needs_tag=bool(int(found.get("flags") or 0) & _NEEDS_TAG),
        )


def _ours(
    there: Sequence[Mapping[str, Any]], application_id: int | None
) -> Mapping[str, Any] | None:
    for each in there:
        if each.get("token") and each.get("application_id") == str(application_id):
            return each
    return None


def _refused(error: discord.HTTPException, language: Language) -> NoReturn:
    reason = " ".join((error.text or f"HTTP {error.status}").split())[:200]
    raise UserError(
        texts.DISCORD_REFUSED.say(language, reason=reason), code="discord_refused"
    ) from error

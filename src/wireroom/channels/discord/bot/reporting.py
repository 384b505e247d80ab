"""Whoever added a webhook is told once when it takes nothing more: by a direct message, never in a
channel that others read."""

from collections.abc import Mapping
from typing import Any, Final, cast

import discord
import structlog

from wireroom import guilds
from wireroom.catalogue import Language, language_of
from wireroom.catalogue import discord as texts
from wireroom.catalogue.refusals import in_words
from wireroom.channels.discord.bot import embeds
from wireroom.channels.discord.bot.desk import Desk
from wireroom.channels.discord.bot.replies import MOST_TEXT, NOBODY
from wireroom.channels.discord.cutting import shortened
from wireroom.errors import StoreError
from wireroom.guilds import Ended

log = structlog.get_logger(__name__)

#: How often is looked, besides at every bell.
_TICK_SECONDS: Final = 60.0
_MOST_TITLES: Final = 10


async def report_forever(desk: Desk, client: discord.Client) -> None:
    """Tell of every end until cancelled."""
    heard = desk.bell.rings
    while True:
        try:
            await report(desk, client)
        except StoreError as error:
            log.warning("ends not looked for", error=str(error))
        except Exception:  # a mistake of ours: the next end is told of all the same
            log.exception("ends not told of")
        heard = await desk.bell.wait(heard, _TICK_SECONDS)


async def report(desk: Desk, client: discord.Client) -> None:
    """Tell of the ends that nobody was told of yet."""
    for ended in await guilds.take_ends(desk.polling):
        guild = await _guild(client, ended.guild_id)
        said = words(ended, language_of(guild.get("preferred_locale")))
        people = dict.fromkeys((ended.added_by, guild.get("owner_id") or ended.added_by))
        for person in people:  # the server's owner, where whoever added it takes no messages
            if await _tell(client, person, said):
                break
        else:
            log.warning("nobody could be told of a webhook's end", guild=ended.guild_id)


async def _guild(client: discord.Client, guild_id: str) -> Mapping[str, Any]:
    """A server as Discord describes it; empty when the bot is there no more."""
    try:
        return cast("Mapping[str, Any]", await client.http.get_guild(int(guild_id)))
    except discord.HTTPException:
        return {}


def words(ended: Ended, spoken: Language) -> str:
    """What took its end, why, and what to do (pure)."""
    titles = [embeds.plain(each, 80) or "–" for each in ended.feed_titles[:_MOST_TITLES]]
    more = len(ended.feed_titles) - len(titles)
    return shortened(
        texts.WEBHOOK_ENDED.say(
            spoken,
            place=f"<#{ended.channel_id}>",
            reason=embeds.plain(in_words(ended.reason, spoken), 200),
            feeds=", ".join(titles) + (f" +{more}" if more > 0 else "") or "–",
        ),
        MOST_TEXT,
    )


async def _tell(client: discord.Client, person: str, said: str) -> bool:
    try:
        there: Any = await client.create_dm(discord.Object(int(person)))
        await there.send(said, allowed_mentions=NOBODY)
    except (discord.HTTPException, ValueError) as error:
        log.info("a direct message was not taken", why=type(error).__name__)
        return False
    return True

"""The feed that somebody means, among those of the server."""

import asyncio
from typing import Any, Final

import discord
from discord import app_commands

from wireroom import doors, guilds
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import embeds
from wireroom.channels.discord.bot.answering import bot_of, seconds_left
from wireroom.channels.discord.bot.desk import GUILD, Desk, Visitor
from wireroom.channels.discord.bot.references import check_no_webhook, is_same_address, reference
from wireroom.errors import NotFound, StoreError, UserError
from wireroom.guilds import Guild, GuildFeed, NamedFeed
from wireroom.store.doors import Door

#: Discord shows no more, and waits no longer for them than 3 seconds.
MOST_SUGGESTIONS: Final = 25


def guild_of(visitor: Visitor) -> Guild:
    return Guild(visitor.guild_id, visitor.account_id)


async def find(desk: Desk, visitor: Visitor, typed: str) -> GuildFeed:
    """Raises NotFound, for other servers' feeds as well, and UserError where several are meant."""
    meant = reference(typed)
    if isinstance(meant, int):
        return await guilds.find_feed(desk.database, guild_of(visitor), meant)
    check_no_webhook(meant)
    listed = await guilds.name_feeds(desk.database, guild_of(visitor))
    found = [each for each in listed if each.url == meant] or [
        each for each in listed if is_same_address(meant, each.url)
    ]
    if not found:
        raise NotFound(texts.UNKNOWN_FEED.en, code="unknown_feed")
    if len(found) > 1:
        numbers = ", ".join(f"#{each.id}" for each in found)
        raise UserError(
            texts.AMBIGUOUS.say(visitor.language, numbers=numbers), code="ambiguous_feed"
        )
    return await guilds.find_feed(desk.database, guild_of(visitor), found[0].id)


async def suggest(
    interaction: discord.Interaction[Any], typed: str
) -> list[app_commands.Choice[str]]:
    """Feeds of the server whose name or address holds what was typed so far."""
    if interaction.guild_id is None:
        return []
    try:
        async with asyncio.timeout(seconds_left(interaction)):
            listed = await _named(bot_of(interaction).desk, str(interaction.guild_id))
    except (StoreError, TimeoutError):
        return []  # what is typed is looked at once more, and then told about
    return choices(listed, typed)


async def _named(desk: Desk, guild_id: str) -> list[NamedFeed]:
    account_id = await doors.account_of(desk.database, Door(GUILD, guild_id))
    if account_id is None:
        return []
    return await guilds.name_feeds(desk.database, Guild(guild_id, account_id))


def choices(listed: list[NamedFeed], typed: str) -> list[app_commands.Choice[str]]:
    """Those that start with it come first, then those that hold it."""
    wanted = typed.strip().removeprefix("#").casefold()

    def fits(feed: NamedFeed) -> int:
        texts_ = (str(feed.id), feed.title.casefold(), feed.url.casefold())
        if any(text.startswith(wanted) for text in texts_):
            return 2
        return int(any(wanted in text for text in texts_))

    fitting = sorted((each for each in listed if fits(each)), key=lambda each: -fits(each))
    return [
        app_commands.Choice(name=embeds.short(f"#{each.id} {each.title}", 100), value=str(each.id))
        for each in fitting[:MOST_SUGGESTIONS]
    ]

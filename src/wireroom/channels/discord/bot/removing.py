"""`/rss remove`."""

from wireroom import guilds
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import embeds
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import find, guild_of
from wireroom.channels.discord.bot.replies import Reply


async def remove(desk: Desk, visitor: Visitor, typed: str) -> Reply:
    """Post a feed no longer. What else goes through its webhook stays."""
    feed = await find(desk, visitor, typed)
    await guilds.disconnect(desk.polling, guild_of(visitor), feed)
    name = embeds.plain(feed.title, embeds.MOST_NAME)
    return Reply(texts.REMOVED.say(visitor.language, name=name, url=feed.url), private=False)

"""`/rss pause` and `resume`."""

from datetime import timedelta

from wireroom import guilds, routing
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import embeds, references
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import find, guild_of
from wireroom.channels.discord.bot.replies import Reply
from wireroom.errors import UserError
from wireroom.guilds import GuildFeed


async def pause(desk: Desk, visitor: Visitor, typed: str, how_long: str) -> Reply:
    """Post nothing of a feed, or of all, for a while."""
    meant = await _meant(desk, visitor, typed)
    wait: timedelta | None = references.interval(how_long) if how_long else None
    until = desk.now() + wait if wait is not None else None
    for feed in meant:
        await routing.pause(
            desk.database, visitor.account_id, feed.id, now=desk.now(), until=until
        )
    spoken = visitor.language
    said = (
        texts.UNTIL_RESUMED.say(spoken)
        if until is None
        else texts.UNTIL.say(spoken, when=embeds.relative(until))
    )
    return Reply(texts.PAUSED_NOW.say(spoken, len(meant), until=said), private=False)


async def resume(desk: Desk, visitor: Visitor, typed: str, newest: int | None) -> Reply:
    """Go on, with all that waited or with the newest of it."""
    meant = await _meant(desk, visitor, typed)
    for feed in meant:
        await routing.resume(
            desk.database, visitor.account_id, feed.id, now=desk.now(), newest=newest
        )
    desk.bell.ring()
    return Reply(texts.RESUMED.say(visitor.language, len(meant)), private=False)


async def _meant(desk: Desk, visitor: Visitor, typed: str) -> list[GuildFeed]:
    """One feed, or all of the server. Raises UserError where there is none."""
    if typed:
        return [await find(desk, visitor, typed)]
    listed = await guilds.list_feeds(desk.database, guild_of(visitor))
    if not listed:
        raise UserError(texts.UNKNOWN_FEED.en, code="unknown_feed")
    return listed

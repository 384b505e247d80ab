"""`/rss status`: what needs attention, worst first, and when it is tried again."""

from collections.abc import Sequence
from typing import Final

from wireroom import guilds
from wireroom.catalogue import discord as texts
from wireroom.catalogue.refusals import in_words
from wireroom.channels.discord.bot import embeds, listing
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import guild_of
from wireroom.channels.discord.bot.replies import Reply
from wireroom.guilds import GuildFeed

MOST_ERROR: Final = 200


async def status(desk: Desk, visitor: Visitor) -> Reply:
    """Failing feeds and places that take nothing; or that all is well."""
    listed = await guilds.list_feeds(desk.database, guild_of(visitor))
    ailing = sorted((each for each in listed if _is_ailing(each)), key=_badness, reverse=True)
    if not ailing:
        return Reply(texts.ALL_WELL.say(visitor.language))
    return Reply(embeds=(report(visitor, ailing, color=desk.error_color),))


def report(visitor: Visitor, ailing: Sequence[GuildFeed], *, color: int) -> embeds.Embed:
    """The first 25 of these feeds, and how many more there are (pure)."""
    room = embeds.share(len(ailing))
    fields = [_field(visitor, each, room) for each in ailing]
    return embeds.embed(texts.STATUS_TITLE.say(visitor.language), fields, color=color)


def _is_ailing(feed: GuildFeed) -> bool:
    return bool(feed.failure_count or feed.disabled_at or feed.suspended_at or feed.attempts)


def _badness(feed: GuildFeed) -> tuple[bool, int, int]:
    is_dead = feed.suspended_at is not None or feed.disabled_at is not None
    return is_dead, feed.failure_count, feed.attempts


def _field(visitor: Visitor, feed: GuildFeed, room: int) -> embeds.Field:
    most = min(MOST_ERROR, room // 4)
    told = "\n".join((*_of_feed(visitor, feed, most), *_of_place(visitor, feed, most)))
    return listing.named(feed, room), listing.with_address(feed, told, room), False


def _of_feed(visitor: Visitor, feed: GuildFeed, most: int) -> list[str]:
    spoken = visitor.language
    lines = []
    if feed.failure_count:
        error = embeds.plain(in_words(feed.last_error, spoken), most)
        lines.append(f"{texts.FAILURES.say(spoken, feed.failure_count)}: {error}")
    if feed.disabled_at is not None:
        reason = embeds.plain(in_words(feed.disabled_reason, spoken), most)
        lines.append(texts.NO_NEXT_TRY.say(spoken, reason=reason))
    elif feed.failure_count and feed.next_poll_at is not None:
        lines.append(texts.NEXT_TRY.say(spoken, when=embeds.relative(feed.next_poll_at)))
    return lines


def _of_place(visitor: Visitor, feed: GuildFeed, most: int) -> list[str]:
    """What is wrong with the webhook, which says nothing of the feed (DCD-12, DCD-13)."""
    spoken = visitor.language
    lines = []
    if feed.suspended_at is not None:
        reason = embeds.plain(in_words(feed.suspended_reason, spoken), most)
        lines.append(f"<#{feed.posts_in}>: {texts.NOT_SENT.say(spoken, reason=reason)}")
    if feed.waiting and (feed.suspended_at is not None or feed.attempts):
        lines.append(texts.WAITING.say(spoken, feed.waiting))
    return lines

"""`/rss status`: what needs attention, worst first, and when it is tried again."""

from typing import Final

from wireroom import guilds
from wireroom.catalogue import discord as texts
from wireroom.catalogue.refusals import in_words
from wireroom.channels.discord.bot import embeds
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import guild_of
from wireroom.channels.discord.bot.replies import Reply
from wireroom.guilds import GuildFeed

MOST_SHOWN: Final = 25
MOST_ERROR: Final = 200


async def status(desk: Desk, visitor: Visitor) -> Reply:
    """Failing feeds and places that take nothing; or that all is well."""
    listed = await guilds.list_feeds(desk.database, guild_of(visitor))
    ailing = sorted((each for each in listed if _is_ailing(each)), key=_badness, reverse=True)
    if not ailing:
        return Reply(texts.ALL_WELL.say(visitor.language))
    fields = [_field(visitor, each) for each in ailing[:MOST_SHOWN]]
    title = texts.STATUS_TITLE.say(visitor.language)
    return Reply(embeds=(embeds.embed(title, fields, color=desk.error_color),))


def _is_ailing(feed: GuildFeed) -> bool:
    return bool(feed.failure_count or feed.disabled_at or feed.suspended_at or feed.attempts)


def _badness(feed: GuildFeed) -> tuple[bool, int, int]:
    is_dead = feed.suspended_at is not None or feed.disabled_at is not None
    return is_dead, feed.failure_count, feed.attempts


def _field(visitor: Visitor, feed: GuildFeed) -> embeds.Field:
    lines = [
        embeds.address(feed.url, 300),
        *_of_feed(visitor, feed),
        *_of_place(visitor, feed),
    ]
    name = f"#{feed.id} {embeds.short(' '.join(feed.title.split()), embeds.MOST_NAME)}"
    return name, "\n".join(lines), False


def _of_feed(visitor: Visitor, feed: GuildFeed) -> list[str]:
    spoken = visitor.language
    lines = []
    if feed.failure_count:
        error = embeds.plain(in_words(feed.last_error, spoken), MOST_ERROR)
        lines.append(f"{texts.FAILURES.say(spoken, feed.failure_count)}: {error}")
    if feed.disabled_at is not None:
        reason = embeds.plain(in_words(feed.disabled_reason, spoken), MOST_ERROR)
        lines.append(texts.NO_NEXT_TRY.say(spoken, reason=reason))
    elif feed.failure_count and feed.next_poll_at is not None:
        lines.append(texts.NEXT_TRY.say(spoken, when=embeds.relative(feed.next_poll_at)))
    return lines


def _of_place(visitor: Visitor, feed: GuildFeed) -> list[str]:
    """What is wrong with the webhook, which says nothing of the feed (DCD-12, DCD-13)."""
    spoken = visitor.language
    lines = []
    if feed.suspended_at is not None:
        reason = embeds.plain(in_words(feed.suspended_reason, spoken), MOST_ERROR)
        lines.append(f"<#{feed.posts_in}>: {texts.NOT_SENT.say(spoken, reason=reason)}")
    if feed.waiting and (feed.suspended_at is not None or feed.attempts):
        lines.append(texts.WAITING.say(spoken, feed.waiting))
    return lines

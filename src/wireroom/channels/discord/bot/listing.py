"""`/rss list`: the feeds of a server, a few on a page, with buttons that outlive the process."""

from datetime import datetime

from wireroom import guilds
from wireroom.catalogue import discord as texts
from wireroom.catalogue.refusals import in_words
from wireroom.channels.discord.bot import buttons, embeds
from wireroom.channels.discord.bot.adding import interval_of
from wireroom.channels.discord.bot.buttons import Button
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import guild_of
from wireroom.channels.discord.bot.replies import Reply
from wireroom.delivery.richtext import units
from wireroom.guilds import GuildFeed

PAGE = "page"


async def show(desk: Desk, visitor: Visitor, page: int = 0, *, turned: bool = False) -> Reply:
    """A page of the list; `turned` by a button, it takes the place of the page before."""
    page, pages, shown = await guilds.page_of_feeds(
        desk.database, guild_of(visitor), page, desk.page_size
    )
    if not shown:
        return Reply(texts.LIST_EMPTY.say(visitor.language), replaces=turned)
    now = desk.now()
    made = embeds.embed(
        texts.LIST_TITLE.say(
            visitor.language, server=embeds.plain(visitor.guild_name, 200) or "Discord"
        ),
        [line(visitor, each, now, embeds.share(len(shown))) for each in shown],
        footer=texts.PAGE.say(visitor.language, page=page + 1, pages=pages),
    )
    row = (_turn(visitor, page - 1, pages), _turn(visitor, page + 1, pages, forward=True))
    return Reply(embeds=(made,), rows=(row,) if pages > 1 else (), private=False, replaces=turned)


def _turn(visitor: Visitor, page: int, pages: int, *, forward: bool = False) -> Button:
    text = texts.FOLLOWING if forward else texts.PREVIOUS
    # Two buttons of one message must differ in name, also at the ends.
    name = buttons.name(PAGE, "next" if forward else "prev", max(0, page))
    return Button(text.say(visitor.language), name, disabled=not 0 <= page < pages)


def line(visitor: Visitor, feed: GuildFeed, now: datetime, room: int) -> embeds.Field:
    """Number and name; address, type, interval, last asked, and what is wrong.

    `room` is for all of it; names and addresses are shortened where there are many.
    """
    spoken = visitor.language
    asked = (
        texts.POLLED.say(spoken, when=embeds.relative(feed.last_attempt_at))
        if feed.last_attempt_at
        else texts.NEVER_POLLED.say(spoken)
    )
    parts = [f"{feed.feed_type} · {interval_of(visitor, feed)} · {asked} · <#{feed.posts_in}>"]
    if feed.disabled_at is not None:
        reason = embeds.plain(in_words(feed.disabled_reason, spoken), 200)
        parts.append(texts.LIST_DISABLED.say(spoken, reason=reason))
    elif feed.failure_count:
        parts.append(texts.FAILURES.say(spoken, feed.failure_count))
    if feed.paused_until is not None and feed.paused_until > now:
        parts.append(paused(visitor, feed))
    if feed.suspended_at is not None:
        reason = embeds.plain(in_words(feed.suspended_reason, spoken), min(200, room // 4))
        parts.append(texts.NOT_SENT.say(spoken, reason=reason))
    return named(feed, room), with_address(feed, "\n".join(parts), room), False


def named(feed: GuildFeed, room: int) -> str:
    """Number and name of a field that may be so long as a whole."""
    return f"#{feed.id} {embeds.plain(feed.title, min(embeds.MOST_NAME, room // 4))}"


def with_address(feed: GuildFeed, told: str, room: int) -> str:
    """The feed's address above what is told of it, in the room that both and the name have."""
    most = min(500, room - units(named(feed, room)) - units(told) - 3)
    return f"{embeds.address(feed.url, max(40, most))}\n{told}"


def paused(visitor: Visitor, feed: GuildFeed) -> str:
    until = feed.paused_until
    if until is None or until.year > 9000:
        return texts.PAUSED.say(visitor.language)
    return texts.PAUSED_UNTIL.say(visitor.language, when=embeds.relative(until))

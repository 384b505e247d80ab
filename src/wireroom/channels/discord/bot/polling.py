"""`/rss poll` and `find`: looking now instead of waiting."""

import asyncio

from wireroom import guilds, routing, subscribing
from wireroom.catalogue import discord as texts
from wireroom.catalogue import fates
from wireroom.catalogue.refusals import in_words
from wireroom.channels.discord.bot import adding, embeds, previews
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import find, guild_of
from wireroom.channels.discord.bot.references import addresses, check_no_webhook
from wireroom.channels.discord.bot.replies import Reply
from wireroom.errors import FeedUnavailable
from wireroom.guilds import GuildFeed

#: How often one looks whether the news are out.
_LOOK_SECONDS = 0.2


async def poll(desk: Desk, visitor: Visitor, typed: str) -> Reply:
    """Ask a feed now. What is new goes its usual way, once and in order; otherwise the newest
    entry is posted again (DCC-22, DCC-23)."""
    feed = await find(desk, visitor, typed)
    name = _name(feed)
    try:
        finished = await subscribing.refresh_now(desk.polling, feed.feed_id, owner=desk.owner)
    except FeedUnavailable as error:
        why = texts.refusal(error, visitor.language)
        return Reply(texts.POLL_FAILED.say(visitor.language, name=name, reason=why))
    desk.bell.ring()
    if not finished.succeeded:
        wrong = in_words(finished.error or finished.outcome, visitor.language)
        reason = embeds.plain(wrong, 500)
        return Reply(texts.POLL_FAILED.say(visitor.language, name=name, reason=reason))
    feed = await guilds.find_feed(desk.database, guild_of(visitor), feed.id)
    if feed.waiting:
        return await _on_their_way(desk, visitor, feed)
    return await _post_newest(desk, visitor, feed)


async def _on_their_way(desk: Desk, visitor: Visitor, feed: GuildFeed) -> Reply:
    """Wait a little for the outbox, to say what came of it."""
    spoken, name, news = visitor.language, _name(feed), feed.waiting
    held = await _held_back(desk, visitor, feed)
    patience = 0.0 if held else desk.outbox_seconds
    while feed.waiting and not feed.attempts and feed.suspended_at is None and patience > 0:
        await asyncio.sleep(_LOOK_SECONDS)
        patience -= _LOOK_SECONDS
        feed = await guilds.find_feed(desk.database, guild_of(visitor), feed.id)
    if feed.suspended_at is not None:
        reason = in_words(feed.suspended_reason, spoken)
        why = texts.MESSAGE_REFUSED.say(spoken, reason=reason)
        return Reply(texts.REJECTED.say(spoken, name=name, why=why))
    if not feed.waiting:
        return Reply(texts.PUSHED.say(spoken, name=name), private=False)
    if held := held or await _held_back(desk, visitor, feed):
        return Reply(texts.HELD_BACK.say(spoken, news, name=name, why=held), private=False)
    return Reply(texts.ON_THEIR_WAY.say(spoken, news, name=name), private=False)


async def _held_back(desk: Desk, visitor: Visitor, feed: GuildFeed) -> str:
    """Why what waits does not go out by itself now, such as for a pause or a digest; "" if it
    does."""
    said = await routing.why(
        desk.database,
        visitor.account_id,
        feed.id,
        feed.last_seq,
        now=desk.now(),
        language=visitor.language,
    )
    return "" if said == fates.QUEUED.say(visitor.language) else said


async def _post_newest(desk: Desk, visitor: Visitor, feed: GuildFeed) -> Reply:
    """Post the newest entry that passes once more, so that people see it works."""
    spoken, name = visitor.language, _name(feed)
    # What still waits comes by itself, once.
    sample = await previews.newest(desk, feed, through=feed.cursor)
    if sample is None:
        nothing = texts.NONE_POSTED if feed.last_seq else texts.NO_ENTRIES
        return Reply(nothing.say(spoken, name=name))
    outcome = await previews.send(desk, sample)
    if not outcome.is_posted:
        why = adding.reason_of(visitor, outcome.answer)
        return Reply(texts.REJECTED.say(spoken, name=name, why=why))
    await previews.note(desk, feed, sample, outcome, fates.BY_HAND, goes_on=False)
    return Reply(texts.PUSHED.say(spoken, name=name), private=False)


async def find_feeds(desk: Desk, visitor: Visitor, typed: str) -> Reply:
    """What an address has to offer, without following any of it."""
    url = addresses(typed)[0]
    check_no_webhook(url)
    found = await subscribing.candidates(desk.polling, url, owner=desk.owner)
    fields = [
        (embeds.plain(each.title or each.url, 200), embeds.address(each.url, 1000), False)
        for each in found[: embeds.MOST_FIELDS]
    ]
    title = texts.FOUND.say(visitor.language, url=embeds.short(url, 200))
    return Reply(embeds=(embeds.embed(title, fields),))


def _name(feed: GuildFeed) -> str:
    return f"#{feed.id} **{embeds.plain(feed.title, embeds.MOST_NAME)}**"

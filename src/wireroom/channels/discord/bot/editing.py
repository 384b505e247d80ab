"""`/rss edit`, `interval`, `reset` and `clone`: changes that keep a feed's number."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from wireroom import following, guilds, subscribing
from wireroom.catalogue import discord as texts
from wireroom.catalogue import fates
from wireroom.channels.discord.bot import adding, embeds, previews, references, wanting
from wireroom.channels.discord.bot.adding import Order, interval_of
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import find, guild_of
from wireroom.channels.discord.bot.previews import Outcome, Sample
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.bot.webhooks import Place, Webhooks
from wireroom.errors import Conflict, UserError
from wireroom.feeds.adapters import CHOICES
from wireroom.guilds import GuildFeed


@dataclass(frozen=True, slots=True)
class Changes:
    """What /rss edit was asked to change; "" or None leaves a thing as it is."""

    name: str = ""
    webhook: str = ""
    place: Place | None = None
    interval: str = ""
    feed_type: str = ""


async def edit(
    desk: Desk, visitor: Visitor, webhooks: Webhooks, typed: str, changes: Changes
) -> Reply:
    """Change what was named. What can fail comes first, and then nothing has changed."""
    feed = await find(desk, visitor, typed)
    if changes == Changes():
        return Reply(texts.NOTHING_TO_CHANGE.say(visitor.language))
    wanted = references.interval(changes.interval) if changes.interval else None
    there = None
    if changes.webhook or changes.place:
        order = Order(webhook=changes.webhook, place=changes.place)
        there = await adding.spot(desk, visitor, webhooks, order)
        if changes.place and not changes.webhook:
            await wanting.check_tags(webhooks, changes.place, feed.settings, visitor.language)
    if changes.feed_type and changes.feed_type != feed.feed_type:
        feed = await _retyped(desk, visitor, feed, changes.feed_type)
    if there is not None:
        await guilds.redirect(desk.polling, guild_of(visitor), feed, there.target, there.webhook)
    if changes.interval:
        await subscribing.set_interval(
            desk.polling, visitor.account_id, feed.subscription_id, wanted
        )
    if changes.name:
        await following.rename_subscription(
            desk.database, visitor.account_id, feed.subscription_id, changes.name
        )
    desk.bell.ring()
    feed = await guilds.find_feed(desk.database, guild_of(visitor), feed.id)
    return Reply(embeds=(_told(visitor, feed, changes),), private=bool(changes.webhook))


def _told(visitor: Visitor, feed: GuildFeed, changes: Changes) -> embeds.Embed:
    spoken = visitor.language
    fields = []
    if changes.name:
        fields.append((texts.F_NAME.say(spoken), embeds.plain(feed.title, 256), True))
    if changes.webhook:  # the address is a secret, and stays one
        fields.append((texts.F_WEBHOOK.say(spoken), texts.UPDATED_SECRET.say(spoken), True))
    if changes.place:
        fields.append((texts.F_PLACE.say(spoken), f"<#{feed.posts_in}>", True))
    if changes.interval:
        fields.append((texts.F_INTERVAL.say(spoken), interval_of(visitor, feed), True))
    if changes.feed_type:
        fields.append((texts.F_TYPE.say(spoken), feed.feed_type, True))
    name = f"#{feed.id} {embeds.plain(feed.title, 200)}"
    return embeds.embed(texts.UPDATED.say(spoken), fields, text=name)


async def _retyped(desk: Desk, visitor: Visitor, feed: GuildFeed, feed_type: str) -> GuildFeed:
    """The same feed read in another way, its newest entry posted to show it. Raises UserError."""
    if feed_type not in CHOICES:
        raise UserError(
            f"There is no type {feed_type!r}; there are: {', '.join(CHOICES)}.",
            code="invalid_setting",
        )
    guild = guild_of(visitor)
    followed = await subscribing.subscribe(
        desk.polling, visitor.account_id, feed.url, owner=desk.owner, adapter=feed_type
    )
    try:
        shown = await _prove(desk, visitor, feed, followed.feed_id)
    except UserError:
        if not followed.existing:
            await subscribing.unsubscribe(
                desk.polling, visitor.account_id, followed.subscription_id
            )
        raise
    await guilds.follow_instead(desk.polling, guild, feed, followed.subscription_id)
    if shown is not None:
        await previews.note(desk, feed, *shown, fates.SHOWN_ON_ADDING, goes_on=True)
    if feed.interval_seconds is not None:
        wanted = timedelta(seconds=feed.interval_seconds)
        await subscribing.set_interval(
            desk.polling, visitor.account_id, followed.subscription_id, wanted
        )
    if feed.custom_title:
        await following.rename_subscription(
            desk.database, visitor.account_id, followed.subscription_id, feed.custom_title
        )
    return await adding.with_icon(desk, visitor, feed.id)


async def _prove(
    desk: Desk, visitor: Visitor, feed: GuildFeed, feed_id: int
) -> tuple[Sample, Outcome] | None:
    """Post the newest entry of another feed where this one goes. Raises UserError."""
    for each in await guilds.list_feeds(desk.database, guild_of(visitor)):
        if each.feed_id == feed_id:
            raise Conflict(f"This feed is read like that already, as #{each.id}.")
    # What is still to come comes by itself, once.
    through = await guilds.cursor_in(desk.database, feed, feed_id)
    sample = await previews.newest(desk, feed, of_feed=feed_id, through=through)
    if sample is None:
        return None
    outcome = await previews.send(desk, sample)
    if not outcome.is_posted:
        raise UserError(adding.reason_of(visitor, outcome.answer), code="discord_refused")
    return sample, outcome


async def interval(desk: Desk, visitor: Visitor, typed: str, wanted: str) -> Reply:
    """How often a feed is asked, raised to the operator's minimum (DCC-20)."""
    feed = await find(desk, visitor, typed)
    await subscribing.set_interval(
        desk.polling, visitor.account_id, feed.subscription_id, references.interval(wanted)
    )
    feed = await guilds.find_feed(desk.database, guild_of(visitor), feed.id)
    said = texts.INTERVAL_SET.say(
        visitor.language,
        number=feed.id,
        name=embeds.plain(feed.title, embeds.MOST_NAME),
        interval=interval_of(visitor, feed),
    )
    return Reply(said, private=False)


async def reset(desk: Desk, visitor: Visitor) -> Reply:
    """Read all feeds in full once; only what is new is announced (DCC-21)."""
    listed = await guilds.list_feeds(desk.database, guild_of(visitor))
    if not listed:
        return Reply(texts.LIST_EMPTY.say(visitor.language))
    count = await guilds.read_in_full(desk.polling, guild_of(visitor))
    desk.bell.ring()
    return Reply(texts.RESET_DONE.say(visitor.language, count), private=False)


async def clone(
    desk: Desk, visitor: Visitor, webhooks: Webhooks, typed: str, copy: "Copy"
) -> Reply:
    """A feed's settings once more: elsewhere, for another feed, or onto one that is here."""
    feed = await find(desk, visitor, typed)
    if copy.onto:
        return await _onto(desk, visitor, feed, copy.onto)
    if copy.place is None and not copy.feed_url:
        return Reply(texts.CLONE_WHAT.say(visitor.language))
    order = await _like(desk, feed, copy)
    if order.place is not None:
        there = await adding.spot(desk, visitor, webhooks, order)
        await wanting.check_tags(webhooks, order.place, feed.settings, visitor.language)
    else:
        target, webhook = await guilds.place(desk.database, guild_of(visitor), feed.destination_id)
        there = adding.Spot(replace(target, settings=feed.settings), webhook)
    if copy.feed_url:
        return await adding.add(desk, visitor, copy.feed_url, there, order)
    await _check_elsewhere(
        desk, visitor, feed, there.webhook.thread_id or there.webhook.channel_id
    )
    once_more = adding.as_subscribed(feed)
    return await adding.connect(desk, visitor, once_more, there, order, once_here=False)


@dataclass(frozen=True, slots=True)
class Copy:
    """Where a feed's settings go."""

    place: Place | None = None
    feed_url: str = ""
    onto: str = ""


async def _like(desk: Desk, feed: GuildFeed, copy: Copy) -> Order:
    wanted = timedelta(seconds=feed.interval_seconds) if feed.interval_seconds else None
    return Order(
        place=copy.place,
        interval=wanted if copy.feed_url else None,
        feed_type=feed.feed_type,
        settings=feed.settings,
    )


async def _check_elsewhere(desk: Desk, visitor: Visitor, feed: GuildFeed, posts_in: str) -> None:
    for each in await guilds.list_feeds(desk.database, guild_of(visitor)):
        if each.subscription_id == feed.subscription_id and each.posts_in == posts_in:
            raise Conflict(f"That feed goes there already, as #{each.id}.")


async def _onto(desk: Desk, visitor: Visitor, feed: GuildFeed, typed: str) -> Reply:
    other = await find(desk, visitor, typed)
    if other.id == feed.id:
        return Reply(texts.CLONE_WHAT.say(visitor.language))
    settings: dict[str, Any] = dict(feed.settings)
    await guilds.set_settings(desk.polling, guild_of(visitor), other.id, settings)
    said = texts.COPIED.say(
        visitor.language,
        name=embeds.plain(feed.title, 100),
        other=embeds.plain(other.title, 100),
    )
    return Reply(said, private=False)

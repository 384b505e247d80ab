"""`/rss add`: follow feeds and let their news appear in a channel, thread or forum.

The newest entry is posted at once. It shows how entries will look, and that the place takes
messages: what Discord refuses is not followed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final

from wireroom import guilds, subscribing
from wireroom.catalogue import discord as texts
from wireroom.catalogue import fates
from wireroom.catalogue.refusals import in_words
from wireroom.channels.discord import webhook_url
from wireroom.channels.discord.bot import embeds, previews
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import guild_of
from wireroom.channels.discord.bot.references import check_no_webhook, is_same_address
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.bot.webhooks import Place, Webhooks
from wireroom.delivery.channel import Address, Answer, Sent, TryLater
from wireroom.errors import NotAllowed, UserError
from wireroom.feeds import urls
from wireroom.feeds.adapters import GENERIC
from wireroom.guilds import GuildFeed, NamedFeed, Webhook
from wireroom.subscribing import Choice, Subscribed, Target

#: Most entries that may be posted at once when a feed is added.
MOST_NEWEST: Final = 50


@dataclass(frozen=True, slots=True)
class Order:
    """How feeds are to be followed."""

    #: A webhook's address that somebody brought; else `place` gets one.
    webhook: str = ""
    place: Place | None = None
    interval: timedelta | None = None
    feed_type: str = GENERIC
    name: str = ""
    newest: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_plain(self) -> bool:
        """Nothing is asked for but the feed, here."""
        return self == Order(self.webhook, self.place)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the messages go, ready to be kept."""

    target: Target
    webhook: Webhook

    def wishing(self, settings: Mapping[str, Any]) -> "Spot":
        """The same place with other wishes about what goes there."""
        return replace(self, target=replace(self.target, settings=settings))


async def spot(desk: Desk, visitor: Visitor, webhooks: Webhooks, order: Order) -> Spot:
    """The webhook for an order: the one that was brought, ours, or a new one. Raises UserError."""
    if order.webhook:
        address = webhook_url.parse(order.webhook)
        facts = await webhooks.look(address, visitor.language)
        place, is_ours = Place(facts.channel_id, webhook_url.read(address)[1]), False
    else:
        assert order.place is not None
        place, is_ours = order.place, True
        if not place.is_theirs:
            said = texts.MAY_NOT_POST.say(visitor.language, channel=place.mention)
            raise NotAllowed(said, code="may_not_post")
        address = await _ours(desk, visitor, webhooks, place)
    target = Target(
        "discord",
        address.public,
        desk.vault.seal(address.secret),
        title=f"Discord {webhook_url.shown(address)}",
        settings=order.settings,
    )
    noted = Webhook(visitor.guild_id, place.channel_id, place.thread_id, visitor.user_id, is_ours)
    return Spot(target, noted)


async def _ours(desk: Desk, visitor: Visitor, webhooks: Webhooks, place: Place) -> Address:
    known = await guilds.own_webhook(desk.database, guild_of(visitor), place.channel_id)
    if known is None:
        return await webhooks.make(place, visitor.language)
    number, sealed = known
    thread = f"?thread_id={place.thread_id}" if place.thread_id else ""
    address = Address(f"{number}{thread}", desk.vault.open(sealed))
    try:
        await webhooks.look(address, visitor.language)
    except UserError:  # somebody deleted it in Discord
        return await webhooks.make(place, visitor.language)
    return address


# -- one feed -------------------------------------------------------------------------------------


async def add(desk: Desk, visitor: Visitor, url: str, there: Spot, order: Order) -> Reply:
    """Follow one feed. Raises UserError with nothing followed."""
    found = await follow(desk, visitor, url, order)
    if isinstance(found, Choice):
        shown, _ = urls.without_user_info(url)
        said = texts.SEVERAL_LISTED.say(visitor.language, url=f"<{shown}>")
        return Reply("\n".join([said, *(f"<{each.url}>" for each in found.offered)]))
    if isinstance(found, Reply):
        return found
    return await connect(desk, visitor, found, there, order)


async def follow(
    desk: Desk, visitor: Visitor, url: str, order: Order
) -> Subscribed | Choice | Reply:
    """Follow a feed, or several to choose from, or say that it is here already."""
    check_no_webhook(url)
    present = await guilds.name_feeds(desk.database, guild_of(visitor))
    if twin := _twin(present, url, order.feed_type):
        return _already(visitor, twin)
    found = await _followed(desk, visitor, url, order)
    if isinstance(found, Subscribed):
        for each in present:
            if each.feed_id == found.feed_id:
                return _already(visitor, each)
    return found


def _twin(present: list[NamedFeed], url: str, feed_type: str) -> NamedFeed | None:
    for each in present:
        if each.feed_type == feed_type and is_same_address(url, each.url):
            return each
    return None


def _already(visitor: Visitor, twin: NamedFeed) -> Reply:
    said = texts.ALREADY_HERE.say(visitor.language, url=f"<{twin.url}>", number=twin.id)
    return Reply(said)


async def _followed(desk: Desk, visitor: Visitor, url: str, order: Order) -> Subscribed | Choice:
    if order.feed_type == GENERIC:
        return await subscribing.subscribe_or_choose(
            desk.polling, visitor.account_id, url, owner=desk.owner
        )
    return await subscribing.subscribe(
        desk.polling, visitor.account_id, url, owner=desk.owner, adapter=order.feed_type
    )


async def connect(
    desk: Desk,
    visitor: Visitor,
    followed: Subscribed,
    there: Spot,
    order: Order,
    *,
    once_here: bool = True,
) -> Reply:
    """Let a subscription appear in its place, or take everything back and say why.

    It is in the server once, unless it is asked for in a second place.
    """
    guild = guild_of(visitor)
    backlog = order.newest if order.newest > 1 else 0
    target = replace(there.target, initial_items=backlog)
    try:
        number = await guilds.connect(
            desk.polling,
            guild,
            followed.subscription_id,
            target,
            there.webhook,
            once_here=once_here,
        )
    except UserError:
        if not followed.existing:
            await subscribing.unsubscribe(
                desk.polling, visitor.account_id, followed.subscription_id
            )
        raise
    feed = await with_icon(desk, visitor, number)
    sent = await proof(desk, feed) if order.newest == 1 else None
    if sent is not None and not isinstance(sent, Sent):
        await guilds.disconnect(desk.polling, guild, feed)
        return Reply(refused(visitor, sent))
    await _dress(desk, visitor, feed, order)
    desk.bell.ring()
    feed = await guilds.find_feed(desk.database, guild, number)
    return Reply(embeds=(_added(visitor, feed, _start(visitor, feed, sent, order)),))


async def with_icon(desk: Desk, visitor: Visitor, number: int) -> GuildFeed:
    """A feed without a picture of its own gets its site's (DCD-03)."""
    feed = await guilds.find_feed(desk.database, guild_of(visitor), number)
    if feed.icon_url or "avatar" in feed.settings:
        return feed
    icon = await desk.icons.of(desk.polling, feed.site_url or feed.url, owner=desk.owner)
    if not icon:
        return feed
    settings = {**feed.settings, "avatar": icon}
    await guilds.set_settings(desk.polling, guild_of(visitor), number, settings)
    return await guilds.find_feed(desk.database, guild_of(visitor), number)


async def proof(desk: Desk, feed: GuildFeed) -> Answer | None:
    """Post the newest entry that passes and that the route is past, so that it comes once; None:
    there is none."""
    sample = await previews.newest(desk, feed, through=feed.cursor)
    if sample is None:
        return None
    outcome = await previews.send(desk, sample)
    if outcome.is_posted:
        await previews.note(desk, feed, sample, outcome, fates.SHOWN_ON_ADDING, goes_on=True)
    return outcome.answer


def refused(visitor: Visitor, answer: Answer) -> str:
    """Why a place is not used."""
    return "❌ " + texts.NOT_ADDED.say(visitor.language, why=reason_of(visitor, answer))


def reason_of(visitor: Visitor, answer: Answer) -> str:
    """Why a message did not go out."""
    text = texts.NO_MESSAGES_NOW if isinstance(answer, TryLater) else texts.MESSAGE_REFUSED
    reason = in_words(getattr(answer, "reason", ""), visitor.language)
    return text.say(visitor.language, reason=reason)


def as_subscribed(feed: GuildFeed) -> Subscribed:
    """A feed of the server as if it had just been followed."""
    return Subscribed(feed.subscription_id, feed.feed_id, feed.title, feed.url, existing=True)


async def _dress(desk: Desk, visitor: Visitor, feed: GuildFeed, order: Order) -> None:
    """The wishes that belong to the subscription."""
    if order.interval is not None:
        await subscribing.set_interval(
            desk.polling, visitor.account_id, feed.subscription_id, order.interval
        )
    if order.name:
        from wireroom import following

        await following.rename_subscription(
            desk.database, visitor.account_id, feed.subscription_id, order.name
        )


def _start(visitor: Visitor, feed: GuildFeed, sent: Answer | None, order: Order) -> str:
    if sent is not None:
        return texts.PREVIEW_SENT.say(visitor.language)
    if order.newest > 1:
        return texts.BACKLOG.say(visitor.language, order.newest)
    if order.newest == 0:
        return texts.QUIET_START.say(visitor.language)
    if feed.last_seq:
        return texts.NOTHING_FITS.say(visitor.language)
    return texts.NOTHING_YET.say(visitor.language)


def _added(visitor: Visitor, feed: GuildFeed, hint: str) -> embeds.Embed:
    spoken = visitor.language
    return embeds.embed(
        texts.ADDED.say(spoken),
        [
            (texts.F_NAME.say(spoken), embeds.plain(feed.title, 256), False),
            (texts.F_URL.say(spoken), feed.url, False),
            (texts.F_INTERVAL.say(spoken), interval_of(visitor, feed), True),
            (texts.F_TYPE.say(spoken), feed.feed_type, True),
            (texts.F_ID.say(spoken), f"#{feed.id}", True),
            (texts.F_PLACE.say(spoken), f"<#{feed.posts_in}>", True),
        ],
        footer=hint,
    )


def interval_of(visitor: Visitor, feed: GuildFeed) -> str:
    if feed.interval_seconds is None:
        return texts.BY_ITSELF.say(visitor.language)
    spelled = embeds.spelled(timedelta(seconds=feed.interval_seconds), visitor.language)
    return texts.EVERY.say(visitor.language, interval=spelled)

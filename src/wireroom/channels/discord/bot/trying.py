"""`/rss preview` and `test`: what would be posted of any feed, followed or not, to the letter."""

from dataclasses import dataclass
from typing import Any

from wireroom import guilds, routing, subscribing
from wireroom.catalogue import discord as texts
from wireroom.catalogue.refusals import in_words
from wireroom.channels.discord.bot import adding, embeds, previews, showing, wanting
from wireroom.channels.discord.bot.adding import Order, Spot
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import find, guild_of
from wireroom.channels.discord.bot.references import reference
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.bot.wanting import Asked
from wireroom.channels.discord.bot.webhooks import Place, Webhooks
from wireroom.delivery.channel import Address, Sent
from wireroom.errors import NotFound
from wireroom.guilds import GuildFeed
from wireroom.routing import Place as Wished
from wireroom.routing import Trial


@dataclass(frozen=True, slots=True)
class Trying:
    """Wishes for this once, and the way to a place that was named for it."""

    asked: Asked
    webhooks: Webhooks
    elsewhere: Place | None = None


async def preview(desk: Desk, visitor: Visitor, typed: str, wanted: Trying) -> Reply:
    """What would be posted, shown to whoever asks."""
    asked = wanted.asked
    changed = wanting.settings(asked, None)
    feed = await _followed(desk, visitor, typed)
    if feed is not None:
        trial = await routing.try_route(
            desk.delivering, visitor.account_id, feed.id, changed=changed
        )
        return _shown(desk, visitor, feed.title, trial)
    assert asked.place is not None
    title, trial = await _of_stranger(desk, visitor, typed, asked.place, changed)
    return _shown(desk, visitor, title, trial)


async def test(desk: Desk, visitor: Visitor, typed: str, wanted: Trying) -> Reply:
    """The same, posted: `elsewhere` if that was named, else where the feed goes, else here."""
    asked, webhooks, elsewhere = wanted.asked, wanted.webhooks, wanted.elsewhere
    changed = wanting.settings(asked, None)
    feed = await _followed(desk, visitor, typed)
    if feed is not None:
        there = (
            await adding.spot(desk, visitor, webhooks, Order(place=elsewhere))
            if elsewhere is not None
            else await _spot_of(desk, visitor, feed)
        )
        trial = await routing.try_route(
            desk.delivering, visitor.account_id, feed.id, changed=changed
        )
        return await _posted(desk, visitor, feed.title, trial, there)
    assert asked.place is not None
    there = await adding.spot(desk, visitor, webhooks, Order(place=asked.place))
    title, trial = await _of_stranger(desk, visitor, typed, asked.place, changed)
    return await _posted(desk, visitor, title, trial, there)


async def _followed(desk: Desk, visitor: Visitor, typed: str) -> GuildFeed | None:
    """The feed of the server that is meant; None for an address that it does not follow."""
    try:
        return await find(desk, visitor, typed)
    except NotFound:
        if isinstance(reference(typed), int):
            raise
        return None


async def _of_stranger(
    desk: Desk, visitor: Visitor, typed: str, place: Place, changed: dict[str, Any]
) -> tuple[str, Trial]:
    """A feed that the server does not follow, as it would come in a channel of it."""
    looked = await subscribing.look(desk.polling, typed, owner=desk.owner)
    known = await guilds.place_in(desk.database, guild_of(visitor), place.channel_id)
    trial = await routing.try_feed(
        desk.delivering,
        visitor.account_id,
        looked.url,
        looked.parsed,
        looked.items,
        channel="discord",
        place=Wished("destination", known) if known is not None else None,
        changed=changed,
    )
    return looked.parsed.title or looked.url, trial


async def _spot_of(desk: Desk, visitor: Visitor, feed: GuildFeed) -> Spot:
    target, webhook = await guilds.place(desk.database, guild_of(visitor), feed.destination_id)
    return Spot(target, webhook)


def _shown(desk: Desk, visitor: Visitor, title: str, trial: Trial) -> Reply:
    name = f"**{embeds.plain(title, embeds.MOST_NAME)}**"
    if trial.message is None:
        return Reply(texts.NO_ENTRIES.say(visitor.language, name=name))
    parcels = desk.sender.render(trial.message, previews.NOWHERE, trial.settings)
    return showing.shown(parcels, "\n".join(_verdict(visitor, trial)), visitor.language)


def _verdict(visitor: Visitor, trial: Trial) -> list[str]:
    """What filters and rules say, where they would not let the newest through."""
    newest = trial.tried[-1]
    if newest.choice.is_sent:
        return []
    why = embeds.plain(in_words(newest.choice.why, visitor.language), 300)
    entry = embeds.plain(newest.title or "–", 200)
    total = len(trial.tried)
    if trial.passing:
        below = texts.SHOWN_INSTEAD.say(visitor.language, trial.passing, total=total)
    else:
        below = texts.NONE_PASSES.say(visitor.language, total)
    return [texts.NEWEST_DROPPED.say(visitor.language, entry=entry, why=why), below]


async def _posted(desk: Desk, visitor: Visitor, title: str, trial: Trial, there: Spot) -> Reply:
    spoken = visitor.language
    name = f"**{embeds.plain(title, embeds.MOST_NAME)}**"
    if trial.message is None:
        return Reply(texts.NO_ENTRIES.say(spoken, name=name))
    secret = desk.vault.open(there.target.secret) if there.target.secret else ""
    address = Address(there.target.address, secret)
    for parcel in desk.sender.render(trial.message, address, trial.settings):
        answer = await previews.sent(desk, address, parcel)
        if not isinstance(answer, Sent):
            why = adding.reason_of(visitor, answer)
            return Reply(texts.REJECTED.say(spoken, name=name, why=why))
    posts_in = f"<#{there.webhook.thread_id or there.webhook.channel_id}>"
    said = texts.TESTED.say(spoken, name=name, place=posts_in)
    return Reply("\n".join([said, *_verdict(visitor, trial)]))

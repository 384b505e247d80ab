"""`/rss add` as a whole: one place, one or several feeds, and one answer about all of them."""

import asyncio
from dataclasses import replace
from typing import Final

from wireroom import guilds
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import adding, buttons, embeds, wanting, wishing
from wireroom.channels.discord.bot.adding import Order, Spot
from wireroom.channels.discord.bot.buttons import Option, Select
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import guild_of
from wireroom.channels.discord.bot.references import addresses
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.bot.wanting import Asked
from wireroom.channels.discord.bot.webhooks import Webhooks
from wireroom.errors import UserError
from wireroom.feeds import urls
from wireroom.subscribing import Subscribed, opening

#: The action of choosing one of several feeds.
CHOOSE: Final = "choose"


async def take(
    desk: Desk, visitor: Visitor, webhooks: Webhooks, typed: str, asked: Asked
) -> Reply:
    """Follow everything that was typed, in the same place and in the same way."""
    wanted = addresses(typed)
    wishing.check_role(visitor, asked.mention)
    order = wanting.order(asked, wanting.settings(asked, None))  # mistakes cost no request
    there = await adding.spot(desk, visitor, webhooks, order)
    if there.webhook.channel_id and (asked.needs_channel or asked.place is not None):
        facts = await webhooks.channel(there.webhook.channel_id, visitor.language)
        if there.webhook.thread_id:  # messages in a post of a forum have no tags
            facts = replace(facts, needs_tag=False)
        order = wanting.order(asked, wanting.settings(asked, facts))
        there = there.wishing(order.settings)
    if len(wanted) == 1 and order.is_plain:
        return await _take_one(desk, visitor, wanted[0], there, order)
    replies = await asyncio.gather(*(_one(desk, visitor, url, there, order) for url in wanted))
    return replies[0] if len(replies) == 1 else _together(replies)


async def _take_one(desk: Desk, visitor: Visitor, url: str, there: Spot, order: Order) -> Reply:
    """Where a page has several feeds, they are offered to choose from."""
    found = await adding.follow(desk, visitor, url, order)
    if isinstance(found, Reply):
        return found
    if isinstance(found, Subscribed):
        return await adding.connect(desk, visitor, found, there, order)
    place = await guilds.keep_place(desk.polling, guild_of(visitor), there.target, there.webhook)
    desk.openings.keep(place, opening.sealed(url, desk.vault, visitor.account_id))
    spoken = visitor.language
    fields = [(embeds.plain(each.title, 100), f"<{each.url}>", False) for each in found.offered]
    made = embeds.embed(texts.SEVERAL.say(spoken), fields)
    # Only what stands there in full can be chosen: the address is read from there.
    options = tuple(
        Option(each.title or each.url, str(number), each.url)
        for number, (each, shown) in enumerate(zip(found.offered, made["fields"], strict=False))
        if shown["value"] == f"<{each.url}>"
    )
    name = buttons.name(CHOOSE, place)
    return Reply(
        embeds=(made,),
        rows=(Select(name, texts.CHOOSE_FEED.say(spoken), options),) if options else (),
    )


async def chosen(desk: Desk, visitor: Visitor, place: int, url: str) -> Reply:
    """One of the feeds that were offered, where it was to go."""
    target, webhook = await guilds.place(desk.database, guild_of(visitor), place)
    kept = desk.openings.of(place)
    url = opening.unsealed(url, kept, desk.vault, visitor.account_id)
    reply = await adding.add(desk, visitor, url, Spot(target, webhook), Order())
    return replace(reply, replaces=True)


async def _one(desk: Desk, visitor: Visitor, url: str, there: Spot, order: Order) -> Reply:
    try:
        return await adding.add(desk, visitor, url, there, order)
    except UserError as error:
        shown, _ = urls.without_user_info(url)
        return Reply(f"❌ <{shown}>: {texts.refusal(error, visitor.language)}")


def _together(replies: list[Reply]) -> Reply:
    text = "\n".join(each.text for each in replies if each.text)
    return Reply(text, embeds=embeds.together([one for each in replies for one in each.embeds]))

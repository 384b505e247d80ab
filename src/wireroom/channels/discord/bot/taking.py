"""`/rss add` as a whole: one place, one or several feeds, and one answer about all of them."""

import asyncio

from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import adding, wanting
from wireroom.channels.discord.bot.adding import Order, Spot
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.references import addresses
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.bot.wanting import Asked
from wireroom.channels.discord.bot.webhooks import Webhooks
from wireroom.errors import UserError


async def take(
    desk: Desk, visitor: Visitor, webhooks: Webhooks, typed: str, asked: Asked
) -> Reply:
    """Follow everything that was typed, in the same place and in the same way."""
    wanted = addresses(typed)
    order = wanting.order(asked, wanting.settings(asked, None))  # mistakes cost no request
    there = await adding.spot(desk, visitor, webhooks, order)
    if there.webhook.channel_id and (asked.needs_channel or asked.place is not None):
        facts = await webhooks.channel(there.webhook.channel_id, visitor.language)
        order = wanting.order(asked, wanting.settings(asked, facts))
        there = there.wishing(order.settings)
    replies = await asyncio.gather(*(_one(desk, visitor, url, there, order) for url in wanted))
    return replies[0] if len(replies) == 1 else _together(replies)


async def _one(desk: Desk, visitor: Visitor, url: str, there: Spot, order: Order) -> Reply:
    try:
        return await adding.add(desk, visitor, url, there, order)
    except UserError as error:
        return Reply(f"❌ <{url}>: {texts.refusal(error, visitor.language)}")


def _together(replies: list[Reply]) -> Reply:
    text = "\n".join(each.text for each in replies if each.text)
    return Reply(text, embeds=tuple(one for each in replies for one in each.embeds))

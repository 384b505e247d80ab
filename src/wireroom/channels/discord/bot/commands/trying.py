"""`/rss preview` and `test`, which have the same options."""

from collections.abc import Callable
from typing import Any

from discord import app_commands
from discord.app_commands import Range, Transform

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import trying
from wireroom.channels.discord.bot.answering import Asking, answer, bot_of
from wireroom.channels.discord.bot.choosing import Posting, here
from wireroom.channels.discord.bot.commands.following import LAYOUTS, MEDIA
from wireroom.channels.discord.bot.commands.group import rss
from wireroom.channels.discord.bot.finding import suggest
from wireroom.channels.discord.bot.speaking import told
from wireroom.channels.discord.bot.wanting import Asked
from wireroom.channels.discord.bot.webhooks import Place


def _tried() -> Callable[[Any], Any]:
    """What Discord is told of the options."""
    described = app_commands.describe(
        feed=told(texts.ANY_FEED),
        channel=told(texts.CHANNEL),
        filter=told(texts.FILTER),
        template=told(texts.TEMPLATE),
        layout=told(texts.LAYOUT),
        color=told(texts.COLOR),
        media=told(texts.MEDIA),
    )
    chosen = app_commands.choices(layout=LAYOUTS, media=MEDIA)
    suggested = app_commands.autocomplete(feed=suggest)
    return lambda work: described(chosen(suggested(work)))


@rss.command(name="preview", description=told(texts.PREVIEW))
@_tried()
async def show(
    interaction: Asking,
    feed: Range[str, 1, 4000],
    channel: Transform[Place, Posting] | None = None,
    filter: Range[str, 1, 2000] = "",  # noqa: A002 - what people see in Discord
    template: Range[str, 1, 4000] = "",
    layout: str = "",
    color: str = "",
    media: str = "",
) -> None:
    asked = Asked(
        place=channel or here(interaction),
        filter=filter,
        template=template,
        layout=layout,
        color=color,
        media=media,
    )
    await answer(interaction, trying.preview, feed, asked, manages=True)


@rss.command(name="test", description=told(texts.TEST))
@_tried()
async def post(
    interaction: Asking,
    feed: Range[str, 1, 4000],
    channel: Transform[Place, Posting] | None = None,
    filter: Range[str, 1, 2000] = "",  # noqa: A002 - what people see in Discord
    template: Range[str, 1, 4000] = "",
    layout: str = "",
    color: str = "",
    media: str = "",
) -> None:
    asked = Asked(
        place=channel or here(interaction),
        filter=filter,
        template=template,
        layout=layout,
        color=color,
        media=media,
    )
    webhooks = bot_of(interaction).webhooks
    await answer(interaction, trying.test, webhooks, feed, asked, elsewhere=channel, manages=True)

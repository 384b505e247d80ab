"""`/rss add`, `remove` and `list`."""

import discord
from discord import app_commands
from discord.app_commands import Choice, Range, Transform

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import listing, removing, taking
from wireroom.channels.discord.bot.answering import Asking, answer, bot_of
from wireroom.channels.discord.bot.choosing import Posting, here
from wireroom.channels.discord.bot.commands.group import rss
from wireroom.channels.discord.bot.finding import suggest
from wireroom.channels.discord.bot.speaking import told
from wireroom.channels.discord.bot.wanting import Asked
from wireroom.channels.discord.bot.webhooks import Place
from wireroom.feeds.adapters import CHOICES

LAYOUTS = [Choice(name=told(texts.LAYOUTS[each]), value=each) for each in texts.LAYOUTS]
MEDIA = [Choice(name=told(texts.MEDIA_CHOICES[each]), value=each) for each in texts.MEDIA_CHOICES]
_TYPES = [Choice(name=each, value=each) for each in CHOICES]


@rss.command(name="add", description=told(texts.ADD))
@app_commands.describe(
    feed_url=told(texts.FEED_URL),
    webhook_url=told(texts.WEBHOOK_URL),
    channel=told(texts.CHANNEL),
    interval=told(texts.INTERVAL),
    feed_type=told(texts.FEED_TYPE),
    name=told(texts.NAME),
    newest=told(texts.NEWEST),
    filter=told(texts.FILTER),
    template=told(texts.TEMPLATE),
    layout=told(texts.LAYOUT),
    color=told(texts.COLOR),
    media=told(texts.MEDIA),
    digest=told(texts.DIGEST),
    tags=told(texts.TAGS),
    crosspost=told(texts.CROSSPOST),
    mention=told(texts.MENTION_ROLE),
    mention_when=told(texts.MENTION_WHEN),
)
@app_commands.choices(feed_type=_TYPES, layout=LAYOUTS, media=MEDIA)
async def add(
    interaction: Asking,
    feed_url: Range[str, 1, 4000],
    webhook_url: str = "",
    channel: Transform[Place, Posting] | None = None,
    interval: str = "",
    feed_type: str = "",
    name: Range[str, 1, 256] = "",
    newest: Range[int, 0, 50] | None = None,
    filter: Range[str, 1, 2000] = "",  # noqa: A002 - what people see in Discord
    template: Range[str, 1, 4000] = "",
    layout: str = "",
    color: str = "",
    media: str = "",
    digest: str = "",
    tags: str = "",
    crosspost: bool | None = None,
    mention: discord.Role | None = None,
    mention_when: Range[str, 1, 500] = "",
) -> None:
    asked = Asked(
        webhook=webhook_url,
        place=None if webhook_url else channel or here(interaction),
        interval=interval,
        feed_type=feed_type,
        name=name,
        newest=newest,
        filter=filter,
        template=template,
        layout=layout,
        color=color,
        media=media,
        digest=digest,
        tags=tags,
        crosspost=crosspost,
        mention=str(mention.id) if mention else "",
        mention_when=mention_when,
    )
    webhooks = bot_of(interaction).webhooks
    await answer(interaction, taking.take, webhooks, feed_url, asked, manages=True)


@rss.command(name="remove", description=told(texts.REMOVE))
@app_commands.describe(feed=told(texts.WHICH_FEED))
@app_commands.autocomplete(feed=suggest)
async def remove(interaction: Asking, feed: str) -> None:
    await answer(interaction, removing.remove, feed, manages=True)


@rss.command(name="list", description=told(texts.LIST))
async def list_(interaction: Asking) -> None:
    await answer(interaction, listing.show)

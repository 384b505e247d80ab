"""`/rss edit`, `interval`, `reset`, `clone`, `pause` and `resume`."""

from discord import app_commands
from discord.app_commands import Choice, Range, Transform

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import editing, pausing
from wireroom.channels.discord.bot.answering import Asking, answer, bot_of
from wireroom.channels.discord.bot.choosing import Posting
from wireroom.channels.discord.bot.commands.group import rss
from wireroom.channels.discord.bot.editing import Changes, Copy
from wireroom.channels.discord.bot.finding import suggest
from wireroom.channels.discord.bot.speaking import told
from wireroom.channels.discord.bot.webhooks import Place
from wireroom.feeds.adapters import CHOICES


@rss.command(name="edit", description=told(texts.EDIT))
@app_commands.describe(
    feed=told(texts.WHICH_FEED),
    name=told(texts.NAME),
    webhook_url=told(texts.WEBHOOK_URL),
    channel=told(texts.CHANNEL),
    interval=told(texts.INTERVAL),
    feed_type=told(texts.FEED_TYPE),
)
@app_commands.autocomplete(feed=suggest)
@app_commands.choices(feed_type=[Choice(name=each, value=each) for each in CHOICES])
async def edit(
    interaction: Asking,
    feed: str,
    name: Range[str, 1, 256] = "",
    webhook_url: str = "",
    channel: Transform[Place, Posting] | None = None,
    interval: str = "",
    feed_type: str = "",
) -> None:
    changes = Changes(name, webhook_url, channel, interval, feed_type)
    webhooks = bot_of(interaction).webhooks
    await answer(interaction, editing.edit, webhooks, feed, changes, manages=True)


@rss.command(name="interval", description=told(texts.INTERVAL_COMMAND))
@app_commands.describe(feed=told(texts.WHICH_FEED), seconds=told(texts.INTERVAL))
@app_commands.autocomplete(feed=suggest)
async def interval(interaction: Asking, feed: str, seconds: str) -> None:
    await answer(interaction, editing.interval, feed, seconds, manages=True)


@rss.command(name="reset", description=told(texts.RESET))
async def reset(interaction: Asking) -> None:
    await answer(interaction, editing.reset, manages=True)


@rss.command(name="clone", description=told(texts.CLONE))
@app_commands.describe(
    feed=told(texts.WHICH_FEED),
    channel=told(texts.CHANNEL),
    feed_url=told(texts.CLONE_URL),
    onto=told(texts.ONTO),
)
@app_commands.autocomplete(feed=suggest, onto=suggest)
async def clone(
    interaction: Asking,
    feed: str,
    channel: Transform[Place, Posting] | None = None,
    feed_url: str = "",
    onto: str = "",
) -> None:
    webhooks = bot_of(interaction).webhooks
    copy = Copy(channel, feed_url, onto)
    await answer(interaction, editing.clone, webhooks, feed, copy, manages=True)


@rss.command(name="pause", description=told(texts.PAUSE))
@app_commands.describe(feed=told(texts.FEED_OR_ALL), how_long=told(texts.HOW_LONG))
@app_commands.autocomplete(feed=suggest)
async def pause(interaction: Asking, feed: str = "", how_long: str = "") -> None:
    await answer(interaction, pausing.pause, feed, how_long, manages=True)


@rss.command(name="resume", description=told(texts.RESUME))
@app_commands.describe(feed=told(texts.FEED_OR_ALL), newest=told(texts.KEEP_NEWEST))
@app_commands.autocomplete(feed=suggest)
async def resume(
    interaction: Asking, feed: str = "", newest: Range[int, 0, 500] | None = None
) -> None:
    await answer(interaction, pausing.resume, feed, newest, manages=True)

"""`/rss status`, `why`, `poll` and `find`."""

from discord import app_commands
from discord.app_commands import Range

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import polling, reasons
from wireroom.channels.discord.bot import status as looking
from wireroom.channels.discord.bot.answering import Asking, answer
from wireroom.channels.discord.bot.commands.group import rss
from wireroom.channels.discord.bot.finding import suggest
from wireroom.channels.discord.bot.speaking import told


@rss.command(name="status", description=told(texts.STATUS))
async def status(interaction: Asking) -> None:
    await answer(interaction, looking.status, manages=True)


@rss.command(name="why", description=told(texts.WHY))
@app_commands.describe(feed=told(texts.WHICH_FEED), entry=told(texts.WHICH_ENTRY))
@app_commands.autocomplete(feed=suggest)
async def why(
    interaction: Asking, feed: str, entry: Range[int, 1, 2**53 - 1] | None = None
) -> None:
    await answer(interaction, reasons.why, feed, entry)


@rss.command(name="poll", description=told(texts.POLL))
@app_commands.describe(feed=told(texts.WHICH_FEED))
@app_commands.autocomplete(feed=suggest)
async def poll(interaction: Asking, feed: str) -> None:
    await answer(interaction, polling.poll, feed, manages=True)


@rss.command(name="find", description=told(texts.FIND))
@app_commands.describe(feed_url=told(texts.FEED_URL))
async def find(interaction: Asking, feed_url: Range[str, 1, 4000]) -> None:
    await answer(interaction, polling.find_feeds, feed_url, manages=True)

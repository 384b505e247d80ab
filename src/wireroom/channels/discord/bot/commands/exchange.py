"""`/rss import` and `export`."""

import discord
from discord import app_commands
from discord.app_commands import Transform

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import exchanging
from wireroom.channels.discord.bot.answering import Asking, answer, bot_of
from wireroom.channels.discord.bot.choosing import Posting, here
from wireroom.channels.discord.bot.commands.group import rss
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.bot.speaking import told
from wireroom.channels.discord.bot.webhooks import Place, Webhooks


@rss.command(name="import", description=told(texts.IMPORT))
@app_commands.describe(file=told(texts.OPML_FILE), channel=told(texts.CHANNEL))
async def import_(
    interaction: Asking,
    file: discord.Attachment,
    channel: Transform[Place, Posting] | None = None,
) -> None:
    place = channel or here(interaction)
    webhooks = bot_of(interaction).webhooks
    await answer(interaction, _taken_in, webhooks, file, place, manages=True)


async def _taken_in(
    desk: Desk, visitor: Visitor, webhooks: Webhooks, file: discord.Attachment, place: Place
) -> Reply:
    if file.size > exchanging.MOST_BYTES:
        return Reply(texts.FILE_TOO_LARGE.say(visitor.language))
    return await exchanging.take_in(desk, visitor, webhooks, await file.read(), place)


@rss.command(name="export", description=told(texts.EXPORT))
async def export(interaction: Asking) -> None:
    await answer(interaction, exchanging.give_out, manages=True)

"""`/ping` and `/hello`."""

import math

from discord import app_commands

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot.answering import Asking, language
from wireroom.channels.discord.bot.replies import NOBODY
from wireroom.channels.discord.bot.speaking import told
from wireroom.channels.discord.markdown import escaped_words


@app_commands.command(name="ping", description=told(texts.PING))
async def ping(interaction: Asking) -> None:
    latency = interaction.client.latency
    ms = round(latency * 1000) if math.isfinite(latency) else 0
    said = texts.PONG.say(language(interaction), ms=ms)
    await interaction.response.send_message(said, allowed_mentions=NOBODY)


@app_commands.command(name="hello", description=told(texts.HELLO))
async def hello(interaction: Asking) -> None:
    name = escaped_words(interaction.user.display_name)
    said = texts.GREETING.say(language(interaction), name=name)
    await interaction.response.send_message(said, allowed_mentions=NOBODY)

"""What can be asked of a message, in its menu under *Apps*."""

import discord
from discord import app_commands

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import reasons
from wireroom.channels.discord.bot.answering import Asking, answer
from wireroom.channels.discord.bot.speaking import told


@app_commands.context_menu(name=told(texts.MENU_WHY))
@app_commands.guild_only()
async def why(interaction: Asking, message: discord.Message) -> None:
    await answer(interaction, reasons.why_message, str(message.id))


@app_commands.context_menu(name=told(texts.MENU_MUTE))
@app_commands.guild_only()
async def mute(interaction: Asking, message: discord.Message) -> None:
    await answer(interaction, reasons.open_mute, str(message.id), manages=True)


@app_commands.context_menu(name=told(texts.MENU_SAVE))
@app_commands.guild_only()
async def save(interaction: Asking, message: discord.Message) -> None:
    await answer(interaction, reasons.save, str(message.id))


MENUS = (why, mute, save)

"""What can be asked of a message, in its menu under *Apps*."""

import discord
from discord import app_commands

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import reasons
from wireroom.channels.discord.bot.answering import Asking, answer
from wireroom.channels.discord.bot.pointing import pointed_at
from wireroom.channels.discord.bot.speaking import told


@app_commands.context_menu(name=told(texts.MENU_WHY))
@app_commands.guild_only()
async def why(interaction: Asking, message: discord.Message) -> None:
    await answer(interaction, reasons.why_message, pointed_at(message))


@app_commands.context_menu(name=told(texts.MENU_MUTE))
@app_commands.guild_only()
async def mute(interaction: Asking, message: discord.Message) -> None:
    await answer(interaction, reasons.open_mute, pointed_at(message), manages=True)


@app_commands.context_menu(name=told(texts.MENU_SAVE))
@app_commands.guild_only()
async def save(interaction: Asking, message: discord.Message) -> None:
    await answer(interaction, reasons.save, pointed_at(message))


MENUS = (why, mute, save)

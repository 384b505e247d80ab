"""`/link server`, `me` and `undo`."""

from discord import app_commands

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import linking
from wireroom.channels.discord.bot.answering import Asking, answer
from wireroom.channels.discord.bot.speaking import told

link = app_commands.Group(name="link", description=told(texts.LINK), guild_only=True)


@link.command(name="server", description=told(texts.LINK_SERVER))
@app_commands.describe(code=told(texts.LINK_CODE))
async def server(interaction: Asking, code: str = "") -> None:
    await answer(interaction, linking.link_server, code, manages=True)


@link.command(name="me", description=told(texts.LINK_ME))
@app_commands.describe(code=told(texts.LINK_CODE))
async def me(interaction: Asking, code: str = "") -> None:
    await answer(interaction, linking.link_me, code)


@link.command(name="undo", description=told(texts.LINK_UNDO))
async def undo(interaction: Asking) -> None:
    await answer(interaction, linking.unlink, manages=True)

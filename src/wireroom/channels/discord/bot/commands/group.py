"""`/rss` itself. It stays open to all: what changes something asks for the right to by itself."""

from discord import app_commands

from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot.speaking import told

rss = app_commands.Group(name="rss", description=told(texts.RSS), guild_only=True)

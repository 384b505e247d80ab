"""The slash commands as Discord shows them, one module a theme.

They read what was typed and name the work; nothing is decided here.
"""

from discord import app_commands

from wireroom.channels.discord.bot.commands import following, greeting
from wireroom.channels.discord.bot.commands.group import rss

__all__ = ["add_to", "following", "rss"]


def add_to(tree: app_commands.CommandTree) -> None:
    """Let a client have all of our commands."""
    tree.add_command(rss)
    tree.add_command(greeting.ping)
    tree.add_command(greeting.hello)

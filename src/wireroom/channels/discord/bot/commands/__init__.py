"""The slash commands as Discord shows them, one module a theme.

They read what was typed and name the work; nothing is decided here.
"""

from typing import Any

from discord import app_commands

from wireroom.channels.discord.bot.commands import (
    exchange,
    following,
    greeting,
    linking,
    looking,
    menus,
    shaping,
    steering,
    trying,
)
from wireroom.channels.discord.bot.commands.group import rss

__all__ = ["add_to", "exchange", "following", "looking", "rss", "shaping", "steering", "trying"]


def add_to(tree: app_commands.CommandTree[Any]) -> None:
    """Let a client have all of our commands; importing the themes has filled `rss`."""
    tree.add_command(rss)
    tree.add_command(linking.link)
    tree.add_command(greeting.ping)
    tree.add_command(greeting.hello)
    for menu in menus.MENUS:
        tree.add_command(menu)

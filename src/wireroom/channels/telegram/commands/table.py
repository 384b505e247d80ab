"""All commands of the bot, by theme: the order in which the help shows them."""

from typing import Final

from wireroom.channels.telegram.commands import following, starting
from wireroom.channels.telegram.commands.command import Table

TABLE: Final = Table((starting.THEME, following.THEME))

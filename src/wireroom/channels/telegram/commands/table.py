"""All commands of the bot, by theme: the order in which the help shows them."""

from typing import Final

from wireroom.channels.telegram.commands import (
    carrying,
    discovering,
    feedcard,
    filtering,
    finding,
    following,
    marking,
    running,
    settling,
    starting,
    templating,
    timing,
)
from wireroom.channels.telegram.commands.command import Table

TABLE: Final = Table(
    (
        starting.THEME,
        following.THEME,
        feedcard.THEME,
        filtering.THEME,
        templating.THEME,
        timing.THEME,
        settling.THEME,
        finding.THEME,
        carrying.THEME,
        marking.THEME,
        discovering.THEME,
        running.THEME,
    )
)

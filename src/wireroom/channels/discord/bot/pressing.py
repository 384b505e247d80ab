"""Buttons, selects and forms: which work each name asks for.

discord.py remembers nothing of ours: a name tells everything, so buttons of yesterday's process
work, too. Rights are asked for at every press.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import discord

from wireroom.channels.discord.bot import buttons, listing, reasons, taking, wishing
from wireroom.channels.discord.bot.answering import Asking, Work, answer
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.replies import Reply


@dataclass(frozen=True, slots=True)
class Press:
    """What was pressed or filled in: the arguments of its name, and what was chosen or typed."""

    arguments: tuple[str, ...]
    values: tuple[str, ...] = ()
    fields: Mapping[str, str] | None = None
    message: discord.Message | None = None

    def number(self, position: int = 0) -> int:
        return buttons.number(self.arguments, position)

    def line(self, key: str) -> str:
        """A line of a form."""
        return (self.fields or {}).get(key, "")


async def _turn(desk: Desk, visitor: Visitor, press: Press) -> Reply:
    return await listing.show(desk, visitor, press.number(1), turned=True)


async def _chosen(desk: Desk, visitor: Visitor, press: Press) -> Reply:
    """The addresses stand in our own message: they are longer than a name may be."""
    shown = press.message.embeds[0].fields if press.message and press.message.embeds else []
    at = buttons.number(press.values, 0)
    url = (shown[at].value or "") if at < len(shown) else ""
    return await taking.chosen(desk, visitor, press.number(), url.strip("<>"))


async def _template(desk: Desk, visitor: Visitor, press: Press) -> Reply:
    return await wishing.keep_template(desk, visitor, press.number(), press.line("source"))


async def _mute(desk: Desk, visitor: Visitor, press: Press) -> Reply:
    return await reasons.mute(desk, visitor, press.number(), press.line("words"))


#: Action, its work, and whether it changes something.
ACTIONS: Final[Mapping[str, tuple[Work, bool]]] = {
    listing.PAGE: (_turn, False),
    taking.CHOOSE: (_chosen, True),
    wishing.TEMPLATE: (_template, True),
    reasons.MUTE: (_mute, True),
}


async def pressed(interaction: Asking) -> None:
    """Do what a press or a form asks for; presses that are not ours are passed over."""
    data = cast("dict[str, Any]", interaction.data or {})
    named = buttons.read(str(data.get("custom_id", "")))
    if named is None or named[0] not in ACTIONS:
        return
    work, manages = ACTIONS[named[0]]
    press = Press(named[1], tuple(data.get("values") or ()), typed(data), interaction.message)
    await answer(interaction, work, press, manages=manages)


def typed(data: Mapping[str, Any]) -> dict[str, str]:
    """The lines of a form by their keys, from both shapes that Discord sends (pure)."""
    found = {}
    for part in data.get("components") or ():
        for each in (part.get("component"), *(part.get("components") or ())):
            if isinstance(each, dict) and "custom_id" in each:
                found[str(each["custom_id"])] = str(each.get("value") or "")
    return found

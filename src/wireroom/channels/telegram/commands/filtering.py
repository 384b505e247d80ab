"""Filters of a subscription and of a chat, as lists of words or in the language of filters."""

import re
from typing import Final

from wireroom import routing
from wireroom.catalogue.telegram import wishes as texts
from wireroom.channels.telegram.commands import choosing, wishing
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.store.chat_routes import ChatRoute

#: Entries that a new filter is shown to work on.
_TRIED: Final = 20
_SHOWN: Final = 10
#: What only rules have; a list's single word with ! and blanks in it is one phrase.
_RULE: Final = re.compile(r"""[:"/()]|(?:^|\s)[-!]|\b(?:AND|OR|NOT)\b""")


async def set_filter(visit: Visit, arguments: str) -> None:
    chosen = await choosing.meant(visit, "set_filter", arguments)
    if chosen is None:
        return
    route, typed = chosen
    if not typed:
        await visit.ask("set_filter", str(route.id), visit.t(texts.ASK_FILTER))
        return
    wanted = cleaned(typed, visit.desk.limits.filter_words)
    await wishing.set_wish(visit, route, "filter", wanted)
    await visit.say(*await _tried(visit, route))


def cleaned(typed: str, most_words: int) -> str:
    """A list of words trimmed and in lower case (TGC-25); a rule as it is. Raises Complaint."""
    words = [each.strip() for each in typed.split(",")]
    if len(words) == 1:
        phrase = typed.strip().removeprefix("!")
        is_phrase = typed.strip() != phrase and not _RULE.search(phrase)
        return f'!"{phrase.lower()}"' if is_phrase else typed.strip()
    if len(words) > most_words:
        raise Complaint(texts.TOO_MANY_WORDS, n=most_words)
    if any(mark in typed for mark in ':"/('):  # commas inside of a rule
        return typed.strip()
    return ", ".join(each.lower() for each in words if each)


async def _tried(visit: Visit, route: ChatRoute) -> list[str]:
    """What the filter makes of the entries that are there."""
    account = await visit.account()
    would = await routing.dry_run(visit.desk.database, account, route.id, newest=_TRIED)
    if not would:
        return [visit.t(texts.FILTER_SET_PLAIN)]
    passing = sum(each.is_sent for each in would)
    lines = [visit.counted(texts.FILTER_SET, len(would), passing=passing)]
    for each in reversed(would[-_SHOWN:]):
        text = texts.FILTER_LINE_YES if each.is_sent else texts.FILTER_LINE_NO
        lines.append(visit.t(text, title=each.title or visit.plain(texts.PERHAPS)))
    return lines


async def get_filter(visit: Visit, arguments: str) -> None:
    chosen = await choosing.meant(visit, "get_filter", arguments)
    if chosen is not None:
        await _say_filter(visit, chosen[0])


async def _say_filter(visit: Visit, route: ChatRoute | None) -> None:
    found = (await wishing.wishes(visit, route)).get("filter")
    line = visit.t(texts.FILTER_IS, filter=found) if found else visit.t(texts.NO_FILTER)
    await visit.say(line)


async def remove_filter(visit: Visit, arguments: str) -> None:
    chosen = await choosing.meant(visit, "remove_filter", arguments)
    if chosen is not None:
        await wishing.set_wish(visit, chosen[0], "filter", None)
        await visit.show(visit.t(texts.FILTER_REMOVED))


# -- of the chat ----------------------------------------------------------------------------------


async def set_global_filter(visit: Visit, arguments: str) -> None:
    if not arguments:
        await visit.ask("set_global_filter", "", visit.t(texts.ASK_FILTER))
        return
    wanted = cleaned(arguments, visit.desk.limits.filter_words)
    await wishing.set_wish(visit, None, "filter", wanted)
    await visit.say(visit.t(texts.FILTER_SET_PLAIN))


async def get_global_filter(visit: Visit, _: str) -> None:
    await _say_filter(visit, None)


async def remove_global_filter(visit: Visit, _: str) -> None:
    await wishing.set_wish(visit, None, "filter", None)
    await visit.say(visit.t(texts.FILTER_REMOVED))


THEME: Final = Theme(
    texts.THEME_FILTERS,
    (
        Command("set_filter", set_filter, texts.ABOUT_FILTER, "FEED WORDS", ("filter",)),
        Command(
            "get_filter",
            get_filter,
            texts.ABOUT_GET_FILTER,
            "FEED",
            needs="reader",
            hidden=True,
        ),
        Command("remove_filter", remove_filter, texts.ABOUT_REMOVE_FILTER, "FEED", hidden=True),
        Command("set_global_filter", set_global_filter, texts.ABOUT_GLOBAL_FILTER, "WORDS"),
        Command(
            "get_global_filter",
            get_global_filter,
            texts.ABOUT_GET_GLOBAL_FILTER,
            needs="reader",
            hidden=True,
        ),
        Command(
            "remove_global_filter",
            remove_global_filter,
            texts.ABOUT_REMOVE_GLOBAL_FILTER,
            hidden=True,
        ),
    ),
)

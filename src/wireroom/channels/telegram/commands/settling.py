"""Settings as menus of buttons, for the chat and for each subscription, and in one line.

Buttons name their scope: `c` is the chat, a number a subscription.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from wireroom.catalogue import values
from wireroom.catalogue.telegram import feeds as feed_texts
from wireroom.catalogue.telegram import general
from wireroom.catalogue.telegram import wishes as texts
from wireroom.catalogue.telegram.names import NAMES
from wireroom.channels.telegram.commands import buttons, choosing, preferences, wishing
from wireroom.channels.telegram.commands.buttons import Button, Row
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.preferences import Preference
from wireroom.channels.telegram.commands.starting import close_button
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.store.chat_routes import ChatRoute

#: The scope that is the chat, in buttons and in what people write.
CHAT: Final = "c"
_CHAT_WORDS: Final = frozenset({CHAT, "chat", "all", "alle"})


async def settings(visit: Visit, arguments: str) -> None:
    if arguments and arguments.lower() not in _CHAT_WORDS:
        chosen = await choosing.meant(visit, "settings", arguments)
        if chosen is not None:
            await show(visit, chosen[0])
        return
    await show(visit, None)


async def _scope(visit: Visit, scope: str) -> ChatRoute | None:
    return None if scope == CHAT else await choosing.route(visit, scope)


def _name(scope: ChatRoute | None) -> int | str:
    return scope.id if scope else CHAT


# -- the menu -------------------------------------------------------------------------------------


async def show(visit: Visit, route: ChatRoute | None) -> None:
    """All settings of a scope with their values, each a button."""
    own = await wishing.wishes(visit, route)
    rows = [
        [Button(_shown(visit, each, own, route), buttons.data("opt", _name(route), each.name))]
        for each in preferences.PREFERENCES
    ]
    if route is not None:
        line = visit.t(texts.FEED_MENU, title=route.title)
        back = buttons.data("feed", route.id)
    else:
        line = visit.t(texts.CHAT_MENU, chat=visit.subject.title or visit.subject.id)
        back = buttons.data("list", 0)
    label = visit.plain(general.BACK) if route else visit.plain(texts.BUTTON_FEEDS)
    await visit.show(line, rows=[*_paired(rows), [Button(label, back), close_button(visit)]])


def _paired(rows: Sequence[Row]) -> list[Row]:
    flat = [button for row in rows for button in row]
    return [flat[start : start + 2] for start in range(0, len(flat), 2)]


def _shown(visit: Visit, each: Preference, own: Mapping[str, Any], route: ChatRoute | None) -> str:
    name = visit.plain(NAMES[each.name][0])
    if each.name in own:
        return f"{name}: {spelled(visit, each.name, own[each.name])}"
    if route is not None or each.usual is None:
        return name
    return f"{name}: {spelled(visit, each.name, each.usual)}"


def spelled(visit: Visit, name: str, value: Any) -> str:
    """A value as people are shown it."""
    return values.spelled(name, value, visit.language)


# -- one setting ----------------------------------------------------------------------------------


async def press_option(visit: Visit, arguments: Sequence[str]) -> None:
    """One setting, `opt.SCOPE.NAME`: a switch is turned, others show what they may be."""
    route, preference = await _scope(visit, arguments[0]), _preference(arguments[1])
    own = await wishing.wishes(visit, route)
    if preference.kind == "switch":
        await _turn(visit, route, preference, own)
        return
    name, explained = NAMES[preference.name]
    lines = [visit.t(texts.CHOOSE_VALUE, name=visit.plain(name), help=visit.plain(explained))]
    if preference.name in own:
        value = spelled(visit, preference.name, own[preference.name])
        lines += ["", visit.t(texts.IS_NOW, value=value)]
    await visit.show(*lines, rows=_choices(visit, route, preference, own))


async def _turn(
    visit: Visit, route: ChatRoute | None, preference: Preference, own: Mapping[str, Any]
) -> None:
    """The other way round than it is now, wherever that comes from."""
    wider = await wishing.wishes(visit, None) if route else {}
    now = own.get(preference.name, wider.get(preference.name, preference.usual))
    await wishing.set_wish(visit, route, preference.name, not now)
    await show(visit, route)


def _choices(
    visit: Visit, route: ChatRoute | None, preference: Preference, own: Mapping[str, Any]
) -> list[Row]:
    scope = _name(route)
    offered = [
        Button(
            spelled(visit, preference.name, each),
            buttons.data("put", scope, preference.name, each),
        )
        for each in preference.choices
    ]
    rows: list[Row] = [offered[start : start + 3] for start in range(0, len(offered), 3)]
    if preference.kind == "text" and visit.chat.kind != "channel":
        write = buttons.data("ask", scope, preference.name)
        rows.append([Button(visit.plain(texts.WRITE_VALUE), write)])
    if preference.name in own:
        take_back = buttons.data("put", scope, preference.name)
        rows.append([Button(visit.plain(texts.REMOVE_VALUE), take_back)])
    rows.append([Button(visit.plain(general.BACK), buttons.data("menu", scope))])
    return rows


async def press_put(visit: Visit, arguments: Sequence[str]) -> None:
    """A value, `put.SCOPE.NAME.VALUE`, or without one: take it back."""
    route, preference = await _scope(visit, arguments[0]), _preference(arguments[1])
    value = preferences.value_of(preference, arguments[2]) if len(arguments) > 2 else None
    await wishing.set_wish(visit, route, preference.name, value)
    await show(visit, route)


async def press_ask(visit: Visit, arguments: Sequence[str]) -> None:
    """Let somebody write a value: `ask.SCOPE.NAME`."""
    route, preference = await _scope(visit, arguments[0]), _preference(arguments[1])
    name, explained = NAMES[preference.name]
    question = visit.t(texts.ASK_VALUE, name=visit.plain(name), help=visit.plain(explained))
    await visit.ask("set", f"{_name(route)} {preference.name}", question)


async def press_menu(visit: Visit, arguments: Sequence[str]) -> None:
    await show(visit, await _scope(visit, arguments[0]))


def _preference(name: str) -> Preference:
    found = preferences.BY_NAME.get(name)
    if found is None:
        raise Complaint(general.STALE)
    return found


# -- in one line ----------------------------------------------------------------------------------


async def set_(visit: Visit, arguments: str) -> None:
    """`/set [FEED] NAME VALUE`; without a feed it is about the chat."""
    if not arguments:
        raise Complaint(texts.SET_HOW)
    route: ChatRoute | None = None
    first, _, rest = arguments.partition(" ")
    if first.lower() in _CHAT_WORDS:
        first, _, rest = rest.strip().partition(" ")
    elif first not in preferences.BY_NAME and first:
        chosen = await choosing.meant(visit, "set", arguments)
        if chosen is None:
            return
        route = chosen[0]
        first, _, rest = chosen[1].partition(" ")
    preference = preferences.BY_NAME.get(first.lower())
    if preference is None:
        names = ", ".join(preferences.BY_NAME)
        raise Complaint(texts.NO_SUCH_SETTING, name=first[:50], names=names)
    await _put(visit, route, preference, rest.strip())


async def _put(visit: Visit, route: ChatRoute | None, preference: Preference, typed: str) -> None:
    name, explained = NAMES[preference.name]
    if not typed:
        await press_ask(visit, [str(_name(route)), preference.name])
        return
    if typed.lower() in preferences.NONE and typed not in preference.choices:
        await wishing.set_wish(visit, route, preference.name, None)
        await visit.say(visit.t(texts.TAKEN_BACK, name=visit.plain(name)))
        return
    try:
        value = preferences.value_of(preference, typed)
    except ValueError:
        raise Complaint(
            texts.NOT_A_VALUE,
            value=typed[:50],
            name=visit.plain(name),
            help=visit.plain(explained),
        ) from None
    await wishing.set_wish(visit, route, preference.name, value)
    shown = spelled(visit, preference.name, value)
    await visit.say(visit.t(texts.SAVED, name=visit.plain(name), value=shown))


# -- lists of feeds as buttons --------------------------------------------------------------------


async def press_list(visit: Visit, arguments: Sequence[str]) -> None:
    """A page of subscriptions: `list.PAGE`; pressing one shows all about it."""
    routes = await choosing.routes_here(visit)
    if not routes:
        raise Complaint(feed_texts.LIST_EMPTY)
    shown = buttons.page(int(arguments[0]), len(routes))
    rows: list[Row] = [
        [Button(choosing.label(visit, each), buttons.data("feed", each.id))]
        for each in routes[shown.first : shown.end]
    ]
    chat_settings = Button(visit.plain(texts.BUTTON_SETTINGS), buttons.data("menu", CHAT))
    title = visit.subject.title or str(visit.subject.id)
    await visit.show(
        visit.counted(feed_texts.LIST, len(routes), chat=title),
        rows=[*rows, buttons.turning("list", shown), [chat_settings, close_button(visit)]],
    )


THEME: Final = Theme(
    texts.THEME,
    (
        Command("settings", settings, texts.ABOUT_SETTINGS, "[FEED]"),
        Command("set", set_, texts.ABOUT_SET, "[FEED] NAME VALUE", hidden=True),
    ),
    {
        "opt": press_option,
        "put": press_put,
        "ask": press_ask,
        "menu": press_menu,
        "list": press_list,
    },
)

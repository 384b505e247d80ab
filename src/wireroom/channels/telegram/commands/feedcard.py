"""All about one subscription, with buttons for what can be done about it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from wireroom import routing, subscribing
from wireroom.catalogue.telegram import general
from wireroom.catalogue.telegram import wishes as texts
from wireroom.catalogue.telegram.names import NAMES
from wireroom.catalogue.values import duration
from wireroom.channels.telegram.commands import (
    buttons,
    choosing,
    following,
    settling,
    timing,
    trying,
    wishing,
)
from wireroom.channels.telegram.commands.buttons import Button, Row
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.starting import close_button
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.store.chat_routes import ChatRoute

#: Most entries that are sent again at once.
MOST_REPLAYED: Final = 20
#: Longer values of settings are cut in the card; their own commands show them whole.
_LONGEST_VALUE: Final = 200


async def feed(visit: Visit, arguments: str) -> None:
    chosen = await choosing.meant(visit, "feed", arguments)
    if chosen is not None:
        await show(visit, chosen[0])


async def press_feed(visit: Visit, arguments: Sequence[str]) -> None:
    await show(visit, await choosing.route(visit, arguments[0]))


async def show(visit: Visit, route: ChatRoute) -> None:
    own = dict(await wishing.wishes(visit, route))
    lines = [visit.t(texts.FEED_HEAD, title=route.title, url=route.url, id=route.id), ""]
    lines += _state(visit, route)
    for name, value in own.items():
        shown = settling.spelled(visit, name, value)[:_LONGEST_VALUE]
        lines.append(visit.t(texts.FEED_OWN, name=_named(visit, name), value=shown))
    await visit.show(*lines, rows=_rows(visit, route))


def _named(visit: Visit, name: str) -> str:
    if name == "template":
        return visit.plain(texts.BUTTON_TEMPLATE)
    return visit.plain(NAMES[name][0]) if name in NAMES else name


def _state(visit: Visit, route: ChatRoute) -> list[str]:
    lines = []
    if route.suspended_at is not None:
        lines.append(visit.t(texts.FEED_SUSPENDED, reason=visit.words(route.suspended_reason)))
    if choosing.is_paused(visit, route) and route.paused_until is not None:
        lines.append(visit.t(texts.FEED_PAUSED, until=timing.until(visit, route.paused_until)))
    if route.disabled_at is not None:
        lines.append(visit.t(texts.FEED_DISABLED, reason=visit.words(route.disabled_reason)))
    elif route.failure_count:
        lines.append(visit.t(texts.FEED_FAILING, reason=visit.trouble(route.last_error)))
    if route.next_poll_at is not None:
        when = away(visit, route.next_poll_at)
        reason = visit.words(route.next_poll_reason)
        lines.append(visit.t(texts.FEED_NEXT, when=when, reason=reason))
    if route.waiting:
        lines.append(visit.t(texts.FEED_WAITING, n=route.waiting))
    return lines


def away(visit: Visit, moment: datetime) -> str:
    """When something is due, as "in 5 min"; "now" when it is that already."""
    minutes = round((moment - visit.desk.now()).total_seconds() / 60)
    if minutes <= 0:
        return visit.plain(timing.texts.NOW)
    if minutes < 120:
        amount = duration(minutes, "min", visit.language)
    elif minutes < 48 * 60:
        amount = duration(round(minutes / 60), "h", visit.language)
    else:
        amount = duration(round(minutes / 1440), "d", visit.language)
    return visit.plain(timing.texts.IN, amount=amount)


def _rows(visit: Visit, route: ChatRoute) -> list[Row]:
    def button(text: Any, *data: int | str) -> Button:
        return Button(visit.plain(text), buttons.data(*data))  # type: ignore[arg-type]

    is_paused = choosing.is_paused(visit, route)
    pause = (texts.BUTTON_RESUME, "resume") if is_paused else (texts.BUTTON_PAUSE, "pause")
    first: list[Button] = []
    if visit.chat.is_private:  # elsewhere nobody is asked to write a whole template (TGC-30)
        first = [
            button(texts.BUTTON_FILTER, "run", "set_filter", route.id),
            button(texts.BUTTON_TEMPLATE, "run", "set_template", route.id),
        ]
    return [
        first,
        [button(texts.BUTTON_SETTINGS, "menu", route.id), button(pause[0], pause[1], route.id)],
        [
            button(texts.BUTTON_PREVIEW, "run", "preview", route.id),
            button(texts.BUTTON_REFRESH, "run", "refresh", route.id),
        ],
        [button(texts.BUTTON_END, "end", route.id)],
        [Button(visit.plain(general.BACK), buttons.data("list", 0)), close_button(visit)],
    ]


async def press_end(visit: Visit, arguments: Sequence[str]) -> None:
    await following.end(visit, await choosing.route(visit, arguments[0]))


# -- asking and sending anew ----------------------------------------------------------------------


async def refresh(visit: Visit, arguments: str) -> None:
    """Have one feed asked, or all of this chat."""
    account, polling = await visit.account(), visit.desk.polling
    if not arguments:
        routes = await choosing.routes_here(visit)
        feeds = {each.feed_id for each in routes}
        for feed_id in sorted(feeds):
            await subscribing.request_refresh(polling, account, feed_id)
        visit.desk.ring()
        await visit.say(visit.t(texts.REFRESHED_ALL, n=len(feeds)))
        return
    chosen = await choosing.meant(visit, "refresh", arguments)
    if chosen is not None:
        await subscribing.request_refresh(polling, account, chosen[0].feed_id)
        visit.desk.ring()
        await visit.say(visit.t(texts.REFRESHED, title=chosen[0].title))


async def replay(visit: Visit, arguments: str) -> None:
    """Send the newest entries once more: `/replay FEED [N]`."""
    chosen = await choosing.meant(visit, "replay", arguments)
    if chosen is None:
        return
    route, typed = chosen
    count = int(typed) if typed.isdecimal() else 1
    if not 1 <= count <= MOST_REPLAYED:
        raise Complaint(texts.TOO_MANY_AGAIN, n=MOST_REPLAYED)
    account, now = await visit.account(), visit.desk.now()
    sent = await routing.replay(visit.desk.database, account, route.id, now=now, newest=count)
    visit.desk.ring()
    await visit.say(visit.counted(texts.REPLAYING, sent, title=route.title))


THEME: Final = Theme(
    texts.THEME_FEED,
    (
        Command("feed", feed, texts.ABOUT_FEED, "[FEED]", ("feed_keyboard",)),
        Command("preview", trying.preview, texts.ABOUT_PREVIEW, "[FEED]"),
        Command("refresh", refresh, texts.ABOUT_REFRESH, "[FEED]"),
        Command("replay", replay, texts.ABOUT_REPLAY, "FEED [N]"),
    ),
    {"feed": press_feed, "end": press_end},
)

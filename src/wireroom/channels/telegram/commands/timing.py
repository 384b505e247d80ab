"""When messages come: pauses and the time zone."""

import zoneinfo
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from wireroom import chats as places
from wireroom import routing
from wireroom.catalogue.telegram import feeds, general
from wireroom.catalogue.telegram import wishes as texts
from wireroom.channels.telegram.commands import buttons, choosing, wishing
from wireroom.channels.telegram.commands.buttons import Button
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.delivery import wishes as delivery_wishes
from wireroom.store.chat_routes import ChatRoute

__all__ = ["THEME", "texts", "until"]

#: Of what waited so many are offered as "the newest".
_NEWEST: Final = 5


# -- pausing --------------------------------------------------------------------------------------


async def pause(visit: Visit, arguments: str) -> None:
    """`/pause [FEED] [2h|2026-12-24]`; without a feed everything of this chat (wish 18)."""
    first, _, rest = arguments.partition(" ")
    end = routing.pause_end(first, visit.desk.now())
    if not arguments or (end is not None and not rest):
        await _pause_all(visit, end)
        return
    chosen = await choosing.meant(visit, "pause", arguments)
    if chosen is None:
        return
    end = routing.pause_end(chosen[1], visit.desk.now()) if chosen[1] else None
    if chosen[1] and end is None:
        raise Complaint(texts.BAD_PAUSE)
    await _pause(visit, chosen[0], end)
    title, words = chosen[0].title, until(visit, end or routing.FOREVER)
    await visit.show(visit.t(texts.PAUSED, title=title, until=words))


async def _pause(visit: Visit, route: ChatRoute, end: datetime | None) -> None:
    account, now = await visit.account(), visit.desk.now()
    await routing.pause(visit.desk.database, account, route.id, now=now, until=end)


async def _pause_all(visit: Visit, end: datetime | None) -> None:
    routes = await choosing.routes_here(visit)
    if not routes:
        raise Complaint(feeds.LIST_EMPTY)
    for route in routes:
        await _pause(visit, route, end)
    await visit.show(visit.t(texts.PAUSED_ALL, until=until(visit, end or routing.FOREVER)))


async def press_pause(visit: Visit, arguments: Sequence[str]) -> None:
    route = await choosing.route(visit, arguments[0])
    await _pause(visit, route, None)
    words = until(visit, routing.FOREVER)
    again = Button(visit.plain(texts.BUTTON_RESUME), buttons.data("resume", route.id))
    back = Button(visit.plain(general.BACK), buttons.data("feed", route.id))
    await visit.show(visit.t(texts.PAUSED, title=route.title, until=words), rows=[[again, back]])


def until(visit: Visit, moment: datetime) -> str:
    """The end of a pause in words."""
    if moment.year >= routing.FOREVER.year - 1:
        return visit.plain(texts.UNTIL_FURTHER)
    return visit.plain(texts.UNTIL, moment=f"{moment:%Y-%m-%d %H:%M} UTC")


# -- resuming -------------------------------------------------------------------------------------


async def resume(visit: Visit, arguments: str) -> None:
    """`/resume [FEED]`; without a feed everything of this chat, its suspended places too."""
    if not arguments:
        await _resume_all(visit)
        return
    chosen = await choosing.meant(visit, "resume", arguments)
    if chosen is not None:
        await _resume_or_ask(visit, chosen[0])


async def _resume_all(visit: Visit) -> None:
    resting = [
        each
        for each in await choosing.routes_here(visit)
        if choosing.is_paused(visit, each) or each.suspended_at is not None
    ]
    if not resting:
        raise Complaint(texts.NOT_PAUSED)
    for route in resting:
        await _resume(visit, route, None)
    await visit.show(visit.t(texts.RESUMED_ALL))


async def _resume_or_ask(visit: Visit, route: ChatRoute) -> None:
    """Much that waited is not sent before somebody said so."""
    if route.waiting <= _NEWEST:
        await _resume(visit, route, None)
        await visit.show(visit.t(texts.RESUMED, title=route.title))
        return
    choices = ((texts.SEND_ALL, -1), (texts.SEND_NEWEST, _NEWEST), (texts.SEND_NONE, 0))
    row = [
        Button(visit.plain(text, n=count), buttons.data("wake", route.id, count))
        for text, count in choices
    ]
    await visit.show(visit.t(texts.WAITED, n=route.waiting), rows=[row])


async def _resume(visit: Visit, route: ChatRoute, newest: int | None) -> None:
    account, now = await visit.account(), visit.desk.now()
    await routing.resume(visit.desk.database, account, route.id, now=now, newest=newest)
    if route.suspended_at is not None:
        await places.resume_place(visit.desk.database, account, route, now=now)
    visit.desk.ring()


async def press_resume(visit: Visit, arguments: Sequence[str]) -> None:
    await _resume_or_ask(visit, await choosing.route(visit, arguments[0]))


async def press_wake(visit: Visit, arguments: Sequence[str]) -> None:
    """End a pause, `wake.ROUTE.NEWEST`; -1 sends all that waited."""
    route, newest = await choosing.route(visit, arguments[0]), int(arguments[1])
    await _resume(visit, route, None if newest < 0 else newest)
    await visit.show(visit.t(texts.RESUMED, title=route.title))


# -- time zone ------------------------------------------------------------------------------------


async def set_zone(visit: Visit, arguments: str) -> None:
    """Minutes as El Monitorro has them, negative ones too (TGC-21), or a zone's name."""
    if not arguments:
        await visit.ask("set_timezone", "", visit.t(texts.ASK_ZONE))
        return
    typed = arguments.strip()
    if typed.removeprefix("-").removeprefix("+").isdecimal():
        minutes = int(typed)
        if minutes % 30 or not -720 <= minutes <= 840:
            raise Complaint(texts.BAD_ZONE, typed=typed[:40])
        await wishing.set_wish(visit, None, "utc_offset_minutes", minutes)
        await wishing.set_wish(visit, None, "zone", None)
    else:
        known = {each.lower(): each for each in zoneinfo.available_timezones()}
        name = known.get(typed.lower().replace(" ", "_"))
        if name is None:
            raise Complaint(texts.BAD_ZONE, typed=typed[:40])
        await wishing.set_wish(visit, None, "zone", name)
        await wishing.set_wish(visit, None, "utc_offset_minutes", None)
    own = await wishing.wishes(visit, None)
    clock = visit.desk.now().astimezone(delivery_wishes.zone(own))
    await visit.say(visit.t(texts.ZONE_SET, zone=_zone(visit, own), clock=f"{clock:%H:%M}"))


async def get_zone(visit: Visit, _: str) -> None:
    own = await wishing.wishes(visit, None)
    await visit.say(visit.t(texts.ZONE_IS, zone=_zone(visit, own)))


def _zone(visit: Visit, own: Any) -> str:
    return str(own.get("zone") or own.get("utc_offset_minutes", visit.plain(texts.NOT_SET)))


THEME: Final = Theme(
    texts.THEME_TIMES,
    (
        Command("pause", pause, texts.ABOUT_PAUSE, "[FEED] [2h|3d|2026-12-24]", ("mute",)),
        Command("resume", resume, texts.ABOUT_RESUME, "[FEED]", ("unmute",)),
        Command(
            "set_timezone", set_zone, texts.ABOUT_SET_ZONE, "MINUTES|Europe/Berlin", ("timezone",)
        ),
        Command("get_timezone", get_zone, texts.ABOUT_GET_ZONE, needs="reader", hidden=True),
    ),
    {"pause": press_pause, "resume": press_resume, "wake": press_wake},
)

"""How messages look: templates, and whether links are previewed."""

from typing import Final

from wireroom import routing
from wireroom.catalogue import values
from wireroom.catalogue.telegram import wishes as texts
from wireroom.channels.telegram.commands import choosing, wishing
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.visit import Visit
from wireroom.store.chat_routes import ChatRoute


async def set_template(visit: Visit, arguments: str) -> None:
    """A sample goes out first; a template that cannot be sent is refused (TGC-23)."""
    chosen = await choosing.meant(visit, "set_template", arguments)
    if chosen is None:
        return
    route, source = chosen
    if not source:
        await visit.ask("set_template", str(route.id), visit.t(texts.ASK_TEMPLATE))
        return
    await _set(visit, route, source)


async def _set(visit: Visit, route: ChatRoute | None, source: str) -> None:
    account = await visit.account()
    places = (
        [wishing.place_of(route)] if route else await wishing.chat_places(visit, to_change=True)
    )
    for place in places:
        await routing.set_template(visit.desk.delivering, account, place, source)
    visit.desk.ring()
    await visit.say(visit.t(texts.TEMPLATE_SET))


async def get_template(visit: Visit, arguments: str) -> None:
    chosen = await choosing.meant(visit, "get_template", arguments)
    if chosen is not None:
        await _say(visit, chosen[0])


async def _say(visit: Visit, route: ChatRoute | None) -> None:
    found = (await wishing.wishes(visit, route)).get("template")
    if found:
        await visit.say(visit.t(texts.TEMPLATE_IS, template=found))
    else:
        await visit.say(visit.t(texts.NO_TEMPLATE))


async def remove_template(visit: Visit, arguments: str) -> None:
    chosen = await choosing.meant(visit, "remove_template", arguments)
    if chosen is not None:
        await wishing.set_wish(visit, chosen[0], "template", None)
        await visit.show(visit.t(texts.TEMPLATE_REMOVED))


# -- of the chat ----------------------------------------------------------------------------------


async def set_global_template(visit: Visit, arguments: str) -> None:
    if not arguments:
        await visit.ask("set_global_template", "", visit.t(texts.ASK_TEMPLATE))
        return
    await _set(visit, None, arguments)


async def get_global_template(visit: Visit, _: str) -> None:
    await _say(visit, None)


async def remove_global_template(visit: Visit, _: str) -> None:
    await wishing.set_wish(visit, None, "template", None)
    await visit.say(visit.t(texts.TEMPLATE_REMOVED))


async def toggle_preview(visit: Visit, _: str) -> None:
    """On where nobody said otherwise (TGC-27)."""
    is_on = (await wishing.wishes(visit, None)).get("preview", True)
    await wishing.set_wish(visit, None, "preview", not is_on)
    await get_preview(visit, "")


async def get_preview(visit: Visit, _: str) -> None:
    is_on = (await wishing.wishes(visit, None)).get("preview", True)
    value = visit.plain(values.ON if is_on else values.OFF)
    await visit.say(visit.t(texts.PREVIEW_IS, value=value))


THEME: Final = Theme(
    texts.THEME_LAYOUT,
    (
        Command(
            "set_template", set_template, texts.ABOUT_TEMPLATE, "FEED TEMPLATE", ("template",)
        ),
        Command(
            "get_template",
            get_template,
            texts.ABOUT_GET_TEMPLATE,
            "FEED",
            needs="reader",
            hidden=True,
        ),
        Command(
            "remove_template", remove_template, texts.ABOUT_REMOVE_TEMPLATE, "FEED", hidden=True
        ),
        Command(
            "set_global_template", set_global_template, texts.ABOUT_GLOBAL_TEMPLATE, "TEMPLATE"
        ),
        Command(
            "get_global_template",
            get_global_template,
            texts.ABOUT_GET_GLOBAL_TEMPLATE,
            needs="reader",
            hidden=True,
        ),
        Command(
            "remove_global_template",
            remove_global_template,
            texts.ABOUT_REMOVE_GLOBAL_TEMPLATE,
            hidden=True,
        ),
        Command("toggle_preview_enabled", toggle_preview, texts.ABOUT_TOGGLE_PREVIEW, hidden=True),
        Command(
            "get_preview_enabled",
            get_preview,
            texts.ABOUT_GET_PREVIEW,
            needs="reader",
            hidden=True,
        ),
    ),
)

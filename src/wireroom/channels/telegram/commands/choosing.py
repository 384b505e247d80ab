"""Which subscription somebody means: by number, address, name, or a button."""

from collections.abc import Sequence
from typing import Final

from wireroom.catalogue import Text
from wireroom.catalogue.telegram import feeds as texts
from wireroom.catalogue.telegram import general
from wireroom.channels.telegram.commands import buttons
from wireroom.channels.telegram.commands.buttons import Button
from wireroom.channels.telegram.commands.desk import CHANNEL
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.errors import InvalidURL
from wireroom.feeds import urls
from wireroom.store import chat_routes
from wireroom.store.chat_routes import ChatRoute

#: Subscriptions by title alone are meant only by so many letters.
SHORTEST_NAME: Final = 3


async def routes_here(visit: Visit) -> list[ChatRoute]:
    """All that comes to the chat."""
    account = await visit.account()
    return await visit.desk.database.read(
        chat_routes.list_routes, account, CHANNEL, visit.chat_key
    )


async def route(visit: Visit, number: int | str) -> ChatRoute:
    """A subscription of this chat by its number. Raises Complaint for all others (promise 10)."""
    account, text = await visit.account(), str(number)
    found = None
    if text.isdecimal() and len(text) < 16:
        found = await visit.desk.database.read(
            chat_routes.find_route, account, CHANNEL, visit.chat_key, int(text)
        )
    if found is None:
        raise Complaint(general.STALE)
    return found


async def meant(
    visit: Visit, command: str, arguments: str, *, question: Text = texts.WHICH
) -> tuple[ChatRoute, str] | None:
    """The subscription that the arguments begin with, and the rest of them.

    With no arguments buttons are offered that give the command again, and None is returned.
    """
    routes = await routes_here(visit)
    if not routes:
        raise Complaint(texts.LIST_EMPTY)
    if not arguments:
        await offer(visit, command, routes, 0, question)
        return None
    word, _, rest = arguments.partition(" ")
    word, _, same_line = word.partition("\n")
    rest = f"{same_line}\n{rest}" if same_line else rest
    fitting = matching(routes, word, visit.address)
    if not fitting:
        raise Complaint(texts.NO_SUCH, typed=word[:100])
    if len(fitting) > 1:
        raise Complaint(texts.SEVERAL, typed=word[:100])
    return fitting[0], rest.strip()


def matching(routes: Sequence[ChatRoute], typed: str, address: str) -> list[ChatRoute]:
    """The routes that somebody may mean (C34). Where several topics get a feed, this one's."""
    typed = typed.strip("<>#")
    found = [each for each in routes if typed in (str(each.id), each.uuid)]
    if not found:
        key = _key(typed)
        found = [each for each in routes if each.url == typed or (key and _key(each.url) == key)]
    if not found and len(typed) >= SHORTEST_NAME:
        wanted = typed.casefold()
        found = [each for each in routes if wanted in each.title.casefold()]
    here = [each for each in found if each.address == address]
    return here if len(found) > 1 and here else found


def _key(typed: str) -> str:
    try:
        return urls.canonical(urls.checked(typed))
    except InvalidURL:
        return ""


async def offer(
    visit: Visit, command: str, routes: Sequence[ChatRoute], number: int, question: Text
) -> None:
    """A page of subscriptions as buttons; pressing one gives the command about it."""
    shown = buttons.page(number, len(routes))
    rows = [
        [Button(label(visit, each), buttons.data("run", command, each.id))]
        for each in routes[shown.first : shown.end]
    ]
    close = Button(visit.plain(general.CLOSE), buttons.data("close"))
    turning = buttons.turning("pick", shown, command)
    await visit.show(visit.t(question), rows=[*rows, turning, [close]])


async def press_pick(visit: Visit, arguments: Sequence[str]) -> None:
    """Another page of the same: `pick.PAGE.COMMAND`."""
    routes = await routes_here(visit)
    question = texts.WHICH_TO_END if arguments[1] == "del" else texts.WHICH
    await offer(visit, arguments[1], routes, int(arguments[0]), question)


def label(visit: Visit, each: ChatRoute) -> str:
    """A subscription on a button: its state, its title, and its topic if that is another one."""
    state = "🚫 " if each.disabled_at else "⏸ " if is_paused(visit, each) else ""
    elsewhere = each.address != visit.address and each.topic is not None
    topic = f" · {visit.plain(texts.LIST_TOPIC, topic=each.topic)}" if elsewhere else ""
    return f"{state}{each.title}{topic}"


def is_paused(visit: Visit, each: ChatRoute) -> bool:
    return each.paused_until is not None and each.paused_until > visit.desk.now()

"""The settings of a chat and of a subscription, wherever they are kept.

A chat's own account holds what the chat wants of all its feeds. Where the account is a person's,
whose other chats are none of this one's business, the chat's destinations hold it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from wireroom import doors, routing
from wireroom.catalogue import DEFAULT
from wireroom.channels.telegram.commands.desk import CHANNEL
from wireroom.channels.telegram.commands.visit import Visit
from wireroom.routing import Place
from wireroom.store import chat_routes, routes
from wireroom.store.chat_routes import ChatRoute


async def chat_places(visit: Visit, *, to_change: bool = False) -> Sequence[Place]:
    """Where what this chat wants is kept; several places hold the same."""
    account, database = await visit.account(), visit.desk.database
    if await doors.list_doors(database, account) == [visit.door]:
        return [Place("account", account)]
    found = await database.read(chat_routes.destinations_of, account, CHANNEL, visit.chat_key)
    if not found and to_change:
        found = [(await _made(visit, account), visit.chat_key)]
    return [Place("destination", destination_id) for destination_id, _ in found]


async def names(visit: Visit) -> Mapping[str, str]:
    """What the places are called here, where wishes are said of a feed or of the chat."""
    called = {"destination": "this chat", "route": "this feed", "subscription": "this feed"}
    doors_there = await doors.list_doors(visit.desk.database, await visit.account())
    return {**called, "account": "this chat"} if doors_there == [visit.door] else called


async def hand_on(visit: Visit, before: Sequence[Place]) -> None:
    """Let topics that came after `before`, where their own places hold it, want what the chat
    wants."""
    account, database, now = await visit.account(), visit.desk.database, visit.desk.now()
    new = [each for each in await chat_places(visit) if each not in before]
    if not before or before[0].kind != "destination":
        return
    wanted = await routing.get_wishes(database, account, before[0])
    for place in new:
        for name, value in wanted.items():
            await routing.set_wish(database, account, place, name, value, now=now)


async def _made(visit: Visit, account: int) -> int:
    now = visit.desk.now()
    return await visit.desk.database.write(
        lambda connection: routes.add_destination(
            connection,
            account_id=account,
            channel=CHANNEL,
            address=visit.chat_key,
            secret=None,
            title=visit.subject.title,
            now=now,
        )
    )


async def speak(visit: Visit) -> None:
    """Let posts speak as we do with whoever ordered them, as long as nobody chose a language."""
    if visit.language != DEFAULT and "language" not in await wishes(visit, None):
        await set_wish(visit, None, "language", visit.language)


def place_of(route: ChatRoute) -> Place:
    return Place("route", route.id)


async def wishes(visit: Visit, route: ChatRoute | None) -> Mapping[str, Any]:
    """What is set for a subscription, or with None for the chat."""
    account = await visit.account()
    if route is not None:
        return await routing.get_wishes(visit.desk.database, account, place_of(route))
    for place in await chat_places(visit):
        return await routing.get_wishes(visit.desk.database, account, place)
    return {}


async def set_wish(visit: Visit, route: ChatRoute | None, name: str, value: Any) -> None:
    """Set it for a subscription, or with None for the chat; the value None takes it back.

    Raises UserError for what cannot be.
    """
    account, now = await visit.account(), visit.desk.now()
    places = [place_of(route)] if route else await chat_places(visit, to_change=True)
    within = await _within(visit, account) if name == "rules" else None
    for place in places:
        await routing.set_wish(
            visit.desk.database, account, place, name, value, now=now, within=within
        )
    visit.desk.ring()


async def _within(visit: Visit, account: int) -> Sequence[int] | None:
    """Where rules may lead that are set here: in a group whose account is a person's, to the group
    alone. Its admins have no say in that person's other chats."""
    database = visit.desk.database
    if visit.subject.is_private or await doors.list_doors(database, account) == [visit.door]:
        return None
    found = await database.read(chat_routes.destinations_of, account, CHANNEL, visit.chat_key)
    return [destination_id for destination_id, _ in found]

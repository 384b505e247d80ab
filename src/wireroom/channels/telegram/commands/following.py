"""Subscribing, ending subscriptions, and lists of them."""

from collections.abc import Sequence
from typing import Any, Final

from wireroom import chats as places
from wireroom import routing, subscribing
from wireroom.catalogue.telegram import feeds as texts
from wireroom.catalogue.telegram import general
from wireroom.channels.telegram.commands import buttons, choosing, elsewhere, wishing
from wireroom.channels.telegram.commands.buttons import Button, Row
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.desk import CHANNEL
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.feeds import urls
from wireroom.feeds.discovery import Candidate
from wireroom.store import chat_routes, chats
from wireroom.store.chat_routes import ChatRoute
from wireroom.subscribing import Choice, Subscribed, Target, opening

#: Of the entries that are there at the beginning, so many are offered.
_OLDER: Final = (3, 10)


# -- subscribing ----------------------------------------------------------------------------------


async def sub(visit: Visit, arguments: str) -> None:
    visit, typed = await elsewhere.about(visit, arguments)
    if not typed:
        await visit.ask("sub", "", visit.t(texts.ASK_URL))
        return
    await subscribe(visit, typed)


async def subscribe(visit: Visit, typed: str) -> None:
    """Let the chat follow what is at an address; where a page has several feeds, offer them."""
    await check_room(visit)
    account = await visit.account()
    found = await subscribing.subscribe_or_choose(
        visit.desk.polling, account, typed, owner=visit.desk.owner
    )
    if isinstance(found, Choice):
        await offer(visit, found.offered, typed)
        return
    route, is_new = await send_here(visit, found)
    # What is public, or about another chat, is no place for buttons.
    is_here = not visit.is_elsewhere and visit.chat.kind != "channel"
    rows = _afterwards(visit, route) if is_new and is_here else ()
    await visit.show(_subscribed(visit, found, is_new=is_new), rows=rows)


async def check_room(visit: Visit) -> None:
    """Raises Complaint when the chat has as many subscriptions as it may have (TGC-12)."""
    most = visit.desk.limits.subscriptions.get(visit.subject.kind)
    if most is None or visit.role == "operator":
        return
    account = await visit.account()
    have = await visit.desk.database.read(chat_routes.count, account, CHANNEL, visit.chat_key)
    if have >= most:
        raise Complaint(texts.LIMIT.of(most), n=most)


async def send_here(visit: Visit, found: Subscribed) -> tuple[int, bool]:
    """Let a subscription come to this chat or topic; gives the route, and whether it is new."""
    account = await visit.account()
    before = await visit.desk.database.read(
        chat_routes.list_routes, account, CHANNEL, visit.chat_key
    )
    is_new = all(
        (each.subscription_id, each.address) != (found.subscription_id, visit.address)
        for each in before
    )
    target = Target(
        CHANNEL,
        visit.address,
        title=visit.subject.title,
        initial_items=visit.desk.initial_items,
    )
    known = await wishing.chat_places(visit)
    route = await subscribing.send_to(visit.desk.polling, account, found.subscription_id, target)
    await wishing.hand_on(visit, known)
    await wishing.speak(visit)
    title = visit.subject.title
    await visit.desk.database.write(chat_routes.retitle, account, CHANNEL, visit.chat_key, title)
    visit.desk.ring()
    return route, is_new


def _afterwards(visit: Visit, route: int) -> list[Row]:
    """What people do next: look at older entries (wish 25), or set how it comes."""
    older = [
        Button(visit.plain(texts.SEND_OLDER, n=count), buttons.data("older", route, count))
        for count in _OLDER
        if count > visit.desk.initial_items  # so many come by themselves
    ]
    return [older, [Button(visit.plain(texts.SET_UP), buttons.data("feed", route))]]


async def press_older(visit: Visit, arguments: Sequence[str]) -> None:
    """Send the newest entries that are there already: `older.ROUTE.COUNT`."""
    route, count = await choosing.route(visit, arguments[0]), int(arguments[1])
    if count not in _OLDER:
        raise Complaint(general.STALE)
    account, now = await visit.account(), visit.desk.now()
    await routing.replay(visit.desk.database, account, route.id, now=now, newest=count)
    visit.desk.ring()
    rows = _afterwards(visit, route.id)[1:]
    assert visit.press is not None
    await visit.desk.replies.set_buttons(visit.chat.id, visit.press.message_id, rows)


def _subscribed(visit: Visit, found: Subscribed, *, is_new: bool) -> str:
    text = texts.SUBSCRIBED if is_new else texts.ALREADY
    if found.revived:
        text = texts.REVIVED
    elif is_new and visit.is_elsewhere:
        text = texts.SUBSCRIBED_ELSEWHERE
    return visit.t(text, title=found.title, url=found.url, chat=visit.subject.title)


# -- where there is a choice ----------------------------------------------------------------------


async def offer(visit: Visit, offered: Sequence[Candidate], typed: str) -> None:
    """The feeds of the page that was typed, as buttons."""
    memo = await remember(visit, [each.url for each in offered], typed)
    rows = [
        [Button(each.title or each.url, buttons.data("take", memo, number))]
        for number, each in enumerate(offered)
    ]
    no = Button(visit.plain(texts.OFFER_NO), buttons.data("close"))
    await visit.show(visit.t(texts.CHOOSE), rows=[*rows, [no]])


async def remember(visit: Visit, addresses: Sequence[str], typed: str) -> int:
    """Addresses wait in the store until one is chosen: they are too long for buttons. What was
    typed before the host of the page waits with them, sealed (OPT-02)."""
    now = visit.desk.now()
    payload: dict[str, Any] = {"urls": list(addresses), "chat": visit.subject.id}
    if urls.without_user_info(typed)[1]:
        vault = visit.desk.polling.vault()
        payload["opening"] = opening.sealed(typed, vault, visit.chat.id)
    return await visit.desk.database.write(
        lambda connection: chats.add_memo(
            connection,
            chat_id=visit.chat.id,
            user_id=visit.user_id,
            kind="offer",
            payload=payload,
            now=now,
        )
    )


async def remembered(visit: Visit, memo_id: str, number: str) -> tuple[str, int]:
    """An offered address, and the chat that it was offered for. Raises Complaint."""
    memo = await visit.desk.database.read(
        lambda connection: chats.find_memo(
            connection, int(memo_id), chat_id=visit.chat.id, kind="offer"
        )
    )
    addresses = memo.payload["urls"] if memo else []
    if memo is None or not 0 <= int(number) < len(addresses):
        raise Complaint(texts.OFFER_GONE)
    address = addresses[int(number)]
    if kept := memo.payload.get("opening"):
        address = opening.unsealed(address, kept, visit.desk.polling.vault(), visit.chat.id)
    return address, memo.payload["chat"]


async def press_take(visit: Visit, arguments: Sequence[str]) -> None:
    """One of the offered feeds: `take.MEMO.NUMBER`."""
    visit.acknowledge()
    address, chat = await remembered(visit, arguments[0], arguments[1])
    if chat != visit.subject.id:
        visit = visit.about(await elsewhere.chat_named(visit, str(chat)))
    await subscribe(visit, address)


# -- ending ---------------------------------------------------------------------------------------


async def delete(visit: Visit, arguments: str) -> None:
    visit, typed = await elsewhere.about(visit, arguments)
    chosen = await choosing.meant(visit, "del", typed, question=texts.WHICH_TO_END)
    if chosen is not None:
        await end(visit, chosen[0])


async def end(visit: Visit, route: ChatRoute) -> None:
    account, now = await visit.account(), visit.desk.now()
    await places.end_route(visit.desk.database, account, route, now=now)
    await visit.show(visit.t(texts.ENDED, title=route.title))


# -- lists ----------------------------------------------------------------------------------------


async def list_(visit: Visit, arguments: str) -> None:
    """All that comes here as text, in as many messages as it takes (TGC-14, TGC-15)."""
    visit, _ = await elsewhere.about(visit, arguments)
    routes = await choosing.routes_here(visit)
    if not routes:
        await visit.show(visit.t(texts.LIST_EMPTY))
        return
    title = visit.subject.title or str(visit.subject.id)
    lines = [visit.counted(texts.LIST, len(routes), chat=title)]
    for route in routes:
        lines += ["", *_described(visit, route)]
    settings = Button(visit.plain(texts.MANAGE), buttons.data("list", 0))
    await visit.say(*lines, rows=[[settings]])


def _described(visit: Visit, route: ChatRoute) -> list[str]:
    lines = [visit.t(texts.LIST_LINE, id=route.id, title=route.title, url=route.url)]
    if route.topic is not None and route.address != visit.address:
        lines.append(visit.t(texts.LIST_TOPIC, topic=route.topic))
    if route.disabled_at is not None:
        lines.append(visit.t(texts.LIST_DISABLED, reason=visit.words(route.disabled_reason)))
    elif route.failure_count:
        lines.append(visit.t(texts.LIST_FAILING, reason=visit.trouble(route.last_error)))
    if route.suspended_at is not None:
        lines.append(visit.t(texts.LIST_DISABLED, reason=visit.words(route.suspended_reason)))
    if choosing.is_paused(visit, route):
        lines.append(visit.t(texts.LIST_PAUSED))
    return lines


async def list_all(visit: Visit, _: str) -> None:
    """Every feed with its chats, for the operator (TGC-16)."""
    found = await visit.desk.database.read(chat_routes.list_all, CHANNEL)
    lines: list[str] = []
    for feed in found:
        lines.append(visit.t(texts.LIST_LINE, id=feed.id, title=feed.title, url=feed.url))
        if feed.disabled_reason:
            reason = visit.words(feed.disabled_reason)
            lines.append(visit.t(texts.LIST_DISABLED, reason=reason))
        lines += [
            visit.t(texts.ALL_CHAT, id=reader.address, title=reader.title)
            for reader in feed.readers
        ]
    await visit.say(*(lines or [visit.t(texts.ALL_EMPTY)]))


THEME: Final = Theme(
    texts.THEME,
    (
        Command("sub", sub, texts.ABOUT_SUB, "URL [@channel]", ("subscribe", "add")),
        Command("del", delete, texts.ABOUT_DEL, "NUMBER|URL [@channel]", ("unsub", "unsubscribe")),
        Command(
            "list",
            list_,
            texts.ABOUT_LIST,
            "[@channel]",
            ("rss", "feeds", "list_subscriptions"),
            needs="reader",
        ),
        Command(
            "rss_all",
            list_all,
            texts.ABOUT_ALL,
            aliases=("feeds_all",),
            needs="operator",
            private_only=True,
        ),
    ),
    {"take": press_take, "older": press_older, "pick": choosing.press_pick},
    frozenset({"pick"}),
)

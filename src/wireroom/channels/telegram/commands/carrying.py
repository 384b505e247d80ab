"""Lists in and out, joining a chat with an account, and speaking here about another chat."""

from collections.abc import Sequence
from typing import Any, Final

from wireroom import doors, lists, subscribing
from wireroom.catalogue.telegram import carrying as texts
from wireroom.channels.telegram.commands import choosing, elsewhere, wishing
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.desk import CHANNEL
from wireroom.channels.telegram.commands.incoming import Document
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.errors import InvalidURL
from wireroom.feeds import opml, urls
from wireroom.feeds.opml import OutlineFeed
from wireroom.store import access, chat_routes, chats
from wireroom.store import following as followed
from wireroom.subscribing import Target

#: Bytes of a list.
LARGEST_LIST: Final = 5_000_000
#: Feeds that were refused are told one by one up to so many.
_MOST_TOLD: Final = 10


# -- lists ----------------------------------------------------------------------------------------


async def import_(visit: Visit, _: str) -> None:
    document = visit.message.document if visit.message else None
    if document is None:
        await visit.say(visit.t(texts.ASK_FILE))
        return
    await take_in(visit, document)


async def take_in(visit: Visit, document: Document) -> None:
    """Let all feeds of an OPML file come here; entries that are there already do not flood."""
    if document.size > LARGEST_LIST:
        raise Complaint(texts.TOO_LARGE)
    found = await visit.desk.api.call("getFile", file_id=document.file_id)
    content = await visit.desk.api.load(str(found.get("file_path", "")))
    if len(content) > LARGEST_LIST:
        raise Complaint(texts.TOO_LARGE)
    outlines = opml.read(content)
    await _check_room(visit, len(outlines.feeds))
    account, database = await visit.account(), visit.desk.database
    taken = await lists.take_in(database, account, content, visit.desk.now())
    before = await database.read(chat_routes.count, account, CHANNEL, visit.chat_key)
    await _send_here(visit, [each.url for each in outlines.feeds])
    after = await database.read(chat_routes.count, account, CHANNEL, visit.chat_key)
    visit.desk.ring()
    lines = []
    if after > before:
        lines.append(visit.counted(texts.IMPORTED, after - before))
    known = taken.created + taken.existing - (after - before)
    if known > 0:
        lines.append(visit.t(texts.IMPORTED_BEFORE, n=known))
    lines += [
        visit.t(texts.IMPORT_REFUSED, url=each.url, reason=visit.words(each.sentence))
        for each in taken.failed[:_MOST_TOLD]
    ]
    await visit.say(*(lines or [visit.t(texts.IMPORT_NOTHING)]))


async def _check_room(visit: Visit, coming: int) -> None:
    most = visit.desk.limits.subscriptions.get(visit.subject.kind)
    if most is None or visit.role == "operator":
        return
    account = await visit.account()
    have = await visit.desk.database.read(chat_routes.count, account, CHANNEL, visit.chat_key)
    if have + coming > most:
        raise Complaint(texts.TOO_MANY, have=coming, most=most)


async def _send_here(visit: Visit, addresses: Sequence[str]) -> None:
    """Routes to this place for those of the account's subscriptions that have these addresses.

    Not for feeds that need a password: a list names none, so it may be anybody's.
    """
    wanted = {key for each in addresses if (key := _key(each))}
    account = await visit.account()
    shelf = await visit.desk.database.read(followed.list_followed, account)
    private = await visit.desk.database.read(access.private_to, account)
    target = Target(CHANNEL, visit.address, title=visit.subject.title, initial_items=0)
    for each in shelf:
        if _key(each.url) in wanted and each.feed_id not in private:
            await subscribing.send_to(visit.desk.polling, account, each.subscription_id, target)
    await wishing.speak(visit)


def _key(address: str) -> str:
    try:
        return urls.canonical(urls.checked(address))
    except InvalidURL:
        return ""


async def export(visit: Visit, _: str) -> None:
    """All of the chat's own account in its folders; of a person's account what comes here."""
    account, database, now = await visit.account(), visit.desk.database, visit.desk.now()
    routes = await choosing.routes_here(visit)
    if await doors.list_doors(database, account) == [visit.door]:
        document = await lists.give_out(database, account, now)
    else:
        outlines = {each.url: OutlineFeed(each.url, each.title) for each in routes}
        document = opml.write(outlines.values(), title="Wireroom subscriptions", created=now)
    caption = visit.counted(texts.EXPORTED, len(routes))
    await visit.desk.replies.send_file(visit.place, document, lists.file_name(now), caption)


# -- being one with an account --------------------------------------------------------------------


async def link(visit: Visit, arguments: str) -> None:
    """With a code of the web reader; without one, a code for it (both ways of `doors`).

    A code of the chat would let everybody who reads along take the chat over, so it is given in
    private chats only.
    """
    database, now = visit.desk.database, visit.desk.now()
    if not arguments:
        await visit.ask("link", "", await _asking_for_code(visit))
        return
    await doors.link(database, visit.door, arguments, now=now)
    await visit.say(visit.t(texts.LINKED))


async def press_link(visit: Visit, arguments: Sequence[str]) -> None:
    """`link.CODE`, under what a deep link asked."""
    await link(visit, arguments[0])


async def _asking_for_code(visit: Visit) -> str:
    """With a code of ours only where nobody else reads it: it hands over what the chat follows."""
    if not visit.chat.is_private:
        return visit.t(texts.ASK_CODE_ALOUD)
    account, now = await visit.account(), visit.desk.now()
    if visit.subject.is_private:
        code = await doors.new_code(visit.desk.database, account, now=now)
    else:
        code = await doors.new_code_here(visit.desk.database, visit.door, account, now=now)
    return visit.t(texts.ASK_CODE, code=code)


async def unlink(visit: Visit, _: str) -> None:
    database = visit.desk.database
    account = await visit.account()
    places = await database.read(chat_routes.destinations_of, account, CHANNEL, visit.chat_key)
    name = visit.subject.title or visit.chat_key
    ids = [destination_id for destination_id, _ in places]
    await doors.unlink(database, visit.door, name=name, places=ids, now=visit.desk.now())
    await visit.say(visit.t(texts.UNLINKED))


# -- another chat, from here ----------------------------------------------------------------------


async def manage(visit: Visit, arguments: str) -> None:
    if arguments:
        await manage_chat(visit, arguments)
        return
    await visit.ask("manage", "", visit.t(texts.MANAGE_HOW), markup=_chat_buttons(visit))


def _chat_buttons(visit: Visit) -> dict[str, Any]:
    """Telegram's own lists of channels and groups in which both of us are admins."""

    def request(number: int, *, is_channel: bool) -> dict[str, Any]:
        rights = {
            **dict.fromkeys(_RIGHTS, False),
            "can_post_messages": is_channel,
            "can_manage_chat": True,
        }
        return {
            "request_id": number,
            "chat_is_channel": is_channel,
            "user_administrator_rights": rights,
            "bot_is_member": True,
        }

    channel = {
        "text": visit.plain(texts.CHOOSE_CHANNEL),
        "request_chat": request(1, is_channel=True),
    }
    group = {
        "text": visit.plain(texts.CHOOSE_GROUP),
        "request_chat": request(2, is_channel=False),
    }
    return {
        "keyboard": [[channel, group]],
        "one_time_keyboard": True,
        "resize_keyboard": True,
    }


#: What ChatAdministratorRights must say of.
_RIGHTS: Final = (
    "is_anonymous",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)


async def manage_chat(visit: Visit, named: str) -> None:
    chat = await elsewhere.chat_named(visit, named)
    await visit.forget_question()
    await visit.desk.database.write(chats.set_managing, visit.chat.id, chat.id)
    managing = visit.t(texts.MANAGING, chat=chat.title)
    if visit.message and visit.message.shared_chat:  # takes the keyboard with the chats away
        gone = {"remove_keyboard": True}
        await visit.desk.replies.say(visit.place, [managing], markup=gone)
    else:
        await visit.say(managing)


async def press_manage(visit: Visit, arguments: Sequence[str]) -> None:
    await manage_chat(visit, arguments[0])


async def here(visit: Visit, _: str) -> None:
    await visit.desk.database.write(chats.set_managing, visit.chat.id, None)
    await visit.say(visit.t(texts.MANAGING_NOTHING))


async def move(visit: Visit, arguments: str) -> None:
    """Let a feed come into this topic instead of where it comes now (wish 1)."""
    chosen = await choosing.meant(visit, "move", arguments)
    if chosen is None:
        return
    route = chosen[0]
    if route.address != visit.address:
        account, now = await visit.account(), visit.desk.now()
        place, title = visit.address, visit.subject.title
        known = await wishing.chat_places(visit)
        await visit.desk.database.write(
            lambda connection: chat_routes.move_route(
                connection,
                route,
                account_id=account,
                channel=CHANNEL,
                address=place,
                title=title,
                now=now,
            )
        )
        await wishing.hand_on(visit, known)
        visit.desk.ring()
    await visit.show(visit.t(texts.MOVED, title=route.title))


THEME: Final = Theme(
    texts.THEME,
    (
        Command("import", import_, texts.ABOUT_IMPORT),
        Command("export", export, texts.ABOUT_EXPORT),
        Command("link", link, texts.ABOUT_LINK, "[CODE]"),
        Command("unlink", unlink, texts.ABOUT_UNLINK, hidden=True),
        Command("manage", manage, texts.ABOUT_MANAGE, "@channel", private_only=True),
        Command("here", here, texts.ABOUT_HERE, private_only=True, hidden=True),
        Command("move", move, texts.ABOUT_MOVE, "FEED"),
    ),
    {"manage": press_manage, "link": press_link},
)

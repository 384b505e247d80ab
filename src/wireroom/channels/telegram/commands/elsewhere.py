"""Speaking with us in one chat about another: a channel that somebody manages."""

import re
from dataclasses import dataclass
from typing import Any, Final

from wireroom.catalogue.telegram import feeds as texts
from wireroom.channels.telegram.api import Refused
from wireroom.channels.telegram.commands import incoming, roles
from wireroom.channels.telegram.commands.incoming import Chat
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.store import chats

#: The name of a public chat as people write it, or its address.
_PUBLIC_NAME: Final = re.compile(r"(?:@|(?:https?://)?t\.me/)?([A-Za-z]\w{3,31})", re.ASCII)


async def chat_named(visit: Visit, named: str) -> Chat:
    """The chat that `@name` or an id names, once it is sure that we may post there and that who
    asks may change what it gets. Raises Complaint, with one reason for each of them (TGC-08)."""
    chat = await _look_up(visit, named)
    await check(visit, chat)
    now = visit.desk.now()
    await visit.desk.database.write(
        lambda connection: chats.note_chat(
            connection,
            chat.id,
            kind=chat.kind,
            title=chat.title,
            username=chat.username,
            now=now,
        )
    )
    return chat


async def _look_up(visit: Visit, named: str) -> Chat:
    wanted = number_or_name(named)
    if wanted is None:
        raise Complaint(texts.NO_SUCH_CHAT, chat=named[:100])
    try:
        found = await visit.desk.api.call("getChat", chat_id=wanted)
    except Refused:
        raise Complaint(texts.NO_SUCH_CHAT, chat=named) from None
    chat = incoming.chat_of(found)
    if chat is None or chat.is_private:
        raise Complaint(texts.NO_SUCH_CHAT, chat=named)
    return chat


def number_or_name(typed: str) -> int | str | None:
    """What a chat is asked for by: -100…, @name, name, or t.me/name; None for other words."""
    if re.fullmatch(r"-?\d{1,18}", typed):
        return int(typed)
    found = _PUBLIC_NAME.fullmatch(typed)
    return f"@{found[1]}" if found else None


async def check(visit: Visit, chat: Chat) -> None:
    """Whether we may post in a chat and whoever asks may manage it. Raises Complaint."""
    name = _name(chat)
    ours = await _member(visit, chat, visit.desk.api.bot_id)
    if not ours.is_there:
        raise Complaint(texts.NOT_A_MEMBER, chat=name)
    if not ours.may_post(chat):
        raise Complaint(texts.MAY_NOT_POST, chat=name)
    sender = visit.sender
    leads = sender is not None and await visit.desk.leaders.is_so(chat.id, ("leads", sender.id))
    if sender is None or not roles.may_manage_elsewhere(visit.desk.access, sender, leads=leads):
        raise Complaint(texts.NOT_YOUR_CHAT, chat=name)


def _name(chat: Chat) -> str:
    return f"@{chat.username}" if chat.username else chat.title or str(chat.id)


@dataclass(frozen=True, slots=True)
class _Member:
    status: str
    body: dict[str, Any]

    @property
    def is_there(self) -> bool:
        if self.status == "restricted":
            return bool(self.body.get("is_member"))
        return self.status in ("creator", "administrator", "member")

    def may_post(self, chat: Chat) -> bool:
        if chat.kind == "channel":
            return self.status == "creator" or bool(self.body.get("can_post_messages"))
        if self.status == "restricted":
            return self.body.get("can_send_messages") is not False
        return True


_NOBODY: Final = _Member("left", {})


async def _member(visit: Visit, chat: Chat, user: int) -> _Member:
    try:
        found = await visit.desk.api.call("getChatMember", chat_id=chat.id, user_id=user)
    except Refused:  # a channel shows its members to its admins only
        return _NOBODY
    return _Member(str(found.get("status")), found) if isinstance(found, dict) else _NOBODY


def split_target(arguments: str) -> tuple[str, str]:
    """Arguments without the chat that they end with, and that chat: "URL @channel"."""
    rest, _, last = arguments.rpartition(" ")
    is_chat = (last.startswith("@") and len(last) > 1) or (
        last.startswith("-") and last[1:].isdecimal()
    )
    return (rest.strip(), last) if is_chat else (arguments, "")


async def about(visit: Visit, arguments: str) -> tuple[Visit, str]:
    """The visit about the chat that the arguments end with, if any, and the other arguments."""
    rest, named = split_target(arguments)
    if not named:
        return visit, arguments
    return visit.about(await chat_named(visit, named)), rest

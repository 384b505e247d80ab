"""What happens to chats: we are let in, silenced, put out; groups move; people block us."""

import asyncio
from typing import Final

import structlog

from wireroom import chats as places
from wireroom import doors
from wireroom.catalogue import language_of
from wireroom.catalogue.telegram import lifecycle as texts
from wireroom.channels.telegram.api import Refused, TelegramError
from wireroom.channels.telegram.commands.desk import CHANNEL, Desk
from wireroom.channels.telegram.commands.incoming import (
    Event,
    Message,
    Moved,
    Person,
    Press,
    Standing,
)
from wireroom.channels.telegram.commands.replies import Place
from wireroom.errors import Conflict
from wireroom.store import chats
from wireroom.store.doors import Door

log = structlog.get_logger(__name__)

_MOVE_TRIES: Final = 5
_MOVE_PAUSE_SECONDS: Final = 2.0


async def moved(desk: Desk, event: Moved) -> None:
    """A group became a supergroup: account, destinations and settings go along (TGD-14).

    Told in the old chat, in the new one and by refused messages; each of them changes only what is
    still to be changed.
    """
    door = Door(CHANNEL, str(event.old))
    for _ in range(_MOVE_TRIES):
        now = desk.now()
        try:
            await places.move(desk.database, CHANNEL, event.old, event.new, now=now)
            await doors.rename(desk.database, door, str(event.new), now=now)
        except Conflict:  # a message is on its way there; it is written down in a moment
            await asyncio.sleep(_MOVE_PAUSE_SECONDS)
        else:
            log.info("telegram group moved", old=event.old, new=event.new)
            desk.leaders.forget(event.old)
            return
    log.warning("telegram group not moved yet", old=event.old, new=event.new)


async def standing(desk: Desk, event: Standing) -> None:
    """Somebody's place in a chat changed; ours means that messages go, or do not go, there."""
    desk.leaders.forget(event.chat.id)
    if event.user != desk.api.bot_id:
        return
    now, chat = desk.now(), event.chat
    if event.is_member and event.may_write:
        known = await desk.database.read(chats.find_chat, chat.id)
        await desk.database.write(
            lambda connection: chats.note_chat(
                connection,
                chat.id,
                kind=chat.kind,
                title=chat.title,
                username=chat.username,
                now=now,
            )
        )
        await places.return_to(desk.database, CHANNEL, chat.id, now=now)
        desk.ring()
        if known is None and chat.is_group:
            await _greet(desk, event)
        return
    reason = "the bot may not write there" if event.is_member else "the bot was removed"
    await places.leave(desk.database, CHANNEL, chat.id, reason=reason, now=now)
    if not chat.is_private:
        await _tell(desk, event)


async def _greet(desk: Desk, event: Standing) -> None:
    """A word to whoever added us to a group, once."""
    if desk.access.mode != "open" and (
        event.by is None or event.by.id not in desk.access.operators
    ):
        return
    language = language_of(event.by.language if event.by else "")
    await desk.replies.say(Place(event.chat.id), [texts.GREETING.html(language)])


async def _tell(desk: Desk, event: Standing) -> None:
    """Who took our rights knows it; the operator hears of it, and so does who did it, in private,
    as far as they ever spoke with us (wish 24)."""
    text = texts.MAY_NOT_WRITE if event.is_member else texts.REMOVED
    told: set[int] = set(desk.access.operators)
    if event.by is not None:
        told.add(event.by.id)
    for user in sorted(told):
        known = await desk.database.read(chats.find_chat, user)
        if known is None or known.left_at is not None:
            continue
        language = language_of(known.language or _language_of(event.by, user))
        line = text.html(language, chat=event.chat.title or event.chat.id)
        try:
            await desk.replies.say(Place(user), [line])
        except TelegramError as error:
            log.info("nobody to tell of a lost chat", reason=str(error))


def _language_of(person: Person | None, user: int) -> str:
    return person.language if person is not None and person.id == user else ""


async def refused(desk: Desk, event: Event, refusal: Refused) -> None:
    """An answer of ours was not taken: the chat is closed to us, or it is our mistake."""
    chat = event.chat.id if isinstance(event, Message | Press) else 0
    if chat and refusal.remedy == "gone":
        await places.leave(desk.database, CHANNEL, chat, reason=str(refusal), now=desk.now())
    log.info("telegram answer refused", chat=chat, reason=str(refusal))

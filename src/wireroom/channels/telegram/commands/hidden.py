"""Whoever writes without a name where one person alone is answered: told so, if it may be them.

Strangers' chats get no answer at all (TGC-01): one of the operators has to lead the chat.
"""

from wireroom.catalogue import Language, language_of
from wireroom.catalogue.telegram import lifecycle as texts
from wireroom.channels.telegram.commands import addressed
from wireroom.channels.telegram.commands.desk import Desk
from wireroom.channels.telegram.commands.incoming import Message
from wireroom.channels.telegram.commands.replies import Place
from wireroom.store import chats


async def explain(desk: Desk, message: Message) -> None:
    """Answer a command of an anonymous admin or of a channel with what to do instead."""
    order, chat = addressed.order(message, desk.handle), message.chat
    is_hidden = chat.kind == "channel" or (chat.is_group and message.sender_chat is not None)
    if not is_hidden or order is None or order.name not in desk.table.commands:
        return
    for operator in sorted(desk.access.operators):
        if not await desk.leaders.is_so(chat.id, ("leads", operator)):
            continue
        language = await _language(desk, operator)
        named = f"@{chat.username}" if chat.username else str(chat.id)
        if chat.is_group:
            place = Place(chat.id, message.topic, message.message_id)
            text = texts.HIDDEN_IN_A_GROUP.html(language, chat=named)
        else:  # readers of a channel are not to see it (TGD-02)
            place = Place(operator)
            text = texts.HIDDEN_IN_A_CHANNEL.html(
                language, name=order.name, title=chat.title or named, chat=named
            )
        await desk.replies.say(place, [text])
        return


async def _language(desk: Desk, operator: int) -> Language:
    known = await desk.database.read(chats.find_chat, operator)
    return language_of(known.language if known else "")

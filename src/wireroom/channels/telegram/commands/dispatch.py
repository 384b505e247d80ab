"""What becomes of an update: whose word counts, which command it is, and what to say otherwise."""

from dataclasses import replace

import structlog

from wireroom.catalogue import DEFAULT, Language, language_of
from wireroom.catalogue.telegram import general as texts
from wireroom.catalogue.telegram import problems
from wireroom.channels.telegram.api import ChatMoved, Refused, TelegramError
from wireroom.channels.telegram.commands import (
    addressed,
    buttons,
    discovering,
    hidden,
    lifecycle,
    roles,
    starting,
)
from wireroom.channels.telegram.commands.addressed import Order
from wireroom.channels.telegram.commands.desk import Desk
from wireroom.channels.telegram.commands.incoming import (
    Chat,
    Event,
    Message,
    Moved,
    Press,
    Standing,
)
from wireroom.channels.telegram.commands.replies import Place
from wireroom.channels.telegram.commands.roles import Role
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.errors import StoreUnavailable, UserError
from wireroom.store import chats
from wireroom.store.chats import KnownChat

log = structlog.get_logger(__name__)


async def handle(desk: Desk, event: Event) -> None:
    """Deal with one event, to the end; whatever goes wrong is told or logged."""
    try:
        await _handle(desk, event)
    except ChatMoved as moved:
        if isinstance(event, Message | Press):  # what was asked in the old group is asked anew
            old = event.chat
            await lifecycle.moved(desk, Moved(old.id, moved.chat))
            there = replace(event, chat=replace(old, id=moved.chat, kind="supergroup"))
            await _handle(desk, there)
    except Refused as refused:
        await lifecycle.refused(desk, event, refused)
    except TelegramError as error:
        log.warning("telegram did not answer", reason=str(error))


async def _handle(desk: Desk, event: Event) -> None:
    match event:
        case Moved():
            await lifecycle.moved(desk, event)
        case Standing():
            await lifecycle.standing(desk, event)
        case Press():
            await _pressed(desk, event)
        case Message():
            await _written(desk, event)


# -- visits ---------------------------------------------------------------------------------------


async def _visit(desk: Desk, event: Message | Press) -> Visit | None:
    """Who it is, and what they may do; None for those who are not served."""
    role = await _role(desk, event)
    if role == "nobody":
        if isinstance(event, Message):
            await (hidden.explain if desk.access.operators else _tell_how_to_set_up)(desk, event)
        return None
    known = await _known(desk, event)
    language = _language(event, known)
    visit = Visit(
        desk=desk,
        chat=event.chat,
        topic=event.topic,
        sender=event.sender,
        role=role,
        language=language,
        subject=event.chat,
        message=event if isinstance(event, Message) else None,
        press=event if isinstance(event, Press) else None,
    )
    if known.managing is not None:
        return await _managing(visit, known.managing)
    return visit


async def _role(desk: Desk, event: Message | Press) -> Role:
    found = roles.role_of(desk.access, event)
    if isinstance(found, str):
        return found
    try:
        return roles.answered(found, yes=await desk.leaders.is_so(event.chat.id, found))
    except Refused:
        return roles.answered(found, yes=False)


async def _known(desk: Desk, event: Message | Press) -> KnownChat:
    """The chat as we keep it, noted anew where something about it changed (TGC-39)."""
    chat = event.chat
    known = await desk.database.read(chats.find_chat, chat.id)
    as_met = (chat.kind, chat.title[:256], chat.username[:64], None)
    if known and as_met == (known.kind, known.title, known.username, known.left_at):
        return known
    now = desk.now()
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
    language, managing = (known.language, known.managing) if known else ("", None)
    return KnownChat(chat.id, chat.kind, chat.title, chat.username, language, managing, None)


def _language(event: Message | Press, known: KnownChat) -> Language:
    if known.language:
        return language_of(known.language)
    return language_of(event.sender.language) if event.sender else DEFAULT


async def _managing(visit: Visit, managed: int) -> Visit:
    """The visit about the chat that is managed from here, as long as who asks may do that."""
    known = await visit.desk.database.read(chats.find_chat, managed)
    sender = visit.sender
    if known is None or sender is None:
        return visit
    try:
        leads = await visit.desk.leaders.is_so(managed, ("leads", sender.id))
    except TelegramError:
        leads = False
    if not roles.may_manage_elsewhere(visit.desk.access, sender, leads=leads):
        await visit.desk.database.write(chats.set_managing, visit.chat.id, None)
        return visit
    kind = known.kind if known.kind in ("group", "supergroup", "channel") else "channel"
    return visit.about(Chat(known.id, kind, known.title, known.username))  # type: ignore[arg-type]


async def _tell_how_to_set_up(desk: Desk, message: Message) -> None:
    """Nobody runs this bot yet, as far as it knows; it says so in private chats, to /start."""
    order = addressed.order(message, desk.handle)
    if message.chat.is_private and message.sender and order and order.name == "start":
        language = language_of(message.sender.language)
        text = texts.NOT_SET_UP.html(language, id=message.sender.id)
        await desk.replies.say(Place(message.chat.id), [text])


# -- buttons --------------------------------------------------------------------------------------


async def _pressed(desk: Desk, press: Press) -> None:
    visit = await _visit(desk, press)
    if visit is None:
        return
    verb, arguments = buttons.read(press.data)
    run = desk.table.presses.get(verb)
    try:
        if run is None:
            raise Complaint(texts.STALE)
        if visit.role == "reader" and verb not in desk.table.for_readers:
            raise Complaint(texts.ONLY_ADMINS)
        await run(visit, arguments)
    except (ValueError, IndexError):  # data of an older version, or forged
        log.info("telegram button not understood", data=press.data)
        await visit.note(texts.STALE)
    except UserError as error:
        await _complain_about_press(visit, error)
    except StoreUnavailable as error:
        log.warning("telegram press not carried out", reason=str(error))
        await visit.note(texts.BUSY)


async def _complain_about_press(visit: Visit, error: UserError) -> None:
    if isinstance(error, Complaint):
        await visit.note(error.text, **error.values)
    else:
        text = problems.BY_CODE.get(error.code, problems.OTHER)
        await visit.note(text, detail=visit.words(str(error)))


# -- texts ----------------------------------------------------------------------------------------


async def _written(desk: Desk, message: Message) -> None:
    order = addressed.order(message, desk.handle)
    if order is None and addressed.is_to_another(message, desk.handle):
        return
    visit = await _visit(desk, message)
    if visit is None:
        return
    try:
        if order is not None:
            await _ordered(visit, order)
        else:
            await _answered_or_offered(visit, message)
    except UserError as error:
        await visit.say(f"{texts.WRONG} {_in_words(visit, error)}")
    except StoreUnavailable as error:
        log.warning("telegram command not carried out", reason=str(error))
        await visit.say(f"{texts.WRONG} {visit.t(texts.BUSY)}")
    except (Refused, ChatMoved):
        raise
    except TelegramError as error:
        log.warning("telegram did not answer a command", reason=str(error))
        await visit.say(f"{texts.WRONG} {visit.t(texts.TELEGRAM_AWAY)}")
    except Exception:
        log.exception("telegram command failed", command=order.name if order else "")
        await visit.say(f"{texts.WRONG} {visit.t(texts.BROKEN)}")


async def _ordered(visit: Visit, order: Order) -> None:
    """Any command ends what was asked before (TGC-31)."""
    command = visit.desk.table.commands.get(order.name)
    if command is None or (command.needs == "operator" and visit.role != "operator"):
        await _unknown(visit, order)
        return
    if order.name != "cancel":
        await visit.forget_question()
    if not roles.may(visit.role, command.needs):
        raise Complaint(texts.ONLY_ADMINS)
    if command.private_only and not visit.chat.is_private:
        raise Complaint(texts.ONLY_PRIVATE)
    # Without what was typed: that may be a secret.
    log.info(
        "command",
        command=order.name,
        chat=visit.chat.id,
        user=visit.sender.id if visit.sender else None,
    )
    await command.run(visit, order.arguments)


async def _unknown(visit: Visit, order: Order) -> None:
    """In groups other bots have commands, too: only those that name us are answered (TGC-35)."""
    if visit.chat.is_private or (visit.chat.is_group and order.is_to_us):
        raise starting.unknown(visit, order.name)


async def _answered_or_offered(visit: Visit, message: Message) -> None:
    question = await visit.question()
    if question is not None and message.text and _is_answer(visit, message):
        command = visit.desk.table.commands.get(str(question.payload.get("command")))
        await visit.forget_question()
        if command is not None and roles.may(visit.role, command.needs):
            begun = str(question.payload.get("arguments", ""))
            await command.run(visit, f"{begun} {message.text}".strip())
        return
    if await discovering.offered(visit, message):
        return
    if visit.chat.is_private:
        raise Complaint(texts.NOT_UNDERSTOOD)


def _is_answer(visit: Visit, message: Message) -> bool:
    """In groups only a reply to us is one: people talk there about other things."""
    if visit.chat.is_group:
        return message.reply_to is not None and message.reply_to.is_ours
    return True


def _in_words(visit: Visit, error: UserError) -> str:
    if isinstance(error, Complaint):
        return visit.t(error.text, **error.values)
    text = problems.BY_CODE.get(error.code, problems.OTHER)
    return visit.t(text, detail=visit.words(str(error)))

"""What Telegram tells us, read leniently into values (pure).

An update that is odd in one place is still read in all others; what is of no use is None.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeGuard

ChatKind = Literal["private", "group", "supergroup", "channel"]

#: Kinds of updates that we ask for; everything else is not sent to us.
WANTED: Final = ("message", "channel_post", "callback_query", "my_chat_member", "chat_member")

#: Telegram's own senders: an anonymous admin, somebody who posts as a channel, and posts that
#: come over from the linked channel by themselves.
ANONYMOUS_ADMIN: Final = 1087968824


@dataclass(frozen=True, slots=True)
class Chat:
    id: int
    kind: ChatKind
    title: str = ""
    username: str = ""
    is_forum: bool = False

    @property
    def is_private(self) -> bool:
        return self.kind == "private"

    @property
    def is_group(self) -> bool:
        return self.kind in ("group", "supergroup")


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    name: str = ""
    #: IETF tag of their app's language.
    language: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    file_id: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The message that one replies to."""

    message_id: int
    is_ours: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """Something written in a chat; `text` is the caption where there is a picture."""

    chat: Chat
    message_id: int
    #: The forum topic; None in General and everywhere else.
    topic: int | None
    sender: Person | None
    #: The chat in whose name it was written, where somebody hides behind one.
    sender_chat: Chat | None
    text: str
    #: The command with its slash and perhaps @name, as the server marked it at the beginning.
    command: str = ""
    reply_to: Answered | None = None
    forwarded_from: Chat | None = None
    document: Document | None = None
    #: Addresses in the text and behind its words.
    links: tuple[str, ...] = ()
    #: A chat that was chosen with the button for that.
    shared_chat: int | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """Somebody pressed a button under a message of ours."""

    id: str
    sender: Person
    chat: Chat
    message_id: int
    topic: int | None
    data: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What we are in a chat from now on, or what somebody else is."""

    chat: Chat
    user: int
    is_member: bool
    may_write: bool
    #: Who made it so.
    by: Person | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A group became a supergroup."""

    old: int
    new: int


Event = Message | Press | Standing | Moved


def read(update: Mapping[str, Any], bot_id: int) -> Event | None:
    """What an update says that concerns us; None when that is nothing."""
    for kind in ("message", "channel_post"):
        if isinstance(body := update.get(kind), dict):
            return _message(body, bot_id)
    if isinstance(body := update.get("callback_query"), dict):
        return _press(body)
    for kind in ("my_chat_member", "chat_member"):
        if isinstance(body := update.get(kind), dict):
            return _standing(body)
    return None


def _message(body: Mapping[str, Any], bot_id: int) -> Message | Moved | None:
    chat = _chat(body.get("chat"))
    if chat is None or not _is_number(body.get("message_id")):
        return None
    if _is_number(new := body.get("migrate_to_chat_id")):
        return Moved(chat.id, new)
    if _is_number(old := body.get("migrate_from_chat_id")):
        return Moved(old, chat.id)
    if body.get("is_automatic_forward"):  # the linked channel's post, which we met there
        return None
    text = body.get("text") or body.get("caption") or ""
    entities = body.get("entities") or body.get("caption_entities") or ()
    return Message(
        chat=chat,
        message_id=body["message_id"],
        topic=_topic(body),
        sender=_person(body.get("from")),
        sender_chat=_chat(body.get("sender_chat")),
        text=text,
        command=_command(text, entities),
        reply_to=_answered(body.get("reply_to_message"), bot_id),
        forwarded_from=_chat((body.get("forward_origin") or {}).get("chat")),
        document=_document(body.get("document")),
        links=tuple(_links(text, entities)),
        shared_chat=(body.get("chat_shared") or {}).get("chat_id"),
    )


def _topic(body: Mapping[str, Any]) -> int | None:
    """A thread that is no topic is a chain of replies, and General is named by naming none."""
    thread = body.get("message_thread_id")
    return thread if body.get("is_topic_message") and _is_number(thread) and thread != 1 else None


def _press(body: Mapping[str, Any]) -> Press | None:
    message, sender = body.get("message") or {}, _person(body.get("from"))
    chat, data = _chat(message.get("chat")), body.get("data")
    if sender is None or chat is None or not isinstance(data, str):
        return None
    return Press(
        str(body.get("id", "")),
        sender,
        chat,
        message.get("message_id", 0),
        _topic(message),
        data,
    )


def _standing(body: Mapping[str, Any]) -> Standing | None:
    chat, new = _chat(body.get("chat")), body.get("new_chat_member") or {}
    user = _person(new.get("user"))
    if chat is None or user is None:
        return None
    status = new.get("status")
    is_member = status in ("creator", "administrator", "member") or (
        status == "restricted" and bool(new.get("is_member"))
    )
    may_write = is_member
    if status == "restricted":
        may_write = is_member and new.get("can_send_messages") is not False
    if chat.kind == "channel":
        may_write = status == "administrator" and new.get("can_post_messages") is not False
    return Standing(chat, user.id, is_member, may_write, _person(body.get("from")))


def _chat(body: Any) -> Chat | None:
    if not isinstance(body, dict) or not _is_number(body.get("id")):
        return None
    kind = body.get("type")
    if kind not in ("private", "group", "supergroup", "channel"):
        return None
    # A person's chat is known by the first name (TGC-39).
    title = body.get("title") or body.get("first_name") or ""
    return Chat(
        body["id"], kind, str(title), str(body.get("username") or ""), bool(body.get("is_forum"))
    )


def chat_of(body: Any) -> Chat | None:
    """The answer to getChat."""
    return _chat(body)


def _person(body: Any) -> Person | None:
    if not isinstance(body, dict) or not _is_number(body.get("id")):
        return None
    return Person(
        body["id"], str(body.get("first_name") or ""), str(body.get("language_code") or "")
    )


def _document(body: Any) -> Document | None:
    if not isinstance(body, dict) or not body.get("file_id"):
        return None
    return Document(
        str(body["file_id"]), str(body.get("file_name") or ""), int(body.get("file_size") or 0)
    )


def _answered(body: Any, bot_id: int) -> Answered | None:
    if not isinstance(body, dict) or not _is_number(body.get("message_id")):
        return None
    if "forum_topic_created" in body:  # what is written in a topic "replies" to its creation
        return None
    author = body.get("from") or {}
    text = str(body.get("text") or body.get("caption") or "")
    return Answered(body["message_id"], author.get("id") == bot_id, text)


def _command(text: str, entities: Sequence[Mapping[str, Any]]) -> str:
    for entity in entities:
        if entity.get("type") == "bot_command" and entity.get("offset") == 0:
            return _slice(text, 0, entity.get("length", 0))
    return ""


def _links(text: str, entities: Sequence[Mapping[str, Any]]) -> list[str]:
    found = []
    for entity in entities:
        if entity.get("type") == "url":
            found.append(_slice(text, entity.get("offset", 0), entity.get("length", 0)))
        elif entity.get("type") == "text_link" and isinstance(entity.get("url"), str):
            found.append(entity["url"])
    words = text.split()
    # Telegram marks no address without an ending that it knows, such as http://nas:8080/feed.
    if not found and len(words) == 1 and words[0].casefold().startswith(("http://", "https://")):
        found = words
    return found


def _slice(text: str, offset: int, length: int) -> str:
    """Part of a text by UTF-16 units, as entities count."""
    raw = text.encode("utf-16-le")
    return raw[2 * offset : 2 * (offset + length)].decode("utf-16-le", errors="ignore")


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)

"""Edits and deletions as the fake Bot API takes them.

Each function answers one method of the API: (server, parameters) -> result, or raises `Refused`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.servers.telegram_html import utf16
from tests.servers.telegram_rich import read_rich
from tests.servers.telegram_wire import Refused, check_markup, parsed

if TYPE_CHECKING:
    from tests.servers.telegram import FakeTelegram, SentMessage

_NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are "
    "exactly the same as a current content and reply markup of the message"
)


def _found(telegram: "FakeTelegram", parameters: dict[str, Any]) -> "SentMessage":
    number = int(parameters.get("message_id") or 0)
    for message in telegram.messages:
        if message.message_id == number:
            return message
    raise Refused(400, "Bad Request: message to edit not found")


def edit_message_text(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    found = _found(telegram, parameters)
    if isinstance(rich := parameters.get("rich_message"), dict):
        found.text = read_rich(rich["html"])
        telegram.edits.append(parameters)
        return telegram.message_json(found)
    if found.method not in ("sendmessage", "sendrichmessage"):
        raise Refused(400, "Bad Request: there is no text in the message to edit")
    read = parsed(str(parameters.get("text", "")), parameters.get("parse_mode"))
    if not read.text:
        raise Refused(400, "Bad Request: message text is empty")
    if utf16(read.text) > 4096:
        raise Refused(400, "Bad Request: message is too long")
    check_markup(parameters.get("reply_markup"))
    markup = found.payload.get("reply_markup")
    if read.text == found.text and parameters.get("reply_markup") == markup:
        raise Refused(400, _NOT_MODIFIED)
    found.text = read.text
    found.payload["reply_markup"] = parameters.get("reply_markup")
    telegram.edits.append(parameters)
    return telegram.message_json(found)


def edit_message_reply_markup(
    telegram: "FakeTelegram", parameters: dict[str, Any]
) -> dict[str, Any]:
    found = _found(telegram, parameters)
    markup = parameters.get("reply_markup")
    check_markup(markup)
    if markup == found.payload.get("reply_markup"):
        raise Refused(400, _NOT_MODIFIED)
    found.payload["reply_markup"] = markup
    telegram.edits.append(parameters)
    return telegram.message_json(found)


def edit_message_media(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    number = int(parameters.get("message_id") or 0)
    media = parameters.get("media")
    if not isinstance(media, dict) or not media.get("media"):
        raise Refused(400, "Bad Request: can't parse InputMedia")
    if media["media"] in telegram.broken_media:
        raise Refused(400, f"Bad Request: {telegram.broken_media[media['media']]}")
    if number in telegram.of_albums:
        telegram.of_albums[number] = media["media"]
        telegram.edits.append(parameters)
        return {"message_id": number, "date": 0, "chat": telegram.chat_json(1)}
    found = _found(telegram, parameters)
    if found.method == "sendmessage" and not telegram.adds_media:
        raise Refused(400, "Bad Request: there is no media in the message to edit")
    if found.method == "sendmediagroup" and media["type"] not in ("photo", "video"):
        raise Refused(400, "Bad Request: the message can't be edited to this type of media")
    read = parsed(str(media.get("caption", "")), media.get("parse_mode"))
    if utf16(read.text) > 1024:
        raise Refused(400, "Bad Request: message caption is too long")
    found.text = read.text
    if found.method != "sendmediagroup":
        found.method = f"send{media['type']}"
    found.payload[media["type"]] = media["media"]
    found.payload["reply_markup"] = parameters.get("reply_markup")
    telegram.edits.append(parameters)
    return telegram.message_json(found)


def edit_message_caption(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    found = _found(telegram, parameters)
    if found.method == "sendmessage":
        raise Refused(400, "Bad Request: there is no caption in the message to edit")
    read = parsed(str(parameters.get("caption", "")), parameters.get("parse_mode"))
    if utf16(read.text) > 1024:
        raise Refused(400, "Bad Request: message caption is too long")
    found.text = read.text
    telegram.edits.append(parameters)
    return telegram.message_json(found)


def delete_message(telegram: "FakeTelegram", parameters: dict[str, Any]) -> bool:
    number = int(parameters.get("message_id") or 0)
    kept = [m for m in telegram.messages if m.message_id != number]
    if len(kept) == len(telegram.messages):
        raise Refused(400, "Bad Request: message to delete not found")
    telegram.messages[:] = kept
    return True


METHODS: dict[str, Callable[["FakeTelegram", dict[str, Any]], Any]] = {
    "editmessagetext": edit_message_text,
    "editmessagereplymarkup": edit_message_reply_markup,
    "editmessagemedia": edit_message_media,
    "editmessagecaption": edit_message_caption,
    "deletemessage": delete_message,
}

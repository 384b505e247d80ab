"""Messages as the fake Bot API takes them: texts, pictures, albums, files.

Each function answers one method of the API: (server, parameters) -> result, or raises `Refused`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.servers.telegram_rich import read_rich
from tests.servers.telegram_wire import Refused

if TYPE_CHECKING:
    from tests.servers.telegram import FakeTelegram


def send_message(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    preview = parameters.get("link_preview_options") or {}
    if not isinstance(preview, dict):
        raise Refused(400, "Bad Request: can't parse link preview options JSON object")
    return telegram.accept("sendmessage", parameters, str(parameters.get("text", "")), 4096)


def send_photo(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    photo = parameters.get("photo")
    if not photo:
        raise Refused(400, "Bad Request: there is no photo in the request")
    if isinstance(photo, str) and photo in telegram.broken_media:
        raise Refused(400, f"Bad Request: {telegram.broken_media[photo]}")
    return telegram.accept("sendphoto", parameters, str(parameters.get("caption", "")), 1024)


def send_video(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    return _send_file(telegram, "video", parameters)


def send_audio(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    return _send_file(telegram, "audio", parameters)


def _send_file(telegram: "FakeTelegram", kind: str, parameters: dict[str, Any]) -> dict[str, Any]:
    address = parameters.get(kind)
    if not address:
        raise Refused(400, f"Bad Request: there is no {kind} in the request")
    if address in telegram.broken_media:
        raise Refused(400, f"Bad Request: {telegram.broken_media[address]}")
    return telegram.accept(f"send{kind}", parameters, str(parameters.get("caption", "")), 1024)


def send_media_group(telegram: "FakeTelegram", parameters: dict[str, Any]) -> list[dict[str, Any]]:
    media = parameters.get("media") or []
    if not 2 <= len(media) <= 10:
        raise Refused(400, "Bad Request: group send failed")
    for each in media:
        if each["media"] in telegram.broken_media:
            raise Refused(400, f"Bad Request: {telegram.broken_media[each['media']]}")
    shown = {**parameters, "parse_mode": media[0].get("parse_mode")}
    first = telegram.accept("sendmediagroup", shown, media[0].get("caption", ""), 1024)
    for each in media[1:]:
        telegram.messages_made += 1
        telegram.of_albums[telegram.messages_made] = each["media"]
    number = first["message_id"]
    return [first | {"message_id": number + place} for place in range(len(media))]


def send_document(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    content = parameters.get("document")
    if not isinstance(content, bytes) or not content:
        raise Refused(400, "Bad Request: there is no document in the request")
    telegram.documents.append({"content": content, **parameters})
    return telegram.accept("senddocument", parameters, str(parameters.get("caption", "")), 1024)


def send_rich_message(telegram: "FakeTelegram", parameters: dict[str, Any]) -> dict[str, Any]:
    rich = parameters.get("rich_message")
    if not isinstance(rich, dict) or not isinstance(rich.get("html"), str):
        raise Refused(400, "Bad Request: can't parse rich message JSON object")
    return telegram.accept("sendrichmessage", parameters, read_rich(rich["html"]), 32_768)


METHODS: dict[str, Callable[["FakeTelegram", dict[str, Any]], Any]] = {
    "sendmessage": send_message,
    "sendphoto": send_photo,
    "sendvideo": send_video,
    "sendaudio": send_audio,
    "sendmediagroup": send_media_group,
    "sendrichmessage": send_rich_message,
    "senddocument": send_document,
}

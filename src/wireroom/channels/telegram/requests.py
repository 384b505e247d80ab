"""Parcels as calls of the library: its functions, and its own objects where it insists."""

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any

from wireroom.channels.telegram.edits import ALBUM
from wireroom.delivery.channel import Parcel

if TYPE_CHECKING:
    from telegram import Bot, InputMedia, InputMediaPhoto


def sending(
    bot: "Bot", chat: int | str, method: str, payload: Mapping[str, Any]
) -> Awaitable[Any]:
    """The call that sends a new message."""
    rest = dict(payload)
    match method:
        case "sendPhoto":
            return bot.send_photo(chat, rest.pop("photo"), api_kwargs=rest)
        case "sendVideo":
            return bot.send_video(chat, rest.pop("video"), api_kwargs=rest)
        case "sendAudio":
            return bot.send_audio(chat, rest.pop("audio"), api_kwargs=rest)
        case "sendMediaGroup":
            return bot.send_media_group(chat, _album(rest), api_kwargs=rest)
        case "sendRichMessage":  # Bot API 10.1, which the library does not know
            return bot.do_api_request(method, api_kwargs={"chat_id": chat, **rest})
    return bot.send_message(chat, rest.pop("text"), api_kwargs=rest)


def editing(bot: "Bot", chat: int | str, form: Parcel) -> Awaitable[Any]:
    """The call that changes a message, as `edits` wrote it."""
    rest = dict(form.payload)
    number = rest.pop("message_id")
    if form.method == "editMessageMedia":
        return bot.edit_message_media(
            _media(rest.pop("media")), chat_id=chat, message_id=number, api_kwargs=rest
        )
    if form.method == "editMessageCaption":
        return bot.edit_message_caption(chat_id=chat, message_id=number, api_kwargs=rest)
    text = rest.pop("text", None)  # none of a rich message
    return bot.edit_message_text(text, chat_id=chat, message_id=number, api_kwargs=rest)


def name_of(result: Any) -> str:
    """What a message is called from now on; an album is all of its messages."""
    if isinstance(result, dict):
        return str(result.get("message_id", ""))
    if isinstance(result, tuple):
        return ALBUM.join(str(each.message_id) for each in result)
    return str(getattr(result, "message_id", ""))


def _media(shown: Mapping[str, Any]) -> "InputMedia":
    from telegram import InputMediaAudio, InputMediaPhoto, InputMediaVideo

    kinds = {"photo": InputMediaPhoto, "video": InputMediaVideo, "audio": InputMediaAudio}
    rest = {name: value for name, value in shown.items() if name != "type"}
    made: InputMedia = kinds[shown["type"]](**rest)
    return made


def _album(payload: dict[str, Any]) -> "list[InputMediaPhoto]":
    """The pictures of an album, taken out of `payload`; the first bears the caption."""
    from telegram import InputMediaPhoto

    first, *others = payload.pop("photos")
    caption, mode = payload.pop("caption"), payload.pop("parse_mode")
    return [
        InputMediaPhoto(first, caption=caption, parse_mode=mode),
        *(InputMediaPhoto(each) for each in others),
    ]

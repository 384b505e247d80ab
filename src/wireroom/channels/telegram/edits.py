"""How a message that was sent is changed (pure): the methods to try, in this order.

A message with a picture has a caption, one without a text, and only Telegram knows which of them
an old message is; what cannot be read is tried once more without markup.
"""

from collections.abc import Iterator

from wireroom.delivery.channel import Parcel

#: What of a message can still be said about it when it is changed.
_OF_TEXT = ("text", "parse_mode", "link_preview_options", "reply_markup")
_OF_CAPTION = ("caption", "parse_mode", "show_caption_above_media", "reply_markup")


def forms_of_edit(parcel: Parcel, message_id: str) -> Iterator[Parcel]:
    """Requests without `chat_id`; the first that Telegram takes is enough."""
    if "caption" in parcel.payload:
        yield _edit("editMessageCaption", parcel, message_id, _OF_CAPTION)
    as_text = parcel if "text" in parcel.payload else parcel.without_media
    if as_text is not None and "text" in as_text.payload:
        yield _edit("editMessageText", as_text, message_id, _OF_TEXT)
        if "caption" not in parcel.payload:
            text = as_text.payload["text"]
            caption = {**as_text.payload, "caption": text}
            in_caption = Parcel(parcel.method, caption)
            yield _edit("editMessageCaption", in_caption, message_id, _OF_CAPTION)
    if parcel.plain is not None and "text" in parcel.plain.payload:
        yield _edit("editMessageText", parcel.plain, message_id, _OF_TEXT)


def _edit(method: str, parcel: Parcel, message_id: str, names: tuple[str, ...]) -> Parcel:
    kept = {name: parcel.payload[name] for name in names if name in parcel.payload}
    return Parcel(method, {"message_id": int(message_id), **kept})

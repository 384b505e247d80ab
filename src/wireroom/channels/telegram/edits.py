"""How a message that was sent is changed (pure): the methods to try, in this order.

A message with a picture has a caption, one without a text, and only Telegram knows which of them
an old message is. Media can take the place of other media and, on newer servers, of none; what a
server refuses is tried in a simpler form, so that the words at least are the new ones.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from wireroom.channels.telegram import markup
from wireroom.channels.telegram.media import MOST_CAPTION
from wireroom.delivery.channel import Parcel
from wireroom.delivery.htmltext import parse
from wireroom.delivery.richtext import cut
from wireroom.feeds.model import SafeHtml

#: What of a message can still be said about it when it is changed.
_OF_TEXT = ("text", "parse_mode", "link_preview_options", "reply_markup")
_OF_CAPTION = ("caption", "parse_mode", "show_caption_above_media", "reply_markup")
#: How the library calls what a message shows, by the key that holds its address.
_MEDIA: Final = {"photo": "photo", "video": "video", "audio": "audio", "photos": "photo"}
_OF_MEDIA = ("caption", "parse_mode", "title", "performer", "duration")
#: Between the names of an album's messages, which are one message to us.
ALBUM: Final = "+"


def forms_of_edit(parcel: Parcel, message_id: str) -> Iterator[Parcel]:
    """Requests without `chat_id`; the first that Telegram takes is enough."""
    if "rich_message" in parcel.payload:
        yield _edit("editMessageText", parcel, message_id, ("rich_message", "reply_markup"))
        parcel = parcel.plain or parcel
    if (media := _media(parcel)) is not None:
        shown = {"media": media, **_kept(parcel, ("reply_markup",))}
        yield Parcel("editMessageMedia", {"message_id": int(message_id), **shown})
    if "caption" in parcel.payload:
        yield _edit("editMessageCaption", parcel, message_id, _OF_CAPTION)
    as_text = parcel
    while as_text.without_media is not None:
        as_text = as_text.without_media
    if "text" in as_text.payload:
        yield _edit("editMessageText", as_text, message_id, _OF_TEXT)
        if "caption" not in parcel.payload:
            caption = {**as_text.payload, "caption": _as_caption(as_text.payload["text"])}
            in_caption = Parcel(parcel.method, caption)
            yield _edit("editMessageCaption", in_caption, message_id, _OF_CAPTION)
    if parcel.plain is not None and "text" in parcel.plain.payload:
        yield _edit("editMessageText", parcel.plain, message_id, _OF_TEXT)


def rest_of_album(parcel: Parcel, message_ids: Sequence[str]) -> Iterator[Parcel]:
    """Requests that show an album's further pictures in the messages behind its first."""
    pictures = parcel.payload.get("photos") or ()
    for url, message_id in zip(pictures[1:], message_ids, strict=False):
        media = {"type": "photo", "media": url}
        yield Parcel("editMessageMedia", {"message_id": int(message_id), "media": media})


def _media(parcel: Parcel) -> dict[str, Any] | None:
    """What an `InputMedia` says of the media that the parcel shows; of an album its first."""
    for key, kind in _MEDIA.items():
        if shown := parcel.payload.get(key):
            url = shown[0] if key == "photos" else shown
            return {"type": kind, "media": url, **_kept(parcel, _OF_MEDIA)}
    return None


def _as_caption(html: str) -> str:
    """The text of a message as a caption can hold it."""
    blocks = parse(SafeHtml(html), keep_newlines=True).blocks
    return markup.html(cut(blocks, MOST_CAPTION - 1, ellipsis="…", at_words=True))


def _edit(method: str, parcel: Parcel, message_id: str, names: tuple[str, ...]) -> Parcel:
    return Parcel(method, {"message_id": int(message_id), **_kept(parcel, names)})


def _kept(parcel: Parcel, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: parcel.payload[name] for name in names if name in parcel.payload}

"""Pictures, films and sound of an entry as Bot API requests (pure).

Each has a simpler form behind it, so that whatever Telegram cannot load, the text arrives (B40).
"""

from collections.abc import Sequence
from typing import Any, Final

from wireroom.channels.telegram import markup
from wireroom.delivery.channel import Parcel
from wireroom.delivery.format import Format
from wireroom.delivery.message import Message
from wireroom.delivery.pictures import pictures
from wireroom.delivery.richtext import Block, is_web_address, length, one_line
from wireroom.feeds.model import Enclosure

#: UTF-16 units of a caption after entity parsing.
MOST_CAPTION: Final = 1024
#: Pictures in one album.
MOST_PICTURES: Final = 10
#: Telegram loads films and sound from an address up to this size.
MOST_BYTES: Final = 20_000_000


def with_media(
    part: Sequence[Block], message: Message, form: Format, *, otherwise: Parcel
) -> Parcel:
    """The message's text as caption of what belongs to it, or `otherwise`, the text alone.

    Of "auto" that is the entry's picture; of "all" its film, else its album, sound or picture.
    """
    if form.media == "none" or length(part) > MOST_CAPTION:
        return otherwise
    caption = {
        "caption": markup.html(part),
        "parse_mode": "HTML",
        "disable_notification": form.silent,
    }
    everything = form.media == "all"
    shown = pictures(message, everything=everything, most=MOST_PICTURES)
    simple = otherwise
    if shown:
        simple = _behind(Parcel("sendPhoto", {"photo": shown[0], **caption}), simple)
    if not everything:
        return simple
    if film := _enclosure(message, "video"):
        return _behind(Parcel("sendVideo", {"video": film.url, **caption}), simple)
    if len(shown) > 1:
        return _behind(Parcel("sendMediaGroup", {"photos": shown, **caption}), simple)
    if sound := _enclosure(message, "audio"):
        return _behind(Parcel("sendAudio", _sound(sound, message) | caption), simple)
    return simple


def _behind(parcel: Parcel, simpler: Parcel) -> Parcel:
    """With what is sent instead when Telegram cannot load it, or cannot read the markup."""
    plain = simpler.plain
    return Parcel(parcel.method, parcel.payload, plain=plain, without_media=simpler)


def _enclosure(message: Message, kind: str) -> Enclosure | None:
    return next(
        (
            each
            for each in message.enclosures
            if each.kind == kind
            and is_web_address(each.url)
            and (each.length_bytes or 0) <= MOST_BYTES
        ),
        None,
    )


def _sound(sound: Enclosure, message: Message) -> dict[str, Any]:
    named = {
        "audio": sound.url,
        "title": one_line(message.title)[:64],
        "performer": one_line(message.feed_title)[:64],
        "duration": sound.duration_seconds,
    }
    return {name: value for name, value in named.items() if value}

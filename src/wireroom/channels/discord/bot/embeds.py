"""Embeds of the bot's own answers (pure): short enough for Discord, whatever is in them."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from wireroom.catalogue import Language
from wireroom.catalogue.values import duration
from wireroom.channels.discord.cutting import ELLIPSIS, shortened
from wireroom.channels.discord.markdown import escaped_words
from wireroom.delivery.richtext import boundary, units

COLOR: Final = 0xEE802F
ERROR_COLOR: Final = 0xE74C3C
MOST_NAME: Final = 180
MOST_VALUE: Final = 1024
#: Fields of one embed, and characters of all its texts.
MOST_FIELDS: Final = 25
MOST_TOGETHER: Final = 5900

Embed = dict[str, Any]
#: Name, value, and whether it may stand beside others.
Field = tuple[str, str, bool]


def embed(
    title: str,
    fields: Iterable[Field] = (),
    *,
    text: str = "",
    footer: str = "",
    color: int = COLOR,
) -> Embed:
    """An embed within Discord's limits; fields that no longer fit are left out from the end."""
    head, body, foot = shortened(title, 256), shortened(text, 4096), short(footer, 256)
    made: Embed = {"title": head, "color": color}
    if body:
        made["description"] = body
    if foot:
        made["footer"] = {"text": foot}
    room = MOST_TOGETHER - sum(map(units, (head, body, foot)))
    kept = []
    for written, said, inline in list(fields)[:MOST_FIELDS]:
        name, value = shortened(written, 256), shortened(said, MOST_VALUE) or "–"
        room -= units(name) + units(value)
        if room < 0:
            break
        kept.append({"name": name or "–", "value": value, "inline": inline})
    if kept:
        made["fields"] = kept
    return made


def short(text: str, most: int) -> str:
    """Plain text, on the safe side of every way to count."""
    text = text.strip()
    if units(text) <= most:
        return text
    place = most - 1
    while units(text[:place]) > most - 1:
        place -= max(1, (units(text[:place]) - most + 1) // 2)
    return text[: boundary(text, place)].rstrip() + ELLIPSIS


def address(url: str, most: int) -> str:
    """An address as a link without a preview; one that is too long is text that leads nowhere,
    since a part of it would lead astray."""
    return f"<{url}>" if units(url) <= most else f"`{short(url.replace('`', '%60'), most)}`"


def plain(text: str, most: int) -> str:
    """Somebody else's words where markdown would be read, and no line breaks."""
    return escaped_words(short(" ".join(text.split()), most))


def relative(moment: datetime) -> str:
    """As Discord shows it to everybody in their own time."""
    return f"<t:{int(moment.timestamp())}:R>"


def spelled(interval: timedelta, language: Language) -> str:
    """`4 h`, `90 min`, `45 s`."""
    seconds = round(interval.total_seconds())
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds % size == 0 and seconds >= size:
            return duration(seconds // size, unit, language)
    return duration(seconds, "s", language)

"""Embeds of the bot's own answers (pure): short enough for Discord, whatever is in them."""

from collections.abc import Iterable, Mapping, Sequence
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
    """An embed within Discord's limits.

    Fields that no longer fit are left out from the end, and the footer says how many.
    """
    made: Embed = {"title": shortened(title, 256), "color": color}
    if body := shortened(text, 4096):
        made["description"] = body
    footer = short(footer, 200)
    room = MOST_TOGETHER - size(made) - units(footer)
    wanted, kept = list(fields), []
    for written, said, inline in wanted[:MOST_FIELDS]:
        name, value = shortened(written, 256) or "–", shortened(said, MOST_VALUE) or "–"
        room -= units(name) + units(value)
        if room < 0:
            break
        kept.append({"name": name, "value": value, "inline": inline})
    if kept:
        made["fields"] = kept
    left = f"+{len(wanted) - len(kept)}" if len(kept) < len(wanted) else ""
    if footer or left:
        made["footer"] = {"text": " · ".join(filter(None, (footer, left)))}
    return made


def size(made: Mapping[str, Any]) -> int:
    """The units of an embed that count against the sum of a message."""
    fields = made.get("fields", ())
    texts = [made.get("title", ""), made.get("description", "")]
    texts += [made.get("footer", {}).get("text", "")]
    return sum(map(units, texts)) + sum(units(f["name"]) + units(f["value"]) for f in fields)


def share(fields: int) -> int:
    """Units for name and value of each of so many fields, that all of them be shown."""
    return (MOST_TOGETHER - 400) // max(1, min(fields, MOST_FIELDS))


def together(made: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Embeds of one message, whose texts are counted together: too long ones say less."""
    if sum(map(size, made)) <= MOST_TOGETHER:
        return tuple(made)
    most = MOST_TOGETHER // len(made) // 4  # in each, two values may be long
    return tuple(
        {**each, "fields": [{**f, "value": shortened(f["value"], most)} for f in each["fields"]]}
        for each in made
    )


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

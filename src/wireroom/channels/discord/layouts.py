"""An embed in the other shapes that Discord knows: a plain text, or components (pure).

All shapes are made of the embed, so that they say the same. Components cannot stand beside
`content` and `embeds`; of a webhook that no bot owns only those without interaction are taken, and
only when the request says so.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from wireroom.delivery.richtext import units

EMBED: Final = "embed"
COMPONENTS_V2: Final = 1 << 15
#: UTF-16 units of all texts of a message, by its shape.
MOST_TEXT: Final = {"text": 2000, "components": 4000}
#: Pictures of one message, by its shape.
MOST_IN_A_GALLERY: Final = 10
MOST_IN_AN_EMBED: Final = 4
#: Room for the signs around title, author and link, and for roles that are called.
_SIGNS: Final = 192

_LINK = re.compile(r"^\[(.*)\]\(<[^>]*>\)$")
_TEXT, _GALLERY, _CONTAINER = 10, 12, 17


def layout_of(settings: Mapping[str, Any]) -> str:
    wanted = settings.get("layout")
    return wanted if isinstance(wanted, str) and wanted in MOST_TEXT else EMBED


def room(settings: Mapping[str, Any], embed_room: int, *parts: str) -> int:
    """Units that the text of an entry may have beside these parts."""
    most = MOST_TEXT.get(layout_of(settings))
    if most is None:
        return embed_room
    return max(0, min(embed_room, most - _SIGNS - sum(units(part) for part in parts)))


def shaped(
    embed: Mapping[str, Any],
    settings: Mapping[str, Any],
    calls: str = "",
    further: Sequence[str] = (),
) -> dict[str, Any]:
    """The part of a webhook's body that shows the entry, behind the roles that it calls.

    `further` pictures stand beside the one of the embed: in its gallery, or in embeds of the same
    address, which Discord shows as one with up to four pictures.
    """
    called = [calls] if calls else []
    match layout_of(settings):
        case "text":
            return {"content": "\n".join([*called, *_lines(embed)])}
        case "components":
            texts = [{"type": _TEXT, "content": each} for each in called]
            shown = _container(embed, further[: MOST_IN_A_GALLERY - 1])
            return {"components": [*texts, shown], "flags": COMPONENTS_V2}
    embeds = [embed]
    if "url" in embed:
        beside = further[: MOST_IN_AN_EMBED - 1]
        embeds += [{"url": embed["url"], "image": {"url": each}} for each in beside]
    return ({"content": calls} if calls else {}) | {"embeds": embeds}


def first_line(body: Mapping[str, Any]) -> str:
    """What a message without an embed begins with, its signs taken off."""
    text = body.get("content") or _first_text(body.get("components") or ())
    line = text.partition("\n")[0].removeprefix("**").removesuffix("**")
    return _LINK.sub(r"\1", line)


def as_text(components: Sequence[Mapping[str, Any]]) -> str:
    """All that can be read in components."""
    found = []
    for each in components:
        inner = as_text(each.get("components") or ())
        found += [part for part in (str(each.get("content") or ""), inner) if part]
    return "\n".join(found)


def _first_text(components: Sequence[Mapping[str, Any]]) -> str:
    for each in components:
        if text := each.get("content") or _first_text(each.get("components") or ()):
            return str(text)
    return ""


def _lines(embed: Mapping[str, Any]) -> list[str]:
    """Title as a link without preview, text, and where it is from."""
    title, url = embed.get("title", ""), embed.get("url", "")
    head = f"[{title}](<{url}>)" if url and ">" not in url and " " not in url else title
    below = " · ".join(
        part["name" if "name" in part else "text"]
        for part in (embed.get("author"), embed.get("footer"))
        if part
    )
    lines = [f"**{head}**" if head else "", embed.get("description", "")]
    return [line for line in (*lines, f"-# {below}" if below else "") if line] or ["…"]


def _container(embed: Mapping[str, Any], further: Sequence[str]) -> dict[str, Any]:
    inside: list[dict[str, Any]] = [
        {"type": _TEXT, "content": line} for line in _lines(embed) if line.strip()
    ]
    if image := embed.get("image"):
        items = [{"media": {"url": each}} for each in (image["url"], *further)]
        inside.insert(min(2, len(inside)), {"type": _GALLERY, "items": items})
    made: dict[str, Any] = {"type": _CONTAINER, "components": inside}
    return made | ({"accent_color": embed["color"]} if "color" in embed else {})

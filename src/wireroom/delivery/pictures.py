"""Which pictures of an entry are shown beside its text (pure)."""

from typing import Final

from wireroom.delivery.htmltext import parse
from wireroom.delivery.message import Message
from wireroom.delivery.richtext import is_web_address

#: Pictures of the text that are smaller than this are signs and counters, not illustrations.
SMALLEST_SIDE: Final = 100


def pictures(message: Message, *, everything: bool, most: int) -> list[str]:
    """Addresses, the entry's own picture first; with `everything` those in its text as well."""
    found = [message.image_url]
    if everything:
        inside = parse(message.body).images
        found += [each.url for each in inside if _is_illustration(each.width, each.height)]
        found += [each.url for each in message.enclosures if each.kind == "image"]
    return list(dict.fromkeys(filter(is_web_address, found)))[:most]


def _is_illustration(width: int | None, height: int | None) -> bool:
    return all(side is None or side >= SMALLEST_SIDE for side in (width, height))

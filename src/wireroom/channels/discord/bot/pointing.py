"""The message on which somebody opened a menu."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import discord

from wireroom.guilds import Message

_LINK: Final = re.compile(r"https?://[^\s<>()]+")
#: Longer lists of links are no news of ours.
_MOST_LINKS: Final = 50


def pointed_at(message: discord.Message) -> Message:
    """As much of it as tells which entry it shows."""
    links = frozenset(_links(message))
    return Message(str(message.id), message.created_at, str(message.webhook_id or ""), links)


def _links(message: discord.Message) -> Sequence[str]:
    named = [each.url for each in message.embeds if each.url]
    texts = (message.content, *_texts(message.components))
    written = [found for text in texts for found in _LINK.findall(text)]
    return [*named, *written][:_MOST_LINKS]


def _texts(parts: Iterable[Any]) -> Iterator[str]:
    """What stands in components, those within others too."""
    for part in parts:
        if isinstance(part, discord.TextDisplay):
            yield part.content
        yield from _texts(getattr(part, "children", ()))

"""Whether a story was told already: seen in two feeds, it goes to one destination once (pure)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from wireroom.feeds import urls

#: How long a story is remembered.
MEMORY: Final = timedelta(hours=48)
#: Titles of fewer words say too little; of the words of two titles so many must be the same.
FEWEST_WORDS: Final = 4
ALIKE: Final = 0.8

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Story:
    """An entry as it is recognised: where it leads, the words of its title, whose it is."""

    link: str
    words: frozenset[str]
    feed_id: int
    feed_title: str


def story(*, link: str, title: str, feed_id: int, feed_title: str) -> Story:
    """A link that is the site's own page, or none, recognises nothing."""
    known = urls.loose(urls.without_trackers(link.partition("#")[0])) if link else ""
    has_path = "/" in known or "?" in known
    words = frozenset(_WORD.findall(title.casefold()))
    return Story(known if has_path else "", words, feed_id, feed_title)


class Told(Protocol):
    """An entry that a destination was sent, as the store tells of it."""

    @property
    def link(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def feed_id(self) -> int: ...
    @property
    def feed_title(self) -> str: ...


def known(told: Iterable[Told]) -> list[Story]:
    """Entries that were sent, as they are recognised."""
    return [
        story(link=each.link, title=each.title, feed_id=each.feed_id, feed_title=each.feed_title)
        for each in told
    ]


def already(told: Story) -> str:
    """Why a story is not sent a second time."""
    return f"{told.feed_title or 'another feed'} told the same story"


def twin(new: Story, told: Iterable[Story]) -> Story | None:
    """The story of another feed that was told already."""
    return next((each for each in told if each.feed_id != new.feed_id and _same(each, new)), None)


def _same(one: Story, other: Story) -> bool:
    if one.link and one.link == other.link:
        return True
    if min(len(one.words), len(other.words)) < FEWEST_WORDS:
        return False
    return len(one.words & other.words) >= ALIKE * len(one.words | other.words)

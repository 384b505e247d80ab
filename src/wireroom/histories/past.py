"""What is known of feeds that another system followed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from wireroom.feeds.traits import ItemKey


@dataclass(frozen=True, slots=True)
class There:
    """A place that news went to: what was wished for one feed there, and for all of them.

    Wishes are named as in `delivery.wishlist`; whether they can be is for whoever writes them.
    """

    of_feed: Mapping[str, Any] = field(default_factory=dict)
    of_place: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""


@dataclass(slots=True)
class Past:
    """One feed of another system."""

    url: str
    title: str = ""
    #: People gave the feed its title; else it is the publisher's.
    is_named: bool = False
    adapter: str = "generic"
    #: Where its news went, as people type it (`targets`).
    to: dict[str, There] = field(default_factory=dict)
    #: How often it was to be asked, if people said so.
    interval: timedelta | None = None
    #: The fields that were chosen to tell its items apart, in their order (IDN-11).
    fields: tuple[str, ...] = ()
    #: rss-bot's: everything up to this item was announced.
    marker: str = ""
    #: What else stands for items that were announced.
    keys: set[ItemKey] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class History:
    """What a file holds; `removals` are texts, or expressions, to take out of every message."""

    pasts: tuple[Past, ...] = ()
    removals: tuple[tuple[str, bool], ...] = ()

"""What a publisher wrote, as values: the one model that every format is turned into.

Times are aware UTC. URLs are absolute http(s) unless a field says otherwise. Text fields are plain
text (no markup, no entities); HTML fields are `SafeHtml`, which only `feeds.sanitize` makes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NewType

from wireroom.values import value

#: HTML that has been through the allow-list of `feeds.sanitize` and nothing else.
SafeHtml = NewType("SafeHtml", str)

FeedFormat = Literal["rss", "atom", "json"]

#: 16 bytes that stand for an item's raw form as the publisher wrote it (see `Item.digest`).
Digest = NewType("Digest", bytes)


@value
class Person:
    """An author or contributor; at least one field is set."""

    name: str = ""
    email: str = ""
    url: str = ""

    def __str__(self) -> str:
        return self.name or self.email or self.url


@value
class Enclosure:
    """Media attached to an item (RSS `enclosure`, Atom `rel=enclosure`, media:content,
    attachments)."""

    url: str
    media_type: str = ""
    length_bytes: int | None = None
    duration_seconds: int | None = None
    title: str = ""
    width: int | None = None
    height: int | None = None

    @property
    def kind(self) -> str:
        """image, audio, video, or '' when the publisher did not say and the name does not tell."""
        return self.media_type.partition("/")[0] if "/" in self.media_type else ""


@value
class Source:
    """Where an item was re-published from (RSS `source`, Atom `source`)."""

    title: str = ""
    url: str = ""


@value
class Item:
    """One element of a feed as its publisher wrote it.

    `guid` is the publisher's identifier byte for byte (PRS-08) or None when absent or empty; "0"
    is
    present. `link` is "" for a link-less item. `published` and `updated` are None when absent,
    unreadable or impossible; nobody fills in "now" here (PRS-14). `digest` stands for the raw form
    together with all that its reading depends on: equal digests mean an equal reading.
    """

    digest: Digest
    guid: str | None = None
    link: str = ""
    title: str = ""
    summary: SafeHtml | None = None
    content: SafeHtml | None = None
    published: datetime | None = None
    updated: datetime | None = None
    authors: tuple[Person, ...] = ()
    categories: tuple[str, ...] = ()
    #: What a category is taken from (Atom `scheme`, RSS `domain`), as written, by its name.
    category_schemes: Mapping[str, str] = field(default_factory=dict)
    enclosures: tuple[Enclosure, ...] = ()
    image_url: str = ""
    comments_url: str = ""
    comment_count: int | None = None
    language: str = ""
    source: Source | None = None
    #: Rarer facts by their qualified name, such as "podcast:transcript" or "georss:point".
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def author(self) -> str:
        """Names of all authors, joined with ", " (PRS-16)."""
        return ", ".join(str(person) for person in self.authors)

    @property
    def body(self) -> SafeHtml:
        """The fullest text there is: content, else summary, else empty (PRS-18)."""
        return self.content or self.summary or SafeHtml("")


@dataclass(frozen=True, slots=True)
class Hints:
    """What a publisher asks of pollers. Hints only slow polling down (SCH-25).

    `skip_hours` are UTC hours 0..23; `skip_days` are weekdays 0 (Monday) .. 6 (Sunday).
    `update_period_minutes` is sy:updatePeriod divided by sy:updateFrequency.
    """

    ttl_minutes: int | None = None
    update_period_minutes: int | None = None
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Warning:  # noqa: A001 - it is one; nobody imports it unqualified
    """Something odd in a document that was mended on the way; `line` counts from 1 where known."""

    text: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A document as read: the feed's own facts and its items in document order.

    `items` holds only items whose digest the reader was not told to pass over; `met` holds the
    digests of those it passed over. Both together are the window of the document.
    `positions` holds the place of each of `items` in the document, from 0 at its top; empty when
    nothing was passed over.
    `encoding` is the codec used and `encoding_source` says what decided: bom, utf-8, header,
    declaration, detected, replaced, or json.
    """

    format: FeedFormat
    version: str = ""
    title: str = ""
    description: str = ""
    site_url: str = ""
    self_url: str = ""
    hub_urls: tuple[str, ...] = ()
    icon_url: str = ""
    language: str = ""
    authors: tuple[Person, ...] = ()
    hints: Hints = Hints()
    #: The publisher's identifier of the feed itself (Atom id, podcast:guid), as written.
    guid: str = ""
    published: datetime | None = None
    updated: datetime | None = None
    categories: tuple[str, ...] = ()
    #: As in `Item`.
    category_schemes: Mapping[str, str] = field(default_factory=dict)
    #: Rarer facts by their qualified name, such as "itunes:type" or "podcast:locked".
    extra: Mapping[str, str] = field(default_factory=dict)
    #: The publisher says that the feed has moved here (itunes:new-feed-url).
    new_url: str = ""
    #: The publisher says that nothing will come any more (JSON Feed `expired`).
    expired: bool = False
    #: It breaks off within its last item, before its title or what it can be known again by.
    ends_unnamed: bool = False
    items: tuple[Item, ...] = ()
    met: tuple[Digest, ...] = ()
    positions: tuple[int, ...] = ()
    encoding: str = "utf-8"
    encoding_source: str = "utf-8"
    warnings: tuple[Warning, ...] = ()

    @property
    def window(self) -> tuple[Digest, ...]:
        """Digests of everything that the document lists now."""
        return tuple(item.digest for item in self.items) + self.met

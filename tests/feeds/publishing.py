"""A publisher and a reader in memory: documents in, and out comes who was told what, and when."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from wireroom.feeds.changes import Changes, FeedState, Known, decide
from wireroom.feeds.identity import IdentityRule, lookup_keys
from wireroom.feeds.model import Digest, Enclosure, Item, ParsedFeed, SafeHtml
from wireroom.feeds.traits import ItemKey, sort_key

#: When readers of the tests subscribe; documents are mostly younger.
START = datetime(2026, 3, 1, 9, 30, 11, tzinfo=UTC)


def item(
    name: str = "a",
    *,
    guid: str | None = None,
    link: str | None = None,
    title: str | None = None,
    text: str | None = None,
    published: datetime | None = None,
    audio: str = "",
) -> Item:
    """An item whose fields follow from `name` where they are not given; "" means absent."""
    made = Item(
        digest=Digest(b""),
        guid=f"tag:example.org,2026:{name}" if guid is None else guid or None,
        link=f"https://example.org/{name}" if link is None else link,
        title=f"Title of {name}" if title is None else title,
        content=SafeHtml(f"<p>All that {name} is about.</p>" if text is None else text),
        published=published,
        enclosures=(Enclosure(audio),) if audio else (),
    )
    return raw(made)


def raw(item: Item) -> Item:
    """The item with the digest of what it holds, as a parser would give it."""
    bare = replace(item, digest=Digest(b""))
    return replace(item, digest=Digest(blake2b(repr(bare).encode(), digest_size=16).digest()))


def at(minutes: float) -> datetime:
    """A time so many minutes after `START`."""
    return START + timedelta(minutes=minutes)


def numbered(count: int, *, first: int = 0) -> list[Item]:
    """So many ordinary items, newest first, an hour and a bit apart, all before `START`."""
    indices = range(first + count - 1, first - 1, -1)
    return [item(f"n{index}", published=at(-6100 + 61 * index)) for index in indices]


@dataclass
class Row:
    """An entry as a store would keep it."""

    item: Item
    content_hash: bytes
    first_seen: datetime


@dataclass
class Reader:
    """A store in memory that reads documents the way the polling loop does."""

    rule: IdentityRule = field(default_factory=IdentityRule)
    marker: str = ""
    entries: dict[int, Row] = field(default_factory=dict)
    keys: dict[ItemKey, int | None] = field(default_factory=dict)
    window: frozenset[Digest] = frozenset()
    last_read: datetime | None = None
    followed_since: datetime | None = START
    revived: bool = False
    clock: datetime = START
    #: Titles as delivered, in order.
    told: list[str] = field(default_factory=list)
    changes: Changes | None = None

    def read(
        self, *items: Item, after: timedelta = timedelta(minutes=10), forgetful: bool = False
    ) -> list[str]:
        """Read a document and return the titles that are delivered because of it.

        `forgetful`: every item is parsed, also those met before.
        """
        self.clock += after
        feed = self._parsed(items, frozenset() if forgetful else self.window)
        state = self._state()
        looked_up = lookup_keys(feed, self.rule, imported=True)
        known = {key: self._known(key) for key in looked_up if key in self.keys}
        # A crash before the commit, then the same again.
        assert decide(feed, known, state, self.clock) == decide(feed, known, state, self.clock)
        self.changes = decide(feed, known, state, self.clock)
        self._write(feed, self.changes)
        news = [entry.item.title for entry in self.changes.news]
        self.told += news
        return news

    def purge(self, title: str) -> None:
        """Remove an entry, as a reader or retention does; its keys stay as tombstones."""
        seq = next(seq for seq, row in self.entries.items() if row.item.title == title)
        del self.entries[seq]
        self.keys = {key: None if held == seq else held for key, held in self.keys.items()}

    def titles(self) -> list[str]:
        """Titles of all entries as they are now, by number."""
        return [self.entries[seq].item.title for seq in sorted(self.entries)]

    def _parsed(self, items: tuple[Item, ...], passed_over: frozenset[Digest]) -> ParsedFeed:
        fresh = [(i, one) for i, one in enumerate(items) if one.digest not in passed_over]
        met = tuple(one.digest for one in items if one.digest in passed_over)
        return ParsedFeed(
            "rss",
            items=tuple(one for _, one in fresh),
            met=met,
            positions=tuple(position for position, _ in fresh),
        )

    def _state(self) -> FeedState:
        dates = [row.item.published for row in self.entries.values() if row.item.published]
        return FeedState(
            never_read=self.last_read is None,
            rule=self.rule,
            followed_since=self.followed_since,
            last_read=self.last_read,
            oldest_published=min(dates, default=None),
            window=self.window,
            revived=self.revived,
            marker=self.marker,
        )

    def _known(self, key: ItemKey) -> Known:
        seq = self.keys[key]
        if seq is None:
            return Known(None)
        row = self.entries[seq]
        return Known(
            seq,
            row.content_hash,
            row.item.published,
            row.item.title,
            row.item.link,
            row.item.digest,
        )

    def _write(self, feed: ParsedFeed, changes: Changes) -> None:
        for new in changes.new:
            seq = max(self.entries, default=0) + 1
            assert new.keys
            self.entries[seq] = Row(new.item, new.content_hash, self.clock)
            for key in new.keys:
                assert self.keys.get(key) is None, "the key belongs to another entry"
                self.keys[key] = seq
        for edited in changes.changed:
            row = self.entries[edited.seq]
            row.item, row.content_hash = edited.item, edited.content_hash
            self._name(edited.keys, edited.seq)
        for again in changes.seen_again:
            if again.seq is not None:
                row = self.entries[again.seq]
                row.item = replace(row.item, digest=again.digest)
            self._name(again.keys, again.seq)
        self.rule, self.window = changes.rule, frozenset(feed.window)
        self.last_read, self.revived, self.marker = self.clock, False, ""

    def _name(self, keys: tuple[ItemKey, ...], seq: int | None) -> None:
        for key in keys:
            assert key not in self.keys, "the key belongs to another entry"
            self.keys[key] = seq


__all__ = ["START", "Reader", "at", "item", "numbered", "raw", "sort_key"]

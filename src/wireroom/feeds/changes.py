"""What a new reading of a feed changes: new, edited, seen again, and which of it is news.

`decide` is the only place that asks "is this new?" and "does anybody want to hear of it?".
It decides by keys, never by "newer than the last date" (B8); a date only serves to recognise what
is old. It does not number entries, write anything, or look at filters and caps of routes.
"""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from wireroom.feeds.identity import DEFAULT_RULE, IdentityRule, document_keys
from wireroom.feeds.learning import learnt
from wireroom.feeds.legacy import rb_marker
from wireroom.feeds.matching import Known, Matching, Story, Window, is_coarse, match
from wireroom.feeds.model import Digest, Item, ParsedFeed
from wireroom.feeds.traits import ItemKey, content_hash, sort_key

__all__ = ["ChangedEntry", "Changes", "FeedState", "Known", "NewEntry", "SeenAgain", "decide"]

#: News of the first reading after a feed was switched on again; the rest is stored only (C9).
REVIVAL_NEWS = 10
#: Caches and schedules hold a story back for so long behind its date. Some feeds are renumbered at
#: every reading, so what is no older than this may be news even there.
PUBLISHING_DELAY = timedelta(days=1)

BASELINE = "there when the feed was first read"
_ABOVE_MARKER = "above the last entry announced before the import"
_NOT_IMPORTED = "not announced before the import"
_IMPORTED = "announced before the import"
_UNSEEN = "not seen before"
_SLID_IN = "older than the first subscription and below entries already seen"
_RENUMBERED = "older than the last reading, in a feed that was renumbered"
_OFF = "came while the feed was switched off"


@dataclass(frozen=True, slots=True)
class FeedState:
    """What the store remembers of a feed between two readings."""

    #: Nothing was ever read: this reading is the baseline.
    never_read: bool
    rule: IdentityRule = DEFAULT_RULE
    #: When the longest-standing subscription began; None without subscribers.
    followed_since: datetime | None = None
    #: When the document was last read with success.
    last_read: datetime | None = None
    #: The earliest date of any entry of the feed.
    oldest_published: datetime | None = None
    #: `ParsedFeed.window` of the last reading.
    window: AbstractSet[Digest] = frozenset()
    #: The feed was given up or without readers, and this is the first reading after that.
    revived: bool = False
    #: rss-bot's marker of the last entry announced, for the first reading after an import.
    marker: str = ""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An item to be stored under `keys` (primary first); delivered only if `is_news`.

    `why` is a phrase for people. A key that a tombstone or an imported mark holds goes over to
    the entry.
    """

    item: Item
    keys: tuple[ItemKey, ...]
    content_hash: bytes
    is_news: bool
    why: str


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """A stored entry that its publisher edited; never news. `keys` are to be added to it."""

    seq: int
    item: Item
    keys: tuple[ItemKey, ...]
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class SeenAgain:
    """A stored entry listed again, with nothing changed that readers see; a tombstone for None.

    `digest` is what its raw form is now; `keys` are to be added to it.
    """

    seq: int | None
    digest: Digest
    keys: tuple[ItemKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """What to write after a reading; `new` is in the order of numbering and delivery."""

    new: tuple[NewEntry, ...]
    changed: tuple[ChangedEntry, ...]
    seen_again: tuple[SeenAgain, ...]
    rule: IdentityRule
    baseline: bool
    #: Entries found although guid and link had changed.
    renumbered: int = 0
    #: New entries that are stored without being news, the baseline not counted.
    held: int = 0

    @property
    def news(self) -> tuple[NewEntry, ...]:
        """The new entries that are to be delivered."""
        return tuple(entry for entry in self.new if entry.is_news)


def decide(
    feed: ParsedFeed, known: Mapping[ItemKey, Known], state: FeedState, now: datetime
) -> Changes:
    """What this reading changes, given what is known under `identity.lookup_keys(feed, rule)`.

    `now` is the time of the reading, which becomes `first_seen` of what is new.
    """
    stories = _stories(feed, state.rule)
    window = Window(frozenset(feed.window), frozenset(state.window), state.last_read)
    found = match(stories, known, window, state.rule)
    fresh = _fresh(stories, known, found, state)
    reasons = _baseline_reasons if state.never_read else _reasons
    edge = _last_seen_position(feed, stories, found)
    why = reasons(stories, fresh, found, state, edge)
    new = _numbered(stories, fresh, why, edge, now)
    if state.revived:
        new = _after_revival(new)
    changed, seen_again = _known_entries(stories, known, found, fresh)
    return Changes(
        new=new,
        changed=changed,
        seen_again=seen_again,
        rule=learnt(state.rule, stories, found, len(feed.met)),
        baseline=state.never_read,
        renumbered=len(found.reidentified),
        held=0 if state.never_read else sum(not entry.is_news for entry in new),
    )


def _stories(feed: ParsedFeed, rule: IdentityRule) -> list[Story]:
    """The items of a reading, each story once, as its first telling in the document has it."""
    positions = feed.positions or range(len(feed.items))
    told = set()
    stories = []
    keys_of_items = document_keys(feed.items, rule)
    for item, keys, position in zip(feed.items, keys_of_items, positions, strict=True):
        if keys.primary not in told:
            told.add(keys.primary)
            stories.append(Story(item, keys, position))
    return stories


def _fresh(
    stories: Sequence[Story],
    known: Mapping[ItemKey, Known],
    found: Matching,
    state: FeedState,
) -> dict[int, tuple[ItemKey, ...]]:
    """The stories that become entries, with the keys that are free for them."""
    fresh = {}
    for index, story in enumerate(stories):
        entry = found.known.get(index)
        # Before the first reading nothing can have been removed: the mark was imported.
        is_imported = entry is not None and entry.seq is None and state.never_read
        if index in found.repeated or not (entry is None or is_imported):
            continue
        if keys := _free_keys(story, known, take_marks=state.never_read):
            fresh[index] = keys
    return fresh


def _free_keys(
    story: Story, known: Mapping[ItemKey, Known], *, take_marks: bool
) -> tuple[ItemKey, ...]:
    """Keys for a new entry, the one that stands for it first; () if all belong to others."""
    free = [
        named
        for named in story.keys.named
        if (entry := known.get(named.key)) is None or (take_marks and entry.seq is None)
    ]
    telling = [named for named in free if named.trait not in ("title", "text", "moment")]
    telling = telling or [named for named in free if named.trait == "moment"]
    support = [named for named in free if named.trait in ("title", "text")]
    return tuple(named.key for named in telling + support) if telling else ()


def _known_entries(
    stories: Sequence[Story],
    known: Mapping[ItemKey, Known],
    found: Matching,
    fresh: Collection[int],
) -> tuple[tuple[ChangedEntry, ...], tuple[SeenAgain, ...]]:
    """What becomes of the stories that have an entry or a tombstone."""
    changed, seen_again = [], []
    for index, entry in found.known.items():
        if index in fresh:  # what was imported is a key of the new entry now
            continue
        story = stories[index]
        keys = _keys_to_add(story, known) if index in found.reidentified else ()
        hashed = content_hash(story.item) if entry.seq is not None else entry.content_hash
        if entry.seq is not None and hashed != entry.content_hash:
            changed.append(ChangedEntry(entry.seq, story.item, keys, hashed))
        elif keys or story.item.digest != entry.digest:
            seen_again.append(SeenAgain(entry.seq, story.item.digest, keys))
    return tuple(changed), tuple(seen_again)


def _keys_to_add(story: Story, known: Mapping[ItemKey, Known]) -> tuple[ItemKey, ...]:
    """New names of an entry that was found by other evidence.

    Only here are keys ever added: a publisher who changes dates, titles or links at every poll
    under one guid would otherwise fill the table.
    """
    return tuple(
        named.key
        for named in story.keys.named
        if named.trait in ("guid", "link", "fields") and named.key not in known
    )


Reasons = dict[int, tuple[bool, str]]


def _baseline_reasons(
    stories: Sequence[Story],
    fresh: Mapping[int, object],
    found: Matching,
    state: FeedState,
    _edge: int,
) -> Reasons:
    """At the first reading nothing is news (B14), but for what an import shows to be new."""
    if any(index in found.known for index in fresh):
        return {
            index: (False, _IMPORTED) if index in found.known else (True, _NOT_IMPORTED)
            for index in fresh
        }
    marked = _marked_position(stories, state.marker)
    return {
        index: (True, _ABOVE_MARKER) if stories[index].position < marked else (False, BASELINE)
        for index in fresh
    }


def _marked_position(stories: Sequence[Story], marker: str) -> int:
    """Where the last entry announced stands; 0, so that nothing is above, when it is gone."""
    for story in stories:
        if marker and marker in (rb_marker(story.item), story.item.link):
            return story.position
    return 0


def _reasons(
    stories: Sequence[Story],
    fresh: Mapping[int, object],
    found: Matching,
    state: FeedState,
    edge: int,
) -> Reasons:
    """Whether each new entry is news, and why."""
    is_renumbered = found.storm and len(found.reidentified) >= len(fresh)
    settled = state.last_read - PUBLISHING_DELAY if state.last_read else None
    reasons: Reasons = {}
    for index in fresh:
        published, position = stories[index].item.published, stories[index].position
        if is_renumbered and _precedes(_latest(published), settled):
            reasons[index] = (False, _RENUMBERED)
        elif (
            position > edge >= 0
            and _precedes(published, state.followed_since)
            and _precedes(published, state.oldest_published)
        ):
            reasons[index] = (False, _SLID_IN)
        else:
            reasons[index] = (True, _UNSEEN)
    return reasons


def _latest(published: datetime | None) -> datetime | None:
    """When a story came out at the latest: a date without a time of day means all of the day."""
    return published + timedelta(days=1) if published and is_coarse(published) else published


def _precedes(moment: datetime | None, other: datetime | None) -> bool:
    return moment is not None and other is not None and moment < other


def _last_seen_position(feed: ParsedFeed, stories: Sequence[Story], found: Matching) -> int:
    """The lowest place in the document of an item that is not new; -1 if all are new."""
    size = len(feed.items) + len(feed.met)
    met = set(range(size)).difference(feed.positions or range(len(feed.items)))
    again = {stories[index].position for index in {*found.known, *found.repeated}}
    return max(met | again, default=-1)


def _numbered(
    stories: Sequence[Story],
    fresh: Mapping[int, tuple[ItemKey, ...]],
    why: Reasons,
    edge: int,
    now: datetime,
) -> tuple[NewEntry, ...]:
    """The new entries, oldest first: by date when all have a believable one, else by place."""
    order = list(fresh) if _is_oldest_first(stories, fresh, edge) else list(fresh)[::-1]
    dates = [stories[index].item.published for index in order]
    if all(date is not None and date <= now for date in dates):
        order.sort(key=lambda index: sort_key(stories[index].item, now))
    return tuple(
        NewEntry(stories[i].item, fresh[i], content_hash(stories[i].item), *why[i]) for i in order
    )


def _is_oldest_first(stories: Sequence[Story], fresh: Mapping[int, object], edge: int) -> bool:
    """Whether the document lists its items oldest first (IDN-16), as far as one can tell."""
    dates = [story.item.published for story in stories if story.item.published]
    rising = sum(a < b for a, b in pairwise(dates))
    falling = sum(a > b for a, b in pairwise(dates))
    if rising != falling:
        return rising > falling
    return not dates and edge >= 0 and all(stories[index].position > edge for index in fresh)


def _after_revival(new: tuple[NewEntry, ...]) -> tuple[NewEntry, ...]:
    """Only the newest few of what came while nobody looked are news (promise 8)."""
    news = [index for index, entry in enumerate(new) if entry.is_news]
    late = set(news[:-REVIVAL_NEWS])
    return tuple(
        replace(entry, is_news=False, why=_OFF) if index in late else entry
        for index, entry in enumerate(new)
    )

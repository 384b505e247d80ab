"""Which stored entry each item of a reading is, if any.

Pure and greedy, best evidence first: an entry belongs to one item of a reading at most, so that
nothing weak can take what something strong has a right to. An item that nothing claims is new to
us; whether it is news is for `feeds.changes` to say.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from wireroom.feeds.identity import IdentityRule, ItemKeys, Trait
from wireroom.feeds.legacy import imported_keys
from wireroom.feeds.model import Digest, Item
from wireroom.feeds.traits import ItemKey, letters, place, stamp

#: Beyond this many unknown items, and beyond half of the document, a site may have renumbered
#: everything, and entries are sought with less evidence (B2, spec feeds §4).
STORM = 5

Fact = Literal["guid", "link", "title", "text", "date"]


@dataclass(frozen=True, slots=True)
class Known:
    """What a decision needs of one stored entry, or of a key that outlived its entry.

    `seq` is None for a tombstone and for an imported mark; those may leave all else empty.
    `digest` is that of the raw item last read for the entry: it tells whether the entry is still
    listed. The same entry may be given under several keys.
    """

    seq: int | None
    content_hash: bytes = b""
    published: datetime | None = None
    title: str = ""
    link: str = ""
    digest: Digest | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """One item of a reading with its keys and its place in the document, from 0 at the top."""

    item: Item
    keys: ItemKeys
    position: int


@dataclass(frozen=True, slots=True)
class Window:
    """Digests of what the feed lists now and of what it listed at the last reading."""

    now: frozenset[Digest]
    before: frozenset[Digest]
    last_read: datetime | None

    def lists(self, known: Known, item: Item) -> bool:
        """Whether the entry is in the document as it was, so that no other item can be it."""
        return known.digest in self.now and known.digest != item.digest

    def lost(self, known: Known) -> bool:
        """Whether the entry was listed at the last reading; another item may be it, edited."""
        return known.digest in self.before and known.digest not in self.now


@dataclass(slots=True)
class Matching:
    """Who is who, by index into the stories of the reading."""

    #: The entry that the story is.
    known: dict[int, Known] = field(default_factory=dict)
    #: Found by weak evidence: guid or link are no longer what they were.
    reidentified: set[int] = field(default_factory=set)
    #: A second telling of a story that the document lists unchanged.
    repeated: set[int] = field(default_factory=set)
    #: The guid, or link, turned out to belong to another story as well.
    shared_guid: set[int] = field(default_factory=set)
    shared_link: set[int] = field(default_factory=set)
    #: Most of the document was unknown by its strong keys.
    storm: bool = False


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An entry that shares keys with a story, and what the two have in common."""

    index: int
    story: Story
    known: Known
    #: The entry, or a key that has none: what can be claimed once.
    claim: int | ItemKey
    #: The best trait that names the story by itself and is shared, and how good that is (0 best).
    by: Trait | Literal["imported"] | None
    rank: int
    facts: frozenset[Fact]
    #: Of link, title and date, those that both have and that differ.
    conflicts: frozenset[Fact]
    #: Neither of the two is dated.
    undated: bool
    #: Both begin and end with the same words, and are too long for that to be one thing.
    same_ends: bool


def match(
    stories: Sequence[Story], known: Mapping[ItemKey, Known], window: Window, rule: IdentityRule
) -> Matching:
    """Find the entry of every story. `known` maps keys of `identity.lookup_keys` to entries."""
    found = Matching()
    every = [one for i, story in enumerate(stories) for one in _candidates(i, story, known, rule)]
    free = [one for one in every if not window.lists(one.known, one.story.item)]
    claimed: set[int | ItemKey] = set()
    named = _claim(found, claimed, _certain(free, found, window, rule))
    if not rule.settled:
        found.reidentified |= named
    _note_listed([one for one in every if window.lists(one.known, one.story.item)], found)
    strangers = len(stories) - len(found.known) - len(found.repeated)
    size = len(window.now) - len(found.repeated)
    found.storm = strangers > STORM and 2 * strangers > size
    if rule.basis != "fields":
        by_facts = sorted(free, key=lambda one: (-len(one.facts), one.index))
        coarse = _coarse_dates(stories)
        likely = [one for one in by_facts if _is_likely(one, window, rule, coarse)]
        found.reidentified |= _claim(found, claimed, likely)
        if found.storm:
            possible = [one for one in by_facts if _is_possible(one, window, rule)]
            found.reidentified |= _claim(found, claimed, possible)
    return found


def _claim(found: Matching, claimed: set[int | ItemKey], offers: Sequence[_Candidate]) -> set[int]:
    """Give each story the first entry on offer that is still free; returns who got one."""
    served = set()
    for one in offers:
        taken = one.index in found.known or one.index in found.repeated or one.claim in claimed
        if not taken:
            found.known[one.index] = one.known
            claimed.add(one.claim)
            served.add(one.index)
    return served


def _candidates(
    index: int, story: Story, known: Mapping[ItemKey, Known], rule: IdentityRule
) -> list[_Candidate]:
    entries: dict[int | ItemKey, Known] = {}
    traits: dict[int | ItemKey, list[Trait]] = {}
    best: dict[int | ItemKey, tuple[int, Trait | Literal["imported"]]] = {}
    unsettled = rule.basis == "fields" and not rule.settled
    for rank, named in enumerate(story.keys.named):
        if (entry := known.get(named.key)) is None:
            continue
        claim = named.key if entry.seq is None else entry.seq
        entries.setdefault(claim, entry)
        traits.setdefault(claim, []).append(named.trait)
        if named.strong or (unsettled and named.trait in ("guid", "link", "whole")):
            best.setdefault(claim, (rank, named.trait))
    for key in imported_keys(story.item, rule.fields):
        if (entry := known.get(key)) is not None:
            claim = key if entry.seq is None else entry.seq
            entries.setdefault(claim, entry)
            best.setdefault(claim, (len(story.keys.named), "imported"))
    return [
        _compare(index, story, entry, claim, traits.get(claim, []), best.get(claim))
        for claim, entry in entries.items()
    ]


def _compare(
    index: int,
    story: Story,
    entry: Known,
    claim: int | ItemKey,
    shared: Sequence[Trait],
    best: tuple[int, Trait | Literal["imported"]] | None,
) -> _Candidate:
    item = story.item
    pairs: dict[Fact, tuple[str, str]] = {
        "link": (place(item.link), place(entry.link)),
        "title": (letters(item.title), letters(entry.title)),
        "date": (stamp(item.published), stamp(entry.published)),
    }
    facts: set[Fact] = {name for name, (ours, theirs) in pairs.items() if ours and ours == theirs}
    conflicts = {name for name, (ours, theirs) in pairs.items() if ours and theirs}
    for trait in shared:
        facts |= _FACTS[trait]
    if not item.body and not item.enclosures:
        facts.discard("text")
    if not item.title:
        facts.discard("title")
    if item.digest == entry.digest:
        best = (-1, "moment")
    rank, by = best or (0, None)
    undated = item.published is None and entry.published is None
    return _Candidate(
        index,
        story,
        entry,
        claim,
        by,
        rank,
        frozenset(facts),
        frozenset(conflicts - facts),
        undated,
        shared.count("text") > 1,
    )


#: What is equal when a key of that trait is.
_FACTS: Mapping[Trait, frozenset[Fact]] = {
    "guid": frozenset({"guid"}),
    "link": frozenset({"link"}),
    "whole": frozenset({"title", "text"}),
    "title": frozenset({"title"}),
    "text": frozenset({"text"}),
    "moment": frozenset({"title", "text"}),
    "fields": frozenset(),
}


def _certain(
    free: Sequence[_Candidate], found: Matching, window: Window, rule: IdentityRule
) -> list[_Candidate]:
    """Those that are the same story by a strong key, best keys first."""
    sure = []
    for one in sorted(free, key=lambda one: (one.rank, one.index)):
        if one.by is None:
            continue
        if _holds(one, window, rule):
            sure.append(one)
        elif one.by == "guid":
            found.shared_guid.add(one.index)
        elif one.by == "link":
            found.shared_link.add(one.index)
    return sure


def _holds(one: _Candidate, window: Window, rule: IdentityRule) -> bool:
    """Whether a strong key may be believed: guids and links get reused for other stories."""
    other_text = "text" not in one.facts
    match one.by:
        case "guid" if rule.basis != "fields":
            return not (other_text and {"link", "title", "date"} <= one.conflicts)
        case "link" if rule.basis != "fields" and rule.links != "unique":
            return not (other_text and {"title", "date"} <= one.conflicts)
        case "whole" if rule.basis != "fields":
            # The same words on another day: the date was bumped if they stand in place of the
            # old ones, else it is the next "Backup finished".
            return "date" not in one.conflicts or window.lost(one.known)
    return True


def _note_listed(listed: Sequence[_Candidate], found: Matching) -> None:
    """What it means that an entry is in the document unchanged and another item has its keys."""
    for one in listed:
        if _is_repeat(one):
            if one.index not in found.known:
                found.repeated.add(one.index)
            continue
        if "guid" in one.facts:
            found.shared_guid.add(one.index)
        if "link" in one.facts:
            found.shared_link.add(one.index)


def _is_repeat(one: _Candidate) -> bool:
    """The rule of `identity.repeats`, for an item whose other telling was met before."""
    facts, item = one.facts, one.story.item
    if {"guid", "link"} <= facts:
        agreeing = len(facts & {"title", "text", "date"})
        return agreeing >= 2 or ("title" in facts and one.undated)
    if {"link", "title", "text", "date"} <= facts:
        return True
    if (item.guid is None and "link" in facts) or (not item.link and "guid" in facts):
        return {"title", "date"} <= facts
    nameless = item.guid is None and not item.link
    return nameless and one.by in ("whole", "moment") and "date" not in one.conflicts


def _is_likely(
    one: _Candidate, window: Window, rule: IdentityRule, coarse: frozenset[str]
) -> bool:
    """Whether weak evidence is enough, on an ordinary day."""
    if "date" in one.facts and stamp(one.story.item.published) not in coarse:
        return len(one.facts) >= 2
    others = _telling(one, rule)
    if not window.lost(one.known):
        return "date" in one.facts and len(others) >= 2
    # From here on the item stands in the place of one that has just left.
    if "date" in one.facts:
        # A new title in guid and link as well, on a site that dates by day: the text is left (B1).
        return one.same_ends or len(others | (one.facts & {"link"})) >= 2
    if "link" in others and rule.links == "unique":
        return True
    if one.undated and one.same_ends and "link" in one.facts:
        return True
    if "date" in one.conflicts and "text" not in others:
        return False
    # One page may carry a new "Today's menu" under one address every day.
    return len(others) >= 2 and others != {"link", "title"}


def _telling(one: _Candidate, rule: IdentityRule) -> frozenset[Fact]:
    """What the two have in common, the date aside, that other stories of the feed have not: one
    guid or one page for all says nothing of any (B3)."""
    common: set[Fact] = {"date"}
    if rule.basis in ("link", "hash"):
        common.add("guid")
    if rule.links == "shared":
        common.add("link")
    return one.facts - common


def _is_possible(one: _Candidate, window: Window, rule: IdentityRule) -> bool:
    """Whether weak evidence is enough when most of the feed seems new at once (B2)."""
    others = _telling(one, rule)
    published = one.story.item.published
    if published is None:
        return bool(others) and window.lost(one.known)
    is_later = window.last_read is not None and published > window.last_read
    return len(others) >= (2 if is_later else 1)


def _coarse_dates(stories: Sequence[Story]) -> frozenset[str]:
    """Dates that say little: coarse ones, or borne by several items."""
    dates = [story.item.published for story in stories if story.item.published]
    times = Counter(map(stamp, dates))
    return frozenset(stamp(date) for date in dates if times[stamp(date)] > 1 or is_coarse(date))


def is_coarse(published: datetime) -> bool:
    """Whether a date is on the full hour: in some zone that is a day without a time."""
    return published.minute == published.second == 0

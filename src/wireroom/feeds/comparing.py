"""Two versions of a document: what Wireroom would call new, changed or the same, and why.

Nothing is decided here: the first version is read as a feed never read before, the second as the
next poll, both by `feeds.changes.decide`, and its answer is put beside the items.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Literal

from wireroom.feeds.changes import Changes, FeedState, decide
from wireroom.feeds.identity import DEFAULT_RULE, IdentityRule
from wireroom.feeds.matching import Known
from wireroom.feeds.model import Item, ParsedFeed
from wireroom.feeds.traits import ItemKey

#: `new` is news; `held` is new to us, but nobody would be told; `same` reads as before;
#: `again` is a second telling of a story that has its entry; `gone` is no longer listed.
Verdict = Literal["new", "held", "changed", "re-identified", "same", "again", "gone"]

_FIELDS = tuple(field.name for field in fields(Item) if field.name != "digest")


@dataclass(frozen=True, slots=True)
class Judged:
    """An item with what it is called, why, and the entry it had been, if any."""

    verdict: Verdict
    why: str
    item: Item
    before: Item | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The items of the second version in its order, then what is gone; and the rule learnt."""

    items: tuple[Judged, ...]
    rule: IdentityRule


def compare(
    first: ParsedFeed, second: ParsedFeed, now: datetime, rule: IdentityRule = DEFAULT_RULE
) -> Comparison:
    """What the second version changes for somebody who has followed since the first, read `now`.

    Both must have been read whole, from one address: a digest depends on it.
    """
    baseline = decide(first, {}, FeedState(never_read=True, rule=rule), now)
    entries = {seq: entry.item for seq, entry in enumerate(baseline.new, 1)}
    dates = [item.published for item in entries.values() if item.published]
    state = FeedState(
        never_read=False,
        rule=baseline.rule,
        followed_since=now,
        last_read=now,
        oldest_published=min(dates, default=None),
        window=frozenset(first.window),
    )
    changes = decide(second, _known(baseline), state, now)
    return Comparison(_judged(second, entries, changes), changes.rule)


def _known(baseline: Changes) -> dict[ItemKey, Known]:
    return {
        key: Known(
            seq,
            entry.content_hash,
            entry.item.published,
            entry.item.title,
            entry.item.link,
            entry.item.digest,
        )
        for seq, entry in enumerate(baseline.new, 1)
        for key in entry.keys
    }


def _judged(feed: ParsedFeed, entries: Mapping[int, Item], changes: Changes) -> tuple[Judged, ...]:
    verdicts: dict[bytes, Judged] = {}
    by_digest = {item.digest: seq for seq, item in entries.items()}
    left = dict(entries)
    for entry in changes.new:
        verdict: Verdict = "new" if entry.is_news else "held"
        verdicts[entry.item.digest] = Judged(verdict, entry.why, entry.item)
    for edited in changes.changed:
        before = left.pop(edited.seq)
        verdict = "re-identified" if edited.keys else "changed"
        verdicts[edited.item.digest] = Judged(
            verdict, _differences(before, edited.item), edited.item, before
        )
    seen = {again.digest: again for again in changes.seen_again}
    judged = []
    for item in feed.items:
        if item.digest not in verdicts:
            again = seen.get(item.digest)
            seq = again.seq if again else by_digest.get(item.digest)
            verdicts[item.digest] = _seen(
                item, left.pop(seq or 0, None), has_new_keys=bool(again and again.keys)
            )
        judged.append(verdicts[item.digest])
    gone = (Judged("gone", "no longer listed", item, item) for item in left.values())
    return (*judged, *gone)


def _seen(item: Item, before: Item | None, *, has_new_keys: bool) -> Judged:
    if before is None:
        return Judged("again", "tells a story that has its entry", item)
    if has_new_keys:
        return Judged("re-identified", _differences(before, item), item, before)
    return Judged("same", _differences(before, item), item, before)


def differing(before: Item, after: Item) -> tuple[str, ...]:
    """The names of the fields that differ."""
    return tuple(name for name in _FIELDS if getattr(before, name) != getattr(after, name))


def _differences(before: Item, after: Item) -> str:
    names = differing(before, after)
    return f"differs in {', '.join(names)}" if names else "nothing differs"

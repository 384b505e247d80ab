"""What a reading teaches about a feed's identifiers, as the rule for the next one.

Trust is lost, never regained by itself: documents after the first show only what has changed in
them, and one bad reading must not swing the rule forth and back (B6). An operator can set it anew.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from wireroom.feeds.identity import Basis, IdentityRule, Links
from wireroom.feeds.matching import Matching, Story
from wireroom.feeds.traits import place

#: Readings that change most guids, or most links where these name the stories, before they lose
#: their trust: two moves happen to a site in its life; more of them are session ids.
_RENUMBERINGS = 3


def learnt(
    rule: IdentityRule, stories: Sequence[Story], found: Matching, met: int
) -> IdentityRule:
    """The rule in force from now on; `met` is how many further items the document lists."""
    if rule.basis == "fields":
        return replace(rule, settled=rule.settled or met == 0)
    size = len(stories) + met
    shared_guids = _shared([story.item.guid for story in stories]) | found.shared_guid
    shared_links = _shared([place(story.item.link) for story in stories]) | found.shared_link
    named = [stories[index].item for index in found.reidentified]
    renamed = sum(1 for item in named if item.link or (rule.basis == "guid" and item.guid))
    is_renumbered = rule.basis != "hash" and 2 * renamed >= size > 0
    renumbered = rule.renumbered + is_renumbered
    if is_renumbered and renumbered >= _RENUMBERINGS:
        basis: Basis = "link" if rule.basis == "guid" else "hash"
    else:
        basis = _basis(rule.basis, stories, size, shared_guids, shared_links)
    return replace(
        rule,
        basis=basis,
        links=_links(rule.links, stories, size, shared_links),
        renumbered=renumbered if basis == rule.basis else 0,
    )


def _shared(values: Sequence[str | None]) -> set[int]:
    times = Counter(values)
    return {index for index, value in enumerate(values) if value and times[value] > 1}


def _basis(
    basis: Basis,
    stories: Sequence[Story],
    size: int,
    shared_guids: set[int],
    shared_links: set[int],
) -> Basis:
    """The best kind that still tells stories apart: guid, else link, else hash."""
    if basis == "guid" and shared_guids and 2 * len(shared_guids) >= size:
        basis = "link"
    linked = [i for i, story in enumerate(stories) if basis == "link" or not story.item.guid]
    shared = shared_links.intersection(linked)
    if basis in ("guid", "link") and shared and 2 * len(shared) >= size:
        basis = "hash"
    return basis


def _links(links: Links, stories: Sequence[Story], size: int, shared: set[int]) -> Links:
    if shared or links == "shared":
        return "shared"
    if size > 1 and stories and all(story.item.link for story in stories):
        return "unique"
    return links

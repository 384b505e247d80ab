"""Whatever a publisher does, each story is delivered exactly once.

A model publisher keeps stories, each with a number that no edit touches, and shows a window of
them in any order. What it may change depends on what it publishes at all: nobody can tell two
items without guid, link and date apart when title and text are new.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.feeds.publishing import Reader, at, item, raw
from wireroom.feeds.model import Item, SafeHtml

Edit = Literal["title", "text", "date", "guid", "link", "scheme", "noise", "comments"]


@dataclass(frozen=True)
class Style:
    """What a site publishes of each story."""

    guid: Literal["opaque", "url", "none", "same"]
    link: Literal["own", "home", "none"]
    dated: Literal["to the second", "by day", "no"]
    order: Literal["newest first", "oldest first"]
    window: int

    def edits(self) -> list[Edit]:
        """What may change of a story between two readings without making it another one."""
        allowed: list[Edit] = ["noise", "comments"]
        named = self.guid in ("opaque", "url")
        own_link = self.link == "own"
        if named or own_link:
            allowed += ["title", "text", "scheme"]
            allowed += ["date"] if self.dated != "no" else []
        if named and self.dated == "to the second":
            allowed += ["guid"]
        if named and own_link and self.dated == "to the second":
            allowed += ["link"]
        return allowed


styles = st.builds(
    Style,
    guid=st.sampled_from(["opaque", "url", "none", "same"]),
    link=st.sampled_from(["own", "home", "none"]),
    dated=st.sampled_from(["to the second", "by day", "no"]),
    order=st.sampled_from(["newest first", "oldest first"]),
    window=st.integers(2, 7),
)


@dataclass(frozen=True)
class Step:
    """What happens before one reading."""

    added: int
    #: Which story (counted from the newest) is edited, and how.
    edited: tuple[tuple[int, int], ...]
    removed: int | None
    moved: bool
    shuffle: int
    #: The reader was restarted in a way that makes it parse everything again.
    forgetful: bool


steps = st.builds(
    Step,
    added=st.sampled_from([0, 0, 1, 1, 2, 5]),
    edited=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 99)), max_size=3).map(tuple),
    removed=st.none() | st.integers(0, 6),
    moved=st.sampled_from([False, False, False, True]),
    shuffle=st.sampled_from([0, 0, 0, 1, 2]),
    forgetful=st.booleans(),
)


class Publisher:
    """A site with its stories, newest last."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.stories: dict[int, Item] = {}
        self.hidden: set[int] = set()
        self.edits = 0
        self.secure = True

    def add(self, minutes: float) -> None:
        number = len(self.stories)
        style, name = self.style, f"story-{number}-"
        own = f"https://www.example.org/{name}"
        date = {
            "to the second": at(minutes + number / 7),
            "by day": at(minutes).replace(hour=0, minute=0, second=0),
            "no": None,
        }[style.dated]
        self.stories[number] = item(
            guid={"opaque": f"id:{name}", "url": own, "none": "", "same": "0"}[style.guid],
            link={"own": own, "home": "https://www.example.org/", "none": ""}[style.link],
            title=f"Title {name}",
            text=f"<p>Some words about {name} that nobody else has.</p>",
            published=date,
        )

    def edit(self, number: int, choice: int) -> None:
        """Change one thing of a story."""
        self.edits += 1
        allowed = self.style.edits()
        kind, story, new = allowed[choice % len(allowed)], self.stories[number], self.edits
        changed = {
            "title": {"title": f"Edit {new} of story-{number}-"},
            "text": {"content": SafeHtml(f"<p>Edit {new}, all words of story-{number}- new</p>")},
            "date": {"published": at(new + 0.4)},
            "guid": {"guid": f"https://example.org/edit-{new}"},
            "link": {"link": f"https://example.org/edit-{new}"},
            "scheme": {"link": story.link.replace("https:", "http:")},
            "noise": {"content": SafeHtml(story.body.replace(" ", "\n  "))},
            "comments": {"comment_count": new},
        }[kind]
        self.stories[number] = raw(replace(story, **changed))  # type: ignore[arg-type]

    def move(self) -> None:
        """The whole site changes its scheme and its host's prefix."""
        self.secure = not self.secure
        front = "https://www." if self.secure else "http://"
        for number, story in self.stories.items():
            guid = story.guid and re.sub(r"^https?://(www\.)?", front, story.guid)
            link = re.sub(r"^https?://(www\.)?", front, story.link)
            self.stories[number] = raw(replace(story, guid=guid, link=link))

    def listed(self) -> list[int]:
        """The stories in the document, newest first."""
        shown = [number for number in sorted(self.stories) if number not in self.hidden]
        return shown[: -self.style.window - 1 : -1]

    def document(self, shuffle: int) -> list[Item]:
        items = [self.stories[number] for number in self.listed()]
        if self.style.order == "oldest first":
            items.reverse()
        return items[shuffle:] + items[:shuffle]


def number_of(title: str) -> int:
    found = re.search(r"story-(\d+)-", title)
    assert found is not None
    return int(found[1])


@settings(max_examples=100, deadline=None)
@given(styles, st.integers(1, 9), st.lists(steps, min_size=1, max_size=12))
def test_each_story_is_delivered_exactly_once(
    style: Style, first: int, course: list[Step]
) -> None:
    """Whatever is added, edited, removed, moved, re-ordered or parsed again."""
    if style.guid == "same" or style.guid == "none":
        first = max(first, 3)  # one item alone shows nothing about its identifiers
    site, reader = Publisher(style), Reader()
    for age in range(first, 0, -1):
        site.add(-1500 * age)
    assert [] == reader.read(*site.document(0))
    baseline, minutes, listed = len(site.stories), 10, set[int]()
    for step in course:
        minutes += 10
        present = site.listed()
        edited = {present[index] for index, _ in step.edited if index < len(present)}
        for number in edited:
            choice = next(c for i, c in step.edited if i < len(present) and present[i] == number)
            site.edit(number, choice)
        if step.moved and style.guid != "same" and not edited:
            site.move()
        if step.removed is not None and step.removed < len(present):
            site.hidden.add(present[step.removed])
        for _ in range(step.added):
            site.add(minutes - 7)
        document = site.document(step.shuffle if style.guid != "none" else 0)
        listed |= set(site.listed())
        reader.read(*document, forgetful=step.forgetful)
        assert [] == reader.read(*document), "the same document again"
        minutes += 10
    told = Counter(number_of(title) for title in reader.told)
    fresh = {number for number in listed if number >= baseline}

    assert dict.fromkeys(fresh, 1) == {n: c for n, c in told.items() if n >= baseline}
    assert {1} >= set(told.values())
    assert len(reader.entries) == len({number_of(title) for title in reader.titles()})

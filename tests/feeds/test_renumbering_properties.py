"""Whatever names a feed gives its stories from one reading to the next, each is told once.

Dates are those of real sites: to the second or only by day, stories shown some hours behind their
date, others taken away and shown again. What is older than the subscription is never told; of
feeds without dates nobody could say what that is.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.feeds.publishing import START, Reader, item
from tests.feeds.test_changes_properties import number_of
from wireroom.feeds.model import Item

#: Stories that a document lists.
_WINDOW = 8


@dataclass(frozen=True)
class Style:
    """How a site names and dates its stories; "session" is another name at every reading."""

    guid: Literal["own", "url", "session", "same", "none"]
    link: Literal["own", "session"]
    dated: Literal["to the second", "by the hour", "by day"]
    is_oldest_first: bool


@dataclass(frozen=True)
class Step:
    """What happens before one reading."""

    minutes: int
    #: Of each new story, how many minutes it is shown behind its date.
    added: tuple[int, ...]
    #: Which story, counted from the newest, is taken away, or shown again if it was.
    toggled: int | None
    #: All names change: another program writes the feed.
    renumbered: bool
    #: The reader was restarted in a way that makes it parse everything again.
    forgetful: bool


styles = st.builds(
    Style,
    guid=st.sampled_from(["own", "url", "session", "same", "none"]),
    link=st.sampled_from(["own", "session"]),
    dated=st.sampled_from(["to the second", "by the hour", "by day"]),
    is_oldest_first=st.booleans(),
)
steps = st.builds(
    Step,
    minutes=st.sampled_from([15, 30, 60, 180, 720]),
    added=st.lists(st.sampled_from([0, 1, 50, 300]), max_size=2).map(tuple),
    toggled=st.none() | st.integers(0, _WINDOW - 1),
    renumbered=st.sampled_from([False, False, False, True]),
    forgetful=st.booleans(),
)


class Site:
    """Stories by number, the newest last, with the dates that they bear."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.dates: dict[int, datetime] = {}
        self.away: set[int] = set()
        self.names, self.readings = 0, count()

    def listed(self) -> list[int]:
        """The newest stories by date that are not away, newest first."""
        by_date = sorted(self.dates, key=lambda number: (self.dates[number], number))
        return [number for number in reversed(by_date) if number not in self.away][:_WINDOW]

    def document(self) -> list[Item]:
        session = next(self.readings)
        shown = [self._item(number, session) for number in self.listed()]
        return shown[::-1] if self.style.is_oldest_first else shown

    def _item(self, number: int, session: int) -> Item:
        name = f"story-{number}-"
        own = f"https://example.org/{self.names}/{name}"
        return item(
            guid={
                "own": f"{self.names}:{number}",
                "url": own,
                "session": f"{session}:{number}",
                "same": "0",
                "none": "",
            }[self.style.guid],
            link={"own": own, "session": f"{own}?sid={session}"}[self.style.link],
            title=f"Title of {name}",
            text=f"<p>Some words about {name} that nobody else has.</p>",
            published=self._date(self.dates[number]),
        )

    def _date(self, date: datetime) -> datetime:
        match self.style.dated:
            case "to the second":
                return date
            case "by the hour":
                return date.replace(minute=0, second=0)
        return date.replace(hour=0, minute=0, second=0)


@settings(max_examples=50, deadline=None)
@given(styles, st.lists(steps, min_size=1, max_size=14))
def test_each_story_is_told_once_however_the_feed_is_renumbered(
    style: Style, course: list[Step]
) -> None:
    """Once for all, at every reading, or not at all; with any restarts in between (B2, B3, B6,
    B8, B9, B10)."""
    site, reader = Site(style), Reader()
    for age in range(12):
        site.dates[age] = START - timedelta(hours=61 - 5 * age, seconds=7 * age)
    baseline = set(site.listed())
    assert [] == reader.read(*site.document())
    now = reader.clock
    met = set(baseline)
    for step in course:
        wait = timedelta(minutes=step.minutes)
        now += wait
        for late in step.added:
            number = len(site.dates)
            site.dates[number] = now - timedelta(minutes=late, seconds=number)
        if step.toggled is not None:
            site.away ^= {sorted(site.dates)[-1 - step.toggled]}
        site.names += step.renumbered
        met |= set(site.listed())
        reader.read(*site.document(), after=wait, forgetful=step.forgetful)
    told = Counter(map(number_of, reader.told))

    followed = {number for number in met if site.dates[number] >= START}
    assert dict.fromkeys(followed - baseline, 1) == {
        number: times for number, times in told.items() if number in followed
    }
    assert {1} >= set(told.values())
    assert not baseline & told.keys()
    assert len(reader.entries) == len({number_of(title) for title in reader.titles()})

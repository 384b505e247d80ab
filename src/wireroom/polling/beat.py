"""A feed that keeps time: its newest gaps are all alike, so the next item has an hour (pure).

The day's density learns daily habits from weeks. A beat is shorter, hourly say, and is known from
three items: soon enough for a feed that wakes up, whose older items say nothing any more.
"""

from collections.abc import Sequence
from itertools import pairwise

from wireroom.values import value

#: Items closer together than this are one; a beat this fast is beyond the shortest waits.
_SHORTEST_SECONDS = 600
#: Slower habits are told by the time of day.
_LONGEST_SECONDS = 12 * 3600
#: Gaps are alike when they differ by no more than this part.
_LIKENESS = 0.03

#: What a beat is trusted after each time that nothing came.
_AFTER_MISS = 0.25
_LEAST_TRUST = 0.05


@value
class Beat:
    """The next items are expected at `last` + n x `seconds`, each with probability `trust`."""

    last: int
    seconds: int
    trust: float

    def heard_at(self, moment: float) -> "Beat | None":
        """The beat as it stands when nothing has come until this Unix second; None when it is
        trusted no more."""
        missed = int(max(moment - self.last, 0) // (self.seconds * (1 + _LIKENESS)))
        trust = self.trust * _AFTER_MISS ** min(missed, 10)
        return Beat(self.last, self.seconds, trust) if trust >= _LEAST_TRUST else None

    def strokes(self, after: float, until: float) -> list[float]:
        """The moments between these two at which items are expected, ascending."""
        number = max(int((after - self.last) // self.seconds) + 1, 1)
        count = max(int((until - self.last) // self.seconds) - number + 1, 0)
        return [self.last + (number + i) * self.seconds for i in range(count)]


def beat(times: Sequence[int]) -> Beat | None:
    """The beat of ascending item times, just after the last; None without one.

    n gaps that are alike make a trust of 1 - 1/n: two may be chance, ten are a clock.
    """
    gaps = (newer - older for newer, older in pairwise(reversed(times)))
    heeded = (gap for gap in gaps if gap >= _SHORTEST_SECONDS)
    newest = next(heeded, _LONGEST_SECONDS + 1)
    if newest > _LONGEST_SECONDS:
        return None
    alike, seconds = 1, newest
    for gap in heeded:
        if abs(gap - newest) > _LIKENESS * newest:
            break
        # The longest of them: a request a minute late finds the item, one a minute early does not.
        alike, seconds = alike + 1, max(seconds, gap)
    return Beat(times[-1], seconds, 1 - 1 / alike) if alike > 1 else None

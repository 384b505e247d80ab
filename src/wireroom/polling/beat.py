"""A feed that keeps time: its newest gaps are all alike, so the next item has an hour (pure).

The day's density learns daily habits from weeks. A beat is shorter, hourly say, and is known from
three items: soon enough for a feed that wakes up, whose older items say nothing any more.
"""

from dataclasses import dataclass
from itertools import pairwise

#: Items closer together than this are one; a beat this fast is beyond the shortest waits.
_SHORTEST_SECONDS = 600
#: Slower habits are told by the time of day.
_LONGEST_SECONDS = 12 * 3600
#: Gaps are alike when they differ by no more than this part.
_LIKENESS = 0.03

#: What a beat is trusted after each time that nothing came.
_AFTER_MISS = 0.25
_LEAST_TRUST = 0.05


@dataclass(frozen=True, slots=True)
class Beat:
    """The next items are expected at `last` + n x `seconds`, each with probability `trust`."""

    last: int
    seconds: int
    trust: float

    def strokes(self, after: float, until: float) -> list[float]:
        """The moments between these two at which items are expected, ascending."""
        number = max(int((after - self.last) // self.seconds) + 1, 1)
        count = max(int((until - self.last) // self.seconds) - number + 1, 0)
        return [self.last + (number + i) * self.seconds for i in range(count)]


def beat(times: tuple[int, ...], moment: float) -> Beat | None:
    """The beat of ascending item times as it stands at `moment`; None without one.

    n gaps that are alike make a trust of 1 - 1/n: two may be chance, ten are a clock.
    """
    gaps = [b - a for a, b in pairwise(times) if b - a >= _SHORTEST_SECONDS]
    if len(gaps) < 2 or gaps[-1] > _LONGEST_SECONDS:
        return None
    alike = 1
    while alike < len(gaps) and abs(gaps[-alike - 1] - gaps[-1]) <= _LIKENESS * gaps[-1]:
        alike += 1
    # The longest of them: a request a minute late finds the item, one a minute early does not.
    seconds = max(gaps[-alike:])
    missed = int(max(moment - times[-1], 0) // (seconds * (1 + _LIKENESS)))
    trust = (1 - 1 / alike) * _AFTER_MISS ** min(missed, 10)
    return Beat(times[-1], seconds, trust) if trust >= _LEAST_TRUST else None

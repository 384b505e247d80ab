"""What a feed remembers for its schedule: a small value that survives as JSON (pure).

All policies read the same history: an operator may change the policy without a fresh start.
"""

import math
from collections.abc import Mapping
from datetime import datetime
from itertools import accumulate
from operator import sub
from typing import Any

from wireroom.values import value

#: More would not make a forecast better: what lies 40 items back says little about tomorrow.
MOST_TIMES = 40

#: CM's weight of the newest sample, and its guess for a feed without dates (SCH-13, SCH-15).
NEWEST_WEIGHT = 0.3
GUESSED_ITEMS_PER_DAY = 24.0
_SHORTEST_SPAN_SECONDS = 3600

_DAY_SECONDS = 86_400

Dates = tuple[datetime | None, ...]


@value
class History:
    """State of a feed between two polls.

    `unchanged_polls` counts successful polls in a row without news. `items_per_day` is the moving
    average (EWMA) of the `rate` policy. `polled_at` is the last success, `times` are when the
    newest items appeared, ascending; `known_since` is the first success. All in Unix seconds.
    """

    unchanged_polls: int = 0
    items_per_day: float | None = None
    polled_at: int | None = None
    times: tuple[int, ...] = ()
    known_since: int | None = None

    def encode(self) -> dict[str, Any]:
        """A JSON-able mapping of well under 1 KB; item times are stored as gaps."""
        times = self.times
        return {
            "unchanged": self.unchanged_polls,
            "per_day": None if self.items_per_day is None else float(f"{self.items_per_day:.6g}"),
            "polled": self.polled_at,
            "gaps": [*times[:1], *map(sub, times[1:], times)],
            "since": self.known_since,
        }

    @classmethod
    def decode(cls, stored: Mapping[str, Any]) -> "History":
        """The inverse of `encode`; what is missing or makes no sense starts afresh."""
        gaps = _gaps(stored.get("gaps"))
        return cls(
            unchanged_polls=max(_whole(stored.get("unchanged")) or 0, 0),
            items_per_day=_amount(stored.get("per_day")),
            polled_at=_whole(stored.get("polled")),
            times=tuple(accumulate(gaps))[-MOST_TIMES:],
            known_since=_whole(stored.get("since")),
        )

    def after_first_read(self, dates: Dates, now: datetime) -> "History":
        """A baseline was read: its dates are believed as far as they can be true."""
        moment = int(now.timestamp())
        times = _believable(dates, moment)
        return History(
            items_per_day=_rate_of_spread(times),
            polled_at=moment,
            times=tuple(times[-MOST_TIMES:]),
            known_since=moment,
        )

    def after_poll(self, dates: Dates, now: datetime) -> "History":
        """A poll succeeded; `dates` are those of the new items, empty when there were none."""
        moment = int(now.timestamp())
        times = self.times
        if dates:
            appeared = [_appearance(date, self.polled_at, moment) for date in dates[-MOST_TIMES:]]
            times = tuple(sorted((*times, *appeared)))[-MOST_TIMES:]
        return History(
            unchanged_polls=0 if dates else self.unchanged_polls + 1,
            items_per_day=self._averaged(len(dates), moment),
            polled_at=moment,
            times=times,
            known_since=moment if self.known_since is None else self.known_since,
        )

    def _averaged(self, new_items: int, moment: int) -> float | None:
        """The moving average with one more sample; without time passed there is no sample."""
        elapsed = moment - (moment if self.polled_at is None else self.polled_at)
        if elapsed <= 0:
            return self.items_per_day
        sample = new_items * _DAY_SECONDS / elapsed
        if self.items_per_day is None:
            return sample
        return NEWEST_WEIGHT * sample + (1 - NEWEST_WEIGHT) * self.items_per_day


def _appearance(date: datetime | None, polled_at: int | None, moment: int) -> int:
    """When a new item became visible: its own date where that is possible, else when we saw it.

    An item that was not there at the last poll cannot have been visible before it, whatever its
    date claims (midnight dates, back-dated posts): such a one appeared half-way, for all we know.
    """
    earliest = moment if polled_at is None else min(polled_at, moment)
    if date is not None and earliest <= date.timestamp() <= moment:
        return int(date.timestamp())
    return (earliest + moment) // 2


def _believable(dates: Dates, moment: int) -> list[int]:
    """Ascending times of a baseline without the impossible ones.

    Dates in the future and dates that are all the same (generators that stamp every item with the
    time of the build, or of the request) say nothing about when items appear.
    """
    stamps = (int(date.timestamp()) for date in dates if date is not None)
    times = sorted(stamp for stamp in stamps if 0 < stamp <= moment)
    if len(times) > 1 and times[-1] - times[0] < 2:
        return []
    return times


def _rate_of_spread(times: list[int]) -> float:
    """Items a day from the spread of a baseline's dates; without dates, CM's guess (SCH-15)."""
    if len(times) < 2:
        return GUESSED_ITEMS_PER_DAY
    span = max(times[-1] - times[0], _SHORTEST_SPAN_SECONDS)
    return (len(times) - 1) * _DAY_SECONDS / span


def _gaps(stored: object) -> list[int]:
    if not isinstance(stored, list):
        return []
    # Every poll reads them, and all but those of a damaged row are as they should be.
    if set(map(type, stored)) <= {int} and min(stored, default=0) >= 0:
        return stored
    return [gap for gap in stored if isinstance(gap, int) and gap >= 0]


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _amount(value: object) -> float | None:
    if isinstance(value, int | float) and math.isfinite(value) and value >= 0:
        return float(value)
    return None

"""At what time of day a feed publishes, learned from its items (pure).

A density over the UTC day with mean 1, mixed from three parts: a mild prior (people write by day),
a broad bell around each past item, and a spike at its very second. How much of an item is spike is
learned from the feed: feeds made by a cron job repeat their minutes, people do not.

The bells are drawn in whole hours and the spikes kept as they are, so that learning takes a few
passes over a few dozen numbers: a large installation does it anew at nearly every poll.
"""

import math
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import sub

from wireroom.values import value

DAY_SECONDS = 86_400
_HOUR_SECONDS = 3600
_HOURS = DAY_SECONDS // _HOUR_SECONDS

_PRIOR_DAY_SWING = 0.2
_PRIOR_DAY_NOON_SECONDS = 14 * 3600
#: So many running means over three hours make a bell with a deviation of an hour and a half.
_BELL_REACH = 3
_LEAST_SPIKE, _MOST_SPIKE = 0.3, 0.95

#: Items closer together than this are one batch: they say once when the feed publishes.
_BATCH_SECONDS = 3 * 3600
_SAME_MINUTE_SECONDS = 300

#: Spikes so close together that the density over them is this much are a peak.
_PEAK_DENSITY = 4.4
#: A peak is over so long after its last item.
_AFTER_PEAK_SECONDS = 150


@value
class Daytime:
    """The density: `heights` of the hours, and a mass of `spike_seconds` at each of `spikes`.

    `spikes` are seconds of the day, ascending; `sums[n]` is the sum of the first n of them.
    `cumulated[h]` is the integral of the heights from midnight to hour h, `cumulated_twice[h]` the
    integral of that; both count in hours.
    `peaks` are seconds of the day just after which little more is to be expected.
    """

    heights: Sequence[float]
    cumulated: Sequence[float]
    cumulated_twice: Sequence[float]
    spikes: Sequence[int]
    sums: Sequence[int]
    spike_seconds: float
    peaks: tuple[int, ...]

    def integrals(self, start: float, afters: Sequence[float]) -> tuple[list[float], list[float]]:
        """The first and the second integral of the density, `afters` seconds after the Unix
        second `start`.

        Both count from the midnight before `start`. Over whole days the density's integral is the
        time itself, which keeps the carry over midnights simple.
        """
        heights, cumulated, doubled = self.heights, self.cumulated, self.cumulated_twice
        spikes, sums, mass = self.spikes, self.sums, self.spike_seconds
        whole_day = doubled[_HOURS] * _HOUR_SECONDS**2
        whole_day += mass * (DAY_SECONDS * len(spikes) - sums[-1])
        start %= DAY_SECONDS
        once, twice = [], []
        before = carried = 0.0  # the whole days, and what the second integral has over them
        for after in afters:
            second = start + after - before
            while second >= DAY_SECONDS:
                carried += whole_day + before * DAY_SECONDS
                before += DAY_SECONDS
                second -= DAY_SECONDS
            hour = int(second) // _HOUR_SECONDS
            rest = second / _HOUR_SECONDS - hour
            height, low = heights[hour], cumulated[hour]
            met = bisect_right(spikes, second)
            risen = (low + height * rest) * _HOUR_SECONDS + mass * met
            area = (doubled[hour] + rest * (low + height * rest / 2)) * _HOUR_SECONDS**2
            once.append(before + risen)
            twice.append(carried + before * second + area + mass * (second * met - sums[met]))
        return once, twice


def daytime(times: tuple[int, ...], seconds: Sequence[int], prior_items: float) -> Daytime:
    """Learn from ascending item times and their `seconds` of the day, ascending as well.

    The prior weighs as much as `prior_items` of them.
    """
    spike, scale = _spike_share(times), 1 / (prior_items + len(times))
    prior, bell = prior_items * scale, (1 - spike) * scale * _BELL_HEIGHT
    heights = [
        prior * day + bell * count for day, count in zip(_PRIOR_DAY, _bells(seconds), strict=True)
    ]
    cumulated = list(accumulate(heights, initial=0.0))
    # The integral rises in straight lines: the area below each is a trapezium.
    areas = [low + height / 2 for low, height in zip(cumulated, heights, strict=False)]
    mass = spike * scale * DAY_SECONDS
    return Daytime(
        heights=array("d", heights),
        cumulated=array("d", cumulated),
        cumulated_twice=array("d", accumulate(areas, initial=0.0)),
        spikes=array("l", seconds),
        sums=array("q", accumulate(seconds, initial=0)),
        spike_seconds=mass,
        peaks=_peaks(seconds, _PEAK_DENSITY * _SAME_MINUTE_SECONDS / mass) if times else (),
    )


def _bells(seconds: Sequence[int]) -> list[int]:
    """How many items each hour has, spread over the hours beside it."""
    counts = [0] * _HOURS
    for second in seconds:
        counts[second // _HOUR_SECONDS] += 1
    counts = counts[-_BELL_REACH:] + counts + counts[:_BELL_REACH]
    for _ in range(_BELL_REACH):
        counts = [a + b + c for a, b, c in zip(counts, counts[1:], counts[2:], strict=False)]
    return counts


def _spike_share(times: tuple[int, ...]) -> float:
    """How much an item's very minute counts: the share that recurs beyond chance."""
    batches: list[int] = []
    next_batch = 0
    for time in times:
        if time > next_batch:
            batches.append(time % DAY_SECONDS)
            next_batch = time + _BATCH_SECONDS
    if len(batches) < 2:
        return _LEAST_SPIKE
    batches.sort()
    batches.append(batches[0] + DAY_SECONDS)
    near = [b - a <= _SAME_MINUTE_SECONDS for a, b in pairwise(batches)]
    if True not in near:
        return _LEAST_SPIKE
    met = sum([before or after for before, after in pairwise((near[-1], *near))])
    # Most feeds publish in half of the day only, which makes chance meetings twice as likely.
    chance = 1 - math.exp(-(len(near) - 1) * 4 * _SAME_MINUTE_SECONDS / DAY_SECONDS)
    share = (met / len(near) - chance) / (1 - chance)
    return min(max(share, _LEAST_SPIKE), _MOST_SPIKE)


def _peaks(seconds: Sequence[int], least: float) -> tuple[int, ...]:
    """The ends of clusters that have more than `least` items in each five minutes."""
    # Such a cluster has more than half as many in some five minutes: most feeds have none.
    nearest = map(sub, seconds[int(least / 2) :], seconds)
    if min(nearest, default=DAY_SECONDS) > _SAME_MINUTE_SECONDS:
        return ()
    peaks = []
    first = last = seconds[0]
    count = 0
    for second in (*seconds, 2 * DAY_SECONDS):
        if second - last > _SAME_MINUTE_SECONDS:
            if count > least * max((last - first) / _SAME_MINUTE_SECONDS, 1.0):
                peaks.append((last + _AFTER_PEAK_SECONDS) % DAY_SECONDS)
            first, count = second, 0
        last, count = second, count + 1
    return tuple(peaks)


_BELL_HEIGHT = _HOURS / 3**_BELL_REACH
_PRIOR_DAY = tuple(
    1
    + _PRIOR_DAY_SWING
    * math.cos(math.tau * ((number + 0.5) / _HOURS - _PRIOR_DAY_NOON_SECONDS / DAY_SECONDS))
    for number in range(_HOURS)
)

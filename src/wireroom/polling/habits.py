"""What the times of past items tell: how many to expect, and at what time of day (pure).

The rate forgets: each older gap counts `_FORGETTING` times the next younger one. Silence since the
last item counts as a gap, and each mean gap of it beyond a few forgets what was known before: a
feed that falls asleep is soon believed to be one of which only its silence is known. When it wakes
up, neither that silence nor what was before says how often it publishes now.

The time of day is a density over the UTC day with mean 1, mixed from three parts: a mild prior
(people write by day), a broad bump around each past item, and a narrow spike at its very minute.
How much of an item is spike is learned from the feed: feeds made by a cron job repeat their
minutes, people do not.

Some feeds publish in bursts: there an item announces others. This echo is the share of items that
came within two hours of the one before, beyond what the rate alone explains.
"""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import add

DAY_SECONDS = 86_400
_BIN_SECONDS = 300
_BINS = DAY_SECONDS // _BIN_SECONDS
_BINS_PER_BROAD = 6  # broad bumps are drawn in half-hours
_BROAD_BINS = _BINS // _BINS_PER_BROAD

# Tuned on one half of the recorded feeds, confirmed on the other: docs/notes/polling-policies.md.
_FORGETTING = 0.85
_SILENT_FORGETTING = 0.75
_USUAL_GAPS = 4.0  # nights, weekends and holidays forget nothing
_PRIOR_ITEMS = 1.0
PRIOR_SECONDS = 2.0 * DAY_SECONDS
#: A silence that keeps less than a hundredth of what was known ends in a waking, if anything was
#: known; it is so many mean gaps long.
_WAKING_GAPS = _USUAL_GAPS + math.log(0.01) / math.log(_SILENT_FORGETTING)
_KNOWN_ITEMS = 2.0
#: Who wakes up is expected to go on soon, at any hour.
_WOKEN_SECONDS = 1800.0
_WOKEN_DAY_ITEMS = 60.0
_PRIOR_DAY_ITEMS = 0.5
_PRIOR_DAY_SWING = 0.2
_PRIOR_DAY_NOON_SECONDS = 14 * 3600
_BUMP_SECONDS = 5400.0
_SPIKE_SECONDS = 150.0
_LEAST_SPIKE, _MOST_SPIKE = 0.3, 0.95

#: For how long an item announces another one; the average of an exponential decay.
ECHO_SECONDS = 7200.0
_ECHO_FORGETTING = 0.9
_LEAST_ECHO, _MOST_ECHO = 0.02, 0.9

#: Items closer together than this are one batch: they say once when the feed publishes.
_BATCH_SECONDS = 3 * 3600
_SAME_MINUTE_SECONDS = 300

#: A peak is a 5-minute bin this dense whose successor is at most half of it.
_PEAK_DENSITY = 3.0


@dataclass(frozen=True, slots=True)
class Habits:
    """A feed's rate and its day.

    `weighted_items` over `weighted_seconds` is the rate without silence and prior, which is an
    item in `prior_seconds`. `cumulated[b]` is the sum of the density before bin b,
    `cumulated_twice[b]` the sum of these sums up to bin b.
    `echo` is the number of further items that an item announces for the hours after it.
    `peaks` are seconds of the day just after which little more is to be expected.
    """

    weighted_items: float
    weighted_seconds: float
    prior_seconds: float
    echo: float
    density: Sequence[float]
    cumulated: Sequence[float]
    cumulated_twice: Sequence[float]
    peaks: tuple[int, ...]
    #: For people: "mostly mornings UTC", or "".
    words: str

    def items_per_second(self, silent_seconds: float, prior_seconds: float) -> float:
        """The rate believed after this much silence since the last item, by who expected one item
        in `prior_seconds` before anything was known.
        """
        silent = max(silent_seconds, 0.0)
        items, seconds = self.weighted_items, self.weighted_seconds
        kept = _kept(items, seconds, silent)
        return (kept * items + _PRIOR_ITEMS) / (kept * seconds + prior_seconds + silent)

    def integrals(self, moments: Sequence[float]) -> tuple[list[float], list[float]]:
        """The first and the second integral of the density at these ascending Unix seconds.

        Both count from the midnight before the first one. Over whole days the density's integral
        is the time itself, which keeps the carry over midnights simple.
        """
        midnight = moments[0] - moments[0] % DAY_SECONDS
        density, cumulated, doubled = self.density, self.cumulated, self.cumulated_twice
        whole_day = (doubled[_BINS] - cumulated[_BINS] / 2) * _BIN_SECONDS**2
        once, twice = [], []
        for moment in moments:
            second = moment % DAY_SECONDS
            number = int(second) // _BIN_SECONDS
            rest = second - number * _BIN_SECONDS
            low, height = cumulated[number] * _BIN_SECONDS, density[number]
            # The first integral is made of straight lines: the area below them is in trapeziums.
            area = (doubled[number] * _BIN_SECONDS - low / 2) * _BIN_SECONDS
            before = moment - second - midnight  # whole days, in seconds
            once.append(before + low + height * rest)
            days = before / DAY_SECONDS
            carried = days * whole_day + before * (before - DAY_SECONDS) / 2
            twice.append(carried + before * second + area + rest * (low + height * rest / 2))
        return once, twice


@lru_cache(maxsize=512)
def habits(times: tuple[int, ...]) -> Habits:
    """Learn from ascending item times; remembered, since most polls bring no new ones."""
    items, seconds, woke = _weighted_gaps(times)
    density = _density(times, _WOKEN_DAY_ITEMS if woke else _PRIOR_DAY_ITEMS)
    cumulated = array("d", accumulate(density, initial=0.0))
    return Habits(
        weighted_items=items,
        weighted_seconds=seconds,
        prior_seconds=_WOKEN_SECONDS if woke else PRIOR_SECONDS,
        echo=_echo(times, (items + 0.5) / (seconds + 1)),
        density=density,
        cumulated=cumulated,
        cumulated_twice=array("d", accumulate(cumulated)),
        peaks=_peaks(density),
        words=_words(times),
    )


def _weighted_gaps(times: tuple[int, ...]) -> tuple[float, float, bool]:
    """Items and seconds of the gaps, the newest counting most, and whether the feed woke up; then
    of those since.
    """
    all_items = all_seconds = items = seconds = 0.0
    wakings = 0
    for before, after in pairwise(times):
        gap = after - before
        all_items, all_seconds = _FORGETTING * all_items + 1, _FORGETTING * all_seconds + gap
        if items >= _KNOWN_ITEMS and gap > _WAKING_GAPS * _mean_gap(items, seconds):
            items = seconds = 0.0
            wakings += 1
        else:
            items, seconds = _FORGETTING * items + 1, _FORGETTING * seconds + gap
    # Who falls asleep again and again has it for a habit.
    if wakings == 1:
        return items, seconds, True
    return all_items, all_seconds, False


def _mean_gap(items: float, seconds: float) -> float:
    return (seconds + PRIOR_SECONDS) / (items + _PRIOR_ITEMS)


def _kept(items: float, seconds: float, silent: float) -> float:
    """The part of what these gaps tell that is still believed after such a silence."""
    missed = max(silent / _mean_gap(items, seconds) - _USUAL_GAPS, 0.0)
    return math.pow(_SILENT_FORGETTING, missed)


def _echo(times: tuple[int, ...], per_second: float) -> float:
    """How many items an item announces: the share of short gaps beyond that of chance."""
    weight, near, total = 1.0, 0.0, 1.0
    for before, after in pairwise(times[:-32:-1]):
        near += weight * (before - after < ECHO_SECONDS)
        total += weight
        weight *= _ECHO_FORGETTING
    # Twice the rate: most feeds publish in half of the day.
    chance = 1 - math.exp(-2 * per_second * ECHO_SECONDS)
    share = (near / total - chance) / max(1 - chance, 1e-9)
    return min(max(share, _LEAST_ECHO), _MOST_ECHO)


def _density(times: tuple[int, ...], prior_items: float) -> Sequence[float]:
    spike, scale = _spike_share(times), 1 / (prior_items + len(times))
    broad = [
        (prior_items * prior + (1 - spike) * bumps) * scale
        for prior, bumps in zip(_PRIOR_DAY, _bumps(times), strict=True)
    ]
    density = array("d", [height for height in broad for _ in range(_BINS_PER_BROAD)])
    weight = spike * scale
    for time in times:
        number, rest = divmod(time % DAY_SECONDS, _BIN_SECONDS)
        before, here, after = _SPIKES[rest]
        density[number - 1] += weight * before
        density[number] += weight * here
        density[(number + 1) % _BINS] += weight * after
    return density


def _bumps(times: tuple[int, ...]) -> list[float]:
    """A day's worth of density spread around each item, by half-hours."""
    width = _BIN_SECONDS * _BINS_PER_BROAD
    middles = Counter(time % DAY_SECONDS // width for time in times)
    # Twice around the day, so that bumps need not be carried over midnight.
    days = [0.0] * (2 * _BROAD_BINS)
    for middle, count in middles.items():
        for number, part in enumerate(_BUMP, middle):
            days[number] += count * part
    reach = len(_BUMP) // 2
    around = list(map(add, days, days[_BROAD_BINS:]))
    return around[reach:] + around[:reach]


def _spike_share(times: tuple[int, ...]) -> float:
    """How much an item's very minute counts: the share that recurs beyond chance."""
    batches: list[int] = []
    for time in times:
        if not batches or time - batches[-1] > _BATCH_SECONDS:
            batches.append(time)
    if len(batches) < 2:
        return _LEAST_SPIKE
    seconds = sorted(time % DAY_SECONDS for time in batches)
    gaps = [b - a for a, b in pairwise((*seconds, seconds[0] + DAY_SECONDS))]
    met = sum(min(gaps[i - 1], gap) <= _SAME_MINUTE_SECONDS for i, gap in enumerate(gaps))
    # Most feeds publish in half of the day only, which makes chance meetings twice as likely.
    chance = 1 - math.exp(-(len(batches) - 1) * 4 * _SAME_MINUTE_SECONDS / DAY_SECONDS)
    share = (met / len(batches) - chance) / (1 - chance)
    return min(max(share, _LEAST_SPIKE), _MOST_SPIKE)


def _peaks(density: Sequence[float]) -> tuple[int, ...]:
    dense = [number for number, height in enumerate(density) if height > _PEAK_DENSITY]
    return tuple(
        (number + 1) * _BIN_SECONDS
        for number in dense
        if density[(number + 1) % _BINS] < density[number] / 2
    )


def _words(times: tuple[int, ...]) -> str:
    """The habit in words where there is one: a quarter of the day with most of the items."""
    if len(times) < 5:
        return ""
    quarters = [0] * 4
    for time in times:
        quarters[time % DAY_SECONDS * 4 // DAY_SECONDS] += 1
    most = max(quarters)
    if most < 0.6 * len(times):
        return ""
    return f"mostly {('nights', 'mornings', 'afternoons', 'evenings')[quarters.index(most)]} UTC"


def _below(z: float) -> float:
    """The normal distribution's share below z standard deviations."""
    return (1 + math.erf(z / math.sqrt(2))) / 2


def _spike(rest: int) -> tuple[float, float, float]:
    """A day's worth of density in the bin before a second, in its own, `rest` seconds into it, and
    in the bin after.
    """
    before, until = _below(-rest / _SPIKE_SECONDS), _below((_BIN_SECONDS - rest) / _SPIKE_SECONDS)
    return before * _BINS, (until - before) * _BINS, (1.0 - until) * _BINS


_SPIKES = tuple(_spike(rest) for rest in range(_BIN_SECONDS))


def _bump() -> tuple[float, ...]:
    """A bell over half-hours that sums to one day's worth of density."""
    reach = 9
    width = _BIN_SECONDS * _BINS_PER_BROAD
    heights = [math.exp(-((i * width / _BUMP_SECONDS) ** 2) / 2) for i in range(-reach, reach + 1)]
    return tuple(height * _BROAD_BINS / sum(heights) for height in heights)


_BUMP = _bump()
_PRIOR_DAY = tuple(
    1
    + _PRIOR_DAY_SWING
    * math.cos(math.tau * ((number + 0.5) / _BROAD_BINS - _PRIOR_DAY_NOON_SECONDS / DAY_SECONDS))
    for number in range(_BROAD_BINS)
)

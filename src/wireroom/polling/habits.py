"""What the times of past items tell: how many to expect, and which announce others (pure).

The rate forgets: each older gap counts `_FORGETTING` times the next younger one. Silence since the
last item counts as a gap, and each mean gap of it beyond a few forgets what was known before: a
feed that falls asleep is soon believed to be one of which only its silence is known. When it wakes
up, neither that silence nor what was before says how often it publishes now.

Some feeds publish in bursts: there an item announces others. This echo is the share of items that
came within two hours of the one before, beyond what the rate alone explains.
"""

import math
from bisect import bisect_left
from functools import lru_cache
from operator import mul, sub

from wireroom.polling.beat import Beat, beat
from wireroom.polling.daytime import DAY_SECONDS, Daytime, daytime
from wireroom.polling.history import MOST_TIMES
from wireroom.values import value

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
#: No shorter gap can be such a silence: weighted items never get to 1 / (1 - _FORGETTING).
_SHORTEST_SLEEP_SECONDS = _WAKING_GAPS * PRIOR_SECONDS / (_PRIOR_ITEMS + 1 / (1 - _FORGETTING))
#: Who wakes up is expected to go on soon, at any hour.
_WOKEN_SECONDS = 1800.0
_WOKEN_DAY_ITEMS = 60.0
_PRIOR_DAY_ITEMS = 0.5

#: For how long an item announces another one; the average of an exponential decay.
ECHO_SECONDS = 7200.0
_ECHO_FORGETTING = 0.9
_ECHO_GAPS = 30
_LEAST_ECHO, _MOST_ECHO = 0.02, 0.9

#: What the newest gap counts, the one before it, and so on.
_WEIGHTS = tuple(_FORGETTING**age for age in range(MOST_TIMES))
_ECHO_WEIGHTS = tuple(_ECHO_FORGETTING**age for age in range(_ECHO_GAPS))


@value
class Habits:
    """A feed's rate and its day.

    `weighted_items` over `weighted_seconds` is the rate without silence and prior, which is an
    item in `prior_seconds`. `echo` is the number of further items that an item announces for the
    hours after it.
    """

    weighted_items: float
    weighted_seconds: float
    prior_seconds: float
    echo: float
    day: Daytime
    beat: Beat | None
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


@lru_cache(maxsize=2048)
def habits(times: tuple[int, ...]) -> Habits:
    """Learn from ascending item times; remembered, since most polls bring no new ones."""
    gaps = list(map(sub, times[1:], times))
    seconds = sorted([time % DAY_SECONDS for time in times])
    items, duration, woke = _weighted(gaps)
    return Habits(
        weighted_items=items,
        weighted_seconds=duration,
        prior_seconds=_WOKEN_SECONDS if woke else PRIOR_SECONDS,
        echo=_echo(gaps, (items + 0.5) / (duration + 1)),
        day=daytime(times, seconds, _WOKEN_DAY_ITEMS if woke else _PRIOR_DAY_ITEMS),
        beat=beat(times),
        words=_words(seconds),
    )


def _weighted(gaps: list[int]) -> tuple[float, float, bool]:
    """Items and seconds of the gaps, the newest counting most, and whether the feed woke up; then
    of those since.
    """
    since = _last_waking(gaps)
    heeded = gaps[since:][::-1]
    weights = _WEIGHTS[: len(heeded)]
    return sum(weights), sum(map(mul, heeded, weights)), since > 0


def _last_waking(gaps: list[int]) -> int:
    """Where the gaps begin that came after the feed's only waking; 0 if it never slept.

    Who falls asleep again and again has it for a habit.
    """
    if max(gaps, default=0) <= _SHORTEST_SLEEP_SECONDS:
        return 0
    items = seconds = 0.0
    wakings = []
    for number, gap in enumerate(gaps, 1):
        if items >= _KNOWN_ITEMS and gap > _WAKING_GAPS * _mean_gap(items, seconds):
            items = seconds = 0.0
            wakings.append(number)
        else:
            items, seconds = _FORGETTING * items + 1, _FORGETTING * seconds + gap
    return wakings[0] if len(wakings) == 1 else 0


def _mean_gap(items: float, seconds: float) -> float:
    return (seconds + PRIOR_SECONDS) / (items + _PRIOR_ITEMS)


def _kept(items: float, seconds: float, silent: float) -> float:
    """The part of what these gaps tell that is still believed after such a silence."""
    missed = max(silent / _mean_gap(items, seconds) - _USUAL_GAPS, 0.0)
    return math.pow(_SILENT_FORGETTING, missed)


def _echo(gaps: list[int], per_second: float) -> float:
    """How many items an item announces: the share of short gaps beyond that of chance."""
    heeded = gaps[: -_ECHO_GAPS - 1 : -1]
    weights = _ECHO_WEIGHTS[: len(heeded)]
    near = sum([weight for gap, weight in zip(heeded, weights, strict=True) if gap < ECHO_SECONDS])
    total = 1.0 + sum(weights)
    # Twice the rate: most feeds publish in half of the day.
    chance = 1 - math.exp(-2 * per_second * ECHO_SECONDS)
    share = (near / total - chance) / max(1 - chance, 1e-9)
    return min(max(share, _LEAST_ECHO), _MOST_ECHO)


def _words(seconds: list[int]) -> str:
    """The habit in words where there is one: a quarter of the day with most of the items."""
    if len(seconds) < 5:
        return ""
    until = [bisect_left(seconds, DAY_SECONDS * quarter // 4) for quarter in range(5)]
    quarters = list(map(sub, until[1:], until))
    most = max(quarters)
    if most < 0.6 * len(seconds):
        return ""
    return f"mostly {('nights', 'mornings', 'afternoons', 'evenings')[quarters.index(most)]} UTC"

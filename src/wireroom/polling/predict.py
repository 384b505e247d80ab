"""The wait that loses least time for its requests: the `predictive` policy (pure).

Each request has a price, counted in seconds of one item's delay. The best plan for the coming
hours minimises (delay of the items to be expected) + (price of the requests). For a steady feed
that gives the square-root law: an interval of sqrt(2 x price / rate), so that requests grow with
the square root of the rate. For a feed with habits it puts the requests behind the hours, or
minutes, at which items appear. docs/notes/polling-policies.md has the reasoning and the figures.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from wireroom.polling.beat import Beat, beat
from wireroom.polling.habits import DAY_SECONDS, ECHO_SECONDS, PRIOR_SECONDS, Habits, habits
from wireroom.polling.history import History

#: The price at budget 1, set so that there are as many requests as under RB's linear rule.
PRICE_SECONDS = 100.0

#: The plan looks this many steps ahead, at this many steps to a typical interval.
_STEPS = 24
_STEPS_PER_INTERVAL = 6

#: A feed that waits as long as it may is spread by this part of the jitter: ten per cent of six
#: hours would be five per cent more requests for all the feeds that have fallen asleep.
_JITTER_AT_MAXIMUM = 0.05

#: Peaks are visited within two minutes, not by everybody at the same second.
_PEAK_SPREAD_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Forecast:
    """The wait that `predictive` proposes, and what it believes of the feed, for people."""

    wait: timedelta
    items_per_day: float
    habit: str = ""


def forecast(
    history: History,
    now: datetime,
    minimum: timedelta,
    maximum: timedelta,
    *,
    budget: float = 1.0,
    jitter: float = 0.1,
    random: float = 0.5,
) -> Forecast:
    """The next wait, within the bounds; `random` and jitter shift the stops of the plan."""
    moment = now.timestamp()
    known = habits(history.times)
    newest = history.times[-1] if history.times else history.known_since
    silent = moment - (moment if newest is None else newest)
    clock = beat(history.times, moment)
    # A feed that woke up and keeps a beat is expected at its strokes, not at any moment.
    prior = known.prior_seconds if clock is None else PRIOR_SECONDS
    rate = known.items_per_second(silent, prior)
    price = PRICE_SECONDS / budget**2
    shortest, longest = minimum.total_seconds(), maximum.total_seconds()
    echoes = _echoes(known, history.times, moment)
    soon = rate + echoes / ECHO_SECONDS
    typical = min(max(math.sqrt(2 * price / soon), shortest), longest)
    spread = typical * (1 + jitter * (2 * random - 1))
    step = min(spread, longest * (1 - jitter * _JITTER_AT_MAXIMUM * random)) / _STEPS_PER_INTERVAL
    stops = _stops(known, clock, moment, step, _PEAK_SPREAD_SECONDS * random)
    items, delays = _expected(known, stops, rate, echoes)
    if clock is not None:
        items, delays = _with_strokes(clock, stops, items, delays)
    seconds = _first_of_best_plan(stops, items, delays, price, shortest, longest)
    wait = timedelta(seconds=min(max(seconds, shortest), longest))
    told = known.items_per_second(silent, DAY_SECONDS)
    return Forecast(wait, told * DAY_SECONDS, known.words)


def _stops(
    known: Habits, clock: Beat | None, moment: float, step: float, after_peak: float
) -> list[float]:
    """Now, the steps of the plan, and the ends of the feed's peaks between them; ascending."""
    stops = [moment + step * number for number in range(_STEPS + 1)]
    horizon = stops[-1]
    ends: list[float] = []
    if known.peaks:
        first_day = int(moment // DAY_SECONDS) * DAY_SECONDS
        days = range(first_day, int(horizon) + 1, DAY_SECONDS)
        ends = [day + peak + after_peak for day in days for peak in known.peaks]
    if clock is not None:
        strokes = clock.strokes(moment - after_peak, horizon - after_peak)
        ends += [stroke + after_peak for stroke in strokes]
    return sorted([*stops, *(end for end in ends if moment < end < horizon)]) if ends else stops


def _echoes(known: Habits, times: tuple[int, ...], moment: float) -> float:
    """The items that recent ones announce and that are still to come."""
    recent = (math.exp(-max(moment - time, 0.0) / ECHO_SECONDS) for time in times[-8:])
    return known.echo * sum(recent)


def _expected(
    known: Habits, stops: list[float], rate: float, echoes: float
) -> tuple[list[float], list[float]]:
    """Items expected until each stop, and the integral of that: their delay if nobody asked."""
    once, twice = known.integrals(stops)
    items, delays = [], []
    for stop, first, second in zip(stops, once, twice, strict=True):
        after = stop - stops[0]
        echoed = 1 - math.exp(-after / ECHO_SECONDS)
        items.append(rate * first + echoes * echoed)
        delays.append(rate * second + echoes * (after - ECHO_SECONDS * echoed))
    return items, delays


def _with_strokes(
    clock: Beat, stops: list[float], items: list[float], delays: list[float]
) -> tuple[list[float], list[float]]:
    """As far as the beat is trusted, the items come at its strokes; the rest as expected."""
    strokes = clock.strokes(stops[0], stops[-1])
    rest = 1 - clock.trust
    counts = [sum(stroke <= stop for stroke in strokes) for stop in stops]
    waited = [sum(max(stop - stroke, 0.0) for stroke in strokes) for stop in stops]
    return (
        [clock.trust * count + rest * item for count, item in zip(counts, items, strict=True)],
        [clock.trust * wait + rest * delay for wait, delay in zip(waited, delays, strict=True)],
    )


def _first_of_best_plan(
    stops: list[float],
    items: list[float],
    delays: list[float],
    price: float,
    shortest: float,
    longest: float,
) -> float:
    """Seconds to the first request of the cheapest plan; backwards over the stops.

    A plan may end at any stop from which the horizon is in reach; what is left is charged at the
    cost of a steady feed, so that a plan gains nothing by ending early.
    """
    start, end = stops[0], stops[-1]
    mean = (items[-1] - items[0]) / (end - start)
    interval = min(max(math.sqrt(2 * price / mean), shortest), longest)
    steady = mean * interval / 2 + price / interval
    costs = [math.inf] * len(stops)
    first = longest
    for i in range(len(stops) - 1, -1, -1):
        here, items_here, delays_here = stops[i], items[i], delays[i]
        best = steady * (end - here) if i and end - here < longest else math.inf
        for j in range(i + 1, len(stops)):
            wait = stops[j] - here
            if wait < shortest:
                continue
            if wait > longest:
                break
            cost = delays[j] - delays_here - wait * items_here + price + costs[j]
            if cost < best:
                best, first = cost, wait
        costs[i] = best
    return first

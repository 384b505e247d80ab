"""The wait that loses least time for its requests: the `predictive` policy (pure).

Each request has a price, counted in seconds of one item's delay. The best plan for the coming
hours minimises (delay of the items to be expected) + (price of the requests). For a steady feed
that gives the square-root law: an interval of sqrt(2 x price / rate), so that requests grow with
the square root of the rate. For a feed with habits it puts the requests behind the hours, or
minutes, at which items appear. docs/notes/polling-policies.md has the reasoning and the figures.
"""

import math
from datetime import datetime, timedelta

from wireroom.polling.beat import Beat
from wireroom.polling.daytime import DAY_SECONDS, Daytime
from wireroom.polling.habits import ECHO_SECONDS, PRIOR_SECONDS, Habits, habits
from wireroom.polling.history import History
from wireroom.values import value

#: The price at budget 1, set so that there are as many requests as under RB's linear rule.
PRICE_SECONDS = 100.0

#: The plan looks this many steps ahead, at this many steps to a typical interval.
_STEPS = 16
_STEPS_PER_INTERVAL = 4

#: A feed that waits as long as it may is spread by this part of the jitter: ten per cent of six
#: hours would be five per cent more requests for all the feeds that have fallen asleep.
_JITTER_AT_MAXIMUM = 0.05

#: Older items announce nothing any more that would count.
_ECHOED_SECONDS = 8 * ECHO_SECONDS

#: Peaks are visited within two minutes, not by everybody at the same second.
_PEAK_SPREAD_SECONDS = 120.0


@value
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
    clock = known.beat and known.beat.heard_at(moment)
    # A feed that woke up and keeps a beat is expected at its strokes, not at any moment.
    prior = known.prior_seconds if clock is None else PRIOR_SECONDS
    rate = known.items_per_second(silent, prior)
    price = PRICE_SECONDS / budget**2
    shortest, longest = minimum.total_seconds(), maximum.total_seconds()
    echoes = _echoes(known, history.times, moment)
    latest = longest * (1 - jitter * _JITTER_AT_MAXIMUM * random)
    has_moments = clock is not None or known.day.peaks
    if not has_moments and (rate * longest + echoes) * longest < price:
        seconds = latest  # all delay that could be saved is worth no request: most feeds sleep
    else:
        typical = min(
            max(math.sqrt(2 * price / (rate + echoes / ECHO_SECONDS)), shortest), longest
        )
        spread = typical * (1 + jitter * (2 * random - 1))
        step = min(spread, latest) / _STEPS_PER_INTERVAL
        stops = _stops(known.day, clock, moment, step, _PEAK_SPREAD_SECONDS * random)
        items, delays = _expected(known.day, moment, stops, rate, echoes)
        if clock is not None:
            items, delays = _with_strokes(clock, moment, stops, items, delays)
        seconds = _first_of_best_plan(stops, items, delays, price, shortest, longest)
    wait = timedelta(seconds=min(max(seconds, shortest), longest))
    told = known.items_per_second(silent, DAY_SECONDS)
    return Forecast(wait, told * DAY_SECONDS, known.words)


def _stops(
    day: Daytime, clock: Beat | None, moment: float, step: float, after_peak: float
) -> list[float]:
    """Seconds from `moment`: 0, the steps of the plan, and the ends of the feed's peaks between
    them; ascending."""
    stops = [step * number for number in range(_STEPS + 1)]
    horizon = stops[-1]
    ends: list[float] = []
    if day.peaks:
        midnight = -(moment % DAY_SECONDS)
        midnights = [midnight + DAY_SECONDS * n for n in range(int(horizon) // DAY_SECONDS + 2)]
        ends = [before + peak + after_peak for before in midnights for peak in day.peaks]
    if clock is not None:
        strokes = clock.strokes(moment - after_peak, moment + horizon - after_peak)
        ends += [stroke + after_peak - moment for stroke in strokes]
    return sorted([*stops, *(end for end in ends if 0 < end < horizon)]) if ends else stops


def _echoes(known: Habits, times: tuple[int, ...], moment: float) -> float:
    """The items that recent ones announce and that are still to come."""
    recent = [time for time in times[-8:] if moment - time < _ECHOED_SECONDS]
    return known.echo * sum([math.exp(min(time - moment, 0.0) / ECHO_SECONDS) for time in recent])


def _expected(
    day: Daytime, moment: float, stops: list[float], rate: float, echoes: float
) -> tuple[list[float], list[float]]:
    """Items expected until each stop, and the integral of that: their delay if nobody asked."""
    once, twice = day.integrals(moment, stops)
    if not echoes:
        return [rate * first for first in once], [rate * second for second in twice]
    items, delays = [], []
    for stop, first, second in zip(stops, once, twice, strict=True):
        echoed = 1 - math.exp(-stop / ECHO_SECONDS)
        items.append(rate * first + echoes * echoed)
        delays.append(rate * second + echoes * (stop - ECHO_SECONDS * echoed))
    return items, delays


def _with_strokes(
    clock: Beat, moment: float, stops: list[float], items: list[float], delays: list[float]
) -> tuple[list[float], list[float]]:
    """As far as the beat is trusted, the items come at its strokes; the rest as expected."""
    rest, period = 1 - clock.trust, clock.seconds
    first = clock.last + max((moment - clock.last) // period + 1, 1) * period - moment
    counts = [max((stop - first) // period + 1, 0) for stop in stops]
    waited = [
        count * (stop - first) - period * count * (count - 1) / 2
        for count, stop in zip(counts, stops, strict=True)
    ]
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
    end = stops[-1]
    mean = (items[-1] - items[0]) / end
    interval = min(max(math.sqrt(2 * price / mean), shortest), longest)
    steady = mean * interval / 2 + price / interval
    first = longest
    #: What a request at a later stop costs with all that follows it, but for the items known here.
    later: list[tuple[float, float]] = []
    for i in range(len(stops) - 1, -1, -1):
        here, items_here = stops[i], items[i]
        nearest, farthest = here + shortest, here + longest
        best = math.inf
        if i and end < farthest:
            best = steady * (end - here) + delays[i] - here * items_here
        for stop, cost in reversed(later):
            if stop > farthest:
                break
            if stop >= nearest and cost - stop * items_here < best:
                best, first = cost - stop * items_here, stop
        # The delay from here to a stop is delays[stop] - delays[here] - wait * items_here.
        later.append((here, best + here * items_here + price))
    return first

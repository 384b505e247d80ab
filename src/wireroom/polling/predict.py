"""When a feed's next item is likely, and the wait that loses least time (pure)."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from wireroom.polling.history import History

_DAY_SECONDS = 86_400.0


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
    random: float = 0.5,
) -> Forecast:
    """The next wait for a feed with this history."""
    moment = now.timestamp()
    if not history.times:
        return Forecast(min(max(timedelta(hours=1), minimum), maximum), 24.0)
    oldest = history.times[0]
    per_second = len(history.times) / max(moment - oldest, 3600.0)
    seconds = math.sqrt(1800.0 / per_second) / budget * (0.9 + 0.2 * random)
    wait = min(max(timedelta(seconds=seconds), minimum), maximum)
    return Forecast(wait, per_second * _DAY_SECONDS)

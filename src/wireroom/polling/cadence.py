"""The wait of a feed in good health, before hints and failures have their say (pure)."""

from datetime import datetime, timedelta

from wireroom.polling.history import History
from wireroom.polling.policies import DAY, Policy
from wireroom.polling.predict import forecast
from wireroom.values import value


@value
class Pace:
    """A wait and the reason for it in words; `spread` says that jitter is in the wait already."""

    wait: timedelta
    why: str
    spread: bool = False


def healthy_pace(policy: Policy, history: History, now: datetime, random: float) -> Pace:
    """The policy's own wait, within its bounds."""
    match policy.kind:
        case "fixed":
            return Pace(policy.bounded(policy.base), "fixed interval")
        case "linear":
            return _linear(policy, history)
        case "rate":
            return _rate(policy, history)
        case "predictive":
            return _predictive(policy, history, now, random)


def _linear(policy: Policy, history: History) -> Pace:
    """base x (1 + unchanged polls) (SCH-06 … SCH-08)."""
    unchanged = history.unchanged_polls
    steps = min(1 + unchanged, policy.ceiling // policy.base + 1)
    polls = "poll" if unchanged == 1 else f"{unchanged} polls in a row"
    why = f"last {polls} without news" if unchanged else "there was news"
    return Pace(policy.bounded(policy.base * steps), why)


def _rate(policy: Policy, history: History) -> Pace:
    """As long as one new item takes on average (SCH-12)."""
    rate = history.items_per_day
    if not rate:
        return Pace(policy.ceiling, "no items lately")
    days = min(1 / rate, policy.ceiling / DAY)
    return Pace(policy.bounded(days * DAY), about(rate))


def _predictive(policy: Policy, history: History, now: datetime, random: float) -> Pace:
    seen = forecast(
        history,
        now,
        policy.minimum,
        policy.ceiling,
        budget=policy.budget,
        jitter=policy.jitter,
        random=random,
    )
    habit = f", {seen.habit}" if seen.habit else ""
    return Pace(policy.bounded(seen.wait), about(seen.items_per_day) + habit, spread=True)


def about(items_per_day: float) -> str:
    """A rate for people: "about 6 items a day", "about 2 items a month"."""
    for days, unit in ((1, "day"), (7, "week"), (30, "month"), (365, "year")):
        count = items_per_day * days
        if count >= 0.95:
            return f"about {count:.0f} item{'' if count < 1.5 else 's'} a {unit}"
    return "hardly any items"


def spelled(wait: timedelta) -> str:
    """A wait for people, to two units: "45 s", "40 min", "2 h 30 min", "3 days"."""
    seconds = round(wait.total_seconds())
    if seconds < 120 and seconds % 60:
        return f"{seconds} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} days {hours} h" if hours else f"{days} days"

"""When to ask a feed again, and why: one decision over everything that is known (pure).

`next_check` is the only place that answers the question. It changes nothing: the caller stores the
`Decision`, sends its notice, and passes `now` and a random number in.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from wireroom.feeds.model import Hints
from wireroom.polling.cadence import Pace, healthy_pace, spelled
from wireroom.polling.health import (
    Health,
    Notice,
    failure_notice,
    gives_up,
    recovery_notice,
)
from wireroom.polling.history import Dates, History
from wireroom.polling.policies import Policy
from wireroom.values import value

#: A feed that forbids every hour is polled all the same, two days late (SCH-32).
_MOST_SKIPPED_HOURS = 48

#: Without a Retry-After, a throttled feed waits this many bases (C7).
_THROTTLED_BASES = 4

_HOURLY_MINUTES = 60
_HALF_HOUR = timedelta(minutes=30)
_ZERO = timedelta(0)
_NO_HINTS = Hints()

#: The first wait of a feed is shortened by up to this part, so that an import spreads out.
_FIRST_SPREAD = 0.5


@value
class Unchanged:
    """A success without news: 304, a body we know, or one whose items we all know."""

    max_age: timedelta | None = None
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class News:
    """A success with new items; `dates` holds one date (or None) for each of them."""

    dates: Dates
    max_age: timedelta | None = None
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class FirstRead:
    """The baseline: the first document of a feed; `dates` of all its items."""

    dates: Dates
    max_age: timedelta | None = None
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Error:
    """No usable answer; `reason` is one sentence for people, without secrets."""

    reason: str
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class TooMany:
    """429 or 503: we are asked to wait, which is no error (C7)."""

    retry_after: timedelta | None = None
    status: int = 429


@dataclass(frozen=True, slots=True)
class GoneForGood:
    """The publisher says that nothing will come any more."""

    reason: str = "HTTP 410 Gone"


Success = Unchanged | News | FirstRead
Seen = Success | Error | TooMany | GoneForGood


@value
class NextCheck:
    """When the feed is asked next (None: never by itself) and the reason in words for people."""

    at: datetime | None
    reason: str


@value
class Decision:
    """All that follows from one answer; `disable` is the reason to switch the feed off, if any."""

    next: NextCheck
    history: History
    health: Health
    disable: str | None = None
    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The smallest interval that subscriptions ask for (SCH-21).

    `by_all`: every subscription asks for one, so nobody is served by the policy's own pace and
    the interval takes its place even where it is slower.
    """

    interval: timedelta
    by_all: bool = False


def next_check(
    seen: Seen,
    history: History,
    health: Health,
    policy: Policy,
    *,
    now: datetime,
    random: float,
    hints: Hints = _NO_HINTS,
    wanted: Wanted | None = None,
) -> Decision:
    """Decide what follows from `seen`; `random` is from [0, 1), `hints` are the stored ones."""
    if isinstance(seen, GoneForGood):
        return _disabled(seen.reason, history, health, policy)
    case = _Case(policy, hints, wanted, now, random)
    if isinstance(seen, TooMany):
        return _throttled(seen, history, health, case)
    if isinstance(seen, Error):
        return _failed(seen, history, health, case)
    return _succeeded(seen, history, health, case)


@value
class _Case:
    """What all branches of one decision share."""

    policy: Policy
    hints: Hints
    wanted: Wanted | None
    now: datetime
    random: float

    def pace(self, history: History) -> Pace:
        """The wait of a healthy feed: policy, then what subscriptions ask for."""
        pace = healthy_pace(self.policy, history, self.now, self.random)
        wanted = self.wanted
        if wanted is None:
            return pace
        interval = self.policy.wished(wanted.interval)
        replaces = wanted.by_all or self.policy.kind == "fixed"
        if interval >= pace.wait and not replaces:
            return pace
        return Pace(interval, "as subscribed")

    @property
    def own_interval(self) -> timedelta:
        """The unit of backoff rules that count in intervals of the feed."""
        wanted = self.wanted
        if wanted is not None and self.policy.kind == "fixed":
            return self.policy.wished(wanted.interval)
        return self.policy.base

    def at(
        self, wait: timedelta, floor: timedelta, most: timedelta, *, shorter: float, longer: float
    ) -> datetime:
        """now + wait, spread by these parts of it within [floor, most], outside quiet hours.

        A wait that sits on a bound is spread to the side that is free, so that feeds do not
        gather there. The minimum and demands of the server are never undercut.
        """
        floor = max(floor, self.policy.minimum)
        if not shorter and not longer:  # most waits; a timedelta is slow to multiply by a float
            return outside_quiet_hours(self.now + max(min(wait, most), floor), self.hints)
        high = max(min(wait * (1 + longer), most), floor)
        low = min(max(wait * (1 - shorter), floor), high)
        return outside_quiet_hours(self.now + low + (high - low) * self.random, self.hints)


def _succeeded(seen: Success, history: History, health: Health, case: _Case) -> Decision:
    if isinstance(seen, FirstRead):
        history = history.after_first_read(seen.dates, case.now)
    else:
        history = history.after_poll(seen.dates if isinstance(seen, News) else (), case.now)
    policy = case.policy
    pace = case.pace(history)
    hint, asked_by = _longest_hint(case.hints, seen.max_age, policy)
    demand = min(seen.retry_after or _ZERO, policy.retry_after_cap)
    floor = max(hint, demand)
    most = max(policy.ceiling, floor)
    if floor > pace.wait:
        pace = Pace(floor, "the server's Retry-After" if demand > hint else asked_by)
    longer = shorter = 0.0 if pace.spread else policy.jitter
    if isinstance(seen, FirstRead) and policy.jitter:
        shorter = _FIRST_SPREAD
    at = case.at(pace.wait, floor, most, shorter=shorter, longer=longer)
    check = _check("every", at, pace, case.now)
    notice = recovery_notice(policy, health, check.at)
    return Decision(check, history, health.succeeded(case.now), notice=notice)


def _failed(seen: Error, history: History, health: Health, case: _Case) -> Decision:
    policy, now = case.policy, case.now
    after = health.failed(seen.reason, now)
    why = gives_up(policy.give_up, after, now)
    if why and (policy.give_up is None or policy.give_up.probe is None):
        return _disabled(why, history, after, policy)
    if why:
        after = replace(after, given_up=why)
    healthy = case.pace(history).wait
    demand = min(seen.retry_after or _ZERO, policy.retry_after_cap)
    backoff = policy.backoff.wait(after.failure_count, case.own_interval)
    wait = max(healthy, demand, backoff, _probe_gap(policy, after))
    floor = max(demand, healthy)
    at = case.at(wait, floor, wait * 2, shorter=policy.jitter, longer=policy.jitter)
    notice = failure_notice(policy, after, at) if why or not after.given_up else None
    if notice is not None:
        after = replace(after, alerted=True)
    pace = Pace(wait, _failing_for(after))
    return Decision(_check("in", at, pace, now), history, after, notice=notice)


def _throttled(seen: TooMany, history: History, health: Health, case: _Case) -> Decision:
    policy = case.policy
    if seen.retry_after is not None:
        wait = floor = min(seen.retry_after, policy.retry_after_cap)
        why = f"the server asked us to wait (HTTP {seen.status})"
    else:
        wait, floor = policy.bounded(_THROTTLED_BASES * policy.base), _ZERO
        why = f"the server gets too many requests (HTTP {seen.status})"
    wait = max(wait, _probe_gap(policy, health), policy.minimum)
    most = max(wait, policy.ceiling)
    at = case.at(wait, floor, most, shorter=policy.jitter, longer=policy.jitter)
    first = not health.throttled and "throttled" in policy.notices
    notice = Notice("throttled", why, health.failure_count, at) if first else None
    check = _check("in", at, Pace(wait, why), case.now)
    return Decision(check, history, replace(health, throttled=True), notice=notice)


def _disabled(reason: str, history: History, health: Health, policy: Policy) -> Decision:
    after = replace(health, disabled=reason)
    told = "disabled" in policy.notices
    notice = Notice("disabled", reason, health.failure_count) if told else None
    check = NextCheck(None, f"disabled: {reason}"[:256])
    return Decision(check, history, after, disable=reason, notice=notice)


def _probe_gap(policy: Policy, health: Health) -> timedelta:
    if not health.given_up or policy.give_up is None:
        return _ZERO
    return policy.give_up.probe or _ZERO


def _failing_for(health: Health) -> str:
    if health.given_up:
        return "given up, still probed"
    count = health.failure_count
    return f"after {count} errors in a row" if count > 1 else "after an error"


def _longest_hint(
    hints: Hints, max_age: timedelta | None, policy: Policy
) -> tuple[timedelta, str]:
    """The longest wait the publisher asks for, cut to the ceiling (SCH-22 … SCH-26, B19)."""
    if max_age is None and hints.ttl_minutes is None and hints.update_period_minutes is None:
        return _ZERO, ""
    asked = {
        "the feed's ttl": _minutes(hints.ttl_minutes),
        "the feed's update period": _minutes(_heeded_period(hints, policy)),
        "the server's max-age": max_age or _ZERO,
    }
    name = max(asked, key=lambda each: asked[each])
    return min(asked[name], policy.ceiling), name


def _heeded_period(hints: Hints, policy: Policy) -> int | None:
    if policy.sy == "ignored":
        return None
    if policy.sy == "unless_hourly" and hints.update_period_minutes == _HOURLY_MINUTES:
        return None
    return hints.update_period_minutes


def _minutes(count: int | None) -> timedelta:
    """Minutes from a document: absurd ones are a year, which every ceiling cuts."""
    return timedelta(minutes=min(max(count or 0, 0), 525_600))


def outside_quiet_hours(at: datetime, hints: Hints) -> datetime:
    """`at` moved on by whole hours until its UTC hour and weekday are allowed (SCH-28 … 32)."""
    if not hints.skip_hours and not hints.skip_days:
        return at
    for _ in range(_MOST_SKIPPED_HOURS):
        if at.hour not in hints.skip_hours and at.weekday() not in hints.skip_days:
            break
        at += timedelta(hours=1)
    return at


def _check(word: str, at: datetime, pace: Pace, now: datetime) -> NextCheck:
    """The time and its reason: "every 40 min: …" of a pace, "in 40 min: …" of a single wait."""
    over = at - now - pace.wait
    late = (
        " (quiet hours kept)" if over >= _HALF_HOUR and over >= pace.wait / 10 + _HALF_HOUR else ""
    )
    return NextCheck(at, f"{word} {spelled(pace.wait)}: {pace.why}{late}"[:256])

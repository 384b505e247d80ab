"""How often to ask, as settings: one `Policy`, and the profile of each system we unite (pure).

Every number of a profile is a default that a setting may replace with `dataclasses.replace`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Literal

Kind = Literal["fixed", "linear", "rate", "predictive"]

#: What to make of sy:updatePeriod. WordPress writes "hourly" into every feed without being asked,
#: so `unless_hourly` honours only what somebody must have chosen.
SyRule = Literal["ignored", "unless_hourly", "honoured"]

NoticeKind = Literal["failing", "recovered", "throttled", "given_up", "disabled", "moved"]

MINUTE = timedelta(minutes=1)
#: DF's floor, which it chose as polite enough for anybody's feed.
_SHORTEST_WISH = 2 * MINUTE
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Backoff:
    """The wait after the nth error in a row: unit x (2^(n-1) + extra), at most `cap` (C6).

    `unit` None stands for the feed's own fixed interval (the one subscriptions ask for, else the
    base), `times` multiplies it. `most` bounds the wait in units.
    """

    cap: timedelta
    unit: timedelta | None = None
    times: int = 1
    extra: int = 0
    most: int = 2**40

    def wait(self, failures: int, interval: timedelta) -> timedelta:
        """The wait after `failures` (1 or more) errors in a row of a feed with this interval."""
        unit = (self.unit or interval) * self.times
        doublings = min(max(failures - 1, 0), 32)  # 2^32 units is beyond every cap
        return _scaled(unit, min(2**doublings + self.extra, self.most), self.cap)


@dataclass(frozen=True, slots=True)
class GiveUp:
    """When a failing feed counts as given up: this many errors in a row and this long.

    `probe` is how often it is still asked afterwards (B17); None switches it off. `since` says
    where the clock starts: at the first error of the streak, or at the last success.
    """

    errors: int = 1
    failing_for: timedelta = timedelta(0)
    since: Literal["first_error", "last_success"] = "first_error"
    probe: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """All settings of the schedule.

    `minimum` and `maximum` bound every healthy wait; a maximum below the base counts as the base
    (SCH-10). `jitter` 0.1 spreads waits by ±10 %. `budget` is for `predictive` alone: its requests
    grow in proportion to it (see `predict`). `retry_after_cap` bounds what a server may demand.
    """

    kind: Kind
    base: timedelta
    minimum: timedelta
    maximum: timedelta
    backoff: Backoff
    give_up: GiveUp | None
    retry_after_cap: timedelta
    sy: SyRule = "ignored"
    jitter: float = 0.0
    budget: float = 1.0
    notices: frozenset[NoticeKind] = frozenset()

    @property
    def ceiling(self) -> timedelta:
        """The longest wait that is not a server's demand or a failure's."""
        return max(self.maximum, self.base, self.minimum)

    def bounded(self, wait: timedelta) -> timedelta:
        """`wait` raised to the minimum and cut to the ceiling."""
        return min(max(wait, self.minimum), self.ceiling)

    @property
    def shortest_wish(self) -> timedelta:
        """The shortest wait that a subscription may ask for; less is raised to it (SCH-17).

        Only the operator goes below two minutes, or the base where that is shorter: the second
        that is the minimum of rssbot and El Monitorro is not for any chat to ask for.
        """
        return max(self.minimum, min(self.base, _SHORTEST_WISH))

    def wished(self, wait: timedelta) -> timedelta:
        """What a subscription's wish comes to, within the bounds."""
        return min(max(wait, self.shortest_wish), self.ceiling)


def _scaled(unit: timedelta, factor: int, cap: timedelta) -> timedelta:
    """unit x factor without leaving what a timedelta can hold."""
    return cap if factor * unit.total_seconds() > cap.total_seconds() else unit * factor


_WEEK_OF_ERRORS = GiveUp(errors=12, failing_for=7 * DAY)

WIREROOM = Policy(
    kind="predictive",
    base=10 * MINUTE,
    minimum=5 * MINUTE,
    maximum=6 * HOUR,
    backoff=Backoff(unit=10 * MINUTE, cap=6 * HOUR),
    give_up=GiveUp(errors=12, failing_for=7 * DAY, probe=DAY),
    retry_after_cap=DAY,
    sy="unless_hourly",
    jitter=0.1,
    notices=frozenset({"failing", "recovered", "throttled", "given_up", "disabled", "moved"}),
)

#: RB has no floor on purpose: one minute is a supported base (SCH-05).
RSSBOT = Policy(
    kind="linear",
    base=10 * MINUTE,
    minimum=timedelta(seconds=1),
    maximum=6 * HOUR,
    backoff=Backoff(cap=6 * HOUR),
    give_up=_WEEK_OF_ERRORS,
    retry_after_cap=6 * HOUR,
    notices=frozenset({"throttled", "disabled", "moved"}),
)

#: DF knows no upper bound of an interval; a year is one in name only.
RSS_FEED = Policy(
    kind="fixed",
    base=4 * HOUR,
    minimum=2 * MINUTE,
    maximum=365 * DAY,
    backoff=Backoff(times=2, cap=HOUR),
    give_up=None,
    retry_after_cap=DAY,
    notices=frozenset({"failing", "recovered"}),
)

#: EM counts cycles: 2, 3, 5, 9, 17 and no further. Its intervals are 1 s to 3 days (SCH-19).
EL_MONITORRO = Policy(
    kind="fixed",
    base=MINUTE,
    minimum=timedelta(seconds=1),
    maximum=3 * DAY,
    backoff=Backoff(extra=1, most=17, cap=17 * 3 * DAY),
    give_up=GiveUp(failing_for=2 * DAY, since="last_success"),
    retry_after_cap=DAY,
    notices=frozenset({"disabled"}),
)

CABALMAIL = Policy(
    kind="rate",
    base=15 * MINUTE,
    minimum=15 * MINUTE,
    maximum=DAY,
    backoff=Backoff(unit=15 * MINUTE, cap=DAY),
    give_up=GiveUp(errors=20),
    retry_after_cap=DAY,
    sy="honoured",
)


@dataclass(frozen=True, slots=True)
class Manners:
    """How a profile asks, whatever its schedule: how wide, how often it looks, how patiently.

    `concurrency` counts hosts: one host sees one request at a time in every profile (C3). `tick`
    is how late a poll may be at most. `operation` bounds any wait for the next bytes of an answer,
    `total` everything together, all redirects included (C17). `verbatim` sends back both
    validators as they came instead of the strong ETag alone (C5).
    """

    concurrency: int = 64
    tick: timedelta = timedelta(seconds=30)
    operation: timedelta = timedelta(seconds=20)
    total: timedelta = timedelta(seconds=60)
    verbatim: bool = False


#: Those of the systems that Wireroom unites; whoever is not named has ours.
MANNERS: Mapping[str, Manners] = MappingProxyType(
    {
        "rssbot": Manners(
            concurrency=8,
            operation=timedelta(seconds=30),
            total=timedelta(seconds=35),
            verbatim=True,
        ),
        "rss-feed": Manners(tick=timedelta(seconds=60), verbatim=True),
        "el-monitorro": Manners(tick=timedelta(seconds=60), operation=timedelta(seconds=5)),
        "cabalmail": Manners(concurrency=5, tick=timedelta(minutes=5)),
    }
)

PROFILES: Mapping[str, Policy] = MappingProxyType(
    {
        "wireroom": WIREROOM,
        "rssbot": RSSBOT,
        "rss-feed": RSS_FEED,
        "el-monitorro": EL_MONITORRO,
        "cabalmail": CABALMAIL,
    }
)

"""How fast we may send: sliding windows over what was booked, with `now` passed in (pure).

A window of "30 in 60 seconds" holds wherever one looks: no 60 seconds contain a 31st message. A
token bucket would let twice as many pass after a rest, which the platforms answer with silence for
minutes.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

#: Idle keys are dropped when so many are known, and again when twice as many as remained are.
MANY_KEYS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` messages in any stretch of time as long as `window`."""

    count: int
    window: timedelta


#: What an address counts against: a name ("chat -100123", "all") and a limit for each.
Rules = Callable[[str], Iterable[tuple[str, Limit]]]

EVERYTHING: Final = ""


class Pace:
    """Books sending times under several limits at once; it never sleeps and reads no clock."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._booked: dict[tuple[str, Limit], list[datetime]] = {}
        self._silent_until: dict[str, datetime] = {}
        self._many = MANY_KEYS

    def wait(
        self, address: str, now: datetime, *, at_most: timedelta = timedelta.max
    ) -> timedelta:
        """How long to wait before sending to `address`; the time is booked unless it is longer
        than `at_most`."""
        limits = tuple(self._rules(address))
        start = max(now, *(self._silent_until.get(key, now) for key in (EVERYTHING, address)))
        time = self._first_free(limits, start)
        if time - now <= at_most:
            for key in limits:
                self._book(key, time, now)
            self._forget(now)
        return time - now

    def pressing(self, address: str, now: datetime) -> timedelta:
        """How long to wait with something that goes ahead of all that is booked: until the end of
        a silence that the platform asked for. Others make room for it afterwards."""
        start = max(now, *(self._silent_until.get(key, now) for key in (EVERYTHING, address)))
        for key in self._rules(address):
            self._book(key, start, now)
        return start - now

    def learned(self, address: str, now: datetime, silence: timedelta) -> None:
        """The platform told us to leave `address` alone for that long; EVERYTHING is all."""
        until = now + silence
        self._silent_until[address] = max(until, self._silent_until.get(address, until))

    def _first_free(self, limits: tuple[tuple[str, Limit], ...], start: datetime) -> datetime:
        time = start
        while True:
            later = max((self._free(key, time) for key in limits), default=time)
            if later == time:
                return time
            time = later

    def _free(self, key: tuple[str, Limit], time: datetime) -> datetime:
        """The first moment from `time` on at which one more message keeps the limit.

        Whoever books later messages first may leave gaps behind; a message that goes into a gap
        must also leave room for those after it.
        """
        booked, limit = self._booked.get(key, []), key[1]
        while True:
            first = bisect_right(booked, time - limit.window)
            end = bisect_left(booked, time + limit.window)
            if end - first < limit.count:
                return time
            time = booked[first] + limit.window

    def _book(self, key: tuple[str, Limit], time: datetime, now: datetime) -> None:
        times = self._booked.setdefault(key, [])
        insort(times, time)
        if len(times) > 2 * key[1].count:
            del times[: bisect_right(times, now - key[1].window)]

    def _forget(self, now: datetime) -> None:
        """Drop the keys that no window reaches any more, now and then."""
        if len(self._booked) + len(self._silent_until) > self._many:
            self._booked = {
                key: times
                for key, times in self._booked.items()
                if times[-1] + key[1].window > now
            }
            self._silent_until = {k: at for k, at in self._silent_until.items() if at > now}
            self._many = max(MANY_KEYS, 2 * (len(self._booked) + len(self._silent_until)))

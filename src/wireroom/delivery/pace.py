"""How fast we may send: sliding windows over what was booked, with `now` passed in (pure).

A window of "30 in 60 seconds" holds wherever one looks: no 60 seconds contain a 31st message. A
token bucket would let twice as many pass after a rest, which the platforms answer with silence for
minutes.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

#: Idle keys are dropped when so many are known, and again when twice as many as remained are.
MANY_KEYS: Final = 10_000
#: A turn that comes later than this was overslept; what is less is the unrest of any timer.
LATE: Final = timedelta(milliseconds=20)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` messages in any stretch of time as long as `window`.

    News leave `reserve` of them free for what is pressing. A `strict` limit holds up that as well:
    breaking it would cost more than waiting.
    """

    count: int
    window: timedelta
    reserve: int = 0
    strict: bool = False


Key = tuple[str, Limit]

#: What an address counts against: a name ("chat -100123", "all") and a limit for each.
Rules = Callable[[str], Iterable[Key]]

EVERYTHING: Final = ""


class Pace:
    """Books sending times under several limits at once; it never sleeps and reads no clock."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._booked: dict[Key, list[datetime]] = {}
        self._silent_until: dict[str, datetime] = {}
        self._many = MANY_KEYS

    def wait(
        self, address: str, now: datetime, *, at_most: timedelta = timedelta.max
    ) -> timedelta:
        """How long to wait before sending to `address`; the time is booked unless it is longer
        than `at_most`."""
        limits = tuple(self._rules(address))
        room = [(key, key[1].count - key[1].reserve) for key in limits]
        return self._booked_at(
            self._first_free(room, self._heard(address, now)), limits, now, at_most
        )

    def pressing(
        self, address: str, now: datetime, *, at_most: timedelta = timedelta.max
    ) -> timedelta:
        """The same for something that goes ahead of the news: only a silence that the platform
        asked for and the strict limits hold it up, and news make room for it afterwards."""
        limits = tuple(self._rules(address))
        room = [(key, key[1].count) for key in limits if key[1].strict]
        return self._booked_at(
            self._first_free(room, self._heard(address, now)), limits, now, at_most
        )

    def note(self, address: str, name: str, now: datetime) -> None:
        """What was sent to `address` just now counts against what is called `name` as well."""
        for key in self._rules(address):
            if key[0] == name:
                self._book(key, now, now)

    def silence(self, address: str, now: datetime) -> timedelta:
        """How long the platform wants to hear nothing at all there."""
        return self._heard(address, now) - now

    def stands(self, address: str, turn: datetime, now: datetime) -> bool:
        """Whether the message for which `turn` was booked may go out; it counts from now on.

        Not where another answer asked for silence meanwhile, nor where the turn was overslept and
        the room is others' by now: a program that stood still for a moment must not send at once
        what it would have sent one after the other. The booking is taken back then.
        """
        limits = tuple(self._rules(address))
        for key in limits:
            self._take_back(key, turn)
        at = max(turn, now)
        free = self._heard(address, at)
        if at - turn > LATE:
            room = [(key, key[1].count - key[1].reserve) for key in limits]
            free = self._first_free(room, free)
        if free > at:
            return False
        for key in limits:
            self._book(key, at, now)
        return True

    def learned(self, address: str, now: datetime, silence: timedelta) -> None:
        """The platform told us to leave `address` alone for that long; EVERYTHING is all."""
        until = now + silence
        self._silent_until[address] = max(until, self._silent_until.get(address, until))

    def _heard(self, address: str, now: datetime) -> datetime:
        return max(now, *(self._silent_until.get(key, now) for key in (EVERYTHING, address)))

    def _booked_at(
        self, time: datetime, limits: Sequence[Key], now: datetime, at_most: timedelta
    ) -> timedelta:
        if time - now <= at_most:
            for key in limits:
                self._book(key, time, now)
            self._forget(now)
        return time - now

    def _first_free(self, room: Sequence[tuple[Key, int]], start: datetime) -> datetime:
        time = start
        while True:
            later = max((self._free(key, most, time) for key, most in room), default=time)
            if later == time:
                return time
            time = later

    def _free(self, key: Key, most: int, time: datetime) -> datetime:
        """The first moment from `time` on at which one more message makes no more than `most`.

        Whoever books later messages first may leave gaps behind; a message that goes into a gap
        must also leave room for those after it.
        """
        booked, limit = self._booked.get(key, ()), key[1]
        while True:
            first = bisect_right(booked, time - limit.window)
            end = bisect_left(booked, time + limit.window)
            if end - first < most:
                return time
            # As many must have left the window as are one too many, and no fewer.
            time = booked[end - most] + limit.window

    def _book(self, key: Key, time: datetime, now: datetime) -> None:
        times = self._booked.setdefault(key, [])
        insort(times, time)
        if len(times) > 2 * key[1].count:
            del times[: bisect_right(times, now - key[1].window)]

    def _take_back(self, key: Key, time: datetime) -> None:
        times = self._booked.get(key, [])
        place = bisect_left(times, time)
        if times[place : place + 1] == [time]:
            del times[place]

    def _forget(self, now: datetime) -> None:
        """Drop the keys that no window reaches any more, now and then."""
        if len(self._booked) + len(self._silent_until) > self._many:
            self._booked = {
                key: times
                for key, times in self._booked.items()
                if times and times[-1] + key[1].window > now
            }
            self._silent_until = {k: at for k, at in self._silent_until.items() if at > now}
            self._many = max(MANY_KEYS, 2 * (len(self._booked) + len(self._silent_until)))

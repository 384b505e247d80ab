"""Many chats that always have something waiting, and a server that counts every message.

Simulated time: a clock that jumps to what happens next, so that minutes of sending take a moment.
"""

import heapq
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.delivery.samples import NOON
from wireroom.delivery.pace import Pace

#: (key, messages, seconds): what the platform counts a message against.
Counted = Callable[[str], Iterable[tuple[str, int, float]]]

#: As the program: so many turns at once, and a longer wait than this gives the place away.
_PLACES = 64
_PATIENCE = 5.0
#: How long a request takes.
_LATENCY = 0.08


def telegram_counts(chat: str) -> Iterable[tuple[str, int, float]]:
    """The bot FAQ: 30 a second in all, 20 a minute in a group, about one a second in a chat."""
    yield "all", 30, 1.0
    yield chat, 5, 5.0
    if chat.startswith("-"):
        yield chat, 20, 60.0


def discord_counts(webhook: str) -> Iterable[tuple[str, int, float]]:
    """50 a second in all, 5 in 2 seconds for a webhook, 30 a minute for its channel."""
    yield "all", 50, 1.0
    yield webhook, 5, 2.0
    yield webhook, 30, 60.0


@dataclass
class Server:
    """Counts every message; one too many in any window would have been a 429."""

    counts: Counted
    accepted: int = 0
    refused: int = 0
    seen: dict[tuple[str, int, float], list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def take(self, chat: str, now: float) -> None:
        limits = list(self.counts(chat))
        for key, most, seconds in limits:
            times = self.seen[key, most, seconds]
            if len(times) - bisect_right(times, now - seconds + 1e-6) >= most:
                self.refused += 1
                return
        for limit in limits:
            self.seen[limit].append(now)
        self.accepted += 1


def simulate(
    pace: Pace,
    server: Server,
    chats: list[str],
    seconds: float,
    *,
    woken: Callable[[float], float] = lambda turn: turn,
    way: Callable[[], float] = lambda: 0.0,
) -> None:
    """Every chat always has something waiting; turns are given as the delivery loop gives them.

    `woken` says when somebody is awake who wanted to sleep until then, `way` how long a request is
    on its way.
    """
    ready = [(0.0, number, chat) for number, chat in enumerate(chats)]
    sending: list[tuple[float, int, str, float]] = []
    arriving: list[tuple[float, int, str]] = []
    busy: list[tuple[float, int, str]] = []
    now, order = 0.0, len(chats)
    while now < seconds:
        while sending and sending[0][0] <= now:
            at, number, chat, turn = heapq.heappop(sending)
            if pace.stands(chat, _moment(turn), _moment(at)):
                heapq.heappush(arriving, (at + way(), number, chat))
                heapq.heappush(busy, (at + _LATENCY, number, chat))
            else:
                heapq.heappush(ready, (at, number, chat))
        while arriving and arriving[0][0] <= now:
            at, _, chat = heapq.heappop(arriving)
            server.take(chat, at)
        while busy and busy[0][0] <= now:
            at, _, chat = heapq.heappop(busy)
            heapq.heappush(ready, (at, order, chat))
            order += 1
        while ready and ready[0][0] <= now and len(busy) + len(sending) < _PLACES:
            _, _, chat = heapq.heappop(ready)
            patience = timedelta(seconds=_PATIENCE)
            wait = pace.wait(chat, _moment(now), at_most=patience).total_seconds()
            order += 1
            if wait > _PATIENCE:
                heapq.heappush(ready, (now + wait, order, chat))
                continue
            heapq.heappush(sending, (woken(now + wait), order, chat, now + wait))
        waiting = ready if len(busy) + len(sending) < _PLACES else []
        nexts = [queue[0][0] for queue in (sending, arriving, busy, waiting) if queue]
        now = max(min(nexts), now + 1e-4)


def _moment(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)

"""What comes after an answer (pure): `after` decides, `deliver` and the store carry it out.

Only the message at the head of a route is ever in question. It advances, waits with everything
behind it, is skipped for a recorded reason, or its destination is suspended; nothing else happens
to a message, and none is dropped because time went by.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from wireroom.delivery.channel import Answer, Gone, Rejected, Sent, TryLater

FIRST_WAIT: Final = timedelta(seconds=5)
LONGEST_WAIT: Final = timedelta(hours=1)
#: A wait that the platform asked for is kept up to this; hours were seen (43,837 s), never days.
LONGEST_ASKED: Final = timedelta(days=1)
#: An uncertain refusal of a message counts after so many attempts.
REFUSALS: Final = 5
#: An uncertain refusal of a destination counts after so many attempts over so long a time. On
#: 2023-10-31 Telegram told every bot for hours that it had no rights in any channel.
GONE_ATTEMPTS: Final = 3
GONE_TIME: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Attempts:
    """How often the message at the head failed before this answer, and since when."""

    failures: int = 0
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Advance:
    """The message is out: move the cursor past it."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Try the same message again at `until`, and none behind it before.

    `scope` "channel" rests everything that goes through the channel.
    """

    until: datetime
    reason: str
    scope: Literal["destination", "channel"] = "destination"


@dataclass(frozen=True, slots=True)
class Skip:
    """Record why, and move the cursor past the message."""

    reason: str


@dataclass(frozen=True, slots=True)
class Suspend:
    """Send nothing more to the destination until its owner wants it again; tell the owner."""

    reason: str


Decision = Advance | Wait | Skip | Suspend


def after(answer: Answer, attempts: Attempts, now: datetime, random: float) -> Decision:
    """What to do now that the platform gave `answer` to the message at the head of a route.

    `attempts` does not count this answer; `random` is in 0..1 and spreads waits. A lost answer
    (`maybe_sent`) is tried again: sent twice is better than lost.
    """
    failures = attempts.failures + 1
    match answer:
        case Sent():
            return Advance()
        case TryLater(reason=reason, after=asked, scope=scope):
            wait = backoff(failures, random) if asked is None else _asked(asked, random)
            cut = ", shortened to a day" if asked and asked > LONGEST_ASKED else ""
            return Wait(
                now + wait, reason + cut, "channel" if scope == "channel" else "destination"
            )
        case Rejected(reason=reason, certain=certain):
            if certain or failures >= REFUSALS:
                return Skip(reason)
            return Wait(now + backoff(failures, random), reason)
        case Gone(reason=reason, certain=certain):
            if certain or _is_confirmed(failures, attempts.since, now):
                return Suspend(reason)
            return Wait(now + backoff(failures, random, slow=True), reason)


def backoff(failures: int, random: float, *, slow: bool = False) -> timedelta:
    """5 s doubled with each failure up to an hour, less up to half of it at random.

    `slow` is for what only people can mend: half an hour at the least.
    """
    doubled = FIRST_WAIT * 2 ** min(failures - 1, 16)
    full = LONGEST_WAIT if slow else min(doubled, LONGEST_WAIT)
    return full * (1 - random / 2)


def _asked(asked: timedelta, random: float) -> timedelta:
    """At least what was asked for, and up to a tenth (at most ten seconds) more."""
    kept = min(max(asked, timedelta(0)), LONGEST_ASKED)
    return kept + min(kept / 10, timedelta(seconds=10)) * random


def _is_confirmed(failures: int, since: datetime | None, now: datetime) -> bool:
    return failures >= GONE_ATTEMPTS and since is not None and now - since >= GONE_TIME

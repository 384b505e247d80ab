"""How a feed is doing: error streaks, giving up, and who is to be told what (pure).

A throttled answer (429, 503) is no error: it moves no counter (C7). Nothing here deletes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from wireroom.polling.policies import GiveUp, NoticeKind, Policy
from wireroom.values import value

#: What is kept of a feed in good health.
_AT_REST = frozenset({"success"})

#: The first alert of a streak; then at every doubling: 4, 8, 16 … (FAIL-22).
FIRST_ALERT = 4


@value
class Health:
    """State of a feed's error streak; `Health()` is a healthy feed and a revived one (C9).

    `given_up` and `disabled` hold the reason, "" when not. A given-up feed is still probed; a
    disabled one is not asked again by itself. `alerted`: somebody was told of this streak.
    `revived`: it was off, somebody wants it again, and it has not been read since.
    """

    failure_count: int = 0
    failing_since: datetime | None = None
    last_error: str = ""
    last_success: datetime | None = None
    alerted: bool = False
    throttled: bool = False
    given_up: str = ""
    disabled: str = ""
    revived: bool = False

    @property
    def is_well(self) -> bool:
        """Whether nothing is to be said of it, as of nearly every feed at nearly every poll."""
        return not (
            self.failure_count
            or self.failing_since
            or self.last_error
            or self.alerted
            or self.throttled
            or self.given_up
            or self.disabled
            or self.revived
        )

    def encode(self) -> dict[str, Any]:
        """A JSON-able mapping; fields in their resting state are left out."""
        if self.is_well:
            return {} if self.last_success is None else {"success": _seconds(self.last_success)}
        facts = {
            "failures": self.failure_count,
            "since": _seconds(self.failing_since),
            "error": self.last_error,
            "success": _seconds(self.last_success),
            "alerted": self.alerted,
            "throttled": self.throttled,
            "given_up": self.given_up,
            "disabled": self.disabled,
            "revived": self.revived,
        }
        return {name: value for name, value in facts.items() if value}

    @classmethod
    def decode(cls, stored: Mapping[str, Any]) -> "Health":
        """The inverse of `encode`; what is missing is in its resting state."""
        if stored.keys() <= _AT_REST:  # nearly every feed at nearly every poll
            return cls(last_success=_instant(stored.get("success")))
        failures = stored.get("failures")
        return cls(
            failure_count=failures if isinstance(failures, int) and failures > 0 else 0,
            failing_since=_instant(stored.get("since")),
            last_error=str(stored.get("error") or ""),
            last_success=_instant(stored.get("success")),
            alerted=bool(stored.get("alerted")),
            throttled=bool(stored.get("throttled")),
            given_up=str(stored.get("given_up") or ""),
            disabled=str(stored.get("disabled") or ""),
            revived=bool(stored.get("revived")),
        )

    def succeeded(self, now: datetime) -> "Health":
        """Everything about the streak is forgotten (FAIL-06)."""
        return Health(last_success=now)

    def failed(self, error: str, now: datetime) -> "Health":
        """One error more; `failing_since` stays where the streak began (FAIL-08)."""
        return replace(
            self,
            failure_count=self.failure_count + 1,
            failing_since=self.failing_since or now,
            last_error=error,
        )


@dataclass(frozen=True, slots=True)
class Notice:
    """Somebody should hear of this; who does is decided where notices are delivered (C10).

    `next_at` is the stored time of the next request, None when there is none. `error` is the
    current one (FAIL-23).
    """

    kind: NoticeKind
    error: str = ""
    failure_count: int = 0
    next_at: datetime | None = None


def gives_up(rule: GiveUp | None, health: Health, now: datetime) -> str:
    """The reason why this failing feed is given up now, or "" (FAIL-09 … FAIL-13)."""
    if rule is None or health.given_up or health.failure_count < rule.errors:
        return ""
    start = health.failing_since
    if rule.since == "last_success" and health.last_success is not None:
        start = health.last_success
    failing_for = now - (start or now)
    if failing_for < rule.failing_for:
        return ""
    days = failing_for.days
    span = f" over {days} days" if days > 1 else ""
    return f"{health.failure_count} errors in a row{span}, last: {health.last_error}"[:256]


def is_alert_point(failures: int) -> bool:
    """Whether this many errors in a row are worth a message: 4, 8, 16, 32 …"""
    return failures >= FIRST_ALERT and failures & (failures - 1) == 0


def failure_notice(policy: Policy, health: Health, next_at: datetime | None) -> Notice | None:
    """What to tell after an error that left this health; a feed just given up tells of that."""
    kind: NoticeKind
    if health.disabled:
        kind = "disabled"
    elif health.given_up:
        kind = "given_up"
    elif is_alert_point(health.failure_count):
        kind = "failing"
    else:
        return None
    if kind not in policy.notices:
        return None
    return Notice(kind, health.disabled or health.last_error, health.failure_count, next_at)


def recovery_notice(policy: Policy, before: Health, next_at: datetime | None) -> Notice | None:
    """What to tell after a success: who was told of the streak hears of its end (C11)."""
    if not before.alerted or "recovered" not in policy.notices:
        return None
    return Notice("recovered", before.last_error, before.failure_count, next_at)


def _seconds(instant: datetime | None) -> int | None:
    return None if instant is None else int(instant.timestamp())


def _instant(stored: object) -> datetime | None:
    if isinstance(stored, int | float) and math.isfinite(stored) and 0 < stored < 2**34:
        return datetime.fromtimestamp(stored, UTC)
    return None

"""What people should hear of a poll, as it is stored beside the poll's result (pure).

Who hears it is decided where notices are delivered (C10).
"""

from wireroom.fetching.outcome import Failed, Gone, Outcome, Throttled
from wireroom.polling.policies import Policy
from wireroom.polling.schedule import Decision
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.moves import Move
from wireroom.store.notices import Happened


def of_decision(decision: Decision, outcome: Outcome | None = None) -> tuple[Happened, ...]:
    """The decision's notice, with what the server wrote (FAIL-19, FAIL-23)."""
    notice = decision.notice
    if notice is None:
        return ()
    excerpt = outcome.excerpt if isinstance(outcome, Failed | Gone | Throttled) else ""
    facts = {
        "error": notice.error,
        "failures": notice.failure_count,
        "next_at": None if notice.next_at is None else notice.next_at.isoformat(),
        "excerpt": excerpt,
    }
    return (Happened(notice.kind, {name: value for name, value in facts.items() if value}),)


def of_move(feed: FeedToPoll, move: Move | None, policy: Policy) -> tuple[Happened, ...]:
    """A publisher's move, should it be carried out (FAIL-20); the step to https is none."""
    if move is None or not move.by_publisher or "moved" not in policy.notices:
        return ()
    return (Happened("moved", {"from": feed.url, "to": move.url}),)

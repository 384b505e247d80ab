"""What follows from an answer: what is stored, when the feed is asked again, who is told."""

from dataclasses import replace
from datetime import datetime, timedelta

from wireroom.errors import NotAFeed
from wireroom.feeds.model import Hints, ParsedFeed
from wireroom.fetching.outcome import Failed, Fetched, Gone, NotModified, Outcome, Throttled
from wireroom.polling import moving, schedule, silence, telling
from wireroom.polling.health import Health, Notice
from wireroom.polling.history import History
from wireroom.polling.perusing import fresh_validators, peruse
from wireroom.polling.policies import Policy
from wireroom.polling.schedule import Decision, Seen, Wanted
from wireroom.polling.tools import Polling
from wireroom.store.claims import LaneLease
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.ingest import Finished, Reading
from wireroom.store.moves import Move


async def digest(
    feed: FeedToPoll,
    outcome: Outcome,
    lease: LaneLease,
    tools: Polling,
    *,
    elapsed: timedelta,
    asked: str | None = None,
) -> Finished:
    """What follows from an answer, however we came by it; `asked` is the feed's URL if None."""
    now = tools.now()
    move = _move(feed, outcome, asked or feed.url)
    read = None
    if isinstance(outcome, Fetched):
        read = await peruse(feed, outcome, tools, now, moves=move is not None)
    reading = read if isinstance(read, Reading) else None
    failure = read if isinstance(read, NotAFeed) else None
    seen = _seen(feed, outcome, reading, failure)
    hints = reading.parsed.hints if reading else feed.hints
    decision = _decide(feed, seen, hints, tools, now)
    if reading and reading.parsed.expired:
        decision = _finished_for_good(decision, tools.policy)
    is_success = isinstance(seen, schedule.Success)
    moved_to = move if is_success else None
    if is_success and feed.pushed_until and feed.pushed_until > now:
        decision = _as_backup(decision, tools, now)
    return Finished(
        feed=feed,
        lease=lease,
        at=now,
        outcome=_word(seen),
        next_poll_at=decision.next.at,
        next_poll_reason=decision.next.reason,
        history=decision.history.encode(),
        health=decision.health.encode(),
        failure_count=decision.health.failure_count,
        failing_since=decision.health.failing_since,
        error=decision.health.last_error,
        status=_status(outcome),
        disabled_reason=decision.disable,
        silence=silence.asked_for(
            outcome, lease, tools.policy, now, walled=_is_walled(feed, outcome, failure)
        ),
        reading=reading,
        validators=fresh_validators(outcome, reading, failure),
        move=moved_to,
        announced=moving.announced(feed, _parsed(reading)) if is_success else None,
        not_a_feed=failure.found if failure else None,
        body_bytes=len(outcome.body) if isinstance(outcome, Fetched) else 0,
        duration_ms=round(elapsed.total_seconds() * 1000),
        notices=(
            *telling.of_decision(decision, outcome),
            *telling.of_move(feed, moved_to, tools.policy),
        ),
    )


def mishap(feed: FeedToPoll, lease: LaneLease, tools: Polling) -> Finished:
    """What to store when a mistake of ours kept an answer from being read or stored.

    It counts as an error of the feed: asking again at once would only repeat it.
    """
    now = tools.now()
    error = schedule.Error("Wireroom could not take in the answer; its log has the details.")
    decision = _decide(feed, error, feed.hints, tools, now)
    return Finished(
        feed=feed,
        lease=lease,
        at=now,
        outcome="failed",
        next_poll_at=decision.next.at,
        next_poll_reason=decision.next.reason,
        history=decision.history.encode(),
        health=decision.health.encode(),
        failure_count=decision.health.failure_count,
        failing_since=decision.health.failing_since,
        error=decision.health.last_error,
        disabled_reason=decision.disable,
        notices=telling.of_decision(decision),
    )


def _seen(
    feed: FeedToPoll, outcome: Outcome, reading: Reading | None, failure: NotAFeed | None
) -> Seen:
    """The answer as the schedule looks at it."""
    match outcome:
        case Gone():
            return schedule.GoneForGood()
        case Throttled():
            return schedule.TooMany(outcome.retry_after, outcome.status)
        case Failed():
            return schedule.Error(outcome.reason, outcome.retry_after)
    if failure:
        return schedule.Error(str(failure), outcome.retry_after)
    hints = (outcome.max_age, outcome.retry_after)
    if reading is None:
        return schedule.Unchanged(*hints)
    dates = tuple(new.item.published or new.item.updated for new in reading.changes.new)
    if feed.never_read:
        return schedule.FirstRead(dates, *hints)
    return schedule.News(dates, *hints) if dates else schedule.Unchanged(*hints)


def _is_walled(feed: FeedToPoll, outcome: Outcome, failure: NotAFeed | None) -> bool:
    """Whether a bot wall tells us to come less often, whatever its status (B25).

    Not whoever is about to follow a feed behind one, and may try at once what opens it.
    """
    if not feed.id:
        return False
    by_status = isinstance(outcome, Failed) and outcome.kind == "bot_wall"
    return by_status or (failure is not None and failure.found == "bot_wall")


def _decide(feed: FeedToPoll, seen: Seen, hints: Hints, tools: Polling, now: datetime) -> Decision:
    seconds = feed.wanted_interval_seconds
    wanted = None if seconds is None else Wanted(timedelta(seconds=seconds), feed.wanted_by_all)
    return schedule.next_check(
        seen,
        History.decode(feed.history),
        Health.decode(feed.health),
        tools.policy,
        now=now,
        random=tools.random(),
        hints=hints,
        wanted=wanted,
    )


def _finished_for_good(decision: Decision, policy: Policy) -> Decision:
    """The document says that it will not change again (JSON Feed `expired`), as a 410 would."""
    reason = "the publisher says that the feed is finished"
    notice = Notice("disabled", reason) if "disabled" in policy.notices else None
    return replace(
        decision,
        notice=notice,
        next=schedule.NextCheck(None, f"disabled: {reason}"),
        health=replace(decision.health, disabled=reason),
        disable=reason,
    )


def _as_backup(decision: Decision, tools: Polling, now: datetime) -> Decision:
    """While a hub tells us of news, the feed is asked rarely, should the hub go silent (B29)."""
    at = now + tools.policy.ceiling * (0.9 + 0.1 * tools.random())
    if decision.next.at is None or decision.next.at >= at:
        return decision
    check = schedule.NextCheck(at, "its hub tells us of news; asked in case the hub goes silent")
    return replace(decision, next=check)


def _parsed(reading: Reading | None) -> ParsedFeed | None:
    return None if reading is None else reading.parsed


def _word(seen: Seen) -> str:
    """The outcome as `fetches` and logs name it."""
    match seen:
        case schedule.FirstRead() | schedule.News():
            return "news"
        case schedule.Unchanged():
            return "unchanged"
        case schedule.TooMany():
            return "throttled"
        case schedule.GoneForGood():
            return "gone"
        case schedule.Error():
            return "failed"


def _status(outcome: Outcome) -> int | None:
    match outcome:
        case NotModified():
            return 304
        case Gone():
            return 410
    return outcome.status


def _move(feed: FeedToPoll, outcome: Outcome, asked: str) -> Move | None:
    """Where the feed lives now, should this answer turn out to be a feed (HTTP-26, HTTP-27)."""
    if not isinstance(outcome, (NotModified, Fetched)):
        return None
    if feed.owner_account_id and outcome.hops.count == 0:
        return None  # its address holds credentials, which `final_url` does not show
    return moving.move_along(feed.url, asked, outcome.hops)

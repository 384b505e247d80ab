"""A feed's turn, on one page: ask for it, read it, compare it, decide when to ask again.

Nothing is stored here. The result is one `Finished` value, which `polling.commit` writes in one
transaction together with those of other feeds.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b

from wireroom.errors import NotAFeed
from wireroom.feeds import adapters, changes, identity, urls
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.model import Hints, ParsedFeed
from wireroom.fetching.client import Client
from wireroom.fetching.outcome import (
    Failed,
    Fetched,
    Gone,
    NotModified,
    Outcome,
    Throttled,
    Validators,
)
from wireroom.fetching.request import Request
from wireroom.polling import schedule
from wireroom.polling.health import Health
from wireroom.polling.history import History
from wireroom.polling.policies import Policy
from wireroom.polling.schedule import Decision, Seen, Wanted
from wireroom.store import entries
from wireroom.store.claims import LaneLease
from wireroom.store.engine import Database
from wireroom.store.feeds import FeedToPoll
from wireroom.store.ingest import Finished, Move, Reading

#: Reads a document: (body, url, content_type, met) to a feed, or raises NotAFeed.
Read = Callable[..., Awaitable[ParsedFeed]]


@dataclass(frozen=True, slots=True)
class Polling:
    """What polling needs: where things are kept, how to dial and read, the policy and the clock."""

    database: Database
    client: Client
    read: Read
    policy: Policy
    now: Callable[[], datetime]
    random: Callable[[], float]


async def refresh(feed: FeedToPoll, lease: LaneLease, tools: Polling) -> Finished:
    """Ask for one feed now, with its validators, and say what follows from the answer."""
    started = time.monotonic()
    validators = Validators(feed.etag, feed.last_modified)
    outcome = await tools.client.get(Request(feed.url, validators))
    elapsed = timedelta(seconds=time.monotonic() - started)
    return await digest(feed, outcome, lease, tools, elapsed=elapsed)


async def digest(
    feed: FeedToPoll, outcome: Outcome, lease: LaneLease, tools: Polling, *, elapsed: timedelta
) -> Finished:
    """What follows from an answer, however we came by it."""
    now = tools.now()
    read = await _read(feed, outcome, tools, now)
    reading = read if isinstance(read, Reading) else None
    failure = read if isinstance(read, NotAFeed) else None
    seen = _seen(feed, outcome, reading, failure)
    hints = reading.parsed.hints if reading else feed.hints
    decision = _decide(feed, seen, hints, tools, now)
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
        pause_lane_until=_silence(outcome, decision),
        reading=reading,
        validators=_fresh_validators(outcome, reading, failure),
        move=_move(feed, outcome, failure),
        not_a_feed=failure.found if failure else None,
        body_bytes=len(outcome.body) if isinstance(outcome, Fetched) else 0,
        duration_ms=round(elapsed.total_seconds() * 1000),
    )


async def _read(
    feed: FeedToPoll, outcome: Outcome, tools: Polling, now: datetime
) -> Reading | NotAFeed | None:
    """The reading of a body that we do not know yet, or what it is if it is no feed."""
    if not isinstance(outcome, Fetched):
        return None
    body_hash = _hash(outcome)
    if body_hash == feed.body_hash:
        return None
    try:
        parsed = await tools.read(
            outcome.body,
            url=outcome.hops.final_url,
            content_type=outcome.content_type,
            met=feed.digests,
        )
    except NotAFeed as error:
        return error
    parsed = parsed if feed.adapter == "generic" else adapters.apply(feed.adapter, parsed)
    rule = IdentityRule.parse(feed.identity_rule)
    keys = identity.lookup_keys(parsed, rule)
    memory = await tools.database.read(entries.remember, feed.id, keys)
    state = changes.FeedState(
        never_read=feed.never_read,
        rule=rule,
        followed_since=memory.followed_since,
        last_read=feed.last_success_at,
        oldest_published=memory.oldest_published,
        window=frozenset(feed.digests),
        revived=_was_off(feed),
    )
    changed = changes.decide(parsed, memory.known, state, now)
    return Reading(
        parsed=parsed,
        changes=changed,
        body_hash=body_hash,
        etag=outcome.validators.etag,
        last_modified=outcome.validators.last_modified,
    )


def _was_off(feed: FeedToPoll) -> bool:
    """Whether this reading is the first after the feed was given up or switched off."""
    return bool(Health.decode(feed.health).given_up)


def _hash(fetched: Fetched) -> bytes:
    """Stands for the document and for all that its reading depends on besides us."""
    hashed = blake2b(fetched.body, digest_size=16, person=b"body")
    hashed.update(b"\0".join((fetched.hops.final_url.encode(), fetched.content_type.encode())))
    return hashed.digest()


def _seen(
    feed: FeedToPoll, outcome: Outcome, reading: Reading | None, failure: NotAFeed | None
) -> Seen:
    """The answer as the schedule looks at it."""
    match outcome:
        case Gone():
            return schedule.GoneForGood()
        case Throttled():
            return schedule.TooMany(outcome.retry_after)
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


def _decide(feed: FeedToPoll, seen: Seen, hints: Hints, tools: Polling, now: datetime) -> Decision:
    wanted = feed.wanted_interval_seconds
    return schedule.next_check(
        seen,
        History.decode(feed.history),
        Health.decode(feed.health),
        tools.policy,
        now=now,
        random=tools.random(),
        hints=hints,
        wanted=None if wanted is None else Wanted(timedelta(seconds=wanted)),
    )


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


def _silence(outcome: Outcome, decision: Decision) -> datetime | None:
    """Until when the whole host is left alone: a host that says "too many" means all of us (B18)."""
    return decision.next.at if isinstance(outcome, Throttled) else None


def _fresh_validators(
    outcome: Outcome, reading: Reading | None, failure: NotAFeed | None
) -> tuple[str, str] | None:
    """The pair to keep where no reading brings its own.

    A 200 with a body that we know replaces both (HTTP-05); a 304 replaces what it carried
    (RFC 9111 §4.3.4); a body that could not be read replaces nothing, or a 304 would freeze it (HTTP-07).
    """
    if reading is not None or failure:
        return None
    if isinstance(outcome, Fetched | NotModified) and outcome.validators:
        return outcome.validators.etag, outcome.validators.last_modified
    return ("", "") if isinstance(outcome, Fetched) else None


def _move(feed: FeedToPoll, outcome: Outcome, failure: NotAFeed | None) -> Move | None:
    """Where the feed lives now, if it moved for good and answers there as a feed (HTTP-26, HTTP-27)."""
    if failure or not isinstance(outcome, Fetched | NotModified):
        return None
    url = outcome.hops.permanent_url
    if url is None or url == feed.url:
        return None
    return Move(url, urls.canonical(url), urls.lane(url))

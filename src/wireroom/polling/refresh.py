"""A feed's turn, on one page: ask for it, read it, compare it, decide when to ask again.

Nothing is stored here. The result is one `Finished` value, which `polling.commit` writes in one
transaction together with those of other feeds.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b

from wireroom.errors import NotAFeed, SettingsError
from wireroom.feeds import adapters, changes, discovery, identity
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.limits import PARSER_VERSION
from wireroom.feeds.model import Hints, ParsedFeed
from wireroom.fetching import access
from wireroom.fetching.access import NONE, Access
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
from wireroom.polling import moving, schedule, silence, telling, websub
from wireroom.polling.health import Health, Notice, is_alert_point
from wireroom.polling.history import History
from wireroom.polling.lanes import Lanes, Passage, passage
from wireroom.polling.policies import Policy
from wireroom.polling.schedule import Decision, Seen, Wanted
from wireroom.store import entries
from wireroom.store.claims import LaneLease
from wireroom.store.engine import Database
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.ingest import Finished, Reading
from wireroom.store.moves import Move
from wireroom.store.vault import Vault

#: Reads a document: (body, url, content_type, language, met) to a feed, or raises NotAFeed.
Read = Callable[..., Awaitable[ParsedFeed]]


def _no_vault() -> Vault:
    raise SettingsError("A feed with credentials needs the vault, and there is none here.")


@dataclass(slots=True)
class Polling:
    """What polling needs: where things are kept, how to dial and read, policy and clock.

    `policy` alone may be replaced at any time; every decision reads it once.
    """

    database: Database
    client: Client
    read: Read
    policy: Policy
    now: Callable[[], datetime]
    random: Callable[[], float]
    #: Opens what feeds need besides their address.
    vault: Callable[[], Vault] = _no_vault

    def access(self, feed: FeedToPoll) -> Access:
        """What the feed needs besides its address. Raises SettingsError for another vault's."""
        if feed.sealed_access is None:
            return NONE
        return access.loads(self.vault().open(feed.sealed_access))

    @property
    def lanes(self) -> Lanes:
        """Leases, by the same clock."""
        return Lanes(self.database, self.now)


#: How long a feed waits when this machine could not even ask.
_OUT_OF_MEANS = timedelta(minutes=2)


async def refresh(feed: FeedToPoll, lease: LaneLease, tools: Polling) -> Finished:
    """Ask for one feed now, with its validators, and say what follows from the answer.

    Two addresses may be asked besides its own: one that the document announced as its new one, and
    the www variant of an address that keeps failing (HTTP-34).
    """
    async with passage(tools.lanes, lease) as way:
        announced = moving.address_to_try(feed)
        if announced:
            there = await _ask(feed, Request(announced), way, tools)
            if there.succeeded:
                return there
            url, times = moving.tried_in_vain(announced)
            feed = replace(feed, announced_url=url, announced_times=times)
        request = Request(feed.url, _validators(feed)).by(tools.access(feed))
        finished = await _ask(feed, request, way, tools)
        with_www = discovery.www_variant(feed.url) if _may_live_at_www(feed, finished) else ""
        if with_www:
            there = await _ask(feed, Request(with_www), way, tools)
            return there if there.succeeded else finished
        return finished


def _validators(feed: FeedToPoll) -> Validators:
    """The stored pair, unless nothing was read with it: a 304 would be about nothing."""
    if feed.never_read or feed.body_hash is None:
        return Validators()
    return Validators(feed.etag, feed.last_modified)


def _may_live_at_www(feed: FeedToPoll, finished: Finished) -> bool:
    """Whether the bare host answers with something else, and has done so for a while.

    A private feed stays where its owner gave its credentials for.
    """
    if feed.owner_account_id:
        return False
    is_other = finished.status == 404 or finished.not_a_feed is not None
    return is_other and is_alert_point(finished.failure_count)


async def _ask(feed: FeedToPoll, request: Request, way: Passage, tools: Polling) -> Finished:
    started = time.monotonic()
    outcome = await tools.client.get(request, before_hop=way.enter)
    if way.blocked_until is not None:
        return _postponed(feed, outcome, way.own, tools, until=way.blocked_until)
    if isinstance(outcome, Failed) and outcome.kind == "local":
        # We have run out of sockets or memory: that says nothing of the feed, so nothing counts.
        again = tools.now() + _OUT_OF_MEANS
        return _postponed(feed, outcome, way.own, tools, until=again)
    elapsed = timedelta(seconds=time.monotonic() - started)
    return await digest(feed, outcome, way.own, tools, elapsed=elapsed, asked=request.url)


def _postponed(
    feed: FeedToPoll, outcome: Outcome, lease: LaneLease, tools: Polling, *, until: datetime
) -> Finished:
    """No answer, and nobody's fault: a host on the way is not to be asked now."""
    health = Health.decode(feed.health)
    why = outcome.reason if isinstance(outcome, Failed) else ""
    return Finished(
        feed=feed,
        lease=lease,
        at=tools.now(),
        outcome="postponed",
        # Spread, so that two who gave way to each other do not meet again.
        next_poll_at=until + timedelta(seconds=30 * tools.random()),
        next_poll_reason=f"waits: {why}",
        history=feed.history,
        health=feed.health,
        failure_count=health.failure_count,
        failing_since=health.failing_since,
        error=health.last_error,
    )


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
    read = await _read(feed, outcome, tools, now, moves=move is not None)
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
        silence=silence.asked_for(outcome, lease, tools.policy, now),
        reading=reading,
        validators=_fresh_validators(outcome, reading, failure),
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


async def _read(
    feed: FeedToPoll, outcome: Outcome, tools: Polling, now: datetime, *, moves: bool
) -> Reading | NotAFeed | None:
    """The reading of a body that we do not know yet, or what it is if it is no feed."""
    if not isinstance(outcome, Fetched):
        return None
    body_hash = _hash(outcome)
    if body_hash == feed.body_hash:
        return None
    rule = IdentityRule.parse(feed.identity_rule)
    try:
        parsed = await tools.read(
            outcome.body,
            url=outcome.hops.final_url,
            content_type=outcome.content_type,
            language=outcome.content_language,
            # Under a rule that was changed by hand every item must be looked at once.
            met=feed.digests if rule.settled and feed.body_hash is not None else (),
        )
    except NotAFeed as error:
        return error
    parsed = adapters.apply(feed.adapter, parsed)
    keys = identity.lookup_keys(parsed, rule, imported=feed.never_read)
    memory = await tools.database.read(entries.remember, feed.id, keys)
    state = changes.FeedState(
        never_read=feed.never_read,
        rule=rule,
        followed_since=memory.followed_since,
        last_read=feed.last_success_at,
        oldest_published=memory.oldest_published,
        window=frozenset(feed.digests),
        revived=_was_off(feed),
        marker=feed.import_marker,
    )
    changed = changes.decide(parsed, memory.known, state, now)
    hub_url, topic_url = websub.hub_and_topic(
        outcome.link_header, parsed.hub_urls, parsed.self_url, outcome.hops.final_url
    )
    return Reading(
        parsed=parsed,
        changes=moving.without_flood(changed, parsed, feed.last_success_at) if moves else changed,
        body_hash=body_hash,
        etag=outcome.validators.etag,
        last_modified=outcome.validators.last_modified,
        hub_url=hub_url,
        topic_url=topic_url,
    )


def _was_off(feed: FeedToPoll) -> bool:
    """Whether this reading is the first after the feed was given up or switched off."""
    health = Health.decode(feed.health)
    return bool(health.given_up or health.revived)


def _hash(fetched: Fetched) -> bytes:
    """Stands for the document and for all that its reading depends on, ourselves included."""
    hashed = blake2b(fetched.body, digest_size=16, person=b"body", key=PARSER_VERSION)
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


def _fresh_validators(
    outcome: Outcome, reading: Reading | None, failure: NotAFeed | None
) -> tuple[str, str] | None:
    """The pair to keep where no reading brings its own.

    A 200 with a body that we know replaces both (HTTP-05); a 304 replaces what it carried
    (RFC 9111 §4.3.4); a body that could not be read replaces nothing, or a 304 would freeze it
    (HTTP-07).
    """
    if reading is not None or failure:
        return None
    if isinstance(outcome, Fetched | NotModified) and outcome.validators:
        return outcome.validators.etag, outcome.validators.last_modified
    return ("", "") if isinstance(outcome, Fetched) else None


def _move(feed: FeedToPoll, outcome: Outcome, asked: str) -> Move | None:
    """Where the feed lives now, should this answer turn out to be a feed (HTTP-26, HTTP-27)."""
    if not isinstance(outcome, Fetched | NotModified):
        return None
    if feed.owner_account_id and outcome.hops.count == 0:
        return None  # its address holds credentials, which `final_url` does not show
    return moving.move_along(feed.url, asked, outcome.hops)

"""A feed's turn: ask for it, and for the other addresses at which it may live now.

Nothing is stored here. The result is one `Finished` value, which `polling.commit` writes in one
transaction together with those of other feeds. What an answer means is for `polling.judging`.
"""

import time
from dataclasses import replace
from datetime import datetime, timedelta

from wireroom.feeds import discovery
from wireroom.fetching.outcome import Failed, Outcome, Validators
from wireroom.fetching.request import Request
from wireroom.polling import moving
from wireroom.polling.health import Health, is_alert_point
from wireroom.polling.judging import digest
from wireroom.polling.lanes import Passage
from wireroom.polling.tools import Polling
from wireroom.store.claims import LaneLease
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.ingest import Finished

#: How long a feed waits when this machine could not even ask.
_OUT_OF_MEANS = timedelta(minutes=2)


async def refresh(feed: FeedToPoll, lease: LaneLease, tools: Polling) -> Finished:
    """Ask for one feed now, with its validators, and say what follows from the answer.

    Two addresses may be asked besides its own: one that the document announced as its new one, and
    the www variant of an address that keeps failing (HTTP-34).
    """
    async with Passage(tools.lanes, lease, feed.url) as way:
        announced = moving.address_to_try(feed)
        if announced:
            there = await _ask(feed, Request(announced), way, tools)
            if there.succeeded:
                return there
            url, times = moving.tried_in_vain(announced)
            feed = replace(feed, announced_url=url, announced_times=times)
        request = Request(feed.url, _validators(feed), verbatim_validators=tools.verbatim)
        request = request.by(tools.access(feed))
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

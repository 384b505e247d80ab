"""Following a feed and ceasing to: what every front end calls.

Adding a feed costs its publisher one request: the answer that proves the address right is also the
first reading, committed with the subscription in one transaction.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from wireroom.errors import FeedUnavailable, NotAllowed, NotFound
from wireroom.feeds import discovery, urls
from wireroom.feeds.discovery import Candidate
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.model import Hints, ParsedFeed
from wireroom.fetching import access, guard
from wireroom.fetching.access import NONE, Access
from wireroom.fetching.outcome import Failed, Fetched, Gone, Outcome, Throttled
from wireroom.fetching.request import Request
from wireroom.polling.lanes import passage
from wireroom.polling.refresh import Polling, digest, refresh
from wireroom.store import access as store_access
from wireroom.store import accounts, claims, feeds, ingest, reading, routes, subscriptions
from wireroom.store.claims import LaneLease
from wireroom.store.feeds import FeedToPoll
from wireroom.store.ingest import Finished

#: How long somebody who asks waits while another request to the same host is under way.
LANE_PATIENCE = timedelta(seconds=75)

#: Addresses that are tried because a page led to them.
MOST_LEADS = 8
#: More feeds of one page than this are not laid before anybody.
MOST_CHOICES = 20


@dataclass(frozen=True, slots=True)
class Subscribed:
    """An account follows a feed; `existing` when it did before (IDN-20)."""

    subscription_id: int
    feed_id: int
    title: str
    url: str
    existing: bool
    #: The feed had been given up and is asked again from now on (FAIL-16).
    revived: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A page advertises several feeds and none before the others; nothing is followed yet."""

    offered: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Unsubscribed:
    """A subscription ended; `purged` when nobody else followed the feed (STO-11)."""

    feed_id: int
    purged: bool


@dataclass(frozen=True, slots=True)
class _Wish:
    """Who wants to follow, and how."""

    account_id: int
    folder_id: int | None
    adapter: str
    access: Access = NONE
    #: The lane that `access` is for.
    lane: str = ""

    def access_at(self, url: str) -> Access:
        """Credentials are for the host that somebody typed, and for no other."""
        return self.access if urls.lane(url) == self.lane else NONE

    def owner_at(self, url: str) -> int:
        """Whose the feed is: what credentials open is for nobody else (OPT-02)."""
        return self.account_id if self.access_at(url).is_private else feeds.SHARED


def _wish(
    account_id: int, folder_id: int | None, adapter: str, typed: str, special: Access
) -> tuple[_Wish, str]:
    """The wish and the address to ask, which holds no secret any more. Raises UserError."""
    url, user_info = urls.without_user_info(typed)
    if user_info:
        special = replace(special, credentials=guard.credentials(user_info))
    lane = urls.lane(urls.checked(url)) if special else ""
    return _Wish(account_id, folder_id, adapter, access.checked(special), lane), url


async def subscribe(
    tools: Polling,
    account_id: int,
    typed: str,
    *,
    owner: str,
    folder_id: int | None = None,
    adapter: str = "generic",
    special: Access = NONE,
) -> Subscribed:
    """Let the account follow the feed at an address, or the feed that a web page there advertises.

    With credentials, in `special` or in what was typed, the feed is this account's own.
    Raises InvalidURL or FeedUnavailable with one sentence that says what is wrong; nothing is
    stored then. Raises NotFound for a folder that is not there or not this account's; nobody is
    asked then. `owner` names us in leases.
    """
    wish, typed = _wish(account_id, folder_id, adapter, typed, special)
    found = await _follow_typed(tools, wish, typed, owner)
    return (
        found if isinstance(found, Subscribed) else await _follow_lead(tools, wish, found, owner)
    )


async def subscribe_or_choose(
    tools: Polling, account_id: int, typed: str, *, owner: str, folder_id: int | None = None
) -> Subscribed | Choice:
    """The same for front ends that let people choose where a page has several feeds."""
    wish, typed = _wish(account_id, folder_id, "generic", typed, NONE)
    found = await _follow_typed(tools, wish, typed, owner)
    if isinstance(found, Subscribed):
        return found
    equals = _equals(_offered(found.outcome))
    if len(equals) > 1:
        return Choice(equals[:MOST_CHOICES])
    return await _follow_lead(tools, wish, found, owner)


def _equals(offered: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those that a page advertises like the likeliest one. Another format is no other feed."""
    return tuple(
        each
        for each in offered
        if each.origin == offered[0].origin == "link element"
        and each.media_type == offered[0].media_type
        and not each.is_about_comments
    )


async def _follow_typed(
    tools: Polling, wish: _Wish, typed: str, owner: str
) -> "Subscribed | _Answer":
    """The feed at the address itself; else what the address answered."""
    if wish.folder_id is not None:
        await tools.database.read(_require_folder, wish.account_id, wish.folder_id)
    url = urls.checked(typed)
    addresses = [*(each.url for each in discovery.from_address(url)), url]
    first_answer = None
    for address in addresses:
        answer, followed = await _try(tools, wish, address, owner)
        if followed is not None:
            return followed
        if address == url:
            first_answer = answer
    assert first_answer is not None
    return first_answer


async def _follow_lead(tools: Polling, wish: _Wish, answer: "_Answer", owner: str) -> Subscribed:
    """The first feed that the answer leads to. Raises FeedUnavailable."""
    for address in _leads(answer, answer.url)[:MOST_LEADS]:
        _, followed = await _try(tools, wish, address, owner)
        if followed is not None:
            return followed
    raise _refusal(answer)


def _require_folder(connection: Connection, account_id: int, folder_id: int) -> None:
    if not reading.scope_exists(connection, account_id, reading.Scope(folder_id=folder_id)):
        raise NotFound("There is no such folder.", code="unknown_folder")


async def candidates(tools: Polling, typed: str, *, owner: str) -> tuple[Candidate, ...]:
    """What an address has to offer, likeliest first, for front ends that let people choose.

    Costs one request and stores nothing. An address that is a feed itself offers itself.
    Candidates were not asked: `subscribe` with one of their addresses finds out. Raises
    InvalidURL, or FeedUnavailable when nothing is offered.
    """
    url = urls.checked(typed)
    known = discovery.from_address(url)
    async with lane_lease(tools, urls.lane(url), owner) as lease:
        async with passage(tools.lanes, lease) as way:
            outcome = await tools.client.get(Request(url), before_hop=way.enter)
        finished = await digest(
            _blank(url, "generic"), outcome, lease, tools, elapsed=timedelta(0)
        )
        await _keep_silence(tools, finished)
    if finished.reading is not None:
        parsed = finished.reading.parsed
        return (Candidate(_address_to_keep(url, outcome), parsed.title), *known)
    found = _offered(outcome) or known
    if not found:
        raise _refusal(_Answer(url, outcome, finished))
    return found


@dataclass(frozen=True, slots=True)
class Looked:
    """A feed that was looked at and is not followed by that."""

    url: str
    parsed: ParsedFeed


async def look(tools: Polling, typed: str, *, owner: str) -> Looked:
    """Read the feed at an address, or the likeliest that a page there leads to; nothing is stored.

    Raises InvalidURL or FeedUnavailable.
    """
    url = urls.checked(typed)
    addresses = [*(each.url for each in discovery.from_address(url)), url]
    answer = None
    for address in addresses:
        answer = await _ask_only(tools, address, owner)
        if answer.finished.reading is not None:
            return Looked(
                _address_to_keep(address, answer.outcome), answer.finished.reading.parsed
            )
    assert answer is not None
    for address in _leads(answer, answer.url)[:MOST_LEADS]:
        led = await _ask_only(tools, address, owner)
        if led.finished.reading is not None:
            return Looked(_address_to_keep(address, led.outcome), led.finished.reading.parsed)
    raise _refusal(answer)


async def _ask_only(tools: Polling, url: str, owner: str) -> "_Answer":
    """One request and its reading."""
    async with lane_lease(tools, urls.lane(url), owner) as lease:
        async with passage(tools.lanes, lease) as way:
            outcome = await tools.client.get(Request(url, accept="feed"), before_hop=way.enter)
        finished = await digest(
            _blank(url, "generic"), outcome, lease, tools, elapsed=timedelta(0)
        )
        if not finished.succeeded:
            await _keep_silence(tools, finished)
    return _Answer(url, outcome, finished)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What an address answered, and what reading it as a feed came to."""

    url: str
    outcome: Outcome
    finished: Finished


async def _try(
    tools: Polling, wish: _Wish, url: str, owner: str
) -> tuple[_Answer | None, Subscribed | None]:
    """Follow the feed at exactly this address, if it is one; a known one is not asked (API-15)."""
    known = await tools.database.write(_follow_known, wish, url, tools)
    if known is not None:
        return None, known
    async with lane_lease(tools, urls.lane(url), owner) as lease:
        # Somebody else may have added it while we waited for the lane.
        known = await tools.database.write(_follow_known, wish, url, tools)
        if known is not None:
            return None, known
        async with passage(tools.lanes, lease) as way:
            outcome = await tools.client.get(
                Request(url, accept="feed").by(wish.access_at(url)), before_hop=way.enter
            )
        finished = await digest(
            _blank(url, wish.adapter), outcome, lease, tools, elapsed=timedelta(0)
        )
        if not finished.succeeded:
            await _keep_silence(tools, finished)
            return _Answer(url, outcome, finished), None
        lives_at = _address_to_keep(url, outcome)
        return None, await tools.database.write(_follow_new, wish, lives_at, finished, tools)


async def _keep_silence(tools: Polling, finished: Finished) -> None:
    asked = finished.silence
    if asked is not None:
        await tools.database.write(
            lambda connection: claims.pause_lane(connection, asked.lane, until=asked.until)
        )


def _follow_known(
    connection: Connection, wish: _Wish, url: str, tools: Polling
) -> Subscribed | None:
    feed_id = feeds.find(
        connection,
        urls.canonical(url),
        adapter=wish.adapter,
        owner_account_id=wish.owner_at(url),
    )
    if feed_id is None:
        return None
    if wish.access_at(url):
        _keep_access(connection, wish, feed_id, tools)
        feeds.make_due(connection, feed_id, now=tools.now(), reason="asked in another way now")
    revived = feeds.revive(connection, feed_id, now=tools.now())
    return _follow(connection, wish, feed_id, tools, revived=revived)


def _follow_new(
    connection: Connection, wish: _Wish, url: str, finished: Finished, tools: Polling
) -> Subscribed:
    """The feed's row, the subscription and the first reading, all or nothing."""
    feed_id = feeds.make(
        connection,
        url=url,
        canonical_key=urls.canonical(url),
        lane=urls.lane(url),
        adapter=wish.adapter,
        owner_account_id=wish.owner_at(url),
        now=tools.now(),
    )
    if wish.access_at(url):
        _keep_access(connection, wish, feed_id, tools)
    followed = _follow(connection, wish, feed_id, tools)
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    if feed.never_read:  # otherwise it led to a feed that we know
        stored = replace(finished, feed=feed, move=None)
        ingest.commit(connection, [stored], tools.now())
        claims.wake_lane(connection, feed.lane, at=stored.next_poll_at or tools.now())
        assert stored.reading is not None
        return replace(followed, title=stored.reading.parsed.title or url)
    return followed


def _follow(
    connection: Connection, wish: _Wish, feed_id: int, tools: Polling, *, revived: bool = False
) -> Subscribed:
    made = subscriptions.add(
        connection,
        account_id=wish.account_id,
        feed_id=feed_id,
        folder_id=wish.folder_id,
        now=tools.now(),
    )
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    return Subscribed(
        subscription_id=made.subscription_id,
        feed_id=feed_id,
        title=feed.title or feed.url,
        url=feed.url,
        existing=made.existing,
        revived=revived,
    )


def _keep_access(connection: Connection, wish: _Wish, feed_id: int, tools: Polling) -> None:
    """Sealed with the feed, in the same transaction. Raises NotAllowed."""
    if wish.access.is_operators or not wish.access.is_private:
        account = accounts.find_account(connection, wish.account_id)
        if account is None or account.role != "operator":
            raise NotAllowed("Only an operator may say how a feed is asked that others follow.")
    sealed = tools.vault().seal(access.dumps(wish.access))
    store_access.put(connection, feed_id, scheme=wish.access.scheme, sealed=sealed)


def _address_to_keep(url: str, outcome: Outcome) -> str:
    """Where to ask from now on: past permanent moves and the step to https, not past others."""
    moved_to = outcome.hops.permanent_url
    if moved_to and urls.canonical(moved_to):
        return moved_to
    return outcome.hops.final_url if outcome.hops.count == 0 else url


def _blank(url: str, adapter: str) -> FeedToPoll:
    """A feed that nobody has asked yet."""
    return FeedToPoll(
        id=0,
        url=url,
        canonical_key=urls.canonical(url),
        adapter=adapter,
        lane=urls.lane(url),
        title="",
        etag="",
        last_modified="",
        body_hash=None,
        packed_digests=b"",
        identity_rule="",
        last_seq=0,
        hints=Hints(),
        history={},
        health={},
        wanted_interval_seconds=None,
        last_success_at=None,
        disabled_at=None,
        subscriber_count=0,
    )


def _leads(answer: _Answer, url: str) -> list[str]:
    """Addresses that the answer gives reason to try, likeliest first."""
    found = [each.url for each in _offered(answer.outcome)]
    if answer.finished.not_a_feed == "html":  # nothing else gives reason to look around
        found += [each.url for each in discovery.well_known(answer.outcome.hops.final_url)]
    # Without a key (too long, or with a user name and password in it) it could be no feed of ours.
    found = [each for each in found if urls.canonical(each)]
    with_www = discovery.www_variant(url) if _may_live_at_www(answer) else ""
    return [*found, with_www] if with_www else found


def _offered(outcome: Outcome) -> tuple[Candidate, ...]:
    """The feeds that a page speaks of."""
    if not isinstance(outcome, Fetched):
        return ()
    return discovery.candidates(
        outcome.body,
        url=outcome.hops.final_url,
        content_type=outcome.content_type,
        link_header=outcome.link_header,
    )


def _may_live_at_www(answer: _Answer) -> bool:
    """Whether it is worth a second request: the bare host has something else there, or nothing at
    all (HTTP-34). A host that says "gone" or "too many" means the whole site (HTTP-35)."""
    match answer.outcome:
        case Fetched():
            return True
        case Failed(kind=kind, status=status):
            return status == 404 or kind in ("dns", "connect", "tls")
    return False


def _refusal(answer: _Answer) -> FeedUnavailable:
    """One sentence for whoever typed the address."""
    outcome = answer.outcome
    if isinstance(outcome, Fetched):
        return FeedUnavailable(answer.finished.error, code="not_a_feed")
    if isinstance(outcome, Gone):
        return FeedUnavailable(
            "The publisher says that this feed is gone for good (HTTP 410).", code="feed_gone"
        )
    if isinstance(outcome, Throttled):
        return FeedUnavailable(
            f"The server asks for fewer requests (HTTP {outcome.status}); try again later.",
            code="publisher_error",
        )
    assert isinstance(outcome, Failed)
    return FeedUnavailable(outcome.reason, code=_code(outcome, answer.url))


def _code(failed: Failed, url: str) -> str:
    if url.startswith("http:") and failed.kind in ("tls", "connect", "dns", "timeout"):
        return "not_https"  # API-14: https was tried for it, and there is none
    match failed.kind, failed.status:
        case "invalid_url" | "refused_address", _:
            return "invalid_url"
        case _, 401 | 403:
            return "needs_credentials"
        case _, 404:
            return "feed_gone"
        case "status" | "bot_wall" | "protocol" | "too_large" | "redirect" | "postponed", _:
            return "publisher_error"
    return "unreachable"


# -- ceasing --------------------------------------------------------------------------------------


async def unsubscribe(tools: Polling, account_id: int, subscription_id: int) -> Unsubscribed:
    """End a subscription; the feed goes with its last one. Raises NotFound."""

    def work(connection: Connection) -> Unsubscribed | None:
        feed_id = subscriptions.remove(
            connection, account_id=account_id, subscription_id=subscription_id
        )
        if feed_id is None:
            return None
        return Unsubscribed(
            feed_id, purged=feeds.purge_if_unfollowed(connection, feed_id, now=tools.now())
        )

    ended = await tools.database.write(work)
    if ended is None:
        raise NotFound("There is no such subscription.", code="unknown_subscription")
    return ended


# -- asking now -----------------------------------------------------------------------------------


async def refresh_now(tools: Polling, feed_id: int, *, owner: str) -> Finished:
    """Ask for a feed at once, through its lane and with its validators, and store the answer.

    Raises NotFound, or FeedUnavailable while the host wants to be left alone.
    """
    feed = await tools.database.read(feeds.to_poll, feed_id)
    if feed is None:
        raise NotFound("There is no such feed.", code="unknown_feed")
    async with lane_lease(tools, feed.lane, owner) as lease:
        feed = await tools.database.read(feeds.to_poll, feed_id)
        if feed is None:
            raise NotFound("There is no such feed.", code="unknown_feed")
        finished = await refresh(feed, lease, tools)
        await tools.database.write(ingest.commit, [finished], tools.now())
    return finished


async def request_refresh(tools: Polling, account_id: int, feed_id: int | None) -> int:
    """Make a feed of this account due, or all of them, for the polling loop to take up (SCH-41).

    Gives how many. Raises NotFound for a feed that the account does not follow.
    """

    def work(connection: Connection) -> int:
        followed = subscriptions.feeds_of(connection, account_id)
        wanted = followed if feed_id is None else followed & {feed_id}
        for each in sorted(wanted):
            feeds.make_due(connection, each, now=tools.now(), reason="asked for by hand")
        return len(wanted)

    asked = await tools.database.write(work)
    if feed_id is not None and not asked:
        raise NotFound("There is no such feed.", code="unknown_feed")
    return asked


async def set_interval(
    tools: Polling, account_id: int, subscription_id: int, wanted: timedelta | None
) -> timedelta | None:
    """How often a subscription wants its feed asked; None leaves it to the policy (SCH-21).

    The fastest subscription wins. Gives the interval as it holds, raised to the operator's minimum
    and cut to the maximum (SCH-17). Raises NotFound.
    """
    interval = None if wanted is None else tools.policy.bounded(wanted)
    seconds = None if interval is None else round(interval.total_seconds())

    def work(connection: Connection) -> bool:
        feed_id = subscriptions.set_wanted_interval(
            connection, account_id=account_id, subscription_id=subscription_id, seconds=seconds
        )
        if feed_id is not None and interval is not None:
            feeds.hasten(connection, feed_id, interval=interval, now=tools.now())
        return feed_id is not None

    if not await tools.database.write(work):
        raise NotFound("There is no such subscription.", code="unknown_subscription")
    return interval


async def choose_identity(tools: Polling, typed: str, names: Sequence[str]) -> list[str]:
    """Let these fields tell a feed's items apart (IDN-11); gives those of them that count.

    Raises UserError when none does, and NotFound for a feed that nobody follows.
    """
    rule = IdentityRule.chosen(names)
    key = urls.canonical(urls.checked(typed))

    def work(connection: Connection) -> bool:
        feed_id = feeds.find(connection, key, adapter="generic")
        if feed_id is not None:
            feeds.set_identity_rule(connection, feed_id, str(rule))
        return feed_id is not None

    if not await tools.database.write(work):
        raise NotFound("There is no such feed.", code="unknown_feed")
    return sorted(rule.fields)


async def read_in_full(tools: Polling, account_id: int) -> int:
    """Let every feed that this account follows be read in full once (SCH-42); gives how many."""

    def work(connection: Connection) -> int:
        followed = subscriptions.feeds_of(connection, account_id)
        return feeds.forget_validators(connection, followed, now=tools.now())

    return await tools.database.write(work)


@contextlib.asynccontextmanager
async def lane_lease(tools: Polling, lane: str, owner: str) -> AsyncIterator[LaneLease]:
    """The right to ask one host now; waits while another request to it is under way.

    Raises FeedUnavailable when the host asked for silence, or stays busy for too long.
    """
    lease = await _claim_patiently(tools, lane, owner)
    async with tools.lanes.held(lease):
        until = await tools.database.read(claims.paused_until, lane)
        if until is not None and until > tools.now():
            minutes = max(1, round((until - tools.now()).total_seconds() / 60))
            raise FeedUnavailable(
                f"{lane} asked us to wait; the next request may go out in {minutes} min.",
                code="publisher_error",
            )
        yield lease


async def _claim_patiently(tools: Polling, lane: str, owner: str) -> LaneLease:
    clock = asyncio.get_running_loop().time
    give_up_at = clock() + LANE_PATIENCE.total_seconds()
    while clock() < give_up_at:
        lease = await tools.lanes.claim(lane, owner)
        if lease is not None:
            return lease
        await asyncio.sleep(0.25)
    raise FeedUnavailable(f"{lane} is busy with other requests; try again in a minute.")


# -- sending it somewhere -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Target:
    """Where a subscription is to be sent; `secret` is sealed already."""

    channel: str
    address: str
    secret: bytes | None = None
    title: str = ""
    initial_items: int = 0
    settings: Mapping[str, Any] | None = None


async def send_to(tools: Polling, account_id: int, subscription_id: int, target: Target) -> int:
    """Make a route from a subscription of this account to a destination; gives its id."""

    def work(connection: Connection) -> int | None:
        if not subscriptions.belongs(
            connection, account_id=account_id, subscription_id=subscription_id
        ):
            return None
        destination_id = routes.add_destination(
            connection,
            account_id=account_id,
            channel=target.channel,
            address=target.address,
            secret=target.secret,
            title=target.title,
            now=tools.now(),
        )
        return routes.add_route(
            connection,
            subscription_id=subscription_id,
            destination_id=destination_id,
            initial_items=target.initial_items,
            settings=target.settings,
            now=tools.now(),
        )

    route_id = await tools.database.write(work)
    if route_id is None:
        raise NotFound("There is no such subscription.", code="unknown_subscription")
    return route_id

"""Letting an account follow the feed at an address, or the one that a page there leads to."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from wireroom.errors import NotFound
from wireroom.feeds import discovery, urls
from wireroom.feeds.discovery import Candidate
from wireroom.fetching.access import NONE, Access
from wireroom.fetching.request import Request
from wireroom.polling.judging import digest
from wireroom.polling.lanes import Passage
from wireroom.polling.tools import Polling
from wireroom.store import reading
from wireroom.subscribing import self_link
from wireroom.subscribing.answers import (
    Answer,
    address_to_keep,
    blank,
    offered,
)
from wireroom.subscribing.lane import keep_silence, lane_lease
from wireroom.subscribing.pursuing import pursue
from wireroom.subscribing.wishes import (
    Subscribed,
    Wish,
    follow_known,
    follow_new,
    require_right,
    wish_of,
)

#: More feeds of one page than this are not laid before anybody.
MOST_CHOICES = 20


@dataclass(frozen=True, slots=True)
class Choice:
    """A page advertises several feeds and none before the others; nothing is followed yet."""

    offered: tuple[Candidate, ...]


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
    stored then. Raises NotFound for a folder that is not there or not this account's, and
    NotAllowed for a way to ask that only operators may name; nobody is asked then. `owner` names
    us in leases.
    """
    wish, typed = wish_of(account_id, folder_id, adapter, typed, special)
    found = await _follow_typed(tools, wish, typed, owner)
    return (
        found if isinstance(found, Subscribed) else await _follow_lead(tools, wish, found, owner)
    )


async def subscribe_or_choose(
    tools: Polling, account_id: int, typed: str, *, owner: str, folder_id: int | None = None
) -> Subscribed | Choice:
    """The same for front ends that let people choose where a page has several feeds."""
    wish, typed = wish_of(account_id, folder_id, "generic", typed, NONE)
    found = await _follow_typed(tools, wish, typed, owner)
    if isinstance(found, Subscribed):
        return found
    equals = _equals(offered(found.outcome))
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
    tools: Polling, wish: Wish, typed: str, owner: str
) -> "Subscribed | Answer":
    """The feed at the address itself; else what the address answered."""
    if wish.access:  # a proxy is dialled without the guard: never for who may not name one
        await tools.database.read(require_right, wish)
    if wish.folder_id is not None:
        await tools.database.read(_require_folder, wish.account_id, wish.folder_id)
    url = urls.checked(typed)
    first_answer = None
    for address in discovery.to_ask(url):
        answer, followed = await _try(tools, wish, address, owner)
        if followed is not None:
            return followed
        if address == url:
            first_answer = answer
    assert first_answer is not None
    return first_answer


async def _follow_lead(tools: Polling, wish: Wish, answer: Answer, owner: str) -> Subscribed:
    """The first feed that the answer leads to. Raises FeedUnavailable."""
    return await pursue(answer, lambda address: _try(tools, wish, address, owner))


def _require_folder(connection: Connection, account_id: int, folder_id: int) -> None:
    if not reading.scope_exists(connection, account_id, reading.Scope(folder_id=folder_id)):
        raise NotFound("There is no such folder.", code="unknown_folder")


async def _try(
    tools: Polling, wish: Wish, url: str, owner: str
) -> tuple[Answer | None, Subscribed | None]:
    """Follow the feed at exactly this address, if it is one; a known one is not asked (API-15)."""
    known = await tools.database.write(follow_known, wish, url, tools)
    if known is not None:
        return None, known
    async with lane_lease(tools, urls.lane(url), owner) as lease:
        # Somebody else may have added it while we waited for the lane.
        known = await tools.database.write(follow_known, wish, url, tools)
        if known is not None:
            return None, known
        async with Passage(tools.lanes, lease) as way:
            answer = await _ask(tools, wish, url, way)
            if not answer.finished.succeeded:
                await keep_silence(tools, answer.finished)
                return answer, None
            answer = await _where_it_says_it_lives(tools, wish, answer, way) or answer
        lives_at = address_to_keep(answer.url, answer.outcome)
        return None, await tools.database.write(follow_new, wish, lives_at, answer.finished, tools)


async def _ask(tools: Polling, wish: Wish, url: str, way: Passage) -> Answer:
    request = Request(url, accept="feed").by(wish.access_at(url))
    started = time.monotonic()
    outcome = await tools.client.get(request, before_hop=way.enter)
    elapsed = timedelta(seconds=time.monotonic() - started)
    unknown = blank(url, wish.adapter)
    finished = await digest(unknown, outcome, way.own, tools, elapsed=elapsed)
    return Answer(url, outcome, finished)


async def _where_it_says_it_lives(
    tools: Polling, wish: Wish, answer: Answer, way: Passage
) -> Answer | None:
    """What the feed's own address for itself answered, if the feed may be kept there (C16)."""
    here = answer.finished.reading
    if here is None or wish.access:  # an address that needs something is not to be changed
        return None
    lives_at = address_to_keep(answer.url, answer.outcome)
    url = self_link.address_to_verify(here.parsed, lives_at)
    if not url:
        return None
    named = await _ask(tools, wish, url, way)
    if not named.finished.succeeded:
        await keep_silence(tools, named.finished)
        return None
    there = named.finished.reading
    return named if there and self_link.is_same_feed(here.parsed, there.parsed) else None

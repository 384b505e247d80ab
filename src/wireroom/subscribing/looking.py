"""What an address has to offer, for people who have yet to choose; nothing is stored."""

from dataclasses import dataclass
from datetime import timedelta

from wireroom.feeds import discovery, urls
from wireroom.feeds.discovery import Candidate
from wireroom.feeds.model import Item, ParsedFeed
from wireroom.fetching.access import NONE, Access
from wireroom.fetching.request import Request
from wireroom.polling.judging import digest
from wireroom.polling.lanes import Passage
from wireroom.polling.tools import Polling
from wireroom.subscribing.answers import (
    Answer,
    address_to_keep,
    blank,
    offered,
    refusal,
)
from wireroom.subscribing.lane import keep_silence, lane_lease
from wireroom.subscribing.pursuing import pursue
from wireroom.subscribing.wishes import opened


async def candidates(tools: Polling, typed: str, *, owner: str) -> tuple[Candidate, ...]:
    """What an address has to offer, likeliest first, for front ends that let people choose.

    Costs one request and stores nothing. An address that is a feed itself offers itself.
    Candidates were not asked: `subscribe` with one of their addresses finds out. Credentials in
    the address open it and are not kept. Raises InvalidURL, or FeedUnavailable when nothing is
    offered.
    """
    url, special = opened(typed)
    known = discovery.from_address(url)
    async with lane_lease(tools, urls.lane(url), owner) as lease:
        async with Passage(tools.lanes, lease) as way:
            outcome = await tools.client.get(Request(url).by(special), before_hop=way.enter)
        finished = await digest(blank(url, "generic"), outcome, lease, tools, elapsed=timedelta(0))
        await keep_silence(tools, finished)
    if finished.reading is not None:
        parsed = finished.reading.parsed
        return (Candidate(address_to_keep(url, outcome), parsed.title), *known)
    found = offered(outcome) or known
    if not found:
        raise refusal(Answer(url, outcome, finished))
    return found


@dataclass(frozen=True, slots=True)
class Looked:
    """A feed that was looked at and is not followed by that."""

    url: str
    parsed: ParsedFeed
    #: What would be stored of it, in the order of delivery.
    items: tuple[Item, ...]


async def look(tools: Polling, typed: str, *, owner: str) -> Looked:
    """Read the feed at an address, or the likeliest that a page there leads to; nothing is stored.

    Credentials in the address open it, and nothing else. Raises InvalidURL or FeedUnavailable.
    """
    url, special = opened(typed)

    async def ask(address: str) -> tuple[Answer, Looked | None]:
        there = await _ask_only(tools, address, owner, special if address == url else NONE)
        return there, _looked(address, there)

    own_answer = None
    for address in discovery.to_ask(url):
        answer, found = await ask(address)
        if found is not None:
            return found
        if address == url:
            own_answer = answer
    assert own_answer is not None
    return await pursue(own_answer, ask)


def _looked(url: str, answer: Answer) -> Looked | None:
    reading = answer.finished.reading
    if reading is None:
        return None
    items = tuple(each.item for each in reading.changes.new)
    return Looked(address_to_keep(url, answer.outcome), reading.parsed, items)


async def _ask_only(tools: Polling, url: str, owner: str, special: Access = NONE) -> Answer:
    """One request and its reading."""
    async with lane_lease(tools, urls.lane(url), owner) as lease:
        async with Passage(tools.lanes, lease) as way:
            request = Request(url, accept="feed").by(special)
            outcome = await tools.client.get(request, before_hop=way.enter)
        finished = await digest(blank(url, "generic"), outcome, lease, tools, elapsed=timedelta(0))
        if not finished.succeeded:
            await keep_silence(tools, finished)
    return Answer(url, outcome, finished)

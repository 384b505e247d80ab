"""Going where an answer leads, until there is a feed."""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from wireroom.subscribing.answers import Answer, leads, offered, pages_beside, refusal

#: Addresses that are asked for one that was typed, the page itself and where it moved included.
MOST_REQUESTS = 16

T = TypeVar("T")


async def pursue(
    answer: Answer, ask: Callable[[str], Awaitable[tuple[Answer | None, T | None]]]
) -> T:
    """What `ask` makes of the first feed that the answer leads to. Raises FeedUnavailable.

    `ask` tells what an address answered, or what came of it when that was a feed. Where a page
    names no feeds, those that the pages beside it name are asked before the usual places.
    """
    waiting = deque(leads(answer, answer.url))
    pages = set(pages_beside(answer))
    asked = {answer.url, answer.outcome.hops.final_url}
    while waiting and len(asked) < MOST_REQUESTS:
        address = waiting.popleft()
        if address in asked:
            continue
        asked.add(address)
        there, found = await ask(address)
        if found is not None:
            return found
        if there is not None and address in pages:
            waiting.extendleft(each.url for each in reversed(offered(there.outcome)))
    raise refusal(answer, searched=True)

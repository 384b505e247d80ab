"""The pages that entries link to, for those who want their text: asked for as politely as feeds.

A host sees one request at a time, of polling or of this, with the same pause between two and under
the same wishes for silence. Each page is asked for once; what fails for good leaves the feed's own
content, and what may pass is tried a few times more. The queue is the table `articles`, filled by
the transaction that stores the entries.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import structlog
from sqlalchemy import Connection

from wireroom.errors import LeaseLost, NotAFeed, StoreError
from wireroom.feeds import article, plaintext
from wireroom.feeds.model import SafeHtml
from wireroom.fetching.outcome import Failed, Fetched, Gone, Outcome, Throttled
from wireroom.fetching.request import Request
from wireroom.polling import silence
from wireroom.polling.lanes import Passage
from wireroom.polling.tools import Polling
from wireroom.store import articles, claims, switches
from wireroom.store.articles import Due
from wireroom.store.bell import Bell
from wireroom.store.claims import LaneLease

log = structlog.get_logger(__name__)

#: Reads an article out of a page; see `polling.parser.Parser.extract`.
Extract = Callable[..., Awaitable[SafeHtml | None]]

#: Hosts at once, and pages of one host before its feeds have their turn again.
_HOSTS_AT_ONCE = 8
_PAGES_AT_ONCE = 5
#: A host that is busy with something else is looked at again then.
_BUSY = timedelta(seconds=10)
_TRIES = 3
_FIRST_PAUSE = timedelta(minutes=3)
#: What may pass by itself; everything else is for good.
_PASSING = frozenset({"dns", "connect", "tls", "timeout", "protocol", "local", "postponed"})


@dataclass(frozen=True, slots=True)
class Articles:
    """What asking for pages needs; `run` it beside the polling loop."""

    tools: Polling
    extract: Extract
    bell: Bell
    owner: str

    async def run(self) -> None:
        """Until cancelled: after each ring of the bell, when a page is due, and now and then."""
        while True:
            heard = self.bell.rings
            try:
                worked = await self.work()
            except StoreError as error:
                log.warning("no pages asked for", error=str(error))
                worked = 0
            if not worked:
                await self.bell.wait(heard, await self._wait_seconds())

    async def _wait_seconds(self) -> float:
        seconds = self.tools.pace.tick.total_seconds()
        with contextlib.suppress(StoreError):
            due_at = await self.tools.database.read(articles.next_due_at)
            if due_at is not None:
                seconds = min(seconds, max((due_at - self.tools.now()).total_seconds(), 1.0))
        return seconds

    async def work(self) -> int:
        """Ask for what is due, a few pages of a few hosts; gives how many entries were settled."""
        lanes = await self.tools.database.read(self._due_lanes)
        return sum(await asyncio.gather(*(self._work_lane(lane) for lane in lanes)))

    def _due_lanes(self, connection: Connection) -> list[str]:
        if switches.is_polling_paused(connection):
            return []
        return articles.due_lanes(connection, now=self.tools.now(), limit=_HOSTS_AT_ONCE)

    async def _work_lane(self, lane: str) -> int:
        lanes, settled = self.tools.lanes, 0
        lease = await lanes.claim(lane, self.owner)
        if lease is None:
            await self._postpone(lane, _BUSY)
            return 0
        try:
            async with lanes.held(lease, rest=self.tools.pace.spacing):
                while settled < _PAGES_AT_ONCE and (due := await self._next(lane)):
                    await self._ask_safely(due, lease)
                    settled += 1
                    await asyncio.sleep(self.tools.pace.spacing.total_seconds())
        except LeaseLost:
            log.warning("lease lost, page dropped", lane=lane)
        return settled

    async def _next(self, lane: str) -> Due | None:
        """The next page, unless its host wants silence."""
        now = self.tools.now()
        until = await self.tools.database.read(claims.paused_until, lane)
        if until is not None and until > now:
            await self._postpone(lane, until - now)
            return None
        return await self.tools.database.read(
            lambda connection: articles.next_due(connection, lane, now=now)
        )

    async def _postpone(self, lane: str, wait: timedelta) -> None:
        until = self.tools.now() + wait
        await self.tools.database.write(
            lambda connection: articles.postpone_lane(connection, lane, until=until)
        )

    async def _ask_safely(self, due: Due, lease: LaneLease) -> None:
        try:
            await self._ask(due, lease)
        except (LeaseLost, StoreError):
            raise
        except Exception:  # a mistake of ours: this page is given up, the others are not
            log.exception("page not taken in", feed=due.feed_id, seq=due.seq, url=due.link)
            why = "It could not be taken in; the log has the details."
            await self.tools.database.write(
                lambda connection: articles.settle(connection, due, None, why=why)
            )

    async def _ask(self, due: Due, lease: LaneLease) -> None:
        async with Passage(self.tools.lanes, lease) as way:
            request = Request(due.link, accept="page")
            outcome = await self.tools.client.get(request, before_hop=way.enter)
            content, why = await self._read(due, outcome)
            await self._store(due, outcome, content, why, way)
        log.info("article", feed=due.feed_id, seq=due.seq, found=content is not None, why=why)

    async def _read(self, due: Due, outcome: Outcome) -> tuple[SafeHtml | None, str]:
        """The article, or why there is none."""
        if not isinstance(outcome, Fetched):
            return None, _why(outcome)
        if "html" not in outcome.content_type and "<html" not in _beginning(outcome.body):
            return None, "There is no web page at the link."
        own = len(plaintext.text(due.own_html))
        try:
            content = await self.extract(
                outcome.body,
                url=outcome.hops.final_url,
                content_type=outcome.content_type,
                title=due.title,
                least=max(own, article.LEAST_CHARS),
            )
        except NotAFeed as error:
            return None, str(error)
        return content, "" if content else "The page has no more text than the feed."

    async def _store(
        self,
        due: Due,
        outcome: Outcome,
        content: SafeHtml | None,
        why: str,
        way: Passage,
    ) -> None:
        now = self.tools.now()
        wished = silence.asked_for(outcome, way.own, self.tools.policy, now)
        again = _again_in(due, outcome, content)
        if way.blocked_until is not None:
            again = max(way.blocked_until - now, _BUSY)

        def write(connection: Connection) -> None:
            if wished is not None:
                claims.pause_lane(connection, wished.lane, until=wished.until)
            if again is not None:
                articles.try_again(connection, due, at=now + again, why=why)
                return
            articles.settle(connection, due, content, why=why)
            claims.wake_destinations(connection, [due.feed_id], now=now)

        await self.tools.database.write(write)
        if again is None:
            self.bell.ring()


def _again_in(due: Due, outcome: Outcome, content: SafeHtml | None) -> timedelta | None:
    """After how long to try once more; None: settled."""
    if content is not None or due.attempts + 1 >= _TRIES:
        return None
    if isinstance(outcome, Throttled):
        return outcome.retry_after or _FIRST_PAUSE
    is_passing = isinstance(outcome, Failed) and (
        outcome.kind in _PASSING or (outcome.status or 0) >= 500
    )
    return _FIRST_PAUSE * 2**due.attempts if is_passing else None


def _why(outcome: Outcome) -> str:
    match outcome:
        case Failed():
            return outcome.reason
        case Gone():
            return "The page is gone."
        case Throttled():
            return "The host asked us to wait."
    return "The host sent no page."


def _beginning(body: bytes) -> str:
    return body[:1024].decode("ascii", "replace").lower()

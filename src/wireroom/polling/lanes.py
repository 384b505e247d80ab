"""Leases on lanes as the polling loop and those who ask now use them.

A lease that was taken is always given back, also when the taker was cancelled meanwhile, and it is
prolonged for as long as work goes on under it. Whoever commits work checks it once more
(`store.claims`), so nothing here has to be certain.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

import structlog
from sqlalchemy import Connection

from wireroom.errors import LeaseLost, StoreError, WireroomError
from wireroom.feeds import urls
from wireroom.store import claims, turns
from wireroom.store.claims import LaneLease
from wireroom.store.engine import Database
from wireroom.store.turns import Turn
from wireroom.values import value

T = TypeVar("T")

log = structlog.get_logger(__name__)

#: How often a lease is prolonged while work goes on.
_KEEP_EVERY = claims.LEASE / 3

#: How long a redirected request waits for the host that it was sent to.
_PATIENCE = timedelta(seconds=5)
_LOOK_AGAIN_SECONDS = 0.25

#: Between two attempts to give a lane back; all together take a third of a lease.
_LONGEST_PAUSE_SECONDS = 32.0

#: A feed whose host on the way was busy comes again after this long.
BUSY = timedelta(minutes=1)


@value
class Lanes:
    """Where leases are kept, and the clock they run by."""

    database: Database
    now: Callable[[], datetime]

    async def claim_due(self, owner: str, limit: int) -> list[Turn]:
        """Up to `limit` lanes with due feeds."""

        def work(connection: Connection) -> list[Turn]:
            return turns.claim(connection, owner=owner, now=self.now(), limit=limit)

        return await self._taken(work, lambda turn: turn.lease)

    async def claim(self, lane: str, owner: str) -> LaneLease | None:
        """This lane, due or not; None while somebody else has it."""

        def work(connection: Connection) -> list[LaneLease]:
            lease = claims.claim_lane(connection, lane, owner=owner, now=self.now())
            return [] if lease is None else [lease]

        return next(iter(await self._taken(work, lambda lease: lease)), None)

    async def _taken(
        self, work: Callable[[Connection], list[T]], lease_of: Callable[[T], LaneLease]
    ) -> list[T]:
        taking = asyncio.ensure_future(self.database.write(work))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            # The store thread does not stop half-way: what it takes would lie idle for minutes.
            for taken in await taking:
                await self.give_back(lease_of(taken))
            raise

    async def give_back(self, lease: LaneLease, rest: timedelta = timedelta(0)) -> None:
        """Release the lane; the loop takes it again after `rest` at the earliest.

        While the database is away it is tried again: left to itself the lane would lie idle until
        its lease runs out. Whoever is cancelled tries once.
        """

        def work(connection: Connection) -> None:
            claims.release_lane(connection, lease, now=self.now(), rest=rest)

        this, pause = asyncio.current_task(), 0.5
        while True:
            try:
                return await asyncio.shield(self.database.write(work))
            except StoreError as error:
                log.warning("lane not given back", lane=lease.lane, error=str(error))
                if pause > _LONGEST_PAUSE_SECONDS or (this is not None and this.cancelling()):
                    return None
            await asyncio.sleep(pause)
            pause *= 2

    def held(self, lease: LaneLease, rest: timedelta = timedelta(0)) -> "Hold":
        """Keep the lane while an `async with` block runs, and give it back, whatever ends that.

        When that is a mistake of ours, the lane rests for a lease's length: asking again at once
        would only repeat it.
        """
        return Hold(self, lease, rest)

    async def prolong(self, lease: LaneLease) -> bool:
        """Keep it for another while; False when it was lost, which the next step finds out."""
        with contextlib.suppress(StoreError):
            try:
                await self.database.write(self._prolong, lease)
            except LeaseLost:
                return False
        return True

    def _prolong(self, connection: Connection, lease: LaneLease) -> None:
        claims.hold_lanes(connection, [lease], now=self.now())


class Hold:
    """A lease that is prolonged for as long as the block runs; made by `Lanes.held`.

    A timer does that, not a task: nearly all work ends before it rings.
    """

    def __init__(self, lanes: Lanes, lease: LaneLease, rest: timedelta) -> None:
        self._lanes = lanes
        self._lease = lease
        self._rest = rest
        self._prolonging: asyncio.Task[None] | None = None
        #: Set by whoever gave the lane back within a transaction of his own.
        self.given_back = False

    async def __aenter__(self) -> "Hold":
        self._wait()
        return self

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._timer.cancel()
        if self._prolonging is not None:
            self._prolonging.cancel()
        if not self.given_back:
            is_ours = isinstance(error, Exception) and not isinstance(error, WireroomError)
            await self._lanes.give_back(self._lease, claims.LEASE if is_ours else self._rest)

    def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(_KEEP_EVERY.total_seconds(), self._ring)

    def _ring(self) -> None:
        self._prolonging = asyncio.create_task(self._prolong())

    async def _prolong(self) -> None:
        if await self._lanes.prolong(self._lease):
            self._wait()


@dataclass(slots=True)
class Passage:
    """The hosts that one request may ask: that of its own lane, and those it is redirected to.

    Used as `async with`, it gives those back at the end. `enter` is asked before each hop. It
    leases the lane of a host that we do not hold yet, so that a host sees one request at a time,
    however it came about. It waits only briefly: two feeds that redirect to each other's hosts
    would wait for ever.
    """

    lanes: Lanes
    own: LaneLease
    #: An address known to be of our own lane.
    own_url: str = ""
    #: Why the request stopped on its way: until when the host is not to be asked.
    blocked_until: datetime | None = None
    _others: dict[str, LaneLease] = field(default_factory=dict)

    async def __aenter__(self) -> "Passage":
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._others:
            await self.leave()

    async def enter(self, url: str) -> str:
        """ "" to go ahead, or the reason not to, in words."""
        if url == self.own_url:
            return ""
        lane = urls.lane(url)
        if lane == self.own.lane or lane in self._others:
            return ""
        lease = await self._claim_patiently(lane)
        now = self.lanes.now()
        if lease is None:
            self.blocked_until = now + BUSY
            return f"{lane}, where the feed redirects to, is busy with another request"
        self._others[lane] = lease
        paused_until = await self.lanes.database.read(claims.paused_until, lane)
        if paused_until is not None and paused_until > now:
            self.blocked_until = paused_until
            return f"{lane}, where the feed redirects to, asked us to wait"
        return ""

    async def _claim_patiently(self, lane: str) -> LaneLease | None:
        deadline = asyncio.get_running_loop().time() + _PATIENCE.total_seconds()
        while True:
            lease = await self.lanes.claim(lane, self.own.owner)
            if lease is not None or asyncio.get_running_loop().time() >= deadline:
                return lease
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def leave(self) -> None:
        """Give back all lanes but our own."""
        while self._others:
            _, lease = self._others.popitem()
            await self.lanes.give_back(lease)

"""Pictures fetched for readers: through the guarded client, few at once, each address once.

A host's wish for silence is kept, whoever heard it: pictures of a host that polling leaves alone
are not asked for either, and a 429 to us is written down for polling.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

import structlog
from sqlalchemy import Connection

from wireroom.errors import StoreError
from wireroom.feeds import pictures, urls
from wireroom.fetching.client import Client
from wireroom.fetching.outcome import Fetched, Outcome, Throttled
from wireroom.fetching.request import FetchLimits, Request
from wireroom.pictures.addresses import Addresses
from wireroom.pictures.cache import Cache, Picture
from wireroom.store import claims
from wireroom.store.engine import Database

log = structlog.get_logger(__name__)

LIMITS = FetchLimits(
    wire_bytes=10_000_000,
    body_bytes=10_000_000,
    total=timedelta(seconds=20),
    operation=timedelta(seconds=10),
)
#: As browsers do to one host, and over all as much memory as that many pictures.
_AT_ONCE_FROM_A_HOST = 4
_AT_ONCE = 12
#: How long an address that gave no picture is not asked again.
_IN_VAIN = timedelta(minutes=10)
_MOST_IN_VAIN = 10_000
_SILENCE = timedelta(minutes=10)
_LONGEST_SILENCE = timedelta(days=1)


@dataclass(slots=True)
class Proxy:
    """Serves pictures; belongs to one event loop."""

    addresses: Addresses
    client: Client
    database: Database
    cache: Cache
    now: Callable[[], datetime]
    _turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    _hosts: WeakValueDictionary[str, asyncio.Semaphore] = field(
        default_factory=WeakValueDictionary
    )
    _asking: dict[str, asyncio.Task[Picture | None]] = field(default_factory=dict)
    _in_vain: OrderedDict[str, datetime] = field(default_factory=OrderedDict)

    async def picture(self, signature: str, packed: str) -> Picture | None:
        """Behind an address that we signed; None for any other, and where there is no picture."""
        url = self.addresses.behind(signature, packed)
        if url is None:
            return None
        kept = await asyncio.to_thread(self.cache.get, url, self.now().timestamp())
        if kept is not None:
            return kept
        if self._in_vain.get(url, self.now()) > self.now():
            return None
        task = self._asking.get(url)
        if task is None:
            task = self._asking[url] = asyncio.create_task(self._fetch(url))
            task.add_done_callback(lambda _: self._asking.pop(url, None))
        return await asyncio.shield(task)  # others may wait for it, too

    async def _fetch(self, url: str) -> Picture | None:
        lane = urls.lane(url)
        host = self._hosts.setdefault(lane, asyncio.Semaphore(_AT_ONCE_FROM_A_HOST))
        async with host, self._turn:
            request = Request(url, accept="any", limits=LIMITS)
            outcome = await self.client.get(request, before_hop=self._may_be_asked)
        media_type = pictures.kind(outcome.body) if isinstance(outcome, Fetched) else None
        if not isinstance(outcome, Fetched) or media_type is None:
            await self._note_vain(url, outcome)
            return None
        picture = Picture(media_type, outcome.body)
        await asyncio.to_thread(self.cache.put, url, picture)
        return picture

    async def _may_be_asked(self, url: str) -> str:
        until = await self.database.read(claims.paused_until, urls.lane(url))
        return "the host asked us to wait" if until and until > self.now() else ""

    async def _note_vain(self, url: str, outcome: Outcome) -> None:
        log.debug("no picture", url=url, outcome=type(outcome).__name__)
        self._in_vain[url] = self.now() + _IN_VAIN
        self._in_vain.move_to_end(url)
        while len(self._in_vain) > _MOST_IN_VAIN:
            self._in_vain.popitem(last=False)
        if isinstance(outcome, Throttled):
            await self._keep_silence(outcome)

    async def _keep_silence(self, asked: Throttled) -> None:
        lane = urls.lane(asked.hops.final_url)
        until = self.now() + min(asked.retry_after or _SILENCE, _LONGEST_SILENCE)

        def write(connection: Connection) -> None:
            claims.pause_lane(connection, lane, until=until)

        try:
            await self.database.write(write)
        except StoreError as error:
            log.warning("a host's silence was not written down", lane=lane, error=str(error))

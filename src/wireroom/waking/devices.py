"""Registering devices, and the loop that wakes them."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection

from wireroom.errors import Conflict, InvalidURL, StoreError, UserError
from wireroom.feeds import urls
from wireroom.fetching.client import Client
from wireroom.fetching.outcome import Failed
from wireroom.fetching.request import FetchLimits, Post, Response
from wireroom.store import devices
from wireroom.store.bell import Bell
from wireroom.store.devices import Device
from wireroom.store.engine import Database
from wireroom.store.vault import Vault
from wireroom.waking import vapid

log = structlog.get_logger(__name__)

ENDPOINT_CHARS = 1024
_LIMITS = FetchLimits(body_bytes=4096, wire_bytes=65_536, total=timedelta(seconds=20))
#: Kept by the service for a device that is off; a later push takes the place of an earlier one.
_HEADERS = {"TTL": "86400", "Urgency": "normal", "Topic": "news"}
_GONE = frozenset({404, 410})
#: After so many in a row a device is taken for gone.
_MOST_FAILURES = 20
_LONGEST_WAIT = timedelta(days=1)
_LOOK_EVERY_SECONDS = 30.0
#: Several rings in a row are answered together.
_GATHER_SECONDS = 2.0
_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Waking:
    """What waking needs; `run` it in one of the processes, or in several."""

    database: Database
    client: Client
    vault: Vault
    bell: Bell
    now: Callable[[], datetime]
    #: Where push services reach our operator; see `vapid.subject`.
    subject: str

    async def public_key(self) -> str:
        """What browsers subscribe with; made at the first call."""
        return vapid.public_key(await self._key())

    async def _key(self) -> str:
        sealed = await self.database.read(devices.key)
        if sealed is None:
            fresh = self.vault.seal(vapid.new_key())
            sealed = await self.database.write(
                lambda connection: devices.keep_key(connection, fresh, now=self.now())
            )
        return self.vault.open(sealed)

    async def register(self, account_id: int, token_id: int, endpoint: str) -> None:
        """Wake this device from now on, as long as its session lasts.

        Raises UserError (invalid_endpoint), and Conflict (endpoint_taken) where it is woken for
        another account: who knows an endpoint must not take it away from whom it belongs to.
        """
        if not _can_be_dialled(endpoint):
            raise UserError("That is no address of a push service.", code="invalid_endpoint")

        def write(connection: Connection) -> bool:
            return devices.add(
                connection,
                account_id,
                token_id,
                endpoint=self.vault.seal(endpoint),
                digest=_digest(endpoint),
                now=self.now(),
            )

        if not await self.database.write(write):
            raise Conflict(
                "This device is woken for another account. Log out there first.",
                code="endpoint_taken",
            )
        self.bell.ring()  # what is there already is looked at, lest it counts as new later

    async def unregister(self, account_id: int, endpoint: str) -> bool:
        """False when the account has no such device."""
        return await self.database.write(devices.remove, account_id, _digest(endpoint))

    async def run(self) -> None:
        """Until cancelled: after each ring of the bell, and now and then."""
        while True:
            heard = self.bell.rings
            try:
                await self.wake()
            except StoreError as error:
                log.warning("nobody woken", error=str(error))
            await self.bell.wait(heard, _LOOK_EVERY_SECONDS)
            await asyncio.sleep(_GATHER_SECONDS)

    async def wake(self) -> int:
        """Wake whom something arrived for; gives how many devices that were."""
        if not await self.database.read(devices.moved_on):
            return 0  # without waiting for the writer
        found = await self.database.write(
            lambda connection: devices.take_news(connection, now=self.now())
        )
        if found:
            key, turn = await self._key(), asyncio.Semaphore(_AT_ONCE)
            await asyncio.gather(*(self._push(device, key, turn) for device in found))
        return len(found)

    async def _push(self, device: Device, key: str, turn: asyncio.Semaphore) -> None:
        endpoint, now = self.vault.open(device.endpoint), self.now()
        headers = _HEADERS | vapid.headers(key, endpoint, self.subject, now)
        async with turn:
            answer = await self.client.post(Post(endpoint, b"", headers, limits=_LIMITS))
        await self.database.write(lambda connection: _note(connection, device, answer, now))


def _note(
    connection: Connection, device: Device, answer: Response | Failed, now: datetime
) -> None:
    status = answer.status or 0
    is_well = 200 <= status < 300
    if status in _GONE or (not is_well and device.failures + 1 >= _MOST_FAILURES):
        log.info("device forgotten", device=device.id, status=status)
        devices.forget(connection, device.id)
        return
    wait = answer.retry_after
    devices.note(
        connection,
        device.id,
        failed=not is_well,
        retry_at=now + min(wait, _LONGEST_WAIT) if wait else None,
    )


def _can_be_dialled(endpoint: str) -> bool:
    if not endpoint.startswith("https://") or len(endpoint) > ENDPOINT_CHARS:
        return False
    try:
        urls.checked(endpoint)
    except InvalidURL:
        return False
    return True


def _digest(endpoint: str) -> bytes:
    return hashlib.sha256(endpoint.encode()).digest()

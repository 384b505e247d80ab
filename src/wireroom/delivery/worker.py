"""The delivery loop: lease destinations that have something waiting, and give each its turn.

Woken by the bell when polling stored news in this process, and by itself every few seconds for
what other processes stored.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy import Connection

from wireroom.delivery.deliver import Delivering, deliver
from wireroom.errors import LeaseLost, StoreError, StoreUnavailable
from wireroom.store import claims, speaking
from wireroom.store.bell import Bell
from wireroom.store.claims import DestinationLease

log = structlog.get_logger(__name__)

#: Channels whose limits are those of one token, or of a chat whatever leads into it, so that one
#: process sends for all (DESIGN.md §6).
ONE_VOICE = frozenset({"telegram", "discord"})
#: How late news of another process may go out.
TICK = timedelta(seconds=2)


async def deliver_forever(
    tools: Delivering, bell: Bell, *, owner: str, concurrency: int, tick: timedelta = TICK
) -> None:
    """Deliver until cancelled; a message under way is answered and written down first."""
    running: set[asyncio.Task[None]] = set()
    try:
        while True:
            heard = bell.rings
            free = concurrency - len(running)
            leases, channels = await _claim(tools, owner, free)
            for lease in leases:
                task = asyncio.create_task(_give_turn(lease, tools))
                running.add(task)
                task.add_done_callback(running.discard)
            if not leases:
                await _sleep(tools, bell, heard, running, channels, tick)
    finally:
        # A message that was handed to the network must have its answer written down, or it would
        # go out again after the restart.
        tools.stopping.set()
        if running:
            await asyncio.wait(running, timeout=_LAST_WORDS_SECONDS)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await _let_go(tools, owner)


_LAST_WORDS_SECONDS = 10.0


async def _let_go(tools: Delivering, owner: str) -> None:
    try:
        await tools.database.write(
            lambda connection: speaking.let_go(connection, sorted(ONE_VOICE), owner=owner)
        )
    except StoreError as error:
        log.warning("a channel is free only when its lease runs out", error=str(error))


async def _claim(
    tools: Delivering, owner: str, limit: int
) -> tuple[list[DestinationLease], list[str]]:
    """Leases, and the channels that we may send through, of which there may be more to come.

    Without a free place nothing is claimed, but what we speak for stays ours.
    """
    channels = _awake(tools)

    def work(connection: Connection) -> tuple[list[DestinationLease], list[str]]:
        now = tools.now()
        ours = speaking.held(
            connection, [each for each in channels if each in ONE_VOICE], owner=owner, now=now
        )
        allowed = [each for each in channels if each not in ONE_VOICE or each in ours]
        if not limit:
            return [], []
        leases = claims.claim_destinations(
            connection, owner=owner, channels=allowed, now=now, limit=limit
        )
        return leases, allowed

    try:
        return await tools.database.write(work)
    except StoreError as error:
        log.warning("no destinations claimed", error=str(error))
        return [], channels


def _awake(tools: Delivering) -> list[str]:
    """The channels that do not rest."""
    now = tools.now()
    return [kind for kind in tools.channels if tools.resting.get(kind, now) <= now]


async def _sleep(
    tools: Delivering,
    bell: Bell,
    heard: int,
    running: set[asyncio.Task[None]],
    channels: Sequence[str],
    tick: timedelta,
) -> None:
    """Until a bell rings, a destination's wait is over, a place is free, or the tick is over.

    Without `channels` there is no free place, and only that is waited for.
    """
    seconds = tick.total_seconds()
    try:
        ready_at = await tools.database.read(claims.next_destination_at, channels)
        if ready_at is not None and channels:
            seconds = min(seconds, max((ready_at - tools.now()).total_seconds(), 0.02))
    except StoreError:
        pass  # the next claim says so
    ring = asyncio.create_task(bell.wait(heard, seconds))
    full = set() if channels else running
    try:
        await asyncio.wait({ring, *full}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ring.cancel()


async def _give_turn(lease: DestinationLease, tools: Delivering) -> None:
    try:
        await deliver(lease, tools)
    except LeaseLost:
        log.warning("lease lost, turn dropped", destination=lease.destination_id)
    except StoreUnavailable as error:  # at the end of the program: the lease runs out by itself
        log.warning(
            "destination not given back", destination=lease.destination_id, error=str(error)
        )
    except Exception:
        # The lease runs out by itself; cursors are where the last message left them.
        log.exception("turn ended early", destination=lease.destination_id)

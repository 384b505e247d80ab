"""One process of all answers for a bot: two at one gateway would answer everything twice.

The others stand by, and one of them takes over when the lease runs out, or at once when its holder
ended. Whoever holds it also learns whether another process sends the news.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy import Connection

from wireroom.errors import StoreError
from wireroom.store import speaking
from wireroom.store.engine import Database

log = structlog.get_logger(__name__)

#: How often the lease is prolonged, or asked for.
PULSE_SECONDS: Final = 5.0
#: What sends the news holds this.
_NEWS: Final = "discord"


@dataclass(frozen=True, slots=True)
class Hold:
    """The lease on a bot, as one process sees it."""

    database: Database
    owner: str
    now: Callable[[], datetime]
    #: Told at every pulse whether another process sends the news.
    tell_shared: Callable[[bool], None]
    #: What the bot is called among leases: its application's number.
    bot: str = ""
    pulse_seconds: float = PULSE_SECONDS

    @property
    def lease(self) -> str:
        return f"discord gateway {self.bot}".strip()


async def while_held(hold: Hold, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work for as long as this process answers for the bot, again and again; until
    cancelled. Raises what the work raises."""
    is_waiting = False
    try:
        while True:
            if await _is_ours(hold):
                is_waiting = False
                await _work_on(hold, work)
            elif not is_waiting:
                is_waiting = True
                log.info("another process answers for the discord bot; standing by")
            await asyncio.sleep(hold.pulse_seconds)
    finally:
        await _let_go(hold)


async def _work_on(hold: Hold, work: Callable[[], Awaitable[None]]) -> None:
    """Work until the lease is lost."""
    task = asyncio.ensure_future(work())
    heard_at = hold.now()
    try:
        while True:
            done, _ = await asyncio.wait({task}, timeout=hold.pulse_seconds)
            if done:
                return task.result()
            ours = await _is_ours(hold)
            if ours:
                heard_at = hold.now()
            elif ours is False or hold.now() - heard_at >= speaking.LEASE:
                log.warning("another process answers for the discord bot from now on")
                return None
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _is_ours(hold: Hold) -> bool | None:
    """Whether the lease is ours, prolonged or taken; None while the database does not say."""

    def look(connection: Connection) -> tuple[bool, str]:
        now = hold.now()
        ours = speaking.held(connection, [hold.lease], owner=hold.owner, now=now)
        return bool(ours), speaking.holder(connection, _NEWS, now=now)

    try:
        ours, sender = await hold.database.write(look)
    except StoreError as error:
        log.warning("the lease on the discord bot is not known", error=str(error))
        return None
    hold.tell_shared(not ours or sender not in ("", hold.owner))
    return ours


async def _let_go(hold: Hold) -> None:
    try:
        await hold.database.write(
            lambda connection: speaking.let_go(connection, [hold.lease], owner=hold.owner)
        )
    except StoreError as error:
        log.warning("the discord bot is free only when its lease runs out", error=str(error))

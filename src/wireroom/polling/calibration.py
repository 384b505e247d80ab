"""Once a day every feed is read in full, where that is wanted (SCH-43, SCH-44, SCH-45, C36).

Validators are forgotten, so that a server which answers 304 by mistake hides nothing for longer
than a day. What was seen stays, so nothing is sent again; feeds that back off stay as they are.
The requests are spread over an hour: publishers must not all hear from us at the same minute.
"""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

import structlog
from sqlalchemy import Connection

from wireroom.errors import StoreError
from wireroom.polling.tools import Polling
from wireroom.store import feeds, switches
from wireroom.store.bell import Bell

log = structlog.get_logger(__name__)

_SPREAD = timedelta(hours=1)
_JOB = "calibrated"
#: Clocks of machines differ, and sleeps are not exact.
_LOOK_EVERY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Daily:
    """A time of day in a zone."""

    at: time
    zone: tzinfo = UTC

    def last(self, now: datetime) -> datetime:
        """Its newest moment at or before `now`, in UTC."""
        local = now.astimezone(self.zone)
        today = datetime.combine(local.date(), self.at, self.zone)
        if today > local:
            today = datetime.combine(local.date() - timedelta(days=1), self.at, self.zone)
        return today.astimezone(UTC)


async def calibrate(tools: Polling, daily: Daily) -> int | None:
    """Do it if it is due and no other process has; gives how many feeds will be read in full."""

    def work(connection: Connection) -> int | None:
        now = tools.now()
        if not switches.take_turn(connection, _JOB, since=daily.last(now), now=now):
            return None
        return feeds.forget_validators(connection, None, now=now, within=_SPREAD)

    return await tools.database.write(work)


async def calibrate_daily(tools: Polling, bell: Bell, daily: Daily) -> None:
    """Calibrate every day until cancelled; tells nobody but the log (SCH-44)."""
    while True:
        try:
            count = await calibrate(tools, daily)
        except StoreError as error:
            log.warning("not calibrated", error=str(error))
        else:
            if count is not None:
                log.info("calibrated", feeds=count)
                bell.ring()
        await asyncio.sleep(_LOOK_EVERY.total_seconds())

"""Once a day every feed is read in full, for profiles that promise it (SCH-43 … 45).

Validators are forgotten, so that a server which answers 304 by mistake hides nothing for longer
than a day. What was seen stays, so nothing is sent again; feeds that back off stay as they are.
"""

import asyncio
from datetime import UTC, datetime, time, timedelta

import structlog
from sqlalchemy import Connection

from wireroom.errors import StoreError
from wireroom.polling.tools import Polling
from wireroom.store import feeds, switches
from wireroom.store.bell import Bell

log = structlog.get_logger(__name__)

#: 00:01 at GMT+7.
AT = time(17, 1, tzinfo=UTC)
_JOB = "calibrated"
#: Clocks of machines differ, and sleeps are not exact.
_LOOK_EVERY = timedelta(minutes=5)


def last_due(now: datetime) -> datetime:
    """The newest moment, at or before `now`, at which a calibration was due."""
    today = datetime.combine(now.astimezone(UTC).date(), AT)
    return today if today <= now else today - timedelta(days=1)


async def calibrate(tools: Polling) -> int | None:
    """Do it if it is due and no other process has; gives how many feeds will be read in full."""

    def work(connection: Connection) -> int | None:
        now = tools.now()
        if not switches.take_turn(connection, _JOB, since=last_due(now), now=now):
            return None
        return feeds.forget_validators(connection, None, now=now)

    return await tools.database.write(work)


async def calibrate_daily(tools: Polling, bell: Bell) -> None:
    """Calibrate every day until cancelled; tells nobody but the log (SCH-44)."""
    while True:
        try:
            count = await calibrate(tools)
        except StoreError as error:
            log.warning("not calibrated", error=str(error))
        else:
            if count is not None:
                log.info("calibrated", feeds=count)
                bell.ring()
        await asyncio.sleep(_LOOK_EVERY.total_seconds())

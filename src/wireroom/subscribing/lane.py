"""The right to ask one host now, for somebody who waits for the answer."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta

from wireroom.errors import FeedUnavailable
from wireroom.polling.tools import Polling
from wireroom.store import claims
from wireroom.store.claims import LaneLease
from wireroom.store.ingest import Finished

#: How long somebody who asks waits while another request to the same host is under way.
LANE_PATIENCE = timedelta(seconds=75)


@contextlib.asynccontextmanager
async def lane_lease(tools: Polling, lane: str, owner: str) -> AsyncIterator[LaneLease]:
    """The right to ask one host now; waits while another request to it is under way.

    Raises FeedUnavailable when the host asked for silence, or stays busy for too long.
    """
    lease = await _claim_patiently(tools, lane, owner)
    async with tools.lanes.held(lease):
        until = await tools.database.read(claims.paused_until, lane)
        if until is not None and until > tools.now():
            minutes = max(1, round((until - tools.now()).total_seconds() / 60))
            raise FeedUnavailable(
                f"{lane} asked us to wait; the next request may go out in {minutes} min.",
                code="publisher_error",
            )
        yield lease


async def _claim_patiently(tools: Polling, lane: str, owner: str) -> LaneLease:
    clock = asyncio.get_running_loop().time
    give_up_at = clock() + LANE_PATIENCE.total_seconds()
    while clock() < give_up_at:
        lease = await tools.lanes.claim(lane, owner)
        if lease is not None:
            return lease
        await asyncio.sleep(0.25)
    raise FeedUnavailable(f"{lane} is busy with other requests; try again in a minute.")


async def keep_silence(tools: Polling, finished: Finished) -> None:
    asked = finished.silence
    if asked is not None:
        await tools.database.write(
            lambda connection: claims.pause_lane(connection, asked.lane, until=asked.until)
        )

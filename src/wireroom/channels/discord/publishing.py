"""Messages of announcement channels go on to the servers that follow them (crossposting).

Discord lets ten of a channel through in an hour. Those beyond wait here until there is room again,
and are posted in the channel itself all the same. A restart forgets what waits.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import structlog

from wireroom.channels.discord.errors import Reply
from wireroom.channels.discord.pace import Rhythm

if TYPE_CHECKING:
    from aiohttp import ClientSession

log = structlog.get_logger(__name__)

#: Messages that wait for room; more are not published.
MOST_WAITING: Final = 1000
#: A message that has to wait for longer is no news any more.
LONGEST_WAIT: Final = timedelta(hours=12)
_ATTEMPTS: Final = 3


class Publisher:
    """See the module. Without a bot's token nothing is published."""

    def __init__(
        self,
        open_session: "Callable[[], ClientSession]",
        base_url: str,
        token: str,
        rhythm: Rhythm,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._open_session = open_session
        self._base_url = base_url
        self._token = token
        self._rhythm = rhythm
        self._now = now
        self._sleep = sleep
        self._waiting: set[asyncio.Task[None]] = set()

    async def publish(self, posted: Reply) -> None:
        """Let a message that was just posted go on: at once, or later when there is room."""
        body = posted.body or {}
        channel, message = str(body.get("channel_id", "")), str(body.get("id", ""))
        if not self._token or not channel or not message:
            return
        wait = self._rhythm.wait_to_publish(channel, self._now(), at_most=LONGEST_WAIT)
        if wait > LONGEST_WAIT or len(self._waiting) >= MOST_WAITING:
            log.warning("not published", why="too many wait", channel=channel)
            return
        if not wait:
            again = await self._ask(channel, message)
            if again is None:
                return
            wait = again
        task = asyncio.create_task(self._later(channel, message, wait))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def settled(self) -> None:
        """Until nothing waits any more."""
        await asyncio.gather(*self._waiting)

    async def close(self) -> None:
        """What still waits for room is given up."""
        if self._waiting:
            for task in self._waiting:
                task.cancel()
            log.warning("not published", why="the program ends", messages=len(self._waiting))
            await asyncio.gather(*self._waiting, return_exceptions=True)

    async def _later(self, channel: str, message: str, wait: timedelta) -> None:
        for _ in range(_ATTEMPTS):
            await self._sleep(min(wait, LONGEST_WAIT).total_seconds())
            again = await self._ask(channel, message)
            if again is None:
                return
            wait = again
        log.warning("not published", why="Discord's rate limit", channel=channel)

    async def _ask(self, channel: str, message: str) -> timedelta | None:
        """How long to wait before asking again; None where that is of no use."""
        import aiohttp

        url = f"{self._base_url}/channels/{channel}/messages/{message}/crosspost"
        headers = {"Authorization": f"Bot {self._token}"}
        try:
            async with self._open_session().post(url, headers=headers) as response:
                reply = Reply.read(response.status, response.headers, await response.read())
        except (aiohttp.ClientError, TimeoutError, OSError) as failed:
            log.warning("not published", why=type(failed).__name__)
            return None
        if reply.status == 429:
            return reply.retry_after or timedelta(minutes=1)
        if reply.status >= 400:
            log.warning("not published", why=reply.reason, channel=channel)
        return None

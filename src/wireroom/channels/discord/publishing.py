"""Messages of announcement channels go on to the servers that follow them (crossposting).

Discord lets ten of a channel through in an hour. A message is posted in the channel itself first;
the parcel that publishes it is kept by delivery until there is room.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from wireroom.channels.discord.errors import Reply, judged
from wireroom.channels.discord.pace import Rhythm
from wireroom.delivery.channel import Answer, Parcel, Rejected, Sent, TryLater

if TYPE_CHECKING:
    from aiohttp import ClientSession

#: The method of a parcel that publishes.
PUBLISH: Final = "publish"
#: Discord's word for a message that was published before, such as ahead of a kill.
_ALREADY: Final = 40033


def published(posted: Reply) -> Parcel | None:
    """What lets a message that was just posted go on; None where its answer does not name it."""
    body = posted.body or {}
    channel, message = str(body.get("channel_id", "")), str(body.get("id", ""))
    if not channel.isdigit() or not message.isdigit():
        return None
    return Parcel(PUBLISH, {"channel": channel, "message": message})


class Publisher:
    """See the module. Without a bot's token nothing is published."""

    def __init__(
        self,
        open_session: "Callable[[], ClientSession]",
        base_url: str,
        token: str,
        rhythm: Rhythm,
        now: Callable[[], datetime],
    ) -> None:
        self._open_session = open_session
        self._base_url = base_url
        self._token = token
        self._rhythm = rhythm
        self._now = now

    async def publish(self, parcel: Parcel) -> Answer:
        """Ask Discord to; TryLater while there is no room, without asking."""
        if not self._token:
            return Rejected("nothing is published without a bot's token")
        channel, message = str(parcel.payload["channel"]), str(parcel.payload["message"])
        wait = self._rhythm.wait_to_publish(channel, self._now(), at_most=timedelta(0))
        if wait:
            return TryLater("waiting for room to publish", after=wait)
        reply = await self._ask(channel, message)
        if isinstance(reply, TryLater):
            return reply
        answer = _meant(reply)
        if isinstance(answer, TryLater) and answer.after:
            self._rest(channel, answer, answer.after)
        return answer

    def _rest(self, channel: str, answer: TryLater, silence: timedelta) -> None:
        if answer.scope == "channel":
            self._rhythm.learned_of_all(self._now(), silence)
        else:
            self._rhythm.learned_to_publish(channel, self._now(), silence)

    async def _ask(self, channel: str, message: str) -> Reply | TryLater:
        import aiohttp

        url = f"{self._base_url}/channels/{channel}/messages/{message}/crosspost"
        headers = {"Authorization": f"Bot {self._token}"}
        try:
            async with self._open_session().post(url, headers=headers) as response:
                return Reply.read(response.status, response.headers, await response.read())
        except (aiohttp.ClientError, TimeoutError, OSError) as failed:
            return TryLater(f"not published ({type(failed).__name__})")


def _meant(reply: Reply) -> Answer:
    """A refusal is of this message alone: it stands in its own channel all the same (pure)."""
    if 200 <= reply.status < 300 or reply.code == _ALREADY:
        return Sent()
    if reply.status == 429 or reply.status >= 500 or reply.body is None:
        answer = judged(reply)
        return answer if isinstance(answer, TryLater) else Rejected(reply.reason)
    return Rejected(reply.reason)

"""Commands that Discord brings to our own address, instead of over its gateway.

Discord signs each of them (Ed25519), and now and then signs one wrongly to see whether we look.
The answer goes back by REST as ever, so everything behind here is the same for both ways.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import structlog

from wireroom.channels.discord.bot.client import Bot
from wireroom.channels.discord.bot.staying import stay

log = structlog.get_logger(__name__)

PATH: Final = "/discord/interactions"
#: Older ones are somebody's recording.
STALE: Final = timedelta(minutes=5)
MOST_BYTES: Final = 1_000_000
_PING: Final = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What the caller gets; the body is JSON, None for nothing."""

    status: int
    body: dict[str, Any] | None = None


def is_signed(key: bytes, signature: str, timestamp: str, body: bytes, *, now: datetime) -> bool:
    """Whether Discord wrote this, and just now (pure)."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(
            bytes.fromhex(signature), timestamp.encode() + body
        )
        at = int(timestamp)
    except (InvalidSignature, ValueError):
        return False
    return abs(now.timestamp() - at) <= STALE.total_seconds()


class Interactions:
    """The endpoint, and the client that does what comes in; `run` it beside the web server."""

    def __init__(
        self,
        make_bot: Callable[[], Bot],
        token: str,
        now: Callable[[], datetime],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self._make_bot = make_bot
        self._token = token
        self._now = now
        self._close = close
        self._bot: Bot | None = None
        self._key = b""

    async def run(self) -> None:
        """Be able to answer, until cancelled."""
        try:
            await stay(self._be_there)
        finally:
            await self._close()

    async def _be_there(self) -> None:
        bot = self._make_bot()
        try:
            async with bot:
                await bot.login(self._token)
                assert bot.application is not None
                self._key, self._bot = bytes.fromhex(bot.application.verify_key), bot
                await asyncio.Event().wait()
        finally:
            self._bot = None

    async def receive(self, body: bytes, signature: str, timestamp: str, arrived: float) -> Answer:
        """401 for what is not Discord's; its pings are answered, and work is begun.

        `arrived`: the reading of `time.monotonic` when the request began to come in.
        """
        bot = self._bot
        if bot is None:
            return Answer(503)
        if not is_signed(self._key, signature, timestamp, body, now=self._now()):
            return Answer(401)
        try:
            payload = json.loads(body)
            kind = payload["type"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return Answer(400)
        if kind == _PING:
            return Answer(200, {"type": 1})
        try:
            bot.take(payload, arrived)
        except Exception as error:  # noqa: BLE001 - whatever discord.py stumbles over
            log.warning("discord brought what cannot be read", why=type(error).__name__)
            return Answer(400)
        return Answer(202)

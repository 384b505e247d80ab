"""Updates that Telegram brings by itself, to an address of ours (webhook).

The web side only keeps them; the bot, in this process or another, takes them up from the store.
"""

import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy import Connection

from wireroom.channels.telegram.api import Api, TelegramError
from wireroom.channels.telegram.commands import incoming
from wireroom.errors import StoreError
from wireroom.store import bell, updates
from wireroom.store.engine import Database

log = structlog.get_logger(__name__)

PATH: Final = "/telegram"
#: Requests that Telegram makes to us at the same time.
_AT_ONCE: Final = 20


def secret_of(token: str) -> str:
    """What Telegram shows with each call: made of the token, so nothing has to be kept."""
    return hashlib.sha256(f"wireroom webhook {token}".encode()).hexdigest()


class Hook:
    """Takes calls on the web side."""

    def __init__(self, token: str, database: Database, ring: Callable[[], None]) -> None:
        self._bot_id = int(token.partition(":")[0])
        self._secret = secret_of(token).encode()
        self._database = database
        self._ring = ring

    async def receive(self, secret: str, body: bytes) -> int:
        """The status to answer with: 200 only for what is kept; Telegram repeats all else."""
        if not hmac.compare_digest(secret.encode(), self._secret):
            return 403
        try:
            update = json.loads(body)
            update_id = int(update["update_id"])
        except (ValueError, TypeError, KeyError):
            return 400

        def keep(connection: Connection) -> None:
            updates.keep(connection, self._bot_id, {update_id: update})
            bell.announce(connection)

        try:
            await self._database.write(keep)
        except StoreError as error:
            log.warning("telegram update not kept", reason=str(error))
            return 503
        self._ring()
        return 200


async def set_on(api: Api, public_url: str, token: str) -> None:
    """Let Telegram call us. Raises TelegramError."""
    await api.call(
        "setWebhook",
        url=f"{public_url.rstrip('/')}{PATH}",
        secret_token=secret_of(token),
        allowed_updates=incoming.WANTED,
        max_connections=_AT_ONCE,
    )


async def take_off(api: Api) -> None:
    """Ask by ourselves from now on; what waits is not dropped."""
    try:
        await api.call("deleteWebhook", drop_pending_updates=False)
    except TelegramError as error:
        log.info("telegram webhook not taken away", reason=str(error))

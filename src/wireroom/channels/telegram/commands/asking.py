"""Asking Telegram for updates (long polling): one process for each bot, for ever."""

import asyncio
from datetime import timedelta
from typing import Any, Final

import structlog

from wireroom.channels.telegram.api import (
    Flooded,
    Taken,
    TelegramError,
    TokenRefused,
)
from wireroom.channels.telegram.commands import incoming
from wireroom.channels.telegram.commands.desk import Desk
from wireroom.channels.telegram.commands.inbox import Inbox
from wireroom.errors import StoreError
from wireroom.store import updates

log = structlog.get_logger(__name__)

#: How long Telegram may wait for something to tell (its own limit is 50 s).
PATIENCE_SECONDS: Final = 25
#: Our right to ask lasts for so long without being prolonged.
CLAIM: Final = timedelta(seconds=90)
_SECONDS_BETWEEN_CLAIMS: Final = 10.0
_PAUSE_SECONDS: Final = 5.0
_TOKEN_PAUSE_SECONDS: Final = 600.0


async def ask_forever(desk: Desk, inbox: Inbox) -> None:
    """Take what Telegram tells, and go on through everything that may go wrong with it."""
    holds = False
    try:
        while True:
            holds = await _claimed(desk, inbox, held=holds)
            if not holds:
                await asyncio.sleep(_SECONDS_BETWEEN_CLAIMS)
                continue
            await asyncio.sleep(await _ask_once(desk, inbox))
    finally:
        if holds:
            await desk.database.write(updates.release, desk.api.bot_id, desk.owner)


async def _claimed(desk: Desk, inbox: Inbox, *, held: bool) -> bool:
    """Whether it is ours to ask; whoever begins takes up what others left."""
    now = desk.now()
    try:
        ours = await desk.database.write(
            lambda connection: updates.claim(
                connection, desk.api.bot_id, desk.owner, now=now, lasting=CLAIM
            )
        )
        if ours and not held:
            log.info("asking telegram for updates", bot=desk.handle)
            await inbox.take_up()
    except StoreError as error:
        log.warning("no claim on telegram's updates", reason=str(error))
        return False
    return ours


async def _ask_once(desk: Desk, inbox: Inbox) -> float:
    """Ask and take; gives how many seconds to rest before the next time."""
    try:
        newest = await desk.database.read(updates.newest, desk.api.bot_id)
        told: Any = await desk.api.call(
            "getUpdates",
            patience=PATIENCE_SECONDS,
            offset=newest + 1 if newest else None,
            timeout=PATIENCE_SECONDS,
            allowed_updates=incoming.WANTED,
        )
        await inbox.take(told if isinstance(told, list | tuple) else ())
    except TokenRefused:
        log.error("telegram refuses the bot token")  # noqa: TRY400 - a traceback holds the token
        return _TOKEN_PAUSE_SECONDS
    except Flooded as flood:
        return flood.after.total_seconds()
    except Taken as taken:
        log.warning("somebody else asks for this bot's updates", reason=str(taken))
        return _PAUSE_SECONDS
    except (TelegramError, StoreError) as error:
        log.info("no updates from telegram", reason=str(error))
        return _PAUSE_SECONDS
    return 0

"""Hearing what a bot is told, in one process for each bot: by asking for it (long polling), or
where Telegram calls us, by taking up what the web side kept."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

import structlog

from wireroom.channels.telegram.api import Flooded, Taken, TelegramError, TokenRefused
from wireroom.channels.telegram.commands import hook, incoming
from wireroom.channels.telegram.commands.desk import Desk
from wireroom.channels.telegram.commands.inbox import Inbox
from wireroom.errors import StoreError
from wireroom.store import updates
from wireroom.store.bell import Bell

log = structlog.get_logger(__name__)

#: How long Telegram may wait for something to tell (its own limit is 50 s).
PATIENCE_SECONDS: Final = 25
#: Our right to hear lasts for so long without being prolonged.
CLAIM: Final = timedelta(seconds=90)
_SECONDS_BETWEEN_CLAIMS: Final = 10.0
#: Without a bell the store is looked into so often.
_LOOK_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 5.0
_TOKEN_PAUSE_SECONDS: Final = 600.0


async def ask_forever(desk: Desk, inbox: Inbox) -> None:
    """Ask Telegram, and go on through everything that may go wrong with it."""

    async def begin() -> None:
        log.info("asking telegram for updates", bot=desk.handle)
        await hook.take_off(desk.api)
        await inbox.take_up()

    await _while_ours(desk, begin, lambda: _ask_once(desk, inbox))


async def take_up_forever(
    desk: Desk, inbox: Inbox, bell: Bell, set_on: Callable[[], Awaitable[None]]
) -> None:
    """Deal with what the web side keeps. `set_on` tells Telegram to call it."""
    heard = bell.rings

    async def begin() -> None:
        await set_on()
        log.info("telegram calls us with updates", bot=desk.handle)

    async def look() -> float:
        nonlocal heard
        await inbox.take_up()
        heard = await bell.wait(heard, _LOOK_SECONDS)
        return 0

    await _while_ours(desk, begin, look)


async def _while_ours(
    desk: Desk, begin: Callable[[], Awaitable[None]], step: Callable[[], Awaitable[float]]
) -> None:
    """Repeat `step`, which says how many seconds to rest, in one of all processes."""
    holds = False
    try:
        while True:
            try:
                began, holds = holds, await _claim(desk)
                if holds and not began:
                    await begin()
                rest = await step() if holds else _SECONDS_BETWEEN_CLAIMS
            except (StoreError, TelegramError) as error:
                log.warning("telegram's updates have to wait", reason=str(error))
                rest = _PAUSE_SECONDS
            await asyncio.sleep(rest)
    finally:
        if holds:
            await desk.database.write(updates.release, desk.api.bot_id, desk.owner)


async def _claim(desk: Desk) -> bool:
    """Whether it is ours to hear what the bot is told."""
    now = desk.now()
    return await desk.database.write(
        lambda connection: updates.claim(
            connection, desk.api.bot_id, desk.owner, now=now, lasting=CLAIM
        )
    )


async def _ask_once(desk: Desk, inbox: Inbox) -> float:
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
    return 0

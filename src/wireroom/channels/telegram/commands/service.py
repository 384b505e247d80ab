"""The bot as a whole: built from its parts, introduced to Telegram, and served until the end."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

import structlog

from wireroom.channels.telegram.api import Api, TelegramError, TokenRefused
from wireroom.channels.telegram.bot import DEFAULT_BASE_URL
from wireroom.channels.telegram.commands import hook, menu
from wireroom.channels.telegram.commands.asking import ask_forever, take_up_forever
from wireroom.channels.telegram.commands.desk import Desk, Limits
from wireroom.channels.telegram.commands.dispatch import handle
from wireroom.channels.telegram.commands.inbox import Inbox
from wireroom.channels.telegram.commands.leaders import Leaders
from wireroom.channels.telegram.commands.replies import Replies
from wireroom.channels.telegram.commands.roles import Access
from wireroom.channels.telegram.commands.table import TABLE
from wireroom.channels.telegram.commands.wheels import PATIENCE_SECONDS, Wheels
from wireroom.delivery.pace import Pace
from wireroom.delivery.turn import Delivering
from wireroom.polling.tools import Polling
from wireroom.store.bell import Bell

log = structlog.get_logger(__name__)

_RETRY_SECONDS: Final = 10.0
_TOKEN_RETRY_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a bot behaves, as its operator set it."""

    token: str = field(repr=False)
    access: Access
    base_url: str = DEFAULT_BASE_URL
    limits: Limits = field(default_factory=Limits)
    initial_items: int = 1
    contact: str = ""
    #: Where the world reaches us, and whether Telegram is to bring updates there.
    public_url: str = ""
    is_called: bool = False
    #: Our name, where it is not to be asked of Telegram (`TELEGRAM_BOT_HANDLE`).
    handle: str = ""
    #: The longest that a pressed button shows a wheel.
    press_seconds: float = PATIENCE_SECONDS


@dataclass(frozen=True, slots=True)
class House:
    """What the bot needs of the Wireroom it serves."""

    polling: Polling
    delivering: Delivering
    #: The rhythm of all messages of this bot.
    rhythm: Pace
    owner: str
    now: Callable[[], datetime]
    bell: Bell


@contextlib.asynccontextmanager
async def opened(conduct: Conduct, house: House) -> AsyncIterator[Desk]:
    """A desk whose connections are closed at the end; Telegram is asked nothing."""
    async with Api(conduct.token, base_url=conduct.base_url) as api:
        yield Desk(
            polling=house.polling,
            delivering=house.delivering,
            api=api,
            replies=Replies(api, house.rhythm, house.now),
            wheels=Wheels(api, conduct.press_seconds),
            leaders=Leaders(api, house.now),
            access=conduct.access,
            table=TABLE,
            handle=conduct.handle,
            owner=house.owner,
            now=house.now,
            ring=house.bell.ring,
            limits=conduct.limits,
            initial_items=conduct.initial_items,
            web_url=conduct.public_url,
            contact=conduct.contact,
        )


async def serve(conduct: Conduct, house: House) -> None:
    """Answer people until cancelled; Telegram may be away for as long as it is."""
    async with opened(conduct, house) as nameless:
        desk = replace(nameless, handle=nameless.handle or await _handle(nameless.api))
        inbox = Inbox(desk, handle)
        cleaning = asyncio.create_task(inbox.clean_forever(), name="telegram cleaning")
        try:
            await menu.introduce(desk)
            if conduct.is_called:
                set_on = functools.partial(
                    hook.set_on, desk.api, conduct.public_url, conduct.token
                )
                await take_up_forever(desk, inbox, house.bell, set_on)
            else:
                await ask_forever(desk, inbox)
        finally:
            cleaning.cancel()
            await asyncio.gather(cleaning, return_exceptions=True)
            await inbox.settled()


async def _handle(api: Api) -> str:
    """Our user name, asked until Telegram says it."""
    while True:
        try:
            me = await api.call("getMe")
            return str(me.get("username") or "")
        except TokenRefused:
            log.error("telegram refuses the bot token")  # noqa: TRY400 - a traceback holds the token
            await asyncio.sleep(_TOKEN_RETRY_SECONDS)
        except TelegramError as error:
            log.info("telegram does not say who we are yet", reason=str(error))
            await asyncio.sleep(_RETRY_SECONDS)

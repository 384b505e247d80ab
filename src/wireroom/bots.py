"""The chat bots: which there are with these settings, and how they run, here or by themselves."""

import asyncio
import signal

import structlog

from wireroom import outgoing, wiring
from wireroom.errors import SettingsError
from wireroom.settings import Settings
from wireroom.store.bell import hear_others
from wireroom.wiring import Chore, Room

log = structlog.get_logger(__name__)

_NO_BOT = (
    "No bot has a token: set WIREROOM_DISCORD_TOKEN (from https://discord.com/developers) or "
    "WIREROOM_TELEGRAM_TOKEN (from @BotFather), then start again."
)


def started(room: Room) -> list[tuple[str, Chore]]:
    """Every bot that has a token, by name: runs until cancelled, and an exception ends all."""
    found: list[tuple[str, Chore]] = []
    if room.settings.discord_token:
        found.append(("discord", lambda: _discord(room)))
    return found


async def run(settings: Settings) -> None:
    """The bots alone, until SIGINT or SIGTERM. Raises SettingsError when there is none."""
    if not settings.discord_token:
        raise SettingsError(_NO_BOT)
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with wiring.open_room(settings) as room:
        loops: list[asyncio.Task[None]] = [
            asyncio.create_task(bot(), name=name) for name, bot in started(room)
        ]
        loops.append(asyncio.create_task(hear_others(room.database, room.bell), name="hear"))
        ending = asyncio.create_task(stop.wait())
        await asyncio.wait({ending, *loops}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        for loop in (ending, *loops):
            loop.cancel()
        results = await asyncio.gather(*loops, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


async def _discord(room: Room) -> None:
    from wireroom.channels.discord.bot import client
    from wireroom.channels.discord.bot.desk import Desk
    from wireroom.channels.discord.sender import DiscordChannel

    settings = room.settings
    sender = DiscordChannel(
        base_url=settings.discord_api, site=settings.public_url or outgoing.PROJECT_SITE
    )
    desk = Desk(
        polling=room.polling,
        vault=wiring.open_vault(settings),
        bell=room.bell,
        sender=sender,
        owner=room.owner,
        page_size=min(20, settings.discord_page_size),
        favicon_service=settings.favicon_service,
        public_url=settings.public_url,
    )
    bot = client.Bot(desk, shards=settings.discord_shards)
    try:
        await client.run(bot, settings.discord_token, base_url=settings.discord_api)
    finally:
        await sender.close()

"""The chat bots: which there are with these settings, and how they run, here or by themselves."""

from collections.abc import Callable, Coroutine
from typing import Any

from wireroom import outgoing, wiring
from wireroom.errors import SettingsError
from wireroom.settings import Settings
from wireroom.wiring import Room

#: Runs until it is cancelled; an exception ends the program.
Bot = Callable[[], Coroutine[Any, Any, None]]

_NO_BOT = (
    "No bot has a token: set WIREROOM_DISCORD_TOKEN (from https://discord.com/developers) or "
    "WIREROOM_TELEGRAM_TOKEN (from @BotFather), then start again."
)


def started(room: Room) -> dict[str, Bot]:
    """Every bot that has a token, by name."""
    found: dict[str, Bot] = {}
    if room.settings.discord_token:
        found["discord bot"] = lambda: _discord(room)
    return found


def check(settings: Settings) -> None:
    """Raises SettingsError when no bot could start."""
    if not settings.discord_token:
        raise SettingsError(_NO_BOT)


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

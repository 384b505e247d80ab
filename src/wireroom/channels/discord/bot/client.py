"""The bot's connection to Discord: one client, its commands, and how it comes and goes."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

import discord
import structlog
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import (
    commands,
    endpoint,
    hearing,
    icons,
    pressing,
    registering,
    reporting,
)
from wireroom.channels.discord.bot.access import Overrides
from wireroom.channels.discord.bot.answering import Asking, language, note_arrival
from wireroom.channels.discord.bot.desk import Desk
from wireroom.channels.discord.bot.names import GuildNames
from wireroom.channels.discord.bot.speaking import Catalogue
from wireroom.channels.discord.bot.webhooks import Webhooks

log = structlog.get_logger(__name__)

# Voice needs libraries that nothing here has a use for; at every start that would be a warning.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

_TYPING: Final = discord.InteractionType.autocomplete
DISCORD: Final = "https://discord.com/api/v10"


class Bot(discord.AutoShardedClient):
    """See the module. discord.py asks for a class; everything else is in functions."""

    def __init__(
        self,
        desk: Desk,
        *,
        shards: int | None = None,
        registers: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Channels and servers coming and going, nothing that people write: none is privileged.
        intents = discord.Intents.none()
        intents.guilds = True
        # Nobody misses voice here; the library warns at every start that it cannot speak.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=intents,
            shard_count=shards,
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self.desk = desk
        self.clock = clock
        self._arrived: float | None = None
        self._registers = registers
        self.webhooks = Webhooks(self)
        self.overrides = Overrides(self)
        self.names = GuildNames(self)
        # For servers, not for people who carry the bot into servers that never asked for it.
        in_servers = app_commands.AppInstallationType(guild=True)
        self.tree = app_commands.CommandTree(self, allowed_installs=in_servers)
        commands.add_to(self.tree)
        self.tree.error(_not_done)
        hearing.pass_over_unreadable(self)

    async def setup_hook(self) -> None:
        """Once, before the gateway: commands as they are now."""
        await self.tree.set_translator(Catalogue())
        numbers = await self._commands()
        self.overrides.command_id = numbers.get(commands.rss.name, 0)

    async def _commands(self) -> dict[str, int]:
        if self._registers:
            return await registering.register(self, self.tree)
        return {each["name"]: int(each["id"]) for each in await registering.registered(self)}

    async def on_ready(self) -> None:
        log.info("discord bot is there", name=str(self.user), servers=len(self.guilds))

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """discord.py calls this at once when something came; what it leads to has its turn later,
        however long that takes."""
        if event == "interaction":
            arrived = self.clock() if self._arrived is None else self._arrived
            note_arrival(args[0], arrived)
        super().dispatch(event, *args, **kwargs)

    def take(self, payload: Any, arrived: float) -> None:
        """An interaction that came to our own address, at that reading of the clock."""
        self._arrived = arrived
        try:
            # discord.py has no public way in for what did not come by the gateway.
            self._connection.parse_interaction_create(payload)
        finally:
            self._arrived = None

    async def on_interaction(self, interaction: Asking) -> None:
        """Presses and forms; commands have their own way."""
        kinds = discord.InteractionType
        if interaction.type in (kinds.component, kinds.modal_submit):
            await pressing.pressed(interaction)

    async def on_raw_app_command_permissions_update(
        self, payload: discord.RawAppCommandPermissionsUpdateEvent
    ) -> None:
        self.overrides.forget(str(payload.guild.id))


async def _not_done(interaction: Asking, error: app_commands.AppCommandError) -> None:
    """What discord.py itself could not read, such as a command of an earlier version."""
    log.warning("a command was not understood", why=str(error), guild=interaction.guild_id)
    if not interaction.response.is_done() and interaction.type is not _TYPING:
        said = f"❌ {texts.COMMANDS_CHANGED.say(language(interaction))}"
        with contextlib.suppress(discord.HTTPException):
            await interaction.response.send_message(said, ephemeral=True)


async def run(bot: Bot, token: str, *, base_url: str = DISCORD, called_at: str = "") -> None:
    """Be there until cancelled; raises what discord.py does when Discord is away.

    With `called_at`, the address where interactions are received, there is no gateway.
    """
    use(base_url)
    async with bot:
        await bot.login(token)
        beside = [asyncio.create_task(each) for each in _beside(bot)]
        try:
            await (_stand_by(bot, called_at) if called_at else _connect(bot))
        finally:
            for task in beside:
                task.cancel()


def _beside(bot: Bot) -> Iterable[Coroutine[Any, Any, None]]:
    """What goes on as long as the bot is there."""
    desk = bot.desk
    yield reporting.report_forever(desk, bot)
    yield icons.freshen_forever(desk.icons, desk.polling, owner=desk.owner)


def use(base_url: str) -> None:
    """Where Discord is: the one place that says it to discord.py, which has no setting for it."""
    Route.BASE = base_url.rstrip("/")


async def _connect(bot: Bot) -> None:
    await endpoint.point_to(bot, "")  # else nothing would come this way
    if Route.BASE != DISCORD:
        _, gateway, _ = await bot.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    await bot.connect()


async def _stand_by(bot: Bot, called_at: str) -> None:
    await endpoint.point_to(bot, called_at)
    await asyncio.Event().wait()

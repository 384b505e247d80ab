"""All that Discord wants around a command: an answer in time, for the right eyes, in every case.

What is done within a second and a half of the arrival is answered at once; for longer work the
answer is promised first, and seen by its asker alone, because an error may be in it.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

import discord
import structlog

from wireroom import doors
from wireroom.catalogue import Language, language_of
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot.access import Overrides, may_manage
from wireroom.channels.discord.bot.desk import GUILD, Desk, Visitor
from wireroom.channels.discord.bot.names import GuildNames
from wireroom.channels.discord.bot.replies import Reply, modal
from wireroom.channels.discord.bot.webhooks import Webhooks
from wireroom.errors import NotAllowed, StoreError, UserError
from wireroom.store.doors import Door

log = structlog.get_logger(__name__)

#: Discord waits for 3 seconds, all ways included.
PATIENCE_SECONDS: Final = 1.5

_ARRIVED: Final = "arrived"

#: Interactions that are too old, or were answered by another process: nothing is left to do.
_LATE: Final = frozenset((10062, 40060, 10015, 50027, 10008))

Asking = discord.Interaction[Any]
Work = Callable[..., Awaitable[Reply]]


class Bot(Protocol):
    """What is known of the client that an interaction came by."""

    desk: Desk
    overrides: Overrides
    webhooks: Webhooks
    names: GuildNames
    #: In seconds, as `time.monotonic`.
    clock: Callable[[], float]


def bot_of(interaction: Asking) -> Bot:
    return cast("Bot", interaction.client)


def language(interaction: Asking) -> Language:
    """The language of the person's Discord."""
    return language_of(str(interaction.locale))


def note_arrival(interaction: Asking, at: float) -> None:
    """When an interaction reached us, by the bot's clock: Discord's patience has begun."""
    interaction.extras[_ARRIVED] = at


def seconds_left(interaction: Asking) -> float:
    """For work that is answered at once; what was waited for since the arrival counts."""
    now = bot_of(interaction).clock()
    arrived = cast("float", interaction.extras.get(_ARRIVED, now))
    return max(0.0, arrived + PATIENCE_SECONDS - now)


async def answer(
    interaction: Asking, work: Work, *arguments: Any, manages: bool = False, **named: Any
) -> None:
    """Answer a command, a press or a form with what `work(desk, visitor, …)` gives.

    `manages` is for changes: people without the right are refused. Never raises for what people,
    publishers or the platform do.
    """
    _note(interaction)
    doing = asyncio.create_task(_done(interaction, _Job(work, arguments, named, manages)))
    try:
        await asyncio.wait({doing}, timeout=seconds_left(interaction))
        is_late = not doing.done()
        if is_late:
            await _promise(interaction)
        reply = await doing
        await _send(interaction, reply, is_late=is_late)
        for more in reply.more:
            await interaction.followup.send(**more.arguments(), ephemeral=more.private)
    except discord.HTTPException as error:
        if error.code not in _LATE:
            log.exception("an answer was refused", interaction=_name(interaction))
            await _apologise(interaction)
        else:
            log.info("an answer came too late", interaction=_name(interaction), code=error.code)
        await asyncio.wait({doing})  # what was begun is finished, though nobody hears of it
    finally:
        doing.cancel()


@dataclass(frozen=True, slots=True)
class _Job:
    work: Work
    arguments: tuple[Any, ...]
    named: dict[str, Any]
    manages: bool


async def _done(interaction: Asking, job: _Job) -> Reply:
    """The work's reply, or the reply that says why there is none."""
    spoken = language(interaction)
    try:
        visitor = await visitor_of(interaction, manages=job.manages)
        return await job.work(bot_of(interaction).desk, visitor, *job.arguments, **job.named)
    except UserError as error:
        return Reply(f"❌ {texts.refusal(error, spoken)}")
    except StoreError as error:
        log.warning("the database refused", interaction=_name(interaction), error=str(error))
        return Reply(f"❌ {texts.STORE_REFUSED.say(spoken)}")
    except Exception:
        log.exception("a command failed", interaction=_name(interaction))
        return Reply(f"❌ {texts.OUR_FAULT.say(spoken)}")


async def visitor_of(interaction: Asking, *, manages: bool = False) -> Visitor:
    """Who asks. Raises NotAllowed outside of servers and for people without the right."""
    if interaction.guild_id is None:
        raise NotAllowed(texts.ONLY_IN_SERVERS.en, code="only_in_servers")
    bot = bot_of(interaction)
    if manages and not await may_manage(interaction, bot.overrides):
        raise NotAllowed(texts.NOT_YOURS.en, code="manage_server")
    guild_id = str(interaction.guild_id)
    guild = interaction.guild
    name = (guild.name if guild else "") or await bot.names.of(interaction.guild_id)
    account_id = await doors.open_door(
        bot.desk.database, Door(GUILD, guild_id), name=name or "Discord", now=bot.desk.now()
    )
    return Visitor(guild_id, name, account_id, str(interaction.user.id), language(interaction))


async def _promise(interaction: Asking) -> None:
    if interaction.type is discord.InteractionType.component:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


async def _send(interaction: Asking, reply: Reply, *, is_late: bool) -> None:
    pressed = interaction.type is discord.InteractionType.component
    if reply.form is not None and not is_late:
        await interaction.response.send_modal(modal(reply.form))
        return
    if reply.form is not None:  # a form can only be the first answer
        reply = Reply(f"❌ {texts.TOO_SLOW.say(language(interaction))}")
    if pressed and reply.replaces:
        await _replace(interaction, reply, is_late=is_late)
    elif pressed and is_late:
        await interaction.followup.send(**reply.arguments(), ephemeral=reply.private)
    elif is_late:
        await interaction.edit_original_response(**reply.changes())
    else:
        await interaction.response.send_message(**reply.arguments(), ephemeral=reply.private)


async def _apologise(interaction: Asking) -> None:
    """Discord refused the answer itself, so at least that is told; silence would look broken."""
    said = f"❌ {texts.ANSWER_REFUSED.say(language(interaction))}"
    with contextlib.suppress(discord.HTTPException):
        if interaction.response.is_done():
            await interaction.followup.send(said, ephemeral=True)
        else:
            await interaction.response.send_message(said, ephemeral=True)


async def _replace(interaction: Asking, reply: Reply, *, is_late: bool) -> None:
    if is_late:
        await interaction.edit_original_response(**reply.changes())
    else:
        await interaction.response.edit_message(**reply.changes())


def _name(interaction: Asking) -> str:
    """What was asked, without what was typed: that may be a secret."""
    if interaction.command is not None:
        return interaction.command.qualified_name
    data = cast("dict[str, Any]", interaction.data or {})
    return str(data.get("custom_id", "?"))


def _note(interaction: Asking) -> None:
    log.info(
        "command",
        command=_name(interaction),
        guild=interaction.guild_id,
        user=interaction.user.id,
    )

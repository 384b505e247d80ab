"""`/rss filter`, `template` and `set`."""

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from wireroom.catalogue import discord_commands as texts
from wireroom.catalogue.meanings import MEANINGS
from wireroom.channels.discord.bot import embeds, wishing
from wireroom.channels.discord.bot.answering import Asking, answer, language
from wireroom.channels.discord.bot.commands.group import rss
from wireroom.channels.discord.bot.finding import MOST_SUGGESTIONS, suggest
from wireroom.channels.discord.bot.speaking import told


async def suggest_settings(interaction: Asking, typed: str) -> list[Choice[str]]:
    """The settings whose name or meaning holds what was typed so far."""
    typed = typed.strip().lower()
    spoken = language(interaction)
    told_of = {name: meaning.say(spoken) for name, meaning in MEANINGS.items()}
    return [
        Choice(name=embeds.short(f"{name} – {meaning}", 100), value=name)
        for name, meaning in told_of.items()
        if typed in name or typed in meaning.lower()
    ][:MOST_SUGGESTIONS]


@rss.command(name="filter", description=told(texts.FILTER_COMMAND))
@app_commands.describe(feed=told(texts.WHICH_FEED), text=told(texts.FILTER_TEXT))
@app_commands.autocomplete(feed=suggest)
async def filter_(interaction: Asking, feed: str, text: Range[str, 1, 2000] = "") -> None:
    await answer(interaction, wishing.filter_, feed, text, manages=True)


@rss.command(name="mention", description=told(texts.MENTION))
@app_commands.describe(
    feed=told(texts.WHICH_FEED), role=told(texts.MENTION_ROLE), when=told(texts.MENTION_WHEN)
)
@app_commands.autocomplete(feed=suggest)
async def mention(
    interaction: Asking, feed: str, role: discord.Role, when: Range[str, 1, 500] = ""
) -> None:
    await answer(interaction, wishing.mention, feed, str(role.id), when, manages=True)


@rss.command(name="template", description=told(texts.TEMPLATE_COMMAND))
@app_commands.describe(feed=told(texts.WHICH_FEED))
@app_commands.autocomplete(feed=suggest)
async def template(interaction: Asking, feed: str) -> None:
    await answer(interaction, wishing.open_template, feed, manages=True)


@rss.command(name="set", description=told(texts.SET))
@app_commands.describe(
    feed=told(texts.WHICH_FEED), setting=told(texts.SET_NAME), value=told(texts.SET_VALUE)
)
@app_commands.autocomplete(feed=suggest, setting=suggest_settings)
async def set_(
    interaction: Asking, feed: str, setting: str, value: Range[str, 1, 4000] = ""
) -> None:
    await answer(interaction, wishing.set_, feed, setting, value, manages=True)

"""Where a command's options point: the channel that was chosen, or the one it was typed in."""

from typing import Any

import discord
from discord import app_commands

from wireroom.channels.discord.bot.webhooks import Place


class Posting(app_commands.Transformer):
    """A channel option that offers what a webhook can post in."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        kinds = discord.ChannelType
        return [
            kinds.text,
            kinds.news,
            kinds.forum,
            kinds.media,
            kinds.public_thread,
            kinds.private_thread,
            kinds.news_thread,
        ]

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> Place:
        is_thread = isinstance(value, app_commands.AppCommandThread)
        if is_thread:
            return _place(value.parent_id, value.id, value.permissions)
        return _place(value.id, None, value.permissions)


def here(interaction: discord.Interaction[Any]) -> Place:
    """The channel or thread where the command was typed."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        return _place(channel.parent_id, channel.id, interaction.permissions)
    return _place(interaction.channel_id or 0, None, interaction.permissions)


def _place(channel_id: int, thread_id: int | None, rights: discord.Permissions) -> Place:
    may_send = rights.send_messages_in_threads if thread_id else rights.send_messages
    return Place(
        str(channel_id),
        str(thread_id or ""),
        is_theirs=rights.administrator or (rights.view_channel and may_send),
    )

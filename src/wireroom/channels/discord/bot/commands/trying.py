"""`/rss preview` and `test`, which have the same options."""

from typing import Final

from discord import app_commands
from discord.app_commands import Range, Transform

from wireroom.catalogue import Text
from wireroom.catalogue import discord_commands as texts
from wireroom.channels.discord.bot import trying
from wireroom.channels.discord.bot.answering import Asking, Work, answer, bot_of
from wireroom.channels.discord.bot.choosing import Posting, here
from wireroom.channels.discord.bot.commands.following import LAYOUTS, MEDIA
from wireroom.channels.discord.bot.commands.group import rss
from wireroom.channels.discord.bot.finding import suggest
from wireroom.channels.discord.bot.speaking import told
from wireroom.channels.discord.bot.trying import Trying
from wireroom.channels.discord.bot.wanting import Asked
from wireroom.channels.discord.bot.webhooks import Place

_OPTIONS: Final = {
    "feed": texts.ANY_FEED,
    "channel": texts.CHANNEL,
    "filter": texts.FILTER,
    "template": texts.TEMPLATE,
    "layout": texts.LAYOUT,
    "color": texts.COLOR,
    "media": texts.MEDIA,
}


def _add(name: str, description: Text, work: Work) -> None:
    @rss.command(name=name, description=told(description))
    @app_commands.describe(**{each: told(said) for each, said in _OPTIONS.items()})
    @app_commands.choices(layout=LAYOUTS, media=MEDIA)
    @app_commands.autocomplete(feed=suggest)
    async def tried(
        interaction: Asking,
        feed: Range[str, 1, 4000],
        channel: Transform[Place, Posting] | None = None,
        filter: Range[str, 1, 2000] = "",  # noqa: A002 - what people see in Discord
        template: Range[str, 1, 4000] = "",
        layout: str = "",
        color: str = "",
        media: str = "",
    ) -> None:
        asked = Asked(
            place=channel or here(interaction),
            filter=filter,
            template=template,
            layout=layout,
            color=color,
            media=media,
        )
        wanted = Trying(asked, bot_of(interaction).webhooks, elsewhere=channel)
        await answer(interaction, work, feed, wanted, manages=True)


_add("preview", texts.PREVIEW, trying.preview)
_add("test", texts.TEST, trying.test)

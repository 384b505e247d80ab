"""Names and descriptions of commands in the languages that Discord shows them in."""

import discord
from discord import app_commands
from discord.app_commands import TranslationContextTypes, locale_str

from wireroom.catalogue import Text


def told(text: Text) -> locale_str:
    """A description from the catalogue."""
    return locale_str(text.en, de=text.de)


class Catalogue(app_commands.Translator):
    """Gives Discord the German beside the English; command names stay as the manual has them."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        german = string.extras.get("de")
        return german if locale is discord.Locale.german else None

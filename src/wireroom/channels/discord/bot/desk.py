"""What commands work with, and who asks."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import random
from typing import Final

from wireroom.catalogue import Language
from wireroom.channels.discord.bot.embeds import ERROR_COLOR
from wireroom.channels.discord.bot.icons import Icons
from wireroom.delivery.channel import Channel
from wireroom.delivery.pages import Pages
from wireroom.delivery.turn import Delivering
from wireroom.polling.tools import Polling
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.vault import Vault

#: Doors of accounts (`doors`): a server, and a person.
GUILD: Final = "discord"
PERSON: Final = "discord-user"


@dataclass(frozen=True, slots=True)
class Desk:
    """The use cases' tools, and how the operator wants the bot."""

    polling: Polling
    vault: Vault
    bell: Bell
    #: Sends previews and samples; the same as delivers.
    sender: Channel
    #: Who we are in leases.
    owner: str
    icons: Icons
    page_size: int = 5
    error_color: int = ERROR_COLOR
    #: Where whole texts are shown, if the world can reach us.
    pages: Pages | None = None
    #: How long a poll by hand waits for its news to go out before it answers.
    outbox_seconds: float = 5.0

    @property
    def database(self) -> Database:
        return self.polling.database

    @property
    def delivering(self) -> Delivering:
        """What composes messages as delivery does."""
        return Delivering(
            self.database, {"discord": self.sender}, self.vault, self.now, random, pages=self.pages
        )

    @property
    def now(self) -> Callable[[], datetime]:
        return self.polling.now


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody in a server, and the account that the server has."""

    guild_id: str
    guild_name: str
    account_id: int
    user_id: str
    language: Language

"""What commands work with, and who asks."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
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


class Openings:
    """What opens the feeds that were offered for a place, sealed, until one is chosen.

    Messages are for everybody to see, so it waits here; a restart forgets it, and whoever chooses
    then is asked for it.
    """

    _MOST = 200

    def __init__(self) -> None:
        self._kept: OrderedDict[int, str] = OrderedDict()

    def keep(self, place: int, sealed: str) -> None:
        """The newest for a place counts; "" is for nothing to open."""
        self._kept.pop(place, None)
        if sealed:
            self._kept[place] = sealed
        if len(self._kept) > self._MOST:
            self._kept.popitem(last=False)

    def of(self, place: int) -> str:
        return self._kept.get(place, "")


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
    openings: Openings = field(default_factory=Openings, init=False)

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

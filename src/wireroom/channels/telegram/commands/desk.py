"""What all conversations of one bot share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from wireroom.channels.telegram.api import Api
from wireroom.channels.telegram.commands.command import Table
from wireroom.channels.telegram.commands.leaders import Leaders
from wireroom.channels.telegram.commands.replies import Replies
from wireroom.channels.telegram.commands.roles import Access
from wireroom.channels.telegram.commands.wheels import Wheels
from wireroom.delivery.turn import Delivering
from wireroom.polling.tools import Polling
from wireroom.store.engine import Database

#: The word in `destinations.channel`, and in an account's doors.
CHANNEL: Final = "telegram"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a chat may have; nothing is limited for operators."""

    #: Most subscriptions by kind of chat; kinds that are missing have no limit (TGC-12).
    subscriptions: Mapping[str, int] = field(default_factory=dict)
    #: Most words of a filter list (TGC-25).
    filter_words: int = 20


@dataclass(frozen=True, slots=True)
class Desk:
    polling: Polling
    delivering: Delivering
    api: Api
    replies: Replies
    wheels: Wheels
    leaders: Leaders
    access: Access
    table: Table
    #: Our user name, which commands may name.
    handle: str
    #: Who we are in leases.
    owner: str
    now: Callable[[], datetime]
    #: Something is due: loops that sleep look at once.
    ring: Callable[[], None] = lambda: None
    limits: Limits = field(default_factory=Limits)
    #: Entries that a new subscription begins with (TGD-04, TGD-05).
    initial_items: int = 1
    #: The reader's address, where people can open it.
    web_url: str = ""
    contact: str = ""

    @property
    def database(self) -> Database:
        return self.polling.database

"""What delivery asks of a channel: render a message, send a parcel, say how it went.

::

    Answer = Sent | TryLater | Rejected | Gone

Four answers, sorted by remedy: go on, ask again, skip this one, stop asking this destination.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Protocol

from wireroom.delivery.message import Message


@dataclass(frozen=True, slots=True)
class Address:
    """Where a channel sends: the public part, and the secret part where the channel has one.

    Telegram: "-100123" or "-100123/57" (chat, topic). Discord: webhook id, or "id?thread_id=5",
    with the webhook token as `secret`.
    """

    public: str
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Parcel:
    """One request to the platform, ready to go: a method and its JSON body."""

    method: str
    payload: Mapping[str, Any]
    #: What to send instead when the platform cannot read this one: same text, no markup, no media.
    plain: "Parcel | None" = None
    #: What to send instead when the platform cannot load the picture: same text and markup.
    without_media: "Parcel | None" = None


@dataclass(frozen=True, slots=True)
class Sent:
    """The platform accepted it; `message_id` is its name there, for edits and replies."""

    message_id: str = ""
    #: The platform told us the destination's new address (Telegram `migrate_to_chat_id`).
    moved_to: str = ""
    #: What follows this message and may come hours later; it is kept until it was sent.
    afterwards: "Parcel | None" = None


@dataclass(frozen=True, slots=True)
class TryLater:
    """Not now: flood control, an outage, a lost connection.

    `after` is None when the platform named no time. `scope` says whom to pause: this destination,
    or everything that goes through this channel. `reason` is free of secrets.
    """

    reason: str
    after: timedelta | None = None
    scope: str = "destination"  # or "channel"
    #: The request may have been accepted before the answer was lost.
    maybe_sent: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """This message will never be accepted; those behind it may be.

    Not `certain` when the platform refused with words that we do not know: worth a few more
    attempts before the message is skipped.
    """

    reason: str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Gone:
    """This destination takes nothing more: kicked, deleted, token revoked, no rights.

    Not `certain` when the platform is known to say so by mistake or for a while (missing rights,
    a closed topic): it counts only once it has been said repeatedly over a day.
    """

    reason: str
    certain: bool = True


Answer = Sent | TryLater | Rejected | Gone

#: Awaited once the pace lets a request go, and right before it does.
Go = Callable[[], Awaitable[None]]


async def at_once() -> None:
    """Nothing else holds a request up."""


class Channel(Protocol):
    """One kind of destination; implementations live in `channels/` and hold their connections."""

    @property
    def kind(self) -> str:
        """The word in `destinations.channel`: telegram, discord, …"""
        ...

    @property
    def pace(self) -> timedelta:
        """Least time between two parcels to one destination (TGD-11, DCD-10)."""
        ...

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        """Parcels for one message, in order: pure, never empty, within the platform's limits."""
        ...

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        """One request; whatever the network or the platform does is an answer, no exception."""
        ...

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        """Let a message that was sent show this parcel instead; Rejected where that cannot be."""
        ...

    async def close(self) -> None:
        """Let go of connections; nothing is sent any more."""
        ...

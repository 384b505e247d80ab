"""Discord's limits: the published ones, and the one of channels that no header shows (pure)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from wireroom.delivery.pace import EVERYTHING, Limit, Pace

_SECOND: Final = timedelta(seconds=1)
_EVERYTHING: Final = Limit(50, _SECOND)
#: Fifty at once would not arrive at once, and the next fifty partly within the same second: they
#: go out one by one, four hundredths slower than is allowed, which is what the way there may vary.
_APART: Final = Limit(1, timedelta(milliseconds=20.8))
_WEBHOOK: Final = Limit(5, 2 * _SECOND)
_CHANNEL: Final = Limit(30, 60 * _SECOND)
#: Messages of an announcement channel that may be published.
_PUBLISHED: Final = Limit(10, 3600 * _SECOND)
#: How many of the fifty, five and thirty are for what people post by hand, while another process
#: sends the news; the others are the news'.
_BY_HAND: Final = (10, 2, 10)
#: Most webhooks whose channel is remembered; a forgotten one is learnt again by its next answer.
MOST_REMEMBERED: Final = 10_000

_HAND: Final = "hand "
_PUBLISHING: Final = "publish "


def discord_pace(
    spacing: timedelta,
    channel_of: Callable[[str], str] = str,
    is_divided: Callable[[], bool] = lambda: False,
) -> Pace:
    """The pace of one address on the internet, since webhooks carry no other identity.

    `channel_of` names the channel behind a webhook id, as far as it is known: all webhooks of a
    channel share thirty messages a minute. `spacing` lies between two messages of a webhook. While
    the limits are divided, news and what is posted by hand each keep to their own part.
    """

    def rules(address: str) -> Iterable[tuple[str, Limit]]:
        if address.startswith(_PUBLISHING):
            yield f"{_PUBLISHING}{channel_of(address.removeprefix(_PUBLISHING))}", _PUBLISHED
            return
        webhook = address.removeprefix(_HAND)
        yield "", _EVERYTHING
        yield "", _APART
        yield f"webhook {webhook}", _WEBHOOK
        yield _channel(channel_of(webhook)), _CHANNEL
        if spacing:
            yield f"webhook {webhook}", Limit(1, spacing)
        if is_divided():
            yield from _part(webhook, channel_of(webhook), by_hand=address != webhook)

    return Pace(rules)


def _channel(channel: str) -> str:
    return f"channel {channel}"


def _part(webhook: str, channel: str, *, by_hand: bool) -> Iterable[tuple[str, Limit]]:
    whose = "hand" if by_hand else "news"
    names = ("", f" webhook {webhook}", f" {_channel(channel)}")
    whole = (_EVERYTHING, _WEBHOOK, _CHANNEL)
    for name, limit, ours in zip(names, whole, _BY_HAND, strict=True):
        yield whose + name, Limit(ours if by_hand else limit.count - ours, limit.window)


@dataclass(slots=True)
class Rhythm:
    """The pace of all who post on Discord from this process: news, and what people post by hand.

    `is_divided`: another process posts as well, so each keeps to its part of the limits.
    """

    spacing: timedelta = _SECOND
    is_divided: bool = False
    #: The channel of a webhook, as answers taught us.
    channels: dict[str, str] = field(default_factory=dict)
    _pace: Pace = field(init=False)

    def __post_init__(self) -> None:
        self._pace = discord_pace(
            self.spacing,
            lambda webhook: self.channels.get(webhook, webhook),
            lambda: self.is_divided,
        )

    def wait(
        self, webhook: str, now: datetime, *, at_most: timedelta, by_hand: bool = False
    ) -> timedelta:
        """How long to wait before posting; booked unless that is longer than `at_most`."""
        return self._pace.wait(f"{_HAND if by_hand else ''}{webhook}", now, at_most=at_most)

    def wait_to_publish(self, channel: str, now: datetime, *, at_most: timedelta) -> timedelta:
        """The same before a message of an announcement channel is published."""
        return self._pace.wait(f"{_PUBLISHING}{channel}", now, at_most=at_most)

    def stands(
        self, webhook: str, turn: datetime, now: datetime, *, by_hand: bool = False
    ) -> bool:
        """Whether the message with this turn may go out; see `Pace.stands`."""
        return self._pace.stands(f"{_HAND if by_hand else ''}{webhook}", turn, now)

    def learned(self, webhook: str, now: datetime, silence: timedelta) -> None:
        """Discord told us to leave a webhook alone for that long."""
        for kind in ("", _HAND):
            self._pace.learned(f"{kind}{webhook}", now, silence)

    def learned_of_all(self, now: datetime, silence: timedelta) -> None:
        """Discord told us to leave everything alone for that long."""
        self._pace.learned(EVERYTHING, now, silence)

    def learned_to_publish(self, channel: str, now: datetime, silence: timedelta) -> None:
        """Discord told us to publish nothing of a channel for that long."""
        self._pace.learned(f"{_PUBLISHING}{channel}", now, silence)

    def note_channel(
        self, webhook: str, channel: str, now: datetime, *, by_hand: bool = False
    ) -> None:
        """An answer named the channel of a webhook: its message counts against that, too."""
        self.channels[webhook] = channel
        if len(self.channels) > MOST_REMEMBERED:
            del self.channels[next(iter(self.channels))]
        address = f"{_HAND if by_hand else ''}{webhook}"
        for name in (_channel(channel), f"{'hand' if by_hand else 'news'} {_channel(channel)}"):
            self._pace.note(address, name, now)

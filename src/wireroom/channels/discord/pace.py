"""Discord's limits: the published ones, and the one of channels that no header shows (pure)."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from wireroom.delivery.pace import Limit, Pace

_EVERYTHING: Final = Limit(50, timedelta(seconds=1))
_WEBHOOK: Final = Limit(5, timedelta(seconds=2))
_CHANNEL: Final = Limit(30, timedelta(seconds=60))


def discord_pace(spacing: timedelta, channel_of: Callable[[str], str] = str) -> Pace:
    """The pace of one address on the internet, since webhooks carry no other identity.

    `channel_of` names the channel behind a webhook id, as far as it is known: all webhooks of a
    channel share thirty messages a minute. `spacing` lies between two messages of a webhook.
    """

    def rules(webhook: str) -> Iterable[tuple[str, Limit]]:
        yield "", _EVERYTHING
        yield f"webhook {webhook}", _WEBHOOK
        yield f"channel {channel_of(webhook)}", _CHANNEL
        if spacing:
            yield f"webhook {webhook}", Limit(1, spacing)

    return Pace(rules)

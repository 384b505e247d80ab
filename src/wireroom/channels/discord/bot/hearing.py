"""What the gateway tells and discord.py cannot read is passed over.

One channel of a kind, or without a key, that discord.py does not know would else end the
connection, and every later one at the same place.
"""

from collections.abc import Callable
from typing import Any

import discord
import structlog

log = structlog.get_logger(__name__)

Read = Callable[[Any], None]


def pass_over_unreadable(client: discord.Client) -> None:
    """Let a client go on behind every event that it cannot read."""
    parsers = client._connection.parsers  # noqa: SLF001 - there is no public place for this
    for event, read in list(parsers.items()):
        parsers[event] = _forgiving(event, read)


def _forgiving(event: str, read: Read) -> Read:
    def read_or_pass(told: Any) -> None:
        try:
            read(told)
        except Exception as error:  # noqa: BLE001 - whatever discord.py stumbles over
            why = f"{type(error).__name__}: {error}"[:200]
            log.warning("discord told what cannot be read", what=event, why=why)

    return read_or_pass

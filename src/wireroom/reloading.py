"""New bounds of polling without a restart: on a signal, or when the file of settings changed."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import structlog

from wireroom import wiring
from wireroom.errors import SettingsError
from wireroom.settings import Settings
from wireroom.wiring import Room

log = structlog.get_logger(__name__)


def reload_bounds(room: Room, reread: Callable[[], Settings]) -> None:
    """Poll as often, as wide and as patiently as the settings say by now; each feed from its next
    request on.

    Settings that cannot be used change nothing, and the log says what is wrong with them.
    """
    try:
        settings = reread()
        chosen = wiring.policy(settings)
    except SettingsError as error:
        log.warning("settings not read again; the old ones hold", error=str(error))
        return
    polling, pace, limits = room.polling, wiring.pace(settings), wiring.fetch_limits(settings)
    polling.policy, polling.pace, polling.client.limits = chosen, pace, limits
    polling.verbatim = wiring.manners(settings).verbatim
    room.bell.ring()  # whoever sleeps for a tick does so by the new one
    log.info(
        "bounds of polling read again",
        policy=chosen.kind,
        base=str(chosen.base),
        minimum=str(chosen.minimum),
        maximum=str(chosen.ceiling),
        hosts=pace.concurrency,
        tick=str(pace.tick),
        spacing=str(pace.spacing),
        patience=str(limits.operation),
        timeout=str(limits.total),
    )


async def follow_file(
    room: Room,
    reread: Callable[[], Settings],
    file: Path,
    *,
    every: timedelta = timedelta(minutes=1),
) -> None:
    """Read the bounds again whenever the file of settings has changed, until cancelled
    (SCH-14)."""
    known = _version(file)
    while True:
        await asyncio.sleep(every.total_seconds())
        current = _version(file)
        if current != known:
            known = current
            reload_bounds(room, reread)


def _version(file: Path) -> tuple[int, int, int] | None:
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size

"""A process of Wireroom on a machine whose clock a test can set.

    python -m tests.soak.machine PART FILE

runs `wireroom PART` with a clock that is off by as many seconds as FILE says (a double). The
program has no setting for that: only whoever starts it by this module gives it such a clock.
"""

import asyncio
import mmap
import os
import struct
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from wireroom import logs, running
from wireroom.errors import StoreUnavailable
from wireroom.running import Part
from wireroom.settings import read

_SECONDS = struct.Struct("d")


def set_clock(file: Path, seconds_off: float) -> None:
    """Let the machine's clock be off by so much, from now on."""
    if file.exists():
        with file.open("r+b") as opened:
            opened.write(_SECONDS.pack(seconds_off))
    else:
        file.write_bytes(_SECONDS.pack(seconds_off))


def _clock(file: Path) -> Callable[[], datetime]:
    with file.open("rb") as opened:
        shared = mmap.mmap(opened.fileno(), _SECONDS.size, access=mmap.ACCESS_READ)

    def now() -> datetime:
        (seconds_off,) = _SECONDS.unpack(shared[: _SECONDS.size])
        return datetime.now(UTC) + timedelta(seconds=seconds_off)

    return now


def _main(part: str, file: Path) -> None:
    settings = read(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    parts = running.EVERYTHING if part == "run" else {cast("Part", part)}

    def announce(address: str | None, _: str | None) -> None:
        sys.stdout.write(f"Wireroom runs. {address or ''}\n")
        sys.stdout.flush()

    while True:
        try:
            return asyncio.run(
                running.run(settings, parts, announce=announce, machine=_clock(file))
            )
        except StoreUnavailable:  # at its start: an init system tries again
            time.sleep(0.5)


if __name__ == "__main__":
    _main(sys.argv[1], Path(sys.argv[2]))

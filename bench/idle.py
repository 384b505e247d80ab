"""What feeds cost that are not due: memory of the process, and the time of a claim.

Nothing of them is kept in memory, and a claim reads a range of an index that they are not in.
"""

import gc
import os
import statistics
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from wireroom import records, wiring
from wireroom.settings import Settings
from wireroom.store import claims, schema, turns

_DUE = 50
_ON_A_LANE = 10
_CLAIMS = 40


async def measure(most: int, folder: Path) -> None:
    """Print a line for a thousand feeds, and one for `most`."""
    settings = Settings(data_dir=folder / "idle")
    async with wiring.open_room(settings) as room:
        now = records.now()
        await room.database.write(_add, 0, _DUE, now - timedelta(minutes=1))
        made = _DUE
        for count in (1_000, most):
            await room.database.write(_add, made, count, now + timedelta(hours=3))
            made = count
            before = _resident_kilobytes()
            spent = [await _claim(room, now) for _ in range(_CLAIMS)]
            gc.collect()
            print(
                f"{count:>9,} feeds, {_DUE} of them due: a claim takes "
                f"{statistics.median(spent) * 1e3:.2f} ms; memory of the process "
                f"{_resident_kilobytes() / 1024:.0f} MiB ({_resident_kilobytes() - before:+} KiB)"
            )


async def _claim(room: wiring.Room, now: datetime) -> float:
    def work(connection: Connection) -> float:
        began = time.perf_counter()
        taken = turns.claim(connection, owner="bench", now=now, limit=32)
        spent = time.perf_counter() - began
        for turn in taken:
            claims.release_lane(connection, turn.lease, now=now)
        return spent

    return await room.database.write(work)


def _add(connection: Connection, first: int, last: int, due_at: datetime) -> None:
    numbers = range(first, last)
    lanes = sorted({_lane(number) for number in numbers})
    connection.execute(insert(schema.lanes), [{"key": key, "ready_at": due_at} for key in lanes])
    connection.execute(insert(schema.feeds), [_feed(number, due_at) for number in numbers])


def _lane(number: int) -> str:
    return f"h{number // _ON_A_LANE}.example"


def _feed(number: int, due_at: datetime) -> dict[str, Any]:
    url = f"https://{_lane(number)}/{number}"
    return {
        "url": url,
        "canonical_key": url,
        "lane": _lane(number),
        "next_poll_at": due_at,
        "created_at": due_at,
    }


def _resident_kilobytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024

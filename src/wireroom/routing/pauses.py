"""How long a pause lasts, as people write it."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

_PAUSE: Final = re.compile(r"(\d{1,4})\s*(m|min|h|d|w)", re.IGNORECASE)
_UNITS: Final = {"m": 1, "min": 1, "h": 60, "d": 1440, "w": 10080}


def pause_end(typed: str, now: datetime) -> datetime | None:
    """The end of a pause written as a duration ("3h", "2d") or a day; None for anything else."""
    if found := _PAUSE.fullmatch(typed.strip()):
        return now + timedelta(minutes=int(found[1]) * _UNITS[found[2].lower()])
    try:
        day = date.fromisoformat(typed.strip())
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)

"""What a publisher asks of pollers: ttl, skipHours, skipDays and sy:updatePeriod."""

from itertools import islice

from wireroom.feeds.elements import Element, Fields, Reading
from wireroom.feeds.media import whole
from wireroom.feeds.model import Hints

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {name: day for day, full in enumerate(_DAYS) for name in (full, full[:3])}
_PERIODS = {"hourly": 60, "daily": 1440, "weekly": 10_080, "monthly": 43_200, "yearly": 525_600}
#: More elements in a skip list than there are hours in a day mean nothing.
_MOST = 64


def read(reading: Reading, fields: Fields) -> Hints:
    hours = (whole(text) for text in _listed(reading, fields, "skiphours"))
    days = (_NUMBERS.get(text.lower()) for text in _listed(reading, fields, "skipdays"))
    return Hints(
        ttl_minutes=_number(reading, fields, "ttl"),
        update_period_minutes=_period(reading, fields),
        # RSS 2.0 has 0-23; 24 is no hour, as RSS Bot had it, though 0.91 counted from 1.
        skip_hours=frozenset(hour for hour in hours if hour is not None and hour < 24),
        skip_days=frozenset(day for day in days if day is not None),
    )


def _listed(reading: Reading, fields: Fields, name: str) -> list[str]:
    lists: list[Element] = fields.get(name, [])
    return [reading.raw(inner).strip() for listed in lists[:1] for inner in islice(listed, _MOST)]


def _number(reading: Reading, fields: Fields, name: str) -> int | None:
    number = whole(reading.raw(fields[name][0])) if name in fields else None
    return number or None


def _period(reading: Reading, fields: Fields) -> int | None:
    """Minutes between updates; None when neither period nor frequency is given."""
    if "sy:updateperiod" not in fields and "sy:updatefrequency" not in fields:
        return None
    period = reading.first_text(fields, ("sy:updateperiod",)).lower() or "daily"
    frequency = _number(reading, fields, "sy:updatefrequency") or 1
    minutes = _PERIODS.get(period)
    return max(1, minutes // frequency) if minutes else None

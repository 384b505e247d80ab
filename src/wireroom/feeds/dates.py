"""Dates as feeds write them become aware UTC, or None where nothing certain can be read.

Two shapes make up nearly all dates and have a fast path: RFC 3339 and RFC 822. Everything else
goes through one tolerant reading: find the time and the zone behind it, then the day in the rest.

What is decided where a date leaves room (specs: RFC 2822 §4.3, W3CDTF, and what feeds do):

- The zone is UTC when missing or unknown. The weekday is not believed where the rest is complete.
- ``1.2.2020`` is day first, everywhere. ``1/2/2020`` and ``1-2-2020`` are day first or month
  first: the one that exists, else the one that falls on the weekday given. Else only a clock with
  AM or PM tells, which is American with slashes (``2/03/2020`` is how Australians fill up months);
  without one nothing is read.
- Two-digit years are RFC 2822's: 00-49 are 20xx, 50-99 are 19xx; three digits count from 1900.
- 31 June is 1 July, as if it were the day after the 30th; 30 or 31 February is no day at all.
  Hour 24 is the next day, minute 60 the next hour.
- A Thai year (from 2443) is 543 ahead.
- Years before 1900 and the epoch itself are how programs write "no date".
"""

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from unicodedata import normalize

from wireroom.feeds.months import (
    CROATIAN_TOO,
    HALVES,
    LONG_NAMES,
    MONTHS,
    WEEKDAYS,
    ZONES,
    folded,
)

#: Characters looked at; the longest honest date seen has 60.
MAX_LENGTH = 128
#: No zone is further from Greenwich than +14 h.
_FURTHEST_ZONE_MINUTES = 15 * 60
_OLDEST_YEAR = 1900
_LONGEST_MONTH = 31
#: 1900 to 2199 as Thailand counts.
_THAI_YEARS = range(2443, 2743)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Nothing on the web was published before it had pages.
_OLDEST_PLAUSIBLE = datetime(1990, 1, 1, tzinfo=UTC)
_FUTURE_GRACE = timedelta(hours=24)

_RFC_822 = re.compile(
    r"(?:[A-Za-z]{3},? )?([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4})"
    r" ([0-9]{2}:[0-9]{2}(?::[0-9]{2})?) ([+-][0-9]{4}|(?![AP]M\Z)[A-Z]{1,4})"
)
#: Short names as RFC 822 writes them -> the month as ISO 8601 does.
_TWO_DIGITS = {name.title(): f"{month:02}" for name, month in MONTHS.items() if len(name) == 3}
_NO_OFFSET = timedelta(0)

_EASTERN_SIGNS = str.maketrans(
    {
        "年": "-", "년": "-", "時": ":", "时": ":", "点": ":", "點": ":", "시": ":",
        "分": ":", "분": ":", "秒": " ", "초": " ",
    }
)  # fmt: skip
_EASTERN_DAY = re.compile(r"(?<=\d) ?[月월][ -]?(\d{1,2})(?!\d) ?[日일号號]?")
_NUMBERED_MONTH = re.compile(r"(?<!\d)(\d{1,2}) ?[月월]|(?:tháng|thg) ?(\d{1,2})(?!\d)")
_TIME = re.compile(
    r"(?<![\d+\-:])(\d{1,2}) ?(?:[:h]|(?<=\d\d)\.(?=\d\d ?uhr)) ?(\d{1,2})(?!\d)"
    r"(?: ?: ?(\d{1,2})(?!\d)(?:[.,]\d{1,9})?)?[: ]?"
)
#: Italian, Danish, Finnish, Indonesian clocks have dots; behind a year it cannot be a day.
_DOTTED_TIME = re.compile(
    r"(?<!\d)(\d{4}[, -]*(?: (?:klo|kl\.?|ore|alle|pukul|jam|at) )?)"
    r"([01]?\d|2[0-3])\.([0-5]\d)(?:\.([0-5]\d))?(?![\d.])"
)
_ENGLISH_HALF = re.compile(r" ?([ap])\.? ?m\b\.?")
_OFFSET = re.compile(r" ?(?:utc|gmt|ut|z)? ?\(?([+-]) ?(\d{1,2})(?::?(\d{2}))?(?![\d./-])")
_ZONE_NAME = re.compile(r" ?\(?([a-z]{1,5})\b")
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,4}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{1,4})(?!\d)")
_DATE_ONLY_OFFSET = re.compile(r"(?<=\d) ?([+-])(\d{2}):(\d{2})$")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:[t ]?(\d{2}):?(\d{2})(?::?(\d{2}))?(?:[.,]\d+)?)?")
_YEAR_MONTH = re.compile(r"(\d{4})(?:[-/](\d{2}))?")
_ORDINAL = re.compile(r"(\d{4})-?(\d{3})(?!\d)")
_SECONDS_SINCE_EPOCH = re.compile(r"(\d{9,10})(?:\.\d+|\d{3})?")
_TOKEN = re.compile(r"(\d+)(\.?)|([^\W\d_][^\s\d,;:/()\[\]<>\"+|-]*)")


class _Day(NamedTuple):
    year: int
    month: int
    day: int


@lru_cache(maxsize=256)  # an item tells its date up to four times
def read(text: str) -> datetime | None:
    """The moment that `text` names, as aware UTC; None when it names none that is certain."""
    text = text[:MAX_LENGTH].strip()
    when = _rfc_3339(text) if text[4:5] == "-" else _rfc_822(text)
    return when or _tolerant(text)


def plausible(when: datetime, *, now: datetime) -> bool:
    """Whether an item may be believed to be of this date: 1990 or later, at most 24 h ahead."""
    return _OLDEST_PLAUSIBLE <= when <= now + _FUTURE_GRACE


def _rfc_3339(text: str) -> datetime | None:
    # fromisoformat takes any character for the T, but "2010-01-01+05:00" is not five o'clock.
    return _iso_8601(text) if text[10:11] in {"T", " ", ""} else None


def _rfc_822(text: str) -> datetime | None:
    match = _RFC_822.fullmatch(text)
    if match is None:
        return None
    day, name, year, clock, zone = match.groups()
    if month := _TWO_DIGITS.get(name):
        return _iso_8601(f"{year}-{month}-{day:0>2}T{clock}Z", _east(zone))
    return None


def _iso_8601(text: str, east: timedelta = _NO_OFFSET) -> datetime | None:
    """What `text` says, `east` earlier."""
    try:
        when = datetime.fromisoformat(text)
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        elif when.tzinfo is not UTC:
            when = when.astimezone(UTC)
        return _sane(when - east if east else when)
    except (ValueError, OverflowError):
        return None


@lru_cache(maxsize=64)  # a feed has one or two
def _east(zone: str) -> timedelta:
    """How far from Greenwich RFC 822's `zone` is; not at all when it is unknown."""
    if zone[0] in "+-":
        return _offset(zone[0], zone[1:3], zone[3:])
    return ZONES.get(zone.lower(), _NO_OFFSET)


def _sane(when: datetime) -> datetime | None:
    return None if when.year < _OLDEST_YEAR or when == _EPOCH else when


def _offset(sign: str, hours: str, minutes: str | None) -> timedelta:
    total = int(hours) * 60 + int(minutes or 0)
    if total > _FURTHEST_ZONE_MINUTES:
        return _NO_OFFSET
    return timedelta(minutes=-total if sign == "-" else total)


def _tolerant(text: str) -> datetime | None:
    text = _cleaned(text)
    return _digits_only(text) or _worded(text)


def _cleaned(text: str) -> str:
    """One alphabet of signs: no entities, odd blanks, wide digits, or Eastern units."""
    if "&" in text:
        text = unescape(unescape(text))
    if text.isascii():
        text = text.lower()
    else:
        text = normalize("NFKC", text)[:MAX_LENGTH].casefold()
        text = _EASTERN_DAY.sub(r"-\1 ", text.translate(_EASTERN_SIGNS))
        text = text.translate({0x2212: "-", 0x2013: "-", 0x200E: " ", 0x200F: " "})
    return " ".join(text.split()).strip("<>\"'?,; ")


def _digits_only(text: str) -> datetime | None:
    """ISO 8601 in its rarer shapes: basic, ordinal, year and month; and seconds since 1970."""
    if match := _COMPACT.match(text):
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        rest = text[match.end() :]
        if month <= 12 and (not rest or rest == "z" or _OFFSET.fullmatch(rest)):
            clock = timedelta(hours=hour, minutes=minute, seconds=second)
            return _moment(_Day(year, month, day), clock - _offset_in(rest))
    if match := _YEAR_MONTH.fullmatch(text):
        return _moment(_Day(int(match[1]), int(match[2] or 1), 1), _NO_OFFSET)
    if match := _ORDINAL.fullmatch(text):
        ordinal = int(match[2])
        if 1 <= ordinal <= 366:
            return _moment(_Day(int(match[1]), 1, 1), timedelta(days=ordinal - 1))
    if match := _SECONDS_SINCE_EPOCH.fullmatch(text):
        return _sane(_EPOCH + timedelta(seconds=int(match[1])))
    return None


def _offset_in(text: str) -> timedelta:
    """The offset that stands at the start of `text`, by number or by name; else none."""
    if match := _OFFSET.match(text):
        return _offset(match[1], match[2], match[3])
    if match := _ZONE_NAME.match(text):
        return ZONES.get(match[1], _NO_OFFSET)
    return _NO_OFFSET


def _worded(text: str) -> datetime | None:
    clock, is_american = _NO_OFFSET, False
    if "." in text:
        text = _DOTTED_TIME.sub(lambda at: f"{at[1]} {at[2]}:{at[3]}:{at[4] or '00'}", text)
    if match := _TIME.search(text):
        before, after = text[: match.start()], text[match.end() :]
        hour, minute, second = (int(part or 0) for part in match.groups())
        is_american = _ENGLISH_HALF.match(after) is not None
        before, after, hour = _half_of_day(before, after, hour)
        clock = timedelta(hours=hour, minutes=minute, seconds=second) - _offset_in(after)
        if match := _OFFSET.match(after):
            after = after[match.end() :]
        text = before.removesuffix("t") + " " + after
    elif match := _DATE_ONLY_OFFSET.search(text):
        clock -= _offset(match[1], match[2], match[3])
        text = text[: match.start()]
    day = _day_in(text, is_american=is_american)
    return _moment(day, clock) if day else None


def _half_of_day(before: str, after: str, hour: int) -> tuple[str, str, int]:
    """The hour of 24, with the texts around it rid of the mark.

    English marks stand behind the time ("am" before it is German for "on the"), others on either
    side.
    """
    add: int | None = None
    if match := _ENGLISH_HALF.match(after):
        add, after = (12 if match[1] == "p" else 0), after[match.end() :]
    elif (head := after.split(" ", 2)) and (word := folded(head[0] or head[-1])) in HALVES:
        if word not in {"a", "p"}:
            add, after = HALVES[word], after.lstrip().partition(" ")[2]
    elif (tail := before.split()) and folded(tail[-1]) in HALVES and not tail[-1].isascii():
        add, before = HALVES[folded(tail[-1])], before.rstrip()[: -len(tail[-1])]
    if add is None or hour > 12:
        return before, after, hour
    return before, after, hour % 12 + add


def _day_in(text: str, *, is_american: bool) -> _Day | None:
    if match := _NUMERIC.search(text):
        return _numeric_day(match, text, is_american=is_american)
    months: set[int] = set()
    if match := _NUMBERED_MONTH.search(text):
        months.add(int(match[1] or match[2]))
        text = text[: match.start()] + " " + text[match.end() :]
    return _named_day(text, months)


def _numeric_day(match: re.Match[str], text: str, *, is_american: bool) -> _Day | None:
    first, separator, second, third = match.groups()
    a, b, c = int(first), int(second), int(third)
    if len(first) == 4:
        return _Day(a, b, c) if len(third) <= 2 else None
    if len(first) > 2 or len(third) not in {2, 4}:
        return None
    year = _full_year(c, len(third))
    day_first, month_first = _Day(year, b, a), _Day(year, a, b)
    if separator == "." and b <= 12:
        return day_first
    if separator == "-" and len(third) == 2:  # 03-12-31 may as well begin with the year
        return None
    possible = {day for day in (day_first, month_first) if 1 <= day.month <= 12}
    if len(possible) > 1 and (weekdays := _weekdays_in(text)):
        possible = {day for day in possible if _weekday(day) in weekdays}
    if len(possible) > 1 and is_american and separator == "/":
        return day_first if len(first) < len(second) else month_first
    return possible.pop() if len(possible) == 1 else None


def _weekday(day: _Day) -> int | None:
    try:
        return datetime(*day, tzinfo=UTC).weekday()
    except ValueError:
        return None


def _weekdays_in(text: str) -> set[int]:
    """Weekdays that `text` names; a name that is two days in two languages is none."""
    named = (WEEKDAYS.get(folded(word), frozenset()) for _, _, word in _TOKEN.findall(text))
    return {day for days in named if len(days) == 1 for day in days}


def _named_day(text: str, months: set[int]) -> _Day | None:
    """A day whose month is a word (or was found already), in whatever order the parts stand."""
    if text.count(" ") > 2 and not text.isascii():
        plain = folded(text)
        months |= {month for name, month in LONG_NAMES.items() if name in plain}
    tokens = _TOKEN.findall(text)
    words = [folded(word) for _, _, word in tokens if word]
    named = [word for word in words if word in MONTHS]
    if len({MONTHS[word] for word in named}) > 1:  # "mar" and "paz" are weekdays elsewhere
        named = [word for word in named if word not in WEEKDAYS]
    months |= {MONTHS[word] for word in named}
    numbers = [(digits, dot) for digits, dot, _ in tokens if digits]
    if len(months) != 1 or not 1 <= len(numbers) <= 2:
        return None
    if any(dot for _, dot in numbers) and CROATIAN_TOO.intersection(named):
        return None
    return _arranged([digits for digits, _ in numbers], months.pop())


def _arranged(numbers: list[str], month: int) -> _Day | None:
    """Which of the one or two numbers beside a month is the year, and which the day."""
    if len(numbers) == 1:
        (year,) = numbers
        return _Day(int(year), month, 1) if len(year) == 4 else None
    day, year = numbers
    if len(day) > 2:
        day, year = year, day
    if len(day) > 2 or len(year) not in {2, 3, 4}:
        return None
    return _Day(_full_year(int(year), len(year)), month, int(day))


def _full_year(year: int, digits: int) -> int:
    """RFC 2822 §4.3."""
    if digits == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if digits == 3 else year


def _moment(day: _Day, clock: timedelta) -> datetime | None:
    """`clock` after the midnight that begins `day`; overlong hours roll over."""
    year, month, date = day
    if year in _THAI_YEARS:
        year -= 543
    try:
        is_day_after = date == monthrange(year, month)[1] + 1 <= _LONGEST_MONTH
        midnight = datetime(year, month, date - is_day_after, tzinfo=UTC)
        return _sane(midnight + timedelta(days=is_day_after) + clock)
    except (ValueError, OverflowError):
        return None

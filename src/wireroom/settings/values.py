"""What the text of a setting means: switches, numbers, durations, paths, networks."""

import ipaddress
import re
from collections.abc import Callable
from datetime import UTC, time, timedelta, tzinfo
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wireroom.errors import SettingsError, UserError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*")
_SECONDS = re.compile(r"\d+(?:\.\d+)?")
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_WORDS = {"1": True, "true": True, "yes": True, "on": True}
_NO_WORDS = {"0": False, "false": False, "no": False, "off": False}


def converted(name: str, text: str, kind: Any) -> Any:
    """The value of a setting whose field is of this type. Raises SettingsError in words."""
    if kind == tuple[str, ...]:
        return tuple(each.strip() for each in text.split(",") if each.strip())
    for wanted, convert, example in _CONVERTERS:
        if kind is wanted or wanted in get_args(kind):
            try:
                return convert(text)
            except (ValueError, KeyError, OverflowError) as error:
                raise SettingsError(f"{name}={text!r} is not {example}.") from error
    return text


def _boolean(text: str) -> bool:
    return {**_WORDS, **_NO_WORDS}[text.lower()]


def duration(text: str) -> timedelta:
    """A duration as people write it: "90s", "10m", "1h30m", "1d". Raises UserError."""
    try:
        return _duration(text)
    except (ValueError, OverflowError) as error:
        raise UserError(
            f"{text!r} is no duration above zero: write 90s, 10m, 6h or 1d."
        ) from error


def _duration(text: str) -> timedelta:
    text = text.strip().lower()
    if _SECONDS.fullmatch(text):
        text += "s"
    if _PART.sub("", text):
        raise ValueError(text)
    seconds = sum(float(count) * _UNITS[unit] for count, unit in _PART.findall(text))
    if seconds <= 0:
        raise ValueError(text)
    return timedelta(seconds=seconds)


def time_and_zone(text: str) -> tuple[time, tzinfo]:
    """A time of day, in UTC unless a zone stands behind it: "17:01", "00:01 Europe/Berlin".

    Raises ValueError.
    """
    clock, _, zone = text.partition(" ")
    at = time.fromisoformat(clock)
    if at.tzinfo is not None:
        raise ValueError(text)
    try:
        return at, ZoneInfo(zone.strip()) if zone.strip() else UTC
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(text) from error


def _networks(text: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(each.strip()) for each in text.split(",") if each.strip())


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


_CONVERTERS: tuple[tuple[Any, Callable[[str], Any], str], ...] = (
    (bool, _boolean, "a switch: write on or off"),
    (int, _positive, "a whole number above zero"),
    (timedelta, _duration, "a duration above zero: write 90s, 10m, 6h or 1d"),
    (Path, lambda text: Path(text).expanduser(), "a path"),
    (Network, _networks, "a list of networks such as 192.168.1.0/24,fd00::/8"),
)

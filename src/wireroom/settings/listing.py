"""All settings for people: the documentation and `wireroom check`."""

from dataclasses import MISSING, fields
from datetime import timedelta
from typing import Any

from wireroom.settings.model import Settings
from wireroom.settings.sources import PREFIX


def described() -> list[tuple[str, str, str]]:
    """Name, default and help of every setting, for the documentation and `wireroom check`."""
    lines = []
    for each in fields(Settings):
        default = "" if each.default is MISSING else _spelled(each.default)
        lines.append((PREFIX + each.name.upper(), default, str(each.metadata["help"])))
    return lines


def is_secret(field_name: str) -> bool:
    """Whether the value of a setting must never be shown."""
    return any(each.metadata.get("secret") for each in fields(Settings) if each.name == field_name)


def _spelled(value: Any) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case timedelta(days=days) if value == timedelta(days=days):
            return f"{days}d"
        case timedelta():
            return f"{value.total_seconds():g}s"
        case None:
            return ""
        case tuple():
            return ",".join(map(str, value))
    return str(value)

"""What is wrong with settings that could be read."""

import ipaddress
import re
from datetime import timedelta
from typing import Final

from wireroom.errors import SettingsError
from wireroom.settings.model import Settings
from wireroom.settings.sources import PREFIX
from wireroom.settings.values import time_and_zone

_COLOR: Final = re.compile(r"(?:0x|#)?[0-9a-f]{6}")
_ADDRESSES: Final = ("public_url", "telegram_api", "discord_api", "oidc_issuer")
_CHOICES: Final = {
    "registration": ("closed", "invited", "open"),
    "oidc_subject": ("sub", "username"),
    "update_period": ("", "ignored", "unless_hourly", "honoured"),
}
_SHORTEST_SYNC: Final = timedelta(seconds=1)
_LONGEST_SYNC: Final = timedelta(seconds=259_200)
_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def check(settings: Settings) -> None:
    """Raises SettingsError with one sentence about the first that is wrong."""
    _check_listen(settings.listen)
    _check_looks(settings)
    for name in _ADDRESSES:
        _check_address(name, getattr(settings, name))
    for name, words in _CHOICES.items():
        _check_choice(name, getattr(settings, name), words)
    _check_logins(settings)
    _check_sync_interval(settings)
    _check_calibration(settings.calibrate_at)


def _check_listen(listen: str) -> None:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or not 0 <= int(port) < 65536:
        raise SettingsError(
            f"{PREFIX}LISTEN={listen!r} is not an address and port: write 127.0.0.1:8780."
        )


def _check_looks(settings: Settings) -> None:
    for name in ("discord_color", "discord_error_color"):
        _check_color(name, getattr(settings, name))
    level, style = settings.log_level, settings.log_format
    if level.upper() not in _LEVELS:
        raise SettingsError(f"{PREFIX}LOG_LEVEL={level!r} is none of {', '.join(_LEVELS)}.")
    if style not in ("console", "json"):
        raise SettingsError(f"{PREFIX}LOG_FORMAT={style!r}: write console or json.")


def _check_color(name: str, color: str) -> None:
    if color and not _COLOR.fullmatch(color.lower()):
        raise SettingsError(f"{PREFIX}{name.upper()}={color!r} is no colour: write 0xEE802F.")


def _check_address(name: str, value: str) -> None:
    if value and not value.startswith(("http://", "https://")):
        raise SettingsError(
            f"{PREFIX}{name.upper()}={value!r} must begin with https:// (or http://)."
        )


def _check_choice(name: str, value: str, words: tuple[str, ...]) -> None:
    if value not in words:
        raise SettingsError(
            f"{PREFIX}{name.upper()}={value!r} is none of {', '.join(filter(None, words))}."
        )


def _check_sync_interval(settings: Settings) -> None:
    """El Monitorro does not start with an interval of no time or of more than three days."""
    interval = settings.poll_interval
    if settings.profile != "el-monitorro" or interval is None:
        return
    if not _SHORTEST_SYNC <= interval <= _LONGEST_SYNC:
        raise SettingsError(
            f"{PREFIX}POLL_INTERVAL (SYNC_INTERVAL_SECONDS) is {interval.total_seconds():g} s: "
            "the profile el-monitorro takes 1 to 259200 s."
        )


def _check_calibration(written: str) -> None:
    try:
        if written not in ("", "off"):
            time_and_zone(written)
    except ValueError as error:
        raise SettingsError(
            f"{PREFIX}CALIBRATE_AT={written!r} is no time of day: write 17:01 (UTC), "
            "00:01 Europe/Berlin or off."
        ) from error


def _check_logins(settings: Settings) -> None:
    if settings.oidc_issuer and not settings.oidc_client_id:
        raise SettingsError(f"{PREFIX}OIDC_ISSUER needs {PREFIX}OIDC_CLIENT_ID beside it.")
    if settings.login_header and not settings.login_header_from:
        raise SettingsError(
            f"{PREFIX}LOGIN_HEADER needs {PREFIX}LOGIN_HEADER_FROM: whose word is it?"
        )
    for each in (
        *settings.login_header_from,
        *settings.trusted_proxies,
        *settings.metrics_from,
    ):
        _check_network(each)


def _check_network(text: str) -> None:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise SettingsError(
            f"{text!r} is no address or network: write 10.0.0.2 or 10.0.0.0/8 in "
            f"{PREFIX}TRUSTED_PROXIES, {PREFIX}LOGIN_HEADER_FROM and {PREFIX}METRICS_FROM."
        ) from error

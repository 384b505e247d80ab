"""How the operator's settings become the Telegram bot's conduct."""

import pytest

from wireroom import bots
from wireroom.errors import SettingsError
from wireroom.settings import Settings


def conduct(**settings: object) -> object:
    return bots.telegram_conduct(Settings(telegram_token="1:abc", **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "mode", "operators"),
    [
        ({}, "owner", set()),
        ({"telegram_admin": 7}, "owner", {7}),
        ({"telegram_mode": "open"}, "open", set()),
        ({"profile": "rssbot", "telegram_admin": 7}, "single-admin", {7}),
        ({"profile": "el-monitorro"}, "open", set()),
        ({"profile": "el-monitorro", "telegram_owner": 8}, "owner", {8}),
        ({"profile": "el-monitorro", "telegram_admin": 7}, "open", {7}),
    ],
)
def test_modes(settings: dict[str, object], mode: str, operators: set[int]) -> None:
    """The setting, else the profile, else whoever runs it alone (C32)."""
    access = conduct(**settings).access  # type: ignore[attr-defined]

    assert (mode, operators) == (access.mode, set(access.operators))


@pytest.mark.parametrize(
    "settings",
    [
        {"telegram_mode": "everybody"},
        {"profile": "rssbot"},
        {"telegram_subscription_limit": "many"},
        {"telegram_subscription_limit": "private=1,planet=2"},
    ],
)
def test_what_cannot_be(settings: dict[str, object]) -> None:
    """Is told at the start."""
    with pytest.raises(SettingsError, match="WIREROOM_TELEGRAM"):
        conduct(**settings)


@pytest.mark.parametrize(
    ("settings", "limits"),
    [
        ({}, {}),
        ({"telegram_mode": "open"}, {"private": 20, "channel": 20}),
        ({"telegram_subscription_limit": "5"}, {"private": 5, "supergroup": 5}),
        ({"telegram_mode": "open", "telegram_subscription_limit": "0"}, {}),
        (
            {"telegram_subscription_limit": "private=5,group=1"},
            {"private": 5, "group": 1, "supergroup": 1},
        ),
    ],
)
def test_limits(settings: dict[str, object], limits: dict[str, int]) -> None:
    """Twenty where anybody may come, none elsewhere, or as the operator says (C35)."""
    found = conduct(**settings).limits.subscriptions  # type: ignore[attr-defined]

    assert limits.items() <= found.items()
    assert bool(limits) == bool(found)

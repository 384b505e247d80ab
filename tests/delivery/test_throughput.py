"""As fast as the platforms allow and no faster: many chats against a server that counts."""

from datetime import timedelta

import pytest

from tests.delivery.chats import Server, discord_counts, simulate, telegram_counts
from tests.delivery.samples import NOON
from wireroom.channels.discord.pace import discord_pace
from wireroom.channels.telegram.pace import telegram_pace

_SECONDS = 120


@pytest.mark.parametrize(
    ("chats", "allowed_per_second"),
    [
        pytest.param(["1", "2", "3"], 3.0, id="3 people"),
        pytest.param(["-1", "-2", "-3"], 1.0, id="3 groups"),
        pytest.param([str(n) for n in range(1, 3001)], 30.0, id="3000 people"),
        pytest.param(
            [str(n if n % 2 else -n) for n in range(1, 3001)], 30.0, id="3000, half groups"
        ),
    ],
)
def test_telegram_is_used_to_the_full(chats: list[str], allowed_per_second: float) -> None:
    """At least 95 % of what the limits allow over two minutes, and never one too many."""
    server = Server(telegram_counts)
    simulate(telegram_pace(), server, chats, _SECONDS)

    assert 0 == server.refused
    assert server.accepted >= 0.95 * allowed_per_second * _SECONDS


@pytest.mark.parametrize(
    ("webhooks", "allowed_per_second"),
    [
        pytest.param(["1", "2", "3"], 1.5, id="3 webhooks"),
        pytest.param([str(n) for n in range(1, 3001)], 50.0, id="3000 webhooks"),
    ],
)
def test_discord_is_used_to_the_full(webhooks: list[str], allowed_per_second: float) -> None:
    """The same for webhooks, each in a channel of its own."""
    server = Server(discord_counts)
    simulate(discord_pace(timedelta(seconds=1)), server, webhooks, _SECONDS)

    assert 0 == server.refused
    assert server.accepted >= 0.95 * allowed_per_second * _SECONDS


def test_one_slow_chat_slows_no_other() -> None:
    """A chat that the platform silenced for an hour costs the others nothing."""
    pace, server = telegram_pace(), Server(telegram_counts)
    pace.learned("1", NOON, timedelta(hours=1))
    simulate(pace, server, ["1", "2", "3"], _SECONDS)

    assert server.accepted >= 0.95 * 2 * _SECONDS

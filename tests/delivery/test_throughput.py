"""As fast as the platforms allow and no faster: many chats against a server that counts."""

from datetime import timedelta
from random import Random

import pytest

from tests.delivery.chats import Counted, Server, discord_counts, simulate, telegram_counts
from tests.delivery.samples import NOON
from wireroom.channels.discord.pace import discord_pace
from wireroom.channels.telegram.pace import telegram_pace
from wireroom.delivery.pace import Pace

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


def stalls(turn: float) -> float:
    """A program that stands still for 150 ms every two seconds; its timers are never sharp."""
    start = turn - turn % 2
    return max(turn, start + 0.15) + Random(turn).uniform(0, 0.005)


@pytest.mark.parametrize(
    ("pace", "counts"),
    [
        pytest.param(telegram_pace(), telegram_counts, id="telegram"),
        pytest.param(discord_pace(timedelta(0)), discord_counts, id="discord"),
    ],
)
def test_what_was_overslept_is_not_sent_at_once(pace: Pace, counts: Counted) -> None:
    """A busy machine and an uneven way cost time, and bring no refusal."""
    server, way = Server(counts), Random(1)
    chats = [str(number) for number in range(1, 3001)]
    simulate(pace, server, chats, 30, woken=stalls, way=lambda: way.uniform(0.03, 0.04))

    assert 0 == server.refused
    assert server.accepted > 30 * 20


def test_one_slow_chat_slows_no_other() -> None:
    """A chat that the platform silenced for an hour costs the others nothing."""
    pace, server = telegram_pace(), Server(telegram_counts)
    pace.learned("1", NOON, timedelta(hours=1))
    simulate(pace, server, ["1", "2", "3"], _SECONDS)

    assert server.accepted >= 0.95 * 2 * _SECONDS

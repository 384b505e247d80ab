"""How much of what Telegram and Discord allow is used, over a few chats and over thousands.

Time is simulated: two minutes of sending take a second. A message too many would be counted as a
429 that could have been foreseen; there must be none.
"""

import time
from datetime import timedelta

from tests.delivery.chats import Server, discord_counts, simulate, telegram_counts

from wireroom.channels.discord.pace import discord_pace
from wireroom.channels.telegram.pace import telegram_pace

_SECONDS = 120
_MANY = [str(number) for number in range(1, 3001)]
_CASES = (
    ("Telegram, 3 people", "telegram", ["1", "2", "3"], 3.0),
    ("Telegram, 3 groups", "telegram", ["-1", "-2", "-3"], 1.0),
    ("Telegram, 3,000 people", "telegram", _MANY, 30.0),
    ("Discord, 3 webhooks", "discord", ["1", "2", "3"], 1.5),
    ("Discord, 3,000 webhooks", "discord", _MANY, 50.0),
)


def main() -> None:
    """Print messages a second, the share of what is allowed, and refusals."""
    for name, platform, chats, allowed in _CASES:
        is_telegram = platform == "telegram"
        server = Server(telegram_counts if is_telegram else discord_counts)
        pace = telegram_pace() if is_telegram else discord_pace(timedelta(seconds=1))
        began = time.perf_counter()
        simulate(pace, server, chats, _SECONDS)
        rate = server.accepted / _SECONDS
        print(
            f"{name:24} {rate:6.2f} a second, {rate / allowed:6.1%} of what is allowed, "
            f"{server.refused} refused ({time.perf_counter() - began:.1f} s)"
        )


if __name__ == "__main__":
    main()

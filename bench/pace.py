"""How much of what Telegram and Discord allow is used, over a few chats and over thousands.

Time is simulated: two minutes of sending take a second. A message too many would be counted as a
429 that could have been foreseen; there must be none. At last three chats of each kind are sent to
by the real channel over sockets, against a server that refuses what Telegram would; its clock
and ours run five times as fast.
"""

import asyncio
import logging
import time
from datetime import UTC, datetime, timedelta

from tests.delivery.chats import Server, discord_counts, simulate, telegram_counts
from tests.servers.telegram import FakeTelegram

from wireroom.channels.discord.pace import discord_pace
from wireroom.channels.telegram.pace import telegram_pace
from wireroom.channels.telegram.sender import TelegramChannel
from wireroom.delivery.channel import Address, Parcel, Sent, TryLater

_SECONDS = 120
_MANY = [str(number) for number in range(1, 3001)]
_CASES = (
    ("Telegram, 3 people", "telegram", ["1", "2", "3"], 3.0),
    ("Telegram, 3 groups", "telegram", ["-1", "-2", "-3"], 1.0),
    ("Telegram, 3,000 people", "telegram", _MANY, 30.0),
    ("Discord, 3 webhooks", "discord", ["1", "2", "3"], 1.5),
    ("Discord, 3,000 webhooks", "discord", _MANY, 50.0),
)


_FASTER = 5
_OVER_SOCKETS = (("3 people", ["1", "2", "3"], 3.0), ("3 groups", ["-1", "-2", "-3"], 1.0))


def _clock() -> float:
    return time.monotonic() * _FASTER


def _now() -> datetime:
    return datetime.fromtimestamp(_clock(), UTC)


async def _sleep(seconds: float) -> None:
    await asyncio.sleep(seconds / _FASTER)


async def _keep_sending(channel: TelegramChannel, chat: str, until: float) -> tuple[int, int]:
    """Messages that were accepted by then, and those that were refused."""
    accepted = refused = 0
    while _clock() < until:
        answer = await channel.send(Address(chat), Parcel("sendMessage", {"text": "News"}))
        if isinstance(answer, TryLater):
            waits_of_ours = answer.reason.startswith("waiting for")
            refused += not waits_of_ours
            await _sleep(min((answer.after or timedelta(seconds=1)).total_seconds(), 5))
        elif _clock() < until:
            accepted += isinstance(answer, Sent)
    return accepted, refused


async def _over_sockets() -> None:
    for name, chats, allowed in _OVER_SOCKETS:
        async with FakeTelegram(flood=True, clock=_clock) as server:
            channel = TelegramChannel(
                server.token, base_url=server.base_url, now=_now, sleep=_sleep
            )
            until = _clock() + _SECONDS
            sent = await asyncio.gather(*(_keep_sending(channel, chat, until) for chat in chats))
            await channel.close()
        rate = sum(accepted for accepted, _ in sent) / _SECONDS
        print(
            f"{'Over sockets, ' + name:24} {rate:6.2f} a second, {rate / allowed:6.1%} of what is "
            f"allowed, {sum(refused for _, refused in sent)} refused"
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
    logging.getLogger("httpx").setLevel(logging.WARNING)
    asyncio.run(_over_sockets())


if __name__ == "__main__":
    main()

"""How much of what Telegram and Discord allow is used, over a few chats and over thousands.

Time is simulated: two minutes of sending take a second. A message too many would be counted as a
429 that could have been foreseen; there must be none. At last the real channels send over sockets,
against servers that refuse what the platforms would: to three chats of each kind, to three
webhooks and to three thousand. The servers' clock and ours run faster than the world's there.
"""

import asyncio
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from typing import Protocol

from tests.delivery.chats import Server, discord_counts, simulate, telegram_counts
from tests.servers.discord import FakeDiscord
from tests.servers.telegram import FakeTelegram

from wireroom.channels.discord.pace import discord_pace
from wireroom.channels.discord.sender import DiscordChannel
from wireroom.channels.telegram.pace import telegram_pace
from wireroom.channels.telegram.sender import TelegramChannel
from wireroom.delivery.channel import Address, Answer, Parcel, Sent, TryLater

_SECONDS = 120
_MANY = [str(number) for number in range(1, 3001)]
_CASES = (
    ("Telegram, 3 people", "telegram", ["1", "2", "3"], 3.0),
    ("Telegram, 3 groups", "telegram", ["-1", "-2", "-3"], 1.0),
    ("Telegram, 3,000 people", "telegram", _MANY, 30.0),
    ("Discord, 3 webhooks", "discord", ["1", "2", "3"], 1.5),
    ("Discord, 3,000 webhooks", "discord", _MANY, 50.0),
)


#: How many destinations the delivery sends to at once.
_WORKERS = 64
#: A name, the chats, how many times as fast as the world, and what is allowed a second.
_TELEGRAM_CHATS = (
    ("3 people", ["1", "2", "3"], 5, 3.0),
    ("3 groups", ["-1", "-2", "-3"], 5, 1.0),
    ("3,000 people", _MANY, 1, 30.0),
)
#: How many webhooks, and the same: thirty a minute in each channel, fifty a second in all.
_WEBHOOKS = ((3, 5, 1.5), (3000, 1, 50.0))


@dataclass(frozen=True, slots=True)
class _Clock:
    """Time that runs so many times as fast."""

    faster: int

    def __call__(self) -> float:
        return time.monotonic() * self.faster

    def now(self) -> datetime:
        return datetime.fromtimestamp(self(), UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.faster)


#: When a destination may be looked at, its number, and what always waits for it.
Turn = tuple[float, int, Address, Parcel]


class _Sends(Protocol):
    async def send(self, address: Address, parcel: Parcel) -> Answer: ...


async def _keep_sending(
    channel: _Sends, clock: _Clock, turns: list[Turn], until: float
) -> tuple[int, int]:
    """Messages that were accepted by then, and those that were refused.

    One destination after the other has its turn, as the delivery's workers do it; one that has to
    wait is left alone until then.
    """
    accepted = refused = 0
    while (now := clock()) < until:
        if not turns or turns[0][0] > now:
            await clock.sleep(0.02)
            continue
        _, number, address, parcel = heappop(turns)
        answer = await channel.send(address, parcel)
        after = timedelta(0)
        if isinstance(answer, TryLater):
            waits_of_ours = answer.reason.startswith("waiting for")
            refused += not waits_of_ours
            after = answer.after or timedelta(seconds=1)
        elif clock() < until:
            accepted += isinstance(answer, Sent)
        heappush(turns, (clock() + after.total_seconds(), number, address, parcel))
    return accepted, refused


async def _measured(
    name: str, channel: _Sends, clock: _Clock, work: Iterable[tuple[Address, Parcel]], most: float
) -> None:
    until = clock() + _SECONDS
    turns = [(0.0, number, *each) for number, each in enumerate(work)]
    workers = min(len(turns), _WORKERS)
    sent = await asyncio.gather(
        *(_keep_sending(channel, clock, turns, until) for _ in range(workers))
    )
    rate = sum(accepted for accepted, _ in sent) / _SECONDS
    print(
        f"{'Over sockets, ' + name:28} {rate:6.2f} a second, {rate / most:6.1%} of what is "
        f"allowed, {sum(refused for _, refused in sent)} refused"
    )


async def _telegram_over_sockets() -> None:
    for name, chats, faster, allowed in _TELEGRAM_CHATS:
        clock = _Clock(faster)
        async with FakeTelegram(flood=True, clock=clock) as server:
            channel = TelegramChannel(
                server.token, base_url=server.base_url, now=clock.now, sleep=clock.sleep
            )
            work = [(Address(chat), Parcel("sendMessage", {"text": "News"})) for chat in chats]
            await _measured(name, channel, clock, work, allowed)
            await channel.close()


async def _discord_over_sockets() -> None:
    for count, faster, allowed in _WEBHOOKS:
        clock = _Clock(faster)
        async with FakeDiscord(limits=True, clock=clock) as server:
            channel = DiscordChannel(base_url=server.base_url, now=clock.now, sleep=clock.sleep)
            hooks = [server.add_webhook() for _ in range(count)]
            work = [
                (Address(hook.id, hook.token), Parcel("execute", {"content": "News"}))
                for hook in hooks
            ]
            await _measured(f"{count:,} webhooks", channel, clock, work, allowed)
            await channel.close()


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
            f"{name:28} {rate:6.2f} a second, {rate / allowed:6.1%} of what is allowed, "
            f"{server.refused} refused ({time.perf_counter() - began:.1f} s)"
        )
    logging.getLogger("httpx").setLevel(logging.WARNING)
    asyncio.run(_telegram_over_sockets())
    asyncio.run(_discord_over_sockets())


if __name__ == "__main__":
    main()

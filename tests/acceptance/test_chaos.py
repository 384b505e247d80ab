"""Everything goes wrong at once, and every channel still has every item, in order.

The real program over real sockets: rate limits, server errors, lost answers, a group that becomes
a supergroup, a bot that is kicked and let in again, and SIGKILL after one message after another,
at a different distance from the channel's answer each time.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.acceptance.conftest import CHAT, World, _number

_GROUP, _SUPERGROUP = -500, -1_000_000_000_500
#: How long after a message was accepted the program dies, in seconds: before its answer is
#: there, while it is written down, after that.
_DISTANCES = (0, 0.001, 0.003, 0.01, 0.03, 0.1)


class _Watched(list[Any]):
    """A list that tells of what is added."""

    def __init__(self, told: Callable[[], None]) -> None:
        super().__init__()
        self._told = told

    def append(self, item: Any) -> None:
        super().append(item)
        self._told()


@dataclass
class _Chaos:
    """Counts messages over all channels; strikes and troubles come at their numbers."""

    world: World
    strikes: list[int]
    troubles: dict[int, Callable[[], None]]
    accepted: int = 0
    kills: int = 0
    #: How many messages there were at each start of the program after the first, by channel.
    starts: list[dict[str, int]] = field(default_factory=list)
    distances: Iterable[float] = field(default_factory=lambda: itertools.cycle(_DISTANCES))
    dying: list[asyncio.Task[None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._distances = iter(self.distances)
        self.world.telegram.messages = _Watched(self.message)
        self.world.discord.messages = _Watched(self.message)

    def message(self) -> None:
        self.accepted += 1
        if (trouble := self.troubles.pop(self.accepted, None)) is not None:
            trouble()
        if self.strikes and self.accepted >= self.strikes[0] and not self.world.program.is_dead:
            self.strikes.pop(0)
            self.kills += 1
            distance = next(self._distances)
            if distance == 0:
                self.world.program.kill_now()
            else:
                self.dying.append(asyncio.create_task(self._die(distance)))

    async def _die(self, distance: float) -> None:
        await asyncio.sleep(distance)
        self.world.program.kill_now()


def _troubles(world: World, every: int) -> dict[int, Callable[[], None]]:
    """One trouble after so many messages each, in an order that mixes the channels."""
    telegram, discord = world.telegram, world.discord
    kinds: Sequence[Callable[[], None]] = (
        lambda: telegram.fail_next(429, "Too Many Requests: retry after 1", retry_after=1),
        lambda: discord.limit_next(0.5),
        lambda: telegram.migrate(_GROUP, _SUPERGROUP),
        lambda: telegram.fail_next(500, "Internal Server Error"),
        lambda: discord.fail_next(500, 0),
        lambda: telegram.drop_next(after_accepting=True),
        lambda: telegram.fail_next(403, "Forbidden: bot was kicked from the supergroup chat"),
        lambda: discord.drop_next(after_accepting=True),
    )
    return {(number + 1) * every: trouble for number, trouble in enumerate(kinds)}


def _told(world: World) -> dict[str, list[int]]:
    """The numbers of the stories by channel; what the bot says besides has none."""
    group = (_GROUP, _SUPERGROUP)
    stories = [each for each in world.telegram.messages if "number " in each.text]
    return {
        "person": [_number(each.text) for each in stories if each.chat == CHAT],
        "group": [_number(each.text) for each in stories if each.chat in group],
        "discord": world.told_on_discord(),
    }


async def _command(world: World, *arguments: str) -> str:
    code, printed = await world.program.command(*arguments)
    assert 0 == code, printed
    return printed


async def _let_in_again(world: World) -> None:
    """Whoever kicked the bot wants it back: all that waited comes."""
    for route in json.loads(await _command(world, "routes", "--json")):
        if route["suspended_at"]:
            await _command(world, "route", "resume", str(route["id"]))


async def _survive(world: World, *, items: int, kills: int, patience_seconds: float) -> None:
    world.program.settings |= {"PROFILE": "rssbot", "TELEGRAM_ADMIN": str(CHAT)}
    await world.program.start()
    await world.subscribe()
    await _command(world, "subscribe", world.publisher.feed_url, "--to", f"telegram:{_GROUP}")
    wanted = list(range(4, 4 + items))
    strikes = [round((number + 1) * 3 * items / (kills + 1)) for number in range(kills)]
    chaos = _Chaos(world, strikes, _troubles(world, max(1, 3 * items // 9)))
    world.publisher.items += wanted
    async with asyncio.timeout(patience_seconds):
        while any(set(told) != set(wanted) for told in _told(world).values()):
            if world.program.is_dead:
                await world.program.kill()
                chaos.starts.append({name: len(told) for name, told in _told(world).items()})
                await world.program.start()
            before = chaos.accepted
            await asyncio.sleep(2)
            if chaos.accepted == before and not world.program.is_dead:
                await _let_in_again(world)
    await asyncio.gather(*chaos.dying)

    assert kills - chaos.kills <= 1  # the last one may find a program that has nothing to do
    for channel, told in _told(world).items():
        first_seen = list(dict.fromkeys(told))
        assert wanted == first_seen, channel
        # What comes twice comes at once again; nothing is taken up from farther back.
        assert told == sorted(told), channel
    repeats = {name: len(told) - items for name, told in _told(world).items()}
    print(f"{items} items on 3 channels, {chaos.kills} kills, repeats {repeats}, lost 0")
    for name, told in _told(world).items():
        assert _repeats_of_starts(told, chaos.starts, name) <= chaos.kills
    assert sum(repeats.values()) <= chaos.kills + _LOST_ANSWERS


#: Answers that troubles take away after the message was accepted; each costs a repeat as well.
_LOST_ANSWERS = 2


def _repeats_of_starts(told: Sequence[int], starts: Sequence[dict[str, int]], channel: str) -> int:
    """How often a channel was told again what was under way when the program died.

    That is one message for each start at most: the one whose answer had not been written down.
    """
    edges = [0, *(each[channel] for each in starts), len(told)]
    seen: set[int] = set()
    repeats = 0
    for start, end in itertools.pairwise(edges):
        again = sum(number in seen for number in dict.fromkeys(told[start:end]))
        assert again <= 1, f"{channel} was told {again} stories again after one start"
        repeats += again
        seen.update(told[start:end])
    return repeats


async def test_chaos_loses_nothing(world: World) -> None:
    """All items on three channels, in order, and no more repeats than kills."""
    await _survive(world, items=8, kills=4, patience_seconds=200)


@pytest.mark.soak
async def test_long_chaos_loses_nothing(world: World) -> None:
    """60 items on each of three channels, with a kill after every third message."""
    await _survive(world, items=60, kills=60, patience_seconds=1800)

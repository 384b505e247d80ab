"""Messages of announcement channels go on to the servers that follow them: once, in order."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench, feed
from tests.servers.discord_platform import ANNOUNCEMENTS
from tests.store.stepping import Killed
from wireroom.channels.discord.publishing import PUBLISH
from wireroom.channels.discord.sender import DiscordChannel
from wireroom.delivery.channel import Address, Answer, Go, Parcel, at_once
from wireroom.delivery.deliver import deliver
from wireroom.delivery.turn import Delivering
from wireroom.store import claims, errands

HOUR = timedelta(hours=1)


async def _following(bench: Bench, *, news: int, newest: int) -> None:
    """A feed that goes to an announcement channel and is published there."""
    bench.discord.clock = lambda: bench.room.clock().timestamp()
    loud = bench.discord.add_channel(bench.guild, ANNOUNCEMENTS)
    bench.script["/feed"] = feed(*(str(number) for number in range(news, 0, -1)))
    await bench.run("rss add", feed_url=FEED, channel=loud, crosspost=True, newest=newest)


async def test_announcements_are_published(bench: Bench) -> None:
    """To all who follow the channel, where that is wanted and possible."""
    await _following(bench, news=2, newest=1)
    await bench.deliver()
    refused = await bench.run("rss add", feed_url=OTHER, crosspost=True)

    assert ["Story 2"] == bench.posts
    assert [each.id for each in bench.discord.messages] == bench.discord.crossposted
    assert "announcement channels" in refused.text


async def test_more_than_may_be_published(bench: Bench) -> None:
    """Ten of a channel go on in an hour; those beyond outlive restarts, and nobody is asked before
    there is room: no 429 in the whole test, though each delivery has forgotten the one before."""
    await _following(bench, news=12, newest=12)
    await bench.deliver()
    at_once = len(bench.discord.crossposted)
    bench.room.clock.move(HOUR / 2)
    await bench.deliver()
    half_an_hour_later = len(bench.discord.crossposted)
    bench.room.clock.move(HOUR)
    await bench.deliver()

    requests = [path for _, path, _ in bench.discord.requests if path.endswith("crosspost")]
    assert (12, 10, 10) == (len(bench.posts), at_once, half_an_hour_later)
    assert [each.id for each in bench.discord.messages] == bench.discord.crossposted
    assert 12 == len(requests)


async def test_news_do_not_wait_for_what_is_published(bench: Bench) -> None:
    """While there is no room, what comes is posted in the channel itself at once."""
    await _following(bench, news=11, newest=11)
    await bench.deliver()
    bench.script["/feed"] = feed("12", "11")
    await bench.run("rss poll", feed="1")
    await bench.deliver()

    assert "Story 12" == bench.posts[-1]
    assert 10 == len(bench.discord.crossposted)


async def test_what_waited_for_too_long_is_no_news(bench: Bench) -> None:
    """After twelve hours nobody gets it any more."""
    await _following(bench, news=11, newest=11)
    await bench.deliver()
    bench.room.clock.move(13 * HOUR)
    await bench.deliver()

    assert 10 == len(bench.discord.crossposted)
    assert [] == await _waiting(bench)


async def test_a_limit_that_discord_keeps_itself(bench: Bench) -> None:
    """Others published in the channel: asked once, then left alone for as long as Discord says."""
    await _following(bench, news=3, newest=3)
    (loud,) = {each.id for each in bench.discord.channels.values() if each.kind == ANNOUNCEMENTS}
    bench.discord.published_at[loud] = [bench.discord.clock()] * 10
    await bench.deliver()
    refused = [path for _, path, _ in bench.discord.requests if path.endswith("crosspost")]
    bench.room.clock.move(HOUR)
    await bench.deliver()

    assert 1 == len(refused)
    assert [each.id for each in bench.discord.messages] == bench.discord.crossposted
    assert 3 == len(bench.discord.crossposted)


@dataclass
class Mortal:
    """A channel in whose process something kills, before or after a message is published."""

    channel: DiscordChannel
    dies: str
    kind: str = "discord"
    pace: timedelta = timedelta(0)

    def __post_init__(self) -> None:
        self.render = self.channel.render
        self.edit = self.channel.edit
        self.close = self.channel.close

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        if parcel.method == PUBLISH and self.dies == "before":
            raise Killed
        answer = await self.channel.send(address, parcel, go=go)
        if parcel.method == PUBLISH:
            raise Killed
        return answer


@pytest.mark.parametrize("dies", ["before", "after"])
async def test_a_kill_around_publishing(bench: Bench, dies: str) -> None:
    """What was posted is published once by the next process, and is not posted again."""
    await _following(bench, news=2, newest=2)
    channel = Mortal(bench.sender(), dies)
    tools = Delivering(
        bench.database, {"discord": channel}, bench.vault, bench.room.clock, lambda: 0.5
    )
    with pytest.raises(Killed):
        while True:
            (lease,) = await bench.database.write(
                lambda connection: claims.claim_destinations(
                    connection, owner="k", channels=["discord"], now=bench.room.clock(), limit=1
                )
            )
            await deliver(lease, tools)
    bench.room.clock.move(HOUR)
    await bench.deliver()

    assert ["Story 1", "Story 2"] == bench.posts
    assert [each.id for each in bench.discord.messages] == bench.discord.crossposted
    assert [] == await _waiting(bench)


async def test_what_is_posted_to_look_at_stays_here(bench: Bench) -> None:
    """A test, and the newest once more by hand, do not go to the servers that follow."""
    await _following(bench, news=2, newest=0)
    await bench.run("rss poll", feed="1")
    await bench.run("rss test", feed="1")
    await bench.deliver()

    assert ["Story 2", "Story 2"] == bench.posts
    assert [] == bench.discord.crossposted


async def _waiting(bench: Bench) -> list[str]:
    """Kinds of what is still to be done."""

    found = await bench.database.read(
        lambda connection: errands.due(connection, 1, now=bench.room.clock() + 100 * HOUR)
    )
    return [each.kind for each in found]

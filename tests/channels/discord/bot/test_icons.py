"""The picture beside a feed's messages is its site's icon, looked for seldom (DCD-03)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from tests.channels.discord.bot.conftest import FEED, OTHER, Bench, feed
from tests.servers.scripted import Reply, Seen
from wireroom.channels.discord.bot.icons import Icons, freshen_forever
from wireroom.store import icons

LARGE = "https://news.example/l.png"
NEW = "https://news.example/new.png"
WEEK = timedelta(days=7, seconds=1)


@dataclass
class Site:
    """A page with icons; `asked` counts its visitors."""

    icons: str = (
        '<link rel="icon" sizes="16x16" href="/s.png">'
        '<link rel="icon" sizes="96x96" href="/l.png">'
    )
    status: int = 200
    asked: list[str] = field(default_factory=list)

    def __call__(self, seen: Seen) -> Reply:
        self.asked.append(seen.path)
        headers = (("Content-Type", "text/html"),)
        return Reply(self.status, headers=headers, body=self.icons.encode())


@pytest.fixture
def site(bench: Bench) -> Site:
    """The page of the feeds' site."""
    made = bench.script["/"] = Site()
    return made


async def _freshen(bench: Bench) -> None:
    await Icons().freshen(bench.room.tools, owner="bot")


async def test_a_mistake_ends_only_its_round(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody foresaw costs the icons of one round, and never the bot."""
    monkeypatch.setattr("wireroom.channels.discord.bot.icons._TICK_SECONDS", 0)
    rounds = iter(["a mistake", "another"])

    class Broken(Icons):
        async def freshen(self, *_: object, **__: object) -> None:
            if (mistake := next(rounds, None)) is not None:
                raise RuntimeError(mistake)
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await freshen_forever(Broken(), bench.room.tools, owner="bot")


async def _pictures(bench: Bench, *items: str) -> list[str | None]:
    """What stands beside the messages about these new items."""
    before = len(bench.discord.messages)
    bench.script["/feed"] = feed(*items)
    await bench.run("rss poll", feed="1")
    await bench.deliver()
    return [each.payload.get("avatar_url") for each in bench.discord.messages[before:]]


async def test_one_look_for_all_feeds_and_restarts(bench: Bench, site: Site) -> None:
    """The best icon is found on the site itself; another feed of it, and the same after a restart,
    ask nobody."""
    await bench.run("rss add", feed_url=FEED)
    await bench.restart()
    await bench.run("rss add", feed_url=OTHER)

    assert [LARGE] * 2 == [each.payload["avatar_url"] for each in bench.discord.messages]
    assert ["/"] == site.asked


async def test_another_icon_arrives(bench: Bench, site: Site) -> None:
    """Within a week of being shown, by one more look."""
    await bench.run("rss add", feed_url=FEED)
    site.icons = '<link rel="icon" sizes="96x96" href="/new.png">'
    bench.room.clock.move(WEEK / 2)
    await _freshen(bench)
    early = list(site.asked)
    bench.room.clock.move(WEEK / 2 + timedelta(minutes=1))
    await _freshen(bench)
    await _freshen(bench)

    assert [NEW] == await _pictures(bench, "3", "2", "1")
    assert (["/"], ["/", "/"]) == (early, site.asked)


@pytest.mark.parametrize(
    ("change", "picture"),
    [
        (lambda site: setattr(site, "status", 503), LARGE),
        (lambda site: setattr(site, "icons", "<p>none"), None),
    ],
    ids=["the site is away", "it has none any more"],
)
async def test_no_icon_is_found_again(
    bench: Bench, site: Site, change: Callable[[Site], None], picture: str | None
) -> None:
    """A site that is away keeps its icon, one that took it down does not."""
    await bench.run("rss add", feed_url=FEED)
    change(site)
    bench.room.clock.move(WEEK)
    await _freshen(bench)

    assert [picture] == await _pictures(bench, "3", "2", "1")
    assert 2 == len(site.asked)


async def test_nobody_is_asked_for_what_nobody_shows(bench: Bench, site: Site) -> None:
    """A feed that went costs its site no request."""
    await bench.run("rss add", feed_url=FEED)
    await bench.run("rss remove", feed="1")
    bench.room.clock.move(WEEK)
    await _freshen(bench)

    assert ["/"] == site.asked


async def test_icons_of_an_earlier_version(bench: Bench, site: Site) -> None:
    """What is shown, and of which nothing was kept, is looked for, once."""
    await bench.run("rss add", feed_url=FEED)
    await bench.database.write(icons.forget, "news.example")
    site.icons = '<link rel="icon" sizes="96x96" href="/new.png">'
    await _freshen(bench)
    await _freshen(bench)

    assert [NEW] == await _pictures(bench, "3", "2", "1")
    assert ["/", "/"] == site.asked


async def test_a_service_is_asked_instead(bench: Bench, site: Site) -> None:
    """Where the operator named one, nobody looks at sites."""
    named = Icons("https://icons.example/{host}.png")
    found = await named.of(bench.room.tools, "https://news.example/page", owner="bot")

    assert "https://icons.example/news.example.png" == found
    assert [] == site.asked


@pytest.mark.parametrize(
    "page", ["https://[::1", "https://[x]/", "https://][", "https://a\0b/", "https://"]
)
async def test_pages_whose_address_cannot_be_read(bench: Bench, site: Site, page: str) -> None:
    """A publisher's mistake costs its own picture, and never the look for those of others."""
    named = Icons("https://icons.example/{host}.png")

    assert "" == await named.of(bench.room.tools, page, owner="bot")
    assert "" == await Icons().of(bench.room.tools, page, owner="bot")

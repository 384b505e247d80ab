"""The daily calibration: when it is due, what it does, and that one process does it."""

import asyncio
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection, select
from structlog.testing import capture_logs

from tests.fetching.conftest import OpenSite
from tests.polling.newsroom import PATIENCE_SECONDS, Newsroom, rss
from tests.rows import add_account, add_feeds, follow_all
from tests.servers.scripted import Reply
from wireroom import wiring
from wireroom.polling import calibration
from wireroom.polling.calibration import Daily
from wireroom.settings import Settings
from wireroom.store import notices
from wireroom.store.schema import feeds, lanes

BANGKOK = Daily(time(17, 1))
WITH_ETAG = (("ETag", '"a"'),)


@pytest.mark.parametrize(
    ("now", "due"),
    [((30, 17, 0), (29, 17, 1)), ((30, 17, 1), (30, 17, 1)), ((30, 23, 59), (30, 17, 1))],
)
def test_when_it_was_due_last(now: tuple[int, int, int], due: tuple[int, int, int]) -> None:
    """Every day at 17:01 UTC, which is 00:01 at GMT+7 (SCH-43)."""
    rss_feeds = wiring.calibration(Settings(profile="rss-feed"))
    in_words = wiring.calibration(Settings(calibrate_at="00:01 Asia/Bangkok"))

    for daily in (BANGKOK, rss_feeds, in_words):
        assert daily is not None
        assert datetime(2026, 11, *due, tzinfo=UTC) == daily.last(
            datetime(2026, 11, *now, tzinfo=UTC)
        )


def test_the_clock_on_the_wall_counts() -> None:
    """A zone with summer time keeps its hour over the change."""
    berlin = Daily(time(3, 0), ZoneInfo("Europe/Berlin"))

    assert [1, 2] == [
        berlin.last(datetime(2026, 10, day, 12, tzinfo=UTC)).hour for day in (24, 25)
    ]


@pytest.mark.parametrize(
    ("settings", "is_on"),
    [
        (Settings(), False),
        (Settings(profile="rss-feed"), True),
        (Settings(profile="rss-feed", calibrate_at="off"), False),
        (Settings(calibrate_at="04:00"), True),
    ],
    ids=["by default", "its users know it", "switched off", "switched on"],
)
def test_it_is_a_switch(settings: Settings, is_on: bool) -> None:
    """On where rss-feed's users expect it, and wherever the operator wants it (C36)."""
    assert is_on == (wiring.calibration(settings) is not None)


async def test_it_happens_once_a_day_whoever_asks(newsroom: Newsroom, open_site: OpenSite) -> None:
    """The first to ask gets the turn; the day after, there is another one."""
    async with open_site({"/feed": Reply(headers=WITH_ETAG, body=rss("1"))}):
        await newsroom.subscribe("https://news.example/feed")
        first = await calibration.calibrate(newsroom.tools, BANGKOK)
        second = await calibration.calibrate(newsroom.tools, BANGKOK)
        await newsroom.poll_after(timedelta(hours=1))
        newsroom.clock.move(timedelta(days=1))
        third = await calibration.calibrate(newsroom.tools, BANGKOK)

    assert (1, None, 1) == (first, second, third)


async def test_it_reads_everything_and_brings_nothing(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Asked without validators; what was seen is no news, and failing feeds wait (SCH-45)."""
    script = {
        "/feed": Reply(headers=WITH_ETAG, body=rss("1")),
        "/bad": [Reply(headers=WITH_ETAG, body=rss("2")), Reply(500)],
    }
    async with open_site(script) as server:
        well = await newsroom.subscribe("https://news.example/feed")
        bad = await newsroom.subscribe("https://news.example/bad")
        await newsroom.poll_after(timedelta(minutes=10))
        waits = (await newsroom.standing(bad.feed_id)).next_poll_at
        asked = len(server.seen)
        count = await calibration.calibrate(newsroom.tools, BANGKOK)
        standing = await newsroom.standing(bad.feed_id)
        await newsroom.poll_after(timedelta(minutes=9))

    assert 1 == count
    assert [("/feed", None)] == [
        (seen.path, seen.headers.get("if-none-match")) for seen in server.seen[asked:]
    ]
    assert [] == await newsroom.titles(well.feed_id, news=True)
    assert (waits, 1, '"a"') == (standing.next_poll_at, standing.failure_count, standing.etag)


async def test_it_is_spread_over_an_hour(newsroom: Newsroom) -> None:
    """Of 3,600 feeds in 100 lanes no minute gets more than 90, and lanes wake in time (C36)."""

    standing = {
        "next_poll_at": newsroom.clock() + timedelta(hours=5),
        "last_attempt_at": newsroom.clock(),
        "last_success_at": newsroom.clock(),
    }
    known = {}
    for number in range(3600):
        host = f"h{number % 100}.example"
        known[f"F{number}"] = {"host": host, "url": f"https://{host}/{number}", **standing}

    def stock(connection: Connection) -> None:
        follow_all(connection, add_account(connection, "reader"), add_feeds(connection, known))

    await newsroom.database.write(stock)
    assert 3600 == await calibration.calibrate(newsroom.tools, BANGKOK)
    due = await newsroom.database.read(
        lambda connection: connection.execute(
            select(feeds.c.lane, feeds.c.next_poll_at).order_by(feeds.c.next_poll_at)
        ).all()
    )
    ready = await newsroom.database.read(
        lambda connection: dict(connection.execute(select(lanes.c.key, lanes.c.ready_at)).all())
    )

    minutes = [(each.next_poll_at - newsroom.clock()) // timedelta(minutes=1) for each in due]
    assert {*range(60)} == {*minutes}
    assert max(map(minutes.count, range(60))) <= 90
    assert ready == dict(reversed(due))


async def test_it_tells_nobody_but_the_log(newsroom: Newsroom, open_site: OpenSite) -> None:
    """One line with the count, and no notice to any chat (SCH-44)."""
    async with open_site({"/feed": Reply(headers=WITH_ETAG, body=rss("1"))}):
        await newsroom.subscribe("https://news.example/feed")
        heard = newsroom.bell.rings
        with capture_logs() as logged:
            work = calibration.calibrate_daily(newsroom.tools, newsroom.bell, BANGKOK)
            loop = asyncio.create_task(work)
            await newsroom.bell.wait(heard, PATIENCE_SECONDS)
            loop.cancel()
            await asyncio.gather(loop, return_exceptions=True)

    assert [("calibrated", 1)] == [(line["event"], line["feeds"]) for line in logged]
    assert [] == await newsroom.database.write(notices.untold)

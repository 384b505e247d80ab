"""The daily calibration: when it is due, and that one process does it."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.fetching.conftest import OpenSite
from tests.polling.newsroom import Newsroom, rss
from tests.servers.scripted import Reply
from wireroom.polling import calibration


@pytest.mark.parametrize(
    ("now", "due"),
    [((30, 17, 0), (29, 17, 1)), ((30, 17, 1), (30, 17, 1)), ((30, 23, 59), (30, 17, 1))],
)
def test_when_it_was_due_last(now: tuple[int, int, int], due: tuple[int, int, int]) -> None:
    """Every day at 17:01 UTC, which is 00:01 at GMT+7 (SCH-43)."""
    assert datetime(2026, 11, *due, tzinfo=UTC) == calibration.last_due(
        datetime(2026, 11, *now, tzinfo=UTC)
    )


async def test_it_happens_once_a_day_whoever_asks(newsroom: Newsroom, open_site: OpenSite) -> None:
    """The first to ask gets the turn; the day after, there is another one."""
    async with open_site({"/feed": Reply(headers=(("ETag", '"a"'),), body=rss("1"))}):
        await newsroom.subscribe("https://news.example/feed")
        first = await calibration.calibrate(newsroom.tools)
        second = await calibration.calibrate(newsroom.tools)
        await newsroom.poll()
        newsroom.clock.move(timedelta(days=1))
        third = await calibration.calibrate(newsroom.tools)

    assert (1, None, 1) == (first, second, third)

"""Group commit: one bad row, one lost lease or a database that is away harm nobody else."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.polling.newsroom import STEADY, Clock, rss
from tests.rows import add_account, add_feed, follow
from wireroom.errors import LeaseLost, StoreUnavailable
from wireroom.feeds import parse
from wireroom.fetching.outcome import Fetched, Hops, Validators
from wireroom.polling import commit
from wireroom.polling.commit import Committer
from wireroom.polling.judging import digest
from wireroom.polling.tools import Pace, Polling
from wireroom.store import claims, feeds, ingest
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.ingest import Committed, Finished


async def read(body: bytes, **more: Any) -> Any:
    return parse.read(body, **more)


class Desk:
    """Feeds that were asked and read, with their lanes leased; nothing is stored yet."""

    def __init__(self, database: Database) -> None:
        self.database, self.clock, self.bell = database, Clock(), Bell()
        self.tools = Polling(database, None, read, STEADY, self.clock, lambda: 0.5)  # type: ignore[arg-type]

    async def finished(self, name: str, *items: str) -> Finished:
        def work(connection: Any) -> tuple[Any, Any]:
            feed_id = add_feed(connection, name)
            follow(connection, add_account(connection, name), feed_id)
            lane = f"{name.lower()}.example"
            lease = claims.claim_lane(connection, lane, owner="me", now=self.clock())
            return feeds.to_poll(connection, feed_id), lease

        feed, lease = await self.database.write(work)
        outcome = Fetched(Hops(feed.url), 200, rss(*items), "", Validators('"a"'))
        return await digest(feed, outcome, lease, self.tools, elapsed=timedelta(0))

    def committer(self, **more: Any) -> Committer:
        pace = Pace(spacing=timedelta(0))
        return Committer(self.database, self.bell, self.clock, pace=lambda: pace, **more)


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


async def committed(desk: Desk, *finished: Finished) -> list[Committed | BaseException]:
    async with desk.committer() as committer:
        return await asyncio.gather(*map(committer.commit, finished), return_exceptions=True)


async def test_feeds_that_finish_together_are_stored_together(desk: Desk) -> None:
    """Two feeds in one batch: both hear of it, and the bell rings for the news."""
    one, two = await desk.finished("One", "1"), await desk.finished("Two", "2", "3")

    first, second = await committed(desk, one, two)
    assert isinstance(first, Committed)
    assert first == second
    assert (3, frozenset({one.feed.id, two.feed.id})) == (first.new_count, first.news_feed_ids)
    assert 1 == desk.bell.rings


@pytest.mark.parametrize(("quiet", "news"), [(1, 1), (24, 0)], ids=["news", "many"])
async def test_who_waits_for_company_is_taken_along(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, quiet: int, news: int
) -> None:
    """Feeds without news wait for others, but not any longer than until one has some, or until
    they are enough; then all are stored at once."""
    monkeypatch.setattr(commit, "_COMPANY_SECONDS", 60)
    batches = []

    def count(connection: Any, finished: list[Finished], *more: Any) -> Committed:
        batches.append(len(finished))
        return Committed()

    monkeypatch.setattr(ingest, "commit", count)
    one = await desk.finished("One", "1")
    same = replace(one, outcome="unchanged", reading=None)

    async with asyncio.timeout(20), desk.committer() as committer:
        await asyncio.gather(*map(committer.commit, [same] * 2))  # from now on there is company
        await asyncio.gather(*map(committer.commit, [same] * quiet + [one] * news))

    assert [2, quiet + news] == batches


async def test_a_lost_lease_costs_only_its_own_feed(desk: Desk) -> None:
    """Whoever was overtaken hears LeaseLost; the others of the batch are stored."""
    one, two = await desk.finished("One", "1"), await desk.finished("Two", "2")
    await desk.database.write(
        lambda connection: claims.release_lane(connection, one.lease, now=desk.clock())
    )

    lost, stored = await committed(desk, one, two)
    assert isinstance(lost, LeaseLost)
    assert isinstance(stored, Committed)


async def test_a_bad_row_costs_only_its_own_feed(desk: Desk) -> None:
    """What the database refuses is told to its feed alone, and none of it is stored."""
    good, bad = await desk.finished("Good", "1"), await desk.finished("Bad", "2")
    bad = replace(bad, next_poll_at=bad.at.replace(tzinfo=None))

    stored, refused = await committed(desk, good, bad)
    assert isinstance(stored, Committed)
    assert isinstance(refused, Exception)
    with desk.database.reading() as connection:
        feed = feeds.to_poll(connection, bad.feed.id)
    assert feed is not None
    assert (0, "", True) == (feed.last_seq, feed.etag, feed.never_read)


async def test_a_reading_that_came_late_is_passed_over(desk: Desk) -> None:
    """Two readings of one feed under two leases: the second would store every item again."""
    one = await desk.finished("One", "1", "2")
    other = await desk.database.write(
        lambda connection: claims.claim_lane(
            connection, "elsewhere.example", owner="me", now=desk.clock()
        )
    )
    late = replace(one, lease=other)

    (first,) = await committed(desk, one)
    (second,) = await committed(desk, late)
    assert isinstance(first, Committed)
    assert isinstance(second, Committed)
    assert (2, 0, {one.feed.id}) == (first.new_count, second.new_count, second.passed_over)


async def test_the_database_is_waited_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short absence costs nothing; nothing is stored twice."""
    one = await desk.finished("One", "1")
    tries = iter([StoreUnavailable("away"), None])

    def commit(*arguments: Any) -> Committed:
        failure = next(tries)
        if failure is not None:
            raise failure
        return real(*arguments)

    real = ingest.commit
    monkeypatch.setattr(ingest, "commit", commit)

    (stored,) = await committed(desk, one)
    assert isinstance(stored, Committed)
    assert 1 == stored.new_count


async def test_a_database_that_stays_away_is_told_to_all_at_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The patience is for the whole batch, and shorter than a lease."""
    several = [await desk.finished(f"F{number}", "1") for number in range(5)]
    tries = []

    def commit(*arguments: Any) -> Committed:
        tries.append(len(arguments[1]))
        raise StoreUnavailable("away")

    monkeypatch.setattr(ingest, "commit", commit)
    async with desk.committer(patience=timedelta(seconds=0.7)) as committer:
        answers = await asyncio.gather(*map(committer.commit, several), return_exceptions=True)

    assert [StoreUnavailable] * 5 == [type(answer) for answer in answers]
    assert len(tries) <= 3


async def test_who_waits_at_the_end_is_not_left_waiting(desk: Desk) -> None:
    """When the committer closes, whoever still waits is cancelled instead of hanging."""
    one = await desk.finished("One", "1")
    committer = desk.committer()
    async with committer:
        pass
    waiting = asyncio.ensure_future(committer.commit(one))
    await asyncio.sleep(0)
    await committer.__aenter__()
    await committer.__aexit__()

    with pytest.raises((asyncio.CancelledError, LeaseLost)):
        await asyncio.wait_for(waiting, 5)

"""The loop: one request a host at a time, nothing lost at its end, nobody waits for another."""

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest
from sqlalchemy import select, text

from tests.fetching.conftest import OpenSite
from tests.polling.newsroom import PATIENCE_SECONDS, Newsroom, rss
from tests.servers.scripted import Reply, Seen, redirect
from wireroom import subscribing
from wireroom.errors import Conflict, FeedUnavailable, StoreUnavailable
from wireroom.feeds.model import ParsedFeed
from wireroom.polling.tools import Pace
from wireroom.store import claims, feeds, subscriptions, switches
from wireroom.store.schema import feeds as feeds_table
from wireroom.store.schema import fetches, lanes

TEN_MINUTES = timedelta(minutes=10)


def overlaps(server_log: list[tuple[float, float]]) -> bool:
    """Whether two of these (begin, end) spans share a moment."""
    ordered = sorted(server_log)
    return any(later[0] < earlier[1] for earlier, later in pairwise(ordered))


async def follow_many(newsroom: Newsroom, *urls: str) -> list[int]:
    """Rows of feeds that are due, without asking for them."""
    from wireroom.feeds import urls as addresses

    def work(connection: object) -> list[int]:
        ids = []
        for url in urls:
            feed_id = feeds.make(
                connection,  # type: ignore[arg-type]
                url=url,
                canonical_key=addresses.canonical(url),
                lane=addresses.lane(url),
                now=newsroom.clock(),
            )
            subscriptions.add(
                connection,  # type: ignore[arg-type]
                account_id=newsroom.account,
                feed_id=feed_id,
                now=newsroom.clock(),
            )
            ids.append(feed_id)
        return ids

    return await newsroom.database.write(work)


async def test_one_host_never_sees_two_requests_at_once(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Six feeds of a slow host are asked one by one, by two loops, in whatever letters it is
    written; another host goes on (HTTP-15, SCH-35)."""
    slow = {f"/{n}": Reply(body=rss(str(n)), delay=0.1) for n in range(6)}
    async with (
        open_site(slow, "slow.example", "93.184.216.34") as one,
        open_site({"/a": Reply(body=rss("a"))}, "fast.example", "93.184.216.35") as other,
    ):
        names = ("https://slow.example", "https://SLOW.Example", "https://slow.example:443")
        await follow_many(
            newsroom,
            *(f"{name}{path}" for name, path in zip(names * 2, slow, strict=True)),
            "https://fast.example/a",
        )
        async with newsroom.polling(owner="another machine"):
            await newsroom.poll()

    spans = [(seen.at, seen.at + 0.1) for seen in one.seen]
    assert (6, False) == (len(spans), overlaps(spans))
    assert other.seen[0].at < one.seen[-1].at


async def test_what_became_due_behind_our_back_is_asked_within_a_tick(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Another process makes a feed due and rings no bell: the next look finds it (SCH-02)."""
    async with open_site({"/1": Reply(body=rss("1"))}) as server, newsroom.polling():
        await asyncio.sleep(0.1)
        await follow_many(newsroom, "https://news.example/1")
        heard = newsroom.bell.rings
        await until(lambda: server.seen)

    assert 0 == heard


async def test_a_loop_looks_at_once_when_it_starts(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """What is due then waits for no tick: it is asked within the five seconds of SCH-04."""
    pace = Pace(8, tick=timedelta(hours=1), spacing=timedelta(0))
    async with open_site({"/1": Reply(body=rss("1"))}) as server:
        await follow_many(newsroom, "https://news.example/1")
        async with newsroom.polling(pace=pace):
            await until(lambda: server.seen)


async def test_a_slow_answer_is_not_asked_for_again(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Twenty ticks pass while it comes: whoever looks meanwhile takes nothing twice (SCH-03)."""
    async with open_site({"/1": Reply(body=rss("1"), delay=0.4)}) as server:
        await follow_many(newsroom, "https://news.example/1")
        async with newsroom.polling(owner="another process"):
            await newsroom.poll()

    assert ["/1"] == server.paths()


async def test_what_polls_come_to_is_counted(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Each answer by its outcome, items and bytes; a 304 is told from a document (LOG-11)."""
    document = rss("1", "2")

    def by_version(seen: Seen) -> Reply:
        known = "if-none-match" in seen.headers
        return Reply(304) if known else Reply(body=document, headers=(("ETag", '"1"'),))

    async with open_site({"/1": by_version, "/2": Reply(500)}):
        await follow_many(newsroom, "https://news.example/1", "https://news.example/2")
        await newsroom.poll()
        await newsroom.poll_after(timedelta(hours=1))

    meters = newsroom.tools.meters
    assert {"news": 1, "not_modified": 1, "failed": 2} == meters.polls
    assert (2, len(document)) == (meters.new_items, meters.fetched_bytes)
    assert 2 == meters.lanes


async def test_turns_that_were_missed_are_not_made_up_for(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """There is no queue that could grow stale: after days away, each feed is asked once (SCH-38).

    It is planned from now on, and was due for 288 times.
    """
    async with open_site({"/1": Reply(body=rss("1"))}) as server:
        (feed_id,) = await follow_many(newsroom, "https://news.example/1")
        await newsroom.poll()
        await newsroom.poll_after(timedelta(days=2))

    assert ["/1", "/1"] == server.paths()
    assert newsroom.clock() + TEN_MINUTES == (await newsroom.standing(feed_id)).next_poll_at


async def test_lanes_are_taken_in_bounded_numbers(
    newsroom: Newsroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 500 at a time, however wide the loop runs (SCH-36)."""
    asked = []

    def claim(connection: object, *, limit: int, **_: object) -> list[object]:
        asked.append(limit)
        return []

    monkeypatch.setattr("wireroom.store.turns.claim", claim)
    for concurrency in (3, 2000):
        async with newsroom.polling(concurrency=concurrency):
            await until(lambda: asked)
            await asyncio.sleep(0)
        assert {min(concurrency, 500)} == set(asked)
        asked.clear()


async def test_a_new_width_and_tick_hold_for_the_running_loop(
    newsroom: Newsroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever replaces the pace: the next claim is by it, and so is the next sleep."""
    asked = []

    def claim(connection: object, *, limit: int, **_: object) -> list[object]:
        asked.append(limit)
        return []

    monkeypatch.setattr("wireroom.store.turns.claim", claim)
    async with newsroom.polling(pace=Pace(3, tick=timedelta(hours=1))):
        await until(lambda: asked)
        newsroom.tools.pace = Pace(5, tick=timedelta(milliseconds=20))
        newsroom.bell.ring()
        await until(lambda: len(asked) >= 3)

    assert ([3], {5}) == (asked[:1], set(asked[1:]))


async def test_a_narrower_pace_waits_for_what_is_under_way(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Nothing is taken, and nothing is dropped, while more hosts answer than there is room for."""
    async with (
        open_site({"/1": Reply(body=rss("1"), delay=0.2)}) as slow,
        open_site({"/2": Reply(body=rss("2"), delay=0.2)}, "b.example", "93.184.216.35") as other,
        open_site({"/3": Reply(body=rss("3"))}, "c.example", "93.184.216.36") as third,
    ):
        await follow_many(newsroom, "https://news.example/1", "https://b.example/2")
        async with newsroom.polling(concurrency=2):
            await until(lambda: slow.seen and other.seen)
            newsroom.tools.pace = replace(newsroom.tools.pace, concurrency=1)
            await follow_many(newsroom, "https://c.example/3")
            newsroom.bell.ring()
            await until(lambda: third.seen)

    assert [1, 1, 1] == [len(each.seen) for each in (slow, other, third)]
    assert third.seen[0].at - slow.seen[0].at >= 0.2


async def test_the_failure_of_one_feed_is_its_own(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Its neighbours on the host and other hosts have their turn in the same cycle (FAIL-30)."""
    script = {
        "/status": Reply(500),
        "/babble": Reply(raw=b"SSH-2.0\r\n"),
        "/page": Reply(body=b"<html><body>Maintenance"),
        "/2": Reply(body=rss("2")),
    }
    async with (
        open_site(script),
        open_site({"/3": Reply(body=rss("3"))}, "other.example", "93.184.216.35"),
    ):
        ids = await follow_many(
            newsroom,
            "https://nowhere.example/0",  # has no address
            *(f"https://news.example{path}" for path in script),
            "https://other.example/3",
        )
        await newsroom.poll()

    counts = [(await newsroom.standing(feed_id)).failure_count for feed_id in ids]
    assert [1, 1, 1, 1, 0, 0] == counts
    assert ["Story 2"] == await newsroom.titles(ids[4])
    assert ["Story 3"] == await newsroom.titles(ids[5])


async def test_requests_to_one_host_are_spaced(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Between two requests to a host lies the spacing, counted from the end of one (HTTP-16)."""
    script = {f"/{n}": Reply(body=rss(str(n))) for n in range(3)}
    async with open_site(script) as server:
        await follow_many(newsroom, *(f"https://news.example{path}" for path in script))
        async with newsroom.polling(spacing=timedelta(seconds=0.2)):
            await until(lambda: len(server.seen) == 3)

    gaps = [later.at - seen.at for seen, later in pairwise(server.seen)]
    assert all(gap >= 0.2 for gap in gaps), gaps


async def until(condition: object) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # type: ignore[operator]  # noqa: ASYNC110
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("status", [429, 503])
async def test_a_host_that_says_too_many_is_left_alone(
    newsroom: Newsroom, open_site: OpenSite, status: int
) -> None:
    """One answer pauses all feeds of the host until Retry-After; none of them counts an error."""
    script = {"/1": Reply(status, (("Retry-After", "120"),)), "/2": Reply(body=rss("2"))}
    async with open_site(script) as server:
        ids = await follow_many(newsroom, "https://news.example/1", "https://news.example/2")
        await newsroom.poll()
        await newsroom.poll_after(timedelta(seconds=119))
        assert ["/1"] == server.paths()
        with pytest.raises(FeedUnavailable, match="asked us to wait"):
            await subscribing.refresh_now(newsroom.tools, ids[1], owner="front end")
        await newsroom.poll_after(timedelta(seconds=1))

    assert "/2" in server.paths()
    assert 0 == (await newsroom.standing(ids[0])).failure_count


async def test_pauses_without_a_time_double(newsroom: Newsroom, open_site: OpenSite) -> None:
    """A host that names no time is left alone for 10, 20 and 40 minutes, until it answers well."""
    script = {"/1": [*[Reply(429)] * 3, Reply(body=rss("1")), Reply(429)]}
    waits = []
    async with open_site(script):
        await follow_many(newsroom, "https://news.example/1")
        for _ in range(5):
            await newsroom.poll()
            until_ = await newsroom.database.read(claims.paused_until, "news.example")
            waits.append(((until_ or newsroom.clock()) - newsroom.clock()) // timedelta(minutes=1))
            newsroom.clock.move(timedelta(hours=7))

    assert [10, 20, 40] == waits[:3]
    assert 10 == waits[4]


WALLS = {
    "refused": Reply(403, (("cf-mitigated", "challenge"),), b"<html>"),
    "as if all were well": Reply(body=b"<html><title>Just a moment...</title>"),
}


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
async def test_a_bot_wall_pauses_its_host(
    newsroom: Newsroom, open_site: OpenSite, wall: Reply
) -> None:
    """It is a failure of its feed and a word about our rate: the others of the host wait (B25)."""
    script = {"/1": [wall, Reply(body=rss("1"))], "/2": Reply(body=rss("2"))}
    async with open_site(script) as server:
        ids = await follow_many(newsroom, "https://news.example/1", "https://news.example/2")
        await newsroom.poll()
        walled = server.paths()
        await newsroom.poll_after(timedelta(minutes=9))
        assert ["/1"] == walled == server.paths()
        await newsroom.poll_after(timedelta(minutes=1))

    assert {"/1", "/2"} == set(server.paths()[1:])
    assert [0, 0] == [(await newsroom.standing(feed_id)).failure_count for feed_id in ids]


@pytest.mark.parametrize("wall", WALLS.values(), ids=WALLS)
async def test_whoever_follows_a_feed_behind_a_bot_wall_may_try_again(
    newsroom: Newsroom, open_site: OpenSite, wall: Reply
) -> None:
    """With what opens it, and at once: advice that has to wait is none (B25)."""
    async with open_site({"/1": [wall, Reply(body=rss("1"))]}):
        with pytest.raises(FeedUnavailable, match=r"(browser|bot) check"):
            await newsroom.subscribe("https://news.example/1")
        followed = await newsroom.subscribe("https://news.example/1")

    assert ["Story 1"] == await newsroom.titles(followed.feed_id)


async def test_a_throttled_probe_does_not_silence_its_neighbours_for_a_day(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A given-up feed is asked once a day; its host is paused for as long as the host said."""
    script = {"/1": Reply(429, (("Retry-After", "60"),)), "/2": Reply(body=rss("2"))}
    async with open_site(script) as server:
        ids = await follow_many(newsroom, "https://news.example/1", "https://news.example/2")
        with newsroom.database.writing() as connection:
            connection.execute(
                feeds_table.update()
                .where(feeds_table.c.id == ids[0])
                .values(health={"failures": 12, "given_up": "12 errors"})
            )
        await newsroom.poll()
        assert ["/1"] == server.paths()
        await newsroom.poll_after(timedelta(minutes=1))

    assert ["/1", "/2"] == server.paths()
    wait = (await newsroom.standing(ids[0])).next_poll_at - newsroom.clock()
    assert wait > timedelta(hours=20)


async def test_a_throttling_host_behind_a_redirect_is_the_one_that_is_paused(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """The feed's own host goes on; whoever is redirected to the silent one waits."""
    near = {
        "/1": redirect("https://far.example/1"),
        "/2": redirect("https://far.example/2"),
        "/3": Reply(body=rss("3")),
    }
    far = {"/1": Reply(429, (("Retry-After", "300"),)), "/2": Reply(body=rss("2"))}
    far["/1"] = [far["/1"], Reply(body=rss("1"))]
    async with (
        open_site(near, "near.example", "93.184.216.34") as one,
        open_site(far, "far.example", "93.184.216.35") as other,
    ):
        ids = await follow_many(newsroom, *(f"https://near.example/{n}" for n in (1, 2, 3)))
        await newsroom.poll()
        assert (["/1", "/2", "/3"], ["/1"]) == (one.paths(), other.paths())
        waiting = await newsroom.standing(ids[1])
        await newsroom.poll_after(timedelta(minutes=6))

    assert "/2" in other.paths()
    assert (0, "waits: far.example, where the feed redirects to, asked us to wait") == (
        waiting.failure_count,
        waiting.next_poll_reason,
    )


async def test_redirects_keep_to_the_order_of_the_host_they_lead_to(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Feeds of three hosts that all redirect to a fourth: that one still sees one at a time."""
    far = {f"/{n}": Reply(body=rss(str(n)), delay=0.1) for n in range(4)}
    near = [{"/feed": redirect(f"https://far.example/{n}")} for n in range(3)]
    async with (
        open_site(far, "far.example", "93.184.216.34") as there,
        open_site(near[0], "a.example", "93.184.216.35"),
        open_site(near[1], "b.example", "93.184.216.36"),
        open_site(near[2], "c.example", "93.184.216.37"),
    ):
        hosts = (f"https://{name}.example/feed" for name in "abc")
        await follow_many(newsroom, *hosts, "https://far.example/3")
        await newsroom.poll()

    spans = [(seen.at, seen.at + 0.1) for seen in there.seen]
    assert (4, False) == (len(spans), overlaps(spans))


async def test_two_hosts_that_redirect_to_each_other_do_not_wait_for_ever(
    newsroom: Newsroom, open_site: OpenSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each holds the lane that the other needs; one gives way, and comes again soon."""
    monkeypatch.setattr("wireroom.polling.lanes._PATIENCE", timedelta(seconds=0.3))
    here = {"/go": Reply(302, (("Location", "https://b.example/feed"),), delay=0.1)}
    there = {"/go": Reply(302, (("Location", "https://a.example/feed"),), delay=0.1)}
    for script in (here, there):
        script["/feed"] = Reply(body=rss("1"))
    async with (
        open_site(here, "a.example", "93.184.216.34"),
        open_site(there, "b.example", "93.184.216.35"),
    ):
        newsroom.tools = replace(newsroom.tools, random=Random(7).random)
        ids = await follow_many(newsroom, "https://a.example/go", "https://b.example/go")
        await newsroom.poll()
        for _ in range(4):
            await newsroom.poll_when_due()

    for feed_id in ids:
        feed = await newsroom.standing(feed_id)
        assert (0, True) == (feed.failure_count, feed.last_success_at is not None)


async def test_lanes_are_given_back_when_the_loop_stops(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Stopping in the middle of a request takes no time and leaves no lease behind."""
    async with open_site({"/1": Reply(silent=True)}) as server:
        await follow_many(newsroom, "https://news.example/1")
        async with newsroom.polling():
            await until(lambda: server.seen)
            began = time.monotonic()
        took = time.monotonic() - began

    assert took < 5
    assert [None] == await newsroom.database.read(
        lambda connection: list(connection.scalars(select(lanes.c.lease_owner)))
    )


async def test_a_lane_is_given_back_when_the_database_is_there_again(newsroom: Newsroom) -> None:
    """A restart of the database costs a moment of the lane, not the rest of a lease."""
    await follow_many(newsroom, "https://news.example/1")
    lanes_tool = newsroom.tools.lanes
    lease = await lanes_tool.claim("news.example", "me")
    assert lease is not None
    write, failures = newsroom.database.write, [StoreUnavailable("It restarts.")]

    async def refusing(work, *args):  # type: ignore[no-untyped-def]
        if failures:
            raise failures.pop()
        return await write(work, *args)

    newsroom.database.write = refusing  # type: ignore[method-assign]
    await lanes_tool.give_back(lease)

    assert [None] == await newsroom.database.read(
        lambda connection: list(connection.scalars(select(lanes.c.lease_owner)))
    )


async def test_what_a_cancelled_claim_takes_is_given_back(newsroom: Newsroom) -> None:
    """The store finishes what it began; the lane must not lie idle for a lease's length."""
    await follow_many(newsroom, "https://news.example/1")
    for _ in range(5):
        claiming = asyncio.create_task(newsroom.tools.lanes.claim_due("me", 10))
        await asyncio.sleep(0)
        claiming.cancel()
        with pytest.raises(asyncio.CancelledError):
            await claiming

        owners = await newsroom.database.read(
            lambda connection: list(connection.scalars(select(lanes.c.lease_owner)))
        )
        assert [None] == owners


async def test_a_feed_that_nobody_follows_goes_without_a_request(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Its publisher hears nothing, whatever removed the last subscription (SCH-37, SCH-39)."""
    async with open_site({"/1": Reply(body=rss("1"))}) as server:
        (feed_id,) = await follow_many(newsroom, "https://news.example/1")
        with newsroom.database.writing() as connection:
            connection.execute(text("DELETE FROM subscriptions"))
        await newsroom.poll()

    assert ([], None) == (server.seen, await newsroom.feed(feed_id))


async def test_a_feed_that_goes_while_it_is_asked_leaves_nothing(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Unsubscribing in flight: the answer is dropped, and the lane goes on."""
    script = {"/1": Reply(body=rss("1"), delay=0.3), "/2": Reply(body=rss("2"))}
    async with open_site(script) as server:
        first, second = await follow_many(
            newsroom, "https://news.example/1", "https://news.example/2"
        )
        async with newsroom.polling():
            await until(lambda: server.seen)
            with newsroom.database.writing() as connection:
                connection.execute(text("DELETE FROM subscriptions WHERE feed_id = 1"))
                assert feeds.purge_if_unfollowed(connection, first, now=newsroom.clock())
            await until(lambda: len(server.seen) == 2)
            await newsroom.poll()

    assert await newsroom.feed(first) is None
    assert ["Story 2"] == await newsroom.titles(second)


async def test_a_mistake_of_ours_costs_the_publisher_one_request(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A document that trips the parser backs its feed off; the feeds behind it are read.

    What elsewhere is a job with three tries and a dead letter is the feed's row itself: an error
    is counted there, and giving up follows the policy (SCH-38, FAIL-12).
    """

    async def tripping(body: bytes, **more: object) -> ParsedFeed:
        if b"trip" in body:
            raise ZeroDivisionError
        return await newsroom.tools.read(body, **more)

    tools = replace(newsroom.tools, read=tripping)
    script = {"/1": Reply(body=rss("trip")), "/2": Reply(body=rss("2"))}
    async with open_site(script) as server:
        first, second = await follow_many(
            newsroom, "https://news.example/1", "https://news.example/2"
        )
        async with newsroom.polling(tools=tools):
            await until(lambda: len(server.seen) == 2)
            await asyncio.sleep(0.3)

    assert ["/1", "/2"] == server.paths()
    broken = await newsroom.standing(first)
    assert (1, True) == (broken.failure_count, broken.next_poll_at > newsroom.clock())
    assert ["Story 2"] == await newsroom.titles(second)


async def test_the_pause_switch_works_at_once(newsroom: Newsroom, open_site: OpenSite) -> None:
    """No request begins while polling is paused; what is due then is asked afterwards (SCH-47)."""
    async with open_site({"/1": Reply(body=rss("1"))}) as server:
        await follow_many(newsroom, "https://news.example/1")
        with newsroom.database.writing() as connection:
            switches.pause_polling(connection, now=newsroom.clock())
        async with newsroom.polling():
            await asyncio.sleep(0.2)
            assert [] == server.seen
            with newsroom.database.writing() as connection:
                switches.resume_polling(connection)
            await until(lambda: server.seen)


async def test_a_pause_holds_for_who_asks_by_hand(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Web, bots and command line say why nobody is asked, and nothing is asked afterwards that
    nobody waits for any more; whoever follows a feed meanwhile has it read (SCH-40, SCH-47)."""
    async with open_site({"/1": Reply(body=rss("1"))}) as server:
        with newsroom.database.writing() as connection:
            switches.pause_polling(connection, now=newsroom.clock())
        made = await newsroom.subscribe("https://news.example/1")
        planned = (await newsroom.standing(made.feed_id)).next_poll_at
        with pytest.raises(Conflict, match="Polling is paused, so nobody is asked"):
            await subscribing.refresh_now(newsroom.tools, made.feed_id, owner="front end")
        for feed_id in (made.feed_id, None):
            with pytest.raises(Conflict, match="Polling is paused, so nobody is asked"):
                await subscribing.request_refresh(newsroom.tools, newsroom.account, feed_id)

    assert ["/1"] == server.paths()
    assert planned == (await newsroom.standing(made.feed_id)).next_poll_at


async def test_a_hostile_document_ends_by_its_time_limit(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A large document that would be read for ever is an error, and polling goes on."""
    from tests.polling.test_parser import read_slowly
    from wireroom.polling.parser import Parser

    large = rss("1", more="<!--" + "x" * 300_000 + "-->")
    script = {"/1": Reply(body=large), "/2": Reply(body=rss("2"))}
    async with (
        open_site(script),
        Parser(time_limit_seconds=0.5, read_document=read_slowly) as parser,
    ):
        first, second = await follow_many(
            newsroom, "https://news.example/1", "https://news.example/2"
        )
        newsroom.tools = replace(newsroom.tools, read=parser.read)
        await newsroom.poll()

    assert (
        "The document could not be read within 0.5 s."
        == (await newsroom.standing(first)).last_error
    )
    assert ["Story 2"] == await newsroom.titles(second)


async def test_a_lane_with_hundreds_of_feeds_is_worked_off_in_one_turn(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """150 feeds on one host: each asked once, none twice."""
    script = {f"/{n}": Reply(body=rss(str(n))) for n in range(150)}
    async with open_site(script) as server:
        await follow_many(newsroom, *(f"https://news.example{path}" for path in script))
        await newsroom.poll()

    assert sorted(script) == sorted(server.paths())


async def test_every_request_leaves_its_mark(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Outcomes, times and reasons are there for people who ask what is going on; the last attempt
    counts when it failed, too (SCH-46)."""
    async with open_site({"/1": [Reply(body=rss("1")), Reply(404)]}):
        (feed_id,) = await follow_many(newsroom, "https://news.example/1")
        await newsroom.poll()
        await newsroom.poll_after(TEN_MINUTES)

    rows = await newsroom.database.read(
        lambda connection: connection.execute(
            select(fetches.c.outcome, fetches.c.status).order_by(fetches.c.at)
        ).all()
    )
    assert [("news", 200), ("failed", 404)] == [tuple(row) for row in rows]
    feed = await newsroom.standing(feed_id)
    assert newsroom.clock() == feed.last_attempt_at
    assert "in 10 min: after an error" == feed.next_poll_reason

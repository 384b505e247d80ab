"""Following a feed: one request, one row, one sentence when it does not work."""
# ruff: noqa: F811 - fixtures are imported, and asked for by name

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from tests.fetching.conftest import OpenSite
from tests.polling.conftest import authority, newsroom, open_client, open_site, world  # noqa: F401
from tests.polling.newsroom import Newsroom, rss
from tests.rows import add_account
from tests.servers.scripted import Reply, redirect
from wireroom import subscribing
from wireroom.errors import FeedUnavailable, InvalidURL, NotFound
from wireroom.store.schema import feeds, fetches, lanes, subscriptions
from wireroom.subscribing import Choice

FEED = "https://news.example/feed"
HTML = (("Content-Type", "text/html"),)


def page(*links: str) -> bytes:
    """A web page that advertises these feeds."""
    advertised = "".join(
        f'<link rel="alternate" type="application/rss+xml" title="{link}" href="{link}">'
        for link in links
    )
    return f"<!doctype html><html><head>{advertised}</head><body>Hello</body></html>".encode()


async def rows(newsroom: Newsroom, *columns: Any) -> list[tuple[Any, ...]]:
    return await newsroom.database.read(
        lambda connection: [tuple(row) for row in connection.execute(select(*columns))]
    )


async def test_a_second_follower_costs_no_request(newsroom: Newsroom, open_site: OpenSite) -> None:
    """A feed that we know is followed without asking its publisher (API-15); twice is once."""
    async with open_site({"/feed": Reply(body=rss("1"))}) as server:
        first = await newsroom.subscribe(FEED)
        again = await newsroom.subscribe("http://www.news.example:80/feed")
        newsroom.account = await newsroom.database.write(add_account, "bob")
        other = await newsroom.subscribe(FEED)

    assert 1 == len(server.seen)
    assert (False, True, False) == (first.existing, again.existing, other.existing)
    assert first.feed_id == again.feed_id == other.feed_id
    assert 2 == (await newsroom.standing(first.feed_id)).subscriber_count


async def test_a_new_feed_is_fetched_at_once(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Whoever subscribes waits for its first reading, which is stored when they hear (SCH-40)."""
    async with open_site({"/feed": Reply(body=rss("2", "1"))}) as server:
        followed = await newsroom.subscribe(FEED)

    assert ["/feed"] == server.paths()
    assert ["Story 1", "Story 2"] == await newsroom.titles(followed.feed_id)
    feed = await newsroom.standing(followed.feed_id)
    assert (newsroom.clock(), newsroom.clock() + timedelta(minutes=10)) == (
        feed.last_success_at,
        feed.next_poll_at,
    )


async def test_the_first_request_is_in_the_history(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """With the time that it took (OPT-03)."""
    async with open_site({"/feed": Reply(body=rss("1"), delay=0.05)}):
        await newsroom.subscribe(FEED)
    ((outcome, status, duration),) = await rows(
        newsroom, fetches.c.outcome, fetches.c.status, fetches.c.duration_ms
    )

    assert ("news", 200) == (outcome, status)
    assert 50 <= duration < 60_000


async def test_a_page_leads_to_its_likeliest_feed(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Two requests: the page, and the first of its feeds that is one."""
    script = {
        "/": Reply(headers=HTML, body=page("/broken", "/feed", "/comments/feed")),
        "/broken": Reply(500),
        "/feed": Reply(body=rss("1")),
    }
    async with open_site(script) as server:
        followed = await newsroom.subscribe("news.example")

    assert FEED == followed.url
    assert ["/", "/broken", "/feed"] == server.paths()
    assert 1 == len(await rows(newsroom, feeds.c.id))


@pytest.mark.parametrize(
    ("typed", "html"),
    [
        pytest.param("/2026/tide.html", b"<html><p>A tide</p></html>", id="front page"),
        pytest.param(
            "/moved", b"<meta http-equiv=Refresh content='0; URL=/blog/'><html>", id="sent on"
        ),
        pytest.param("/amp/1", b"<html amp><link rel=canonical href=/blog/>", id="light version"),
    ],
)
async def test_a_page_without_feeds_leads_to_pages_that_have_some(
    newsroom: Newsroom, open_site: OpenSite, typed: str, html: bytes
) -> None:
    """The front page, or where the page itself points, is looked through before giving up."""
    named = Reply(headers=HTML, body=page("/news.xml"))
    script = {
        typed: Reply(headers=HTML, body=html),
        "/" if b"tide" in html else "/blog/": named,
        "/news.xml": Reply(body=rss("1")),
    }
    async with open_site(script) as server:
        followed = await newsroom.subscribe("news.example" + typed)

    assert "https://news.example/news.xml" == followed.url
    assert 3 == len(server.seen)


async def test_whoever_gets_no_feed_hears_where_it_was_looked_for(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A newcomer would go on by trying /feed by hand; all that was done, in few requests."""
    html = Reply(headers=HTML, body=b"<html><a href=/rss-explained>RSS</a>")
    async with open_site({"/a/b": html, "/": html}) as server:
        with pytest.raises(
            FeedUnavailable, match=r"front page, .* \(/feed/, /rss\.xml and"
        ) as told:
            await newsroom.subscribe("news.example/a/b")

    assert "not_a_feed" == told.value.code
    assert {"/a/b", "/", "/feed/", "/rss.xml"} <= set(server.paths())
    assert len(server.seen) <= 16


@pytest.mark.parametrize(
    ("links", "offered"),
    [
        (("/world", "/sport"), ["https://news.example/world", "https://news.example/sport"]),
        (("http://news.example/a", "/b"), ["https://news.example/a", "https://news.example/b"]),
        (("/feed",), []),
        (("/feed", "/comments/feed"), []),
    ],
    ids=["several", "http on a page over https", "one", "one and its comments"],
)
async def test_only_equals_are_a_choice(
    newsroom: Newsroom, open_site: OpenSite, links: tuple[str, ...], offered: list[str]
) -> None:
    """Where a page has one feed it is followed at once; several are laid open, and none asked."""
    script = {"/": Reply(headers=HTML, body=page(*links)), "/feed": Reply(body=rss("1"))}
    async with open_site(script) as server:
        found = await subscribing.subscribe_or_choose(
            newsroom.tools, newsroom.account, "https://news.example/", owner="front end"
        )

    chosen = [each.url for each in found.offered] if isinstance(found, Choice) else []
    assert offered == chosen
    assert (1 if offered else 2) == len(server.seen)


async def test_candidates_are_offered_without_following(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """One request; what the page advertises comes in order, and nothing is stored."""
    async with open_site({"/": Reply(headers=HTML, body=page("/a", "/comments", "/b"))}) as server:
        found = await subscribing.candidates(
            newsroom.tools, "https://news.example/", owner="front end"
        )

    assert ["/a", "/b", "/comments"] == [each.title for each in found]
    assert 1 == len(server.seen)
    assert ([], []) == (await rows(newsroom, feeds.c.id), await rows(newsroom, lanes.c.key))


async def test_a_feed_is_its_own_candidate(newsroom: Newsroom, open_site: OpenSite) -> None:
    """With its title, so that people see what they chose."""
    async with open_site({"/feed": Reply(body=rss("1"))}):
        found = await subscribing.candidates(newsroom.tools, FEED, owner="front end")

    assert [(FEED, "Harbour")] == [(each.url, each.title) for each in found]


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        pytest.param(Reply(404), "feed_gone", "404", id="not there"),
        pytest.param(Reply(410), "feed_gone", "gone for good", id="gone"),
        pytest.param(Reply(401), "needs_credentials", "401", id="password"),
        pytest.param(Reply(429), "publisher_error", "fewer requests", id="throttled"),
        pytest.param(Reply(500), "publisher_error", "500", id="broken"),
        pytest.param(Reply(body=b"Hello, world."), "not_a_feed", "feed", id="text"),
    ],
)
async def test_refusals_say_what_is_wrong(
    newsroom: Newsroom, open_site: OpenSite, answer: Reply, code: str, words: str
) -> None:
    """One sentence and one code; nothing is stored, and no lease is left behind."""
    async with open_site({"/feed": answer}):
        with pytest.raises(FeedUnavailable, match=words) as refusal:
            await newsroom.subscribe(FEED)

    assert code == refusal.value.code
    assert [] == await rows(newsroom, feeds.c.id)
    assert [] == [row for row in await rows(newsroom, lanes.c.lease_owner) if row[0]]


async def test_what_blocks_is_told_apart(newsroom: Newsroom, open_site: OpenSite) -> None:
    """A status, a check of browsers, a page that is no feed: three advices (HTTP-38)."""
    answers = (
        Reply(403, body=b"<html>no</html>"),
        Reply(403, (("cf-mitigated", "challenge"),), b"<html>Just a moment...</html>"),
        Reply(body=b"<html><title>Harbour</title><p>Welcome</p></html>"),
    )
    told = []
    for answer in answers:
        async with open_site({"/feed": answer}):
            with pytest.raises(FeedUnavailable) as refusal:
                await newsroom.subscribe(FEED)
        told.append(str(refusal.value))

    assert len(answers) == len(set(told))
    assert "403" in told[0]
    assert "browser" in told[1]
    assert "web page" in told[2]


async def test_a_host_that_asked_for_silence_is_not_asked_again_by_people(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """429 to one subscriber holds for the next one, too (B18)."""
    async with open_site({"/feed": Reply(429, (("Retry-After", "600"),))}) as server:
        with pytest.raises(FeedUnavailable, match="fewer requests"):
            await newsroom.subscribe(FEED)
        with pytest.raises(FeedUnavailable, match="10 min"):
            await newsroom.subscribe("https://news.example/other")

    assert 1 == len(server.seen)


async def test_addresses_that_are_none_are_not_dialled(newsroom: Newsroom) -> None:
    """The sentence is for whoever typed it."""
    with pytest.raises(InvalidURL):
        await newsroom.subscribe("ftp://news.example/feed")


async def test_a_bare_host_is_tried_with_www(newsroom: Newsroom, open_site: OpenSite) -> None:
    """404 at the bare name, a feed at www: that is where it is stored (HTTP-34)."""
    async with (
        open_site({}),
        open_site({"/feed": Reply(body=rss("1"))}, "www.news.example", "93.184.216.35"),
    ):
        followed = await newsroom.subscribe(FEED)

    assert "https://www.news.example/feed" == (await newsroom.standing(followed.feed_id)).url


@pytest.mark.parametrize("status", [410, 429, 503, 403])
async def test_www_is_not_tried_where_the_answer_was_meant(
    newsroom: Newsroom, open_site: OpenSite, status: int
) -> None:
    """Gone, forbidden and "too many" hold for the whole site (HTTP-35)."""
    async with (
        open_site({"/feed": Reply(status)}),
        open_site({"/feed": Reply(body=rss("1"))}, "www.news.example", "93.184.216.35") as www,
    ):
        with pytest.raises(FeedUnavailable):
            await newsroom.subscribe(FEED)

    assert [] == www.seen


async def test_http_becomes_https(newsroom: Newsroom, open_site: OpenSite) -> None:
    """What was typed with http is stored as the https address that answered (HTTP-33)."""
    async with open_site({"/feed": Reply(body=rss("1"))}):
        followed = await newsroom.subscribe("http://news.example/feed")

    assert FEED == (await newsroom.standing(followed.feed_id)).url


async def test_a_redirect_to_a_known_feed_follows_that_one(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Two addresses of one feed share a row, the baseline is not stored twice (IDN-07)."""
    script = {"/feed": Reply(body=rss("2", "1")), "/old": redirect("/feed", 301)}
    async with open_site(script):
        first = await newsroom.subscribe(FEED)
        newsroom.account = await newsroom.database.write(add_account, "bob")
        second = await newsroom.subscribe("https://news.example/old")

    assert first.feed_id == second.feed_id
    assert ["Story 1", "Story 2"] == await newsroom.titles(first.feed_id)


async def test_the_last_follower_takes_the_feed_along(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Feed, entries and lane go with the last subscription (STO-11)."""
    async with open_site({"/feed": Reply(body=rss("1"))}):
        followed = await newsroom.subscribe(FEED)
    ended = await subscribing.unsubscribe(
        newsroom.tools, newsroom.account, followed.subscription_id
    )

    assert ended.purged
    assert ([], []) == (await rows(newsroom, feeds.c.id), await rows(newsroom, lanes.c.key))
    with pytest.raises(NotFound):
        await subscribing.unsubscribe(newsroom.tools, newsroom.account, followed.subscription_id)


async def test_the_fastest_subscription_sets_the_pace(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Intervals are raised to the minimum; the smallest holds, at once (SCH-17, SCH-21)."""
    async with open_site({"/feed": Reply(body=rss("1"))}):
        mine = await newsroom.subscribe(FEED)
        feed_id = mine.feed_id
        await subscribing.set_interval(
            newsroom.tools, newsroom.account, mine.subscription_id, timedelta(hours=2)
        )
        slow = await newsroom.standing(feed_id)
        given = await subscribing.set_interval(
            newsroom.tools, newsroom.account, mine.subscription_id, timedelta(seconds=1)
        )
        fast = await newsroom.standing(feed_id)

    assert (7200, True) == (slow.wanted_interval_seconds, slow.wanted_by_all)
    assert timedelta(minutes=5) == given
    assert (300, newsroom.clock() + timedelta(minutes=5)) == (
        fast.wanted_interval_seconds,
        fast.next_poll_at,
    )
    with pytest.raises(NotFound):
        await subscribing.set_interval(newsroom.tools, 999, mine.subscription_id, None)


async def test_reading_in_full_leaves_failing_feeds_alone(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """An account's healthy feeds lose their validators; what was seen stays (SCH-42, SCH-45)."""
    script = {
        "/feed": Reply(headers=(("ETag", '"a"'),), body=rss("1")),
        "/bad": [Reply(headers=(("ETag", '"b"'),), body=rss("2")), Reply(500)],
    }
    async with open_site(script) as server:
        well = await newsroom.subscribe(FEED)
        bad = await newsroom.subscribe("https://news.example/bad")
        await newsroom.poll_after(timedelta(minutes=10))
        asked = len(server.seen)
        count = await subscribing.read_in_full(newsroom.tools, newsroom.account)
        await newsroom.poll()

    assert 1 == count
    assert [("/feed", None)] == [
        (seen.path, seen.headers.get("if-none-match")) for seen in server.seen[asked:]
    ]
    assert '"b"' == (await newsroom.standing(bad.feed_id)).etag
    assert [] == await newsroom.titles(well.feed_id, news=True)
    assert 2 == len(await rows(newsroom, subscriptions.c.id))


async def test_many_who_follow_at_once_cost_one_request(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Whoever waited for the lane finds the feed that somebody else has added meanwhile."""
    readers = [await newsroom.database.write(add_account, f"reader {n}") for n in range(6)]
    async with open_site({"/feed": Reply(body=rss("1"))}) as server:
        followed = await asyncio.gather(
            *(subscribing.subscribe(newsroom.tools, each, FEED, owner="web") for each in readers)
        )

    assert 1 == len(server.seen)
    assert 1 == len({each.feed_id for each in followed})
    assert 6 == len({each.subscription_id for each in followed})


@pytest.mark.parametrize(
    "lead", ["https://ada:secret@news.example/private", "/private?" + "x" * 2040]
)
async def test_a_lead_that_can_have_no_key_is_not_followed(
    newsroom: Newsroom, open_site: OpenSite, lead: str
) -> None:
    """All such addresses would be one feed to us, and a password would be stored in clear."""
    script = {"/": Reply(headers=HTML, body=page(lead)), "/private": Reply(body=rss("1"))}
    async with open_site(script) as server:
        with pytest.raises(FeedUnavailable):
            await newsroom.subscribe("https://news.example/")

    assert [] == [path for path in server.paths() if "private" in path]
    assert [] == await rows(newsroom, feeds.c.url)


async def test_a_move_to_an_address_that_is_too_long_is_not_kept(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """The feed stays where it was asked for, at this reading and at later ones."""
    long = "/long?" + "x" * 3000
    script = {"/feed": redirect(long, 301), long: Reply(body=rss("1"))}
    async with open_site(script) as server:
        await newsroom.subscribe(FEED)
        await newsroom.poll_when_due()

    assert 4 == len(server.seen)
    assert [(FEED, FEED)] == await rows(newsroom, feeds.c.url, feeds.c.canonical_key)


def named(url: str, *items: str) -> bytes:
    """A feed that says that it lives at `url`."""
    link = f"<link xmlns='http://www.w3.org/2005/Atom' rel='self' href='{url}'/>"
    return rss(*items, more=link)


async def test_a_feed_is_kept_at_the_address_that_it_gives_itself(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """One more request verifies it, and whoever types either address shares the row (PRS-25)."""
    body = named("https://news.example/all.xml", "2", "1")
    script = {"/feed": Reply(body=body), "/all.xml": Reply(body=body)}
    async with open_site(script) as server:
        first = await newsroom.subscribe(FEED)
        newsroom.account = await newsroom.database.write(add_account, "bob")
        other = await newsroom.subscribe("https://news.example/all.xml")

    assert ["/feed", "/all.xml"] == server.paths()
    assert first.feed_id == other.feed_id
    assert ["https://news.example/all.xml"] == [
        url for (url,) in await rows(newsroom, feeds.c.url)
    ]
    assert ["Story 1", "Story 2"] == await newsroom.titles(first.feed_id)


@pytest.mark.parametrize(
    ("self_link", "answer", "asked"),
    [
        pytest.param("/all.xml", Reply(404), True, id="nothing there"),
        pytest.param("/all.xml", Reply(headers=HTML, body=page("/feed")), True, id="web page"),
        pytest.param("/all.xml", Reply(429), True, id="too many"),
        pytest.param("/all.xml", Reply(body=rss("2", "1", "0")), True, id="other items"),
        pytest.param("/all.xml", Reply(body=rss()), True, id="no items"),
        pytest.param(
            "https://other.example/all.xml", Reply(body=rss("2", "1")), False, id="other site"
        ),
        pytest.param("https://u:p@news.example/all.xml", Reply(500), False, id="password"),
        pytest.param("http://10.0.0.1/all.xml", Reply(500), False, id="private address"),
        pytest.param("http://www.news.example/feed", Reply(500), False, id="same key"),
    ],
)
async def test_an_address_that_a_feed_gives_itself_is_not_believed(
    newsroom: Newsroom, open_site: OpenSite, self_link: str, answer: Reply, asked: bool
) -> None:
    """Other domains are not asked; what is no feed, or another one, replaces nothing (C16)."""
    script = {"/feed": Reply(body=named(self_link, "2", "1")), "/all.xml": answer}
    async with open_site(script) as server:
        followed = await newsroom.subscribe(FEED)

    assert ["/feed", "/all.xml"][: 1 + asked] == server.paths()
    assert FEED == (await newsroom.standing(followed.feed_id)).url


async def test_an_address_that_leads_to_a_feed_given_up_revives_it(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Whoever follows by a redirect or a self link wants it as much as anybody (FAIL-16)."""
    script = {
        "/feed": [Reply(body=rss("1")), Reply(410), Reply(body=rss("1"))],
        "/old": redirect("/feed", 301),
    }
    async with open_site(script):
        first = await newsroom.subscribe(FEED)
        await newsroom.poll_when_due()
        newsroom.account = await newsroom.database.write(add_account, "bob")
        second = await newsroom.subscribe("https://news.example/old")

    assert (first.feed_id, True) == (second.feed_id, second.revived)
    assert (await newsroom.standing(first.feed_id)).disabled_at is None

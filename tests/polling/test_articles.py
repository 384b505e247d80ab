"""Pages behind entries are asked for once, politely, and put in the feed's place."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Row, select

from tests.fetching.conftest import OpenSite
from tests.polling.newsroom import Newsroom, rss
from tests.rows import add_account, follow
from tests.servers.scripted import Reply
from wireroom import following, reading
from wireroom.errors import NotAFeed
from wireroom.feeds import article
from wireroom.feeds.model import SafeHtml
from wireroom.following import SubscriptionChange
from wireroom.polling.articles import Articles
from wireroom.polling.tools import Pace
from wireroom.store import claims, routes
from wireroom.store import schema as tables
from wireroom.store.articles import AT_ONCE, PATIENCE

FEED = "https://news.example/feed"
_LONG = "The whole story, which the feed keeps to itself, is told here at some length. " * 5
PAGE = Reply(
    body=f"<html><body><article><p>{_LONG}</p></article></body></html>".encode(),
    headers=(("Content-Type", "text/html"),),
)


async def extract(page: bytes, **options: Any) -> SafeHtml | None:
    if b"slow" in page:
        raise NotAFeed("The document could not be read within 10 s.", found="html")
    return article.extract(page, **options)


@pytest.fixture
def articles(newsroom: Newsroom) -> Articles:
    newsroom.tools.pace = Pace(spacing=timedelta(0))
    return Articles(newsroom.tools, extract, newsroom.bell, "articles")


async def wants_articles(newsroom: Newsroom) -> int:
    """Ada follows the feed and wants its articles; gives the feed."""
    made = await newsroom.subscribe(FEED)
    change = SubscriptionChange(full_content=True)
    await following.change_subscription(
        newsroom.database, newsroom.account, made.subscription_id, change, newsroom.clock()
    )
    return made.feed_id


async def rows(newsroom: Newsroom) -> list[Row[Any]]:
    query = select(tables.articles).order_by(tables.articles.c.seq)
    return await newsroom.database.read(lambda c: list(c.execute(query)))


async def content(newsroom: Newsroom, feed_id: int, seq: int, account: int | None = None) -> str:
    whose = newsroom.account if account is None else account
    _, body = await reading.entry_in_full(newsroom.database, whose, feed_id, seq)
    return body.fullest


def feed_with(*items: str) -> dict[str, Any]:
    return {"/feed": Reply(body=rss(*items))}


async def test_an_entry_shows_the_text_of_its_page(
    newsroom: Newsroom, articles: Articles, open_site: OpenSite
) -> None:
    """Asked for once, as a browser asks for a page; the feed's own content is kept beside it."""
    async with open_site(feed_with("a") | {"/a": PAGE}) as site:
        feed_id = await wants_articles(newsroom)
        assert 1 == await articles.work()
        assert 0 == await articles.work()

    assert "The whole story" in await content(newsroom, feed_id, 1)
    (seen,) = [each for each in site.seen if each.path == "/a"]
    assert seen.headers["accept"].startswith("text/html")
    own = select(tables.entries.c.summary)
    assert "Text of a." in await newsroom.database.read(lambda c: c.scalar(own) or "")


async def test_whoever_does_not_want_articles_sees_what_the_feed_says(
    newsroom: Newsroom, articles: Articles, open_site: OpenSite
) -> None:
    """What one account wishes changes nothing for another."""
    async with open_site(feed_with("a") | {"/a": PAGE}):
        feed_id = await wants_articles(newsroom)
        await articles.work()

    bob = await newsroom.database.write(lambda c: add_account(c, "bob", "member"))
    await newsroom.database.write(lambda c: follow(c, bob, feed_id))
    assert "Text of a." in await content(newsroom, feed_id, 1, bob)


async def test_new_entries_are_queued_as_they_are_stored(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """In the transaction of the ingest, the newest of a flood only, and nothing for nobody."""
    flood = [f"n{number}" for number in range(AT_ONCE + 5)]
    replies = [Reply(body=rss("a")), Reply(body=rss(*flood, "a"))]
    async with open_site({"/feed": replies}):
        await newsroom.subscribe(FEED)
        assert [] == await rows(newsroom)
        await wants_articles(newsroom)
        await newsroom.poll_when_due()

    queued = await rows(newsroom)
    assert [1, *range(7, AT_ONCE + 7)] == [each.seq for each in queued]
    assert {"news.example"} == {each.lane for each in queued}


FOR_GOOD = {
    "missing": Reply(404, body=b"<html>Not found</html>"),
    "a picture": Reply(body=b"\x89PNG", headers=(("Content-Type", "image/png"),)),
    "too little": Reply(body=b"<html><p>Cookies?</p></html>"),
    "too slow to read": Reply(body=b"<html>slow</html>"),
}


@pytest.mark.parametrize("reply", FOR_GOOD.values(), ids=FOR_GOOD)
async def test_without_an_article_the_feed_has_the_word(
    newsroom: Newsroom, articles: Articles, open_site: OpenSite, reply: Reply
) -> None:
    """The page is not asked for again, and why is written down."""
    async with open_site(feed_with("a") | {"/a": reply}) as site:
        feed_id = await wants_articles(newsroom)
        await articles.work()
        newsroom.clock.move(timedelta(days=1))
        await articles.work()

    assert 1 == len([each for each in site.seen if each.path == "/a"])
    assert "Text of a." in await content(newsroom, feed_id, 1)
    (row,) = await rows(newsroom)
    assert row.due_at is None
    assert row.detail


async def test_what_may_pass_is_tried_three_times(
    newsroom: Newsroom, articles: Articles, open_site: OpenSite
) -> None:
    """With longer pauses, and then no more."""
    async with open_site(feed_with("a") | {"/a": Reply(502)}) as site:
        await wants_articles(newsroom)
        for _ in range(6):
            await articles.work()
            newsroom.clock.move(timedelta(minutes=6))

    assert 3 == len([each for each in site.seen if each.path == "/a"])


async def test_a_host_that_wants_silence_gets_it(
    newsroom: Newsroom, articles: Articles, open_site: OpenSite
) -> None:
    """For its feeds as well; then the rest is asked for."""
    throttled = [Reply(429, headers=(("Retry-After", "300"),)), PAGE]
    async with open_site(feed_with("a", "b") | {"/a": throttled, "/b": throttled}) as site:
        await wants_articles(newsroom)
        await articles.work()
        asked = len(site.seen)
        await articles.work()
        paused = await newsroom.database.read(claims.paused_until, "news.example")

        assert asked == len(site.seen)
        assert newsroom.clock() + timedelta(seconds=300) == paused


async def test_a_busy_host_is_not_asked(
    newsroom: Newsroom, articles: Articles, open_site: OpenSite
) -> None:
    """One request at a time, whoever makes it (promise 5)."""
    async with open_site(feed_with("a") | {"/a": PAGE}) as site:
        await wants_articles(newsroom)
        lease = await newsroom.tools.lanes.claim("news.example", "poller")
        assert lease is not None
        assert 0 == await articles.work()
        assert ["/feed"] == [each.path for each in site.seen]

        await newsroom.tools.lanes.give_back(lease)
        newsroom.clock.move(timedelta(minutes=1))
        assert 1 == await articles.work()


async def test_messages_wait_for_the_article(
    newsroom: Newsroom, articles: Articles, open_site: OpenSite
) -> None:
    """A route holds the entry, and those behind it, until the article is there."""
    async with open_site({"/feed": [Reply(body=rss()), Reply(body=rss("a"))], "/a": PAGE}):
        feed_id = await wants_articles(newsroom)
        destination = await _route(newsroom, feed_id)
        await newsroom.poll_when_due()
        assert [] == await _outbox(newsroom, destination)
        held_until = await newsroom.database.read(
            lambda c: routes.next_at(c, destination, now=newsroom.clock())
        )
        assert newsroom.clock() + PATIENCE == held_until

        await articles.work()

    (waiting,) = await _outbox(newsroom, destination)
    assert "The whole story" in (waiting.entries[0].content or "")


async def test_messages_do_not_wait_for_ever(newsroom: Newsroom, open_site: OpenSite) -> None:
    """After ten minutes they go out with what the feed said."""
    async with open_site({"/feed": [Reply(body=rss()), Reply(body=rss("a"))]}):
        feed_id = await wants_articles(newsroom)
        destination = await _route(newsroom, feed_id)
        await newsroom.poll_when_due()
        newsroom.clock.move(PATIENCE)

    (waiting,) = await _outbox(newsroom, destination)
    assert "Text of a." in (waiting.entries[0].summary or "")


async def _route(newsroom: Newsroom, feed_id: int) -> int:
    def write(connection: Any) -> int:
        destination = routes.add_destination(
            connection,
            account_id=newsroom.account,
            channel="telegram",
            address="1",
            secret=None,
            title="",
            now=newsroom.clock(),
        )
        subscription = connection.scalar(
            select(tables.subscriptions.c.id).where(tables.subscriptions.c.feed_id == feed_id)
        )
        routes.add_route(
            connection,
            subscription_id=subscription,
            destination_id=destination,
            initial_items=0,
            now=newsroom.clock(),
        )
        return destination

    return await newsroom.database.write(write)


async def _outbox(newsroom: Newsroom, destination: int) -> list[routes.Waiting]:
    return await newsroom.database.read(
        lambda c: routes.outbox(c, destination, now=newsroom.clock())
    )

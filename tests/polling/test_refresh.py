"""A feed's turn over real sockets: what is asked, what is believed, and what follows."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, update
from structlog.testing import capture_logs

from tests.fetching.conftest import OpenClient, OpenSite
from tests.polling.newsroom import Newsroom, rss
from tests.rows import NOON, follow
from tests.servers.scripted import Reply, Seen, redirect
from tests.servers.world import World
from wireroom import subscribing
from wireroom.feeds.model import ParsedFeed
from wireroom.fetching.request import FetchLimits
from wireroom.polling import perusing
from wireroom.store import feeds, notices
from wireroom.store.schema import feeds as feeds_table

FEED = "https://news.example/feed"
TEN_MINUTES = timedelta(minutes=10)
ETAG = (("ETag", '"a"'), ("Content-Type", "application/rss+xml"))


def conditional(body: bytes, etag: str = '"a"') -> "type[Reply] | object":
    """A server that answers 304 to whoever has this version."""

    def reply(seen: Seen) -> Reply:
        headers = (("ETag", etag),)
        if seen.headers.get("if-none-match") == etag:
            return Reply(304, headers)
        return Reply(headers=headers, body=body)

    return reply


async def test_adding_a_feed_costs_one_request_and_every_other_is_conditional(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """The polite reader: one GET to add a feed, and never again one without a validator."""
    async with open_site({"/feed": conditional(rss("2", "1"))}) as server:
        followed = await newsroom.subscribe(FEED)
        assert 1 == len(server.seen)
        for _ in range(4):
            await newsroom.poll_after(TEN_MINUTES)

    assert [None, *['"a"'] * 4] == [seen.headers.get("if-none-match") for seen in server.seen]
    assert ["Story 1", "Story 2"] == await newsroom.titles(followed.feed_id, news=False)


async def test_an_adapter_that_is_gone_is_told_to_the_log(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Its feeds are read as they are, and whoever runs Wireroom hears of it (ADP-06)."""
    async with open_site({"/feed": [Reply(body=rss("1")), Reply(body=rss("2", "1"))]}):
        followed = await newsroom.subscribe(FEED)
        gone = update(feeds_table).values(adapter="gone")
        await newsroom.database.write(lambda connection: connection.execute(gone).rowcount)
        with capture_logs() as logged:
            await newsroom.poll_after(TEN_MINUTES)

    told = [line["why"] for line in logged if line["event"] == "feed read as it is"]
    assert ["No adapter is called 'gone'; the feed is read as it is."] == told
    assert ["Story 1", "Story 2"] == await newsroom.titles(followed.feed_id)


async def test_a_304_never_keeps_away_what_a_half_document_lacked(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A server that broke off once has the same validator for the whole: it is not sent back."""
    whole = rss("3", "2", "1")
    bodies = iter((rss("1"), whole[: whole.index(b"Story 2")], whole))
    etags = iter(('"old"', '"new"', '"new"'))

    def reply(seen: Seen) -> Reply:
        etag = next(etags)
        if seen.headers.get("if-none-match") == etag:
            return Reply(304)
        return Reply(headers=(("ETag", etag),), body=next(bodies))

    async with open_site({"/feed": reply}) as server:
        followed = await newsroom.subscribe(FEED)
        for _ in range(2):
            await newsroom.poll_after(TEN_MINUTES)

    assert [None, '"old"', None] == [seen.headers.get("if-none-match") for seen in server.seen]
    titles = await newsroom.titles(followed.feed_id, news=True)
    assert {"Story 2", "Story 3"} == set(titles)


async def test_a_304_is_cheap(newsroom: Newsroom, open_site: OpenSite) -> None:
    """Every poll is conditional, and one that is answered 304 reads no document (HTTP-01)."""
    read, documents = newsroom.tools.read, []

    async def reading(body: bytes, **more: Any) -> ParsedFeed:
        documents.append(body)
        return await read(body, **more)

    newsroom.tools = replace(newsroom.tools, read=reading)
    async with open_site({"/feed": conditional(rss("1"))}) as server:
        followed = await newsroom.subscribe(FEED)
        for _ in range(3):
            await newsroom.poll_after(TEN_MINUTES)

    assert [None, *['"a"'] * 3] == [seen.headers.get("if-none-match") for seen in server.seen]
    assert [rss("1")] == documents
    feed = await newsroom.standing(followed.feed_id)
    assert (304, 0, newsroom.clock()) == (
        feed.last_status,
        feed.failure_count,
        feed.last_success_at,
    )


@pytest.mark.parametrize(
    ("verbatim", "sent"),
    [(False, ('"a"', None)), (True, ('W/"a"', "Sun, 29 Nov 2026 08:00:00 GMT"))],
    ids=["strong", "verbatim"],
)
async def test_both_ways_to_send_validators_back(
    verbatim: bool, sent: tuple[str, str | None], newsroom: Newsroom, open_site: OpenSite
) -> None:
    """The strong ETag alone, or the pair byte for byte (C5, HTTP-02, HTTP-03)."""
    head = (("ETag", 'W/"a"'), ("Last-Modified", "Sun, 29 Nov 2026 08:00:00 GMT"))
    newsroom.tools = replace(newsroom.tools, verbatim=verbatim)
    async with open_site({"/feed": [Reply(headers=head, body=rss("1")), Reply(304)]}) as server:
        await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    asked = server.seen[1].headers
    assert sent == (asked.get("if-none-match"), asked.get("if-modified-since"))


async def test_no_trouble_makes_us_ask_with_another_method(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """GET, whatever a host says of it: no HEAD to spare a body, no POST (HTTP-13)."""
    answers = [Reply(body=rss("1")), Reply(405), Reply(403), Reply(500), Reply(raw=b"")]
    async with open_site({"/feed": answers}) as server:
        await newsroom.subscribe(FEED)
        for _ in range(6):
            await newsroom.poll_when_due()

    assert {"GET"} == {seen.method for seen in server.seen}


async def test_asking_by_hand_hides_nothing(newsroom: Newsroom, open_site: OpenSite) -> None:
    """What a poll by hand brings is stored with its validators, so that a 304 later is about what
    is here; another reading of the same address begins without any (HTTP-08)."""
    script = {"/feed": conditional(rss("1"))}
    async with open_site(script) as server:
        followed = await newsroom.subscribe(FEED)
        script["/feed"] = conditional(rss("2", "1"), '"b"')
        await subscribing.refresh_now(newsroom.tools, followed.feed_id, owner="front end")
        await newsroom.poll_after(TEN_MINUTES)
        retyped = await newsroom.subscribe(FEED, adapter="ubuntu")

    assert [None, '"a"', '"b"', None] == [
        seen.headers.get("if-none-match") for seen in server.seen
    ]
    assert ["Story 2"] == await newsroom.titles(followed.feed_id, news=True)
    assert retyped.feed_id != followed.feed_id
    assert ["Story 1", "Story 2"] == await newsroom.titles(retyped.feed_id)


FAILURES: dict[str, Reply | str] = {
    "silence (timeout)": Reply(silent=True),
    "a name without an address (DNS)": "https://nowhere.example/feed",
    "a certificate for another name (TLS)": "https://else.example/feed",
    "an address inside": "https://inside.example/feed",
    "400": Reply(400),
    "401": Reply(401),
    "403": Reply(403),
    "404": Reply(404),
    "500": Reply(500),
    "504": Reply(504),
    "a page": Reply(body=b"<!doctype html><title>Hello</title>"),
    "nothing": Reply(body=b""),
}


@pytest.mark.parametrize("trouble", FAILURES.values(), ids=FAILURES)
async def test_what_counts_as_a_failure(
    trouble: Reply | str,
    sqlite_newsroom: Newsroom,
    open_site: OpenSite,
    open_client: OpenClient,
    world: World,
) -> None:
    """No answer, none that may be asked for, a status of trouble, or no feed (FAIL-01)."""
    newsroom, script = sqlite_newsroom, {"/feed": Reply(body=rss("1"))}
    limits = FetchLimits(operation=timedelta(seconds=0.3))
    async with open_site(script) as server, open_client(limits=limits) as client:
        newsroom.tools = replace(newsroom.tools, client=client)
        world.put(server, "else.example", "93.184.216.36")
        world.names["inside.example"] = ["10.0.0.7"]
        followed = await newsroom.subscribe(FEED)
        if isinstance(trouble, str):
            await newsroom.database.write(_readdress, followed.feed_id, trouble)
        else:
            script["/feed"] = trouble
        await newsroom.poll_after(TEN_MINUTES)

    feed = await newsroom.standing(followed.feed_id)
    assert (1, newsroom.clock()) == (feed.failure_count, feed.failing_since)
    assert feed.last_error


@pytest.mark.parametrize("status", [410, 429, 503])
async def test_what_is_a_rule_of_its_own_is_no_failure(
    status: int, newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Gone and "too many" move no counter of errors (FAIL-01)."""
    async with open_site({"/feed": [Reply(body=rss("1")), Reply(status)]}):
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    feed = await newsroom.standing(followed.feed_id)
    assert (status, 0, None) == (feed.last_status, feed.failure_count, feed.failing_since)


def _readdress(connection: Connection, feed_id: int, url: str) -> None:
    connection.execute(update(feeds_table).where(feeds_table.c.id == feed_id).values(url=url))


async def test_an_imported_feed_goes_on_where_the_other_system_stopped(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """Above rss-bot's marker items are news at the first reading, below they are not (IDN-21)."""

    def imported(connection: Connection) -> int:
        feed_id = feeds.make(
            connection,
            url=FEED,
            canonical_key="https://news.example/feed",
            lane="news.example",
            now=NOON,
        )
        feeds.mark_announced(connection, feed_id, "2")
        follow(connection, newsroom.account, feed_id)
        return feed_id

    feed_id = await newsroom.database.write(imported)
    async with open_site({"/feed": Reply(body=rss("4", "3", "2", "1"))}):
        await newsroom.poll()

    assert ["Story 3", "Story 4"] == await newsroom.titles(feed_id, news=True)
    assert ["Story 1", "Story 2"] == await newsroom.titles(feed_id, news=False)


async def test_a_start_asks_for_nothing_that_is_not_due(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A second loop on the same store makes no request of its own (SCH-01)."""
    async with open_site({"/feed": conditional(rss("1"))}) as server:
        await newsroom.subscribe(FEED)
        await newsroom.poll_after(timedelta(minutes=9))
        await newsroom.poll(owner="after the restart")
        assert 1 == len(server.seen)
        await newsroom.poll_after(timedelta(minutes=1))

    assert '"a"' == server.seen[1].headers["if-none-match"]


async def test_a_bad_day_loses_nothing(newsroom: Newsroom, open_site: OpenSite) -> None:
    """404 twenty times, then a page, then the feed: its two new items are news, no others."""
    answers = [
        Reply(headers=ETAG, body=rss("2", "1")),
        *[Reply(404)] * 20,
        Reply(body=b"<!doctype html><title>Maintenance</title>", headers=(("ETag", '"page"'),)),
        Reply(headers=ETAG, body=rss("4", "3", "2", "1")),
    ]
    turn = iter(answers)
    async with open_site({"/feed": lambda _: next(turn)}, "feeds.news.example") as server:
        followed = await newsroom.subscribe("https://feeds.news.example/feed")
        for _ in range(20):
            await newsroom.poll_when_due()
        broken = await newsroom.standing(followed.feed_id)
        assert (20, True) == (broken.failure_count, broken.next_poll_at is not None)
        for _ in range(2):
            await newsroom.poll_when_due()

    assert ["Story 3", "Story 4"] == await newsroom.titles(followed.feed_id, news=True)
    assert {'"a"'} == {seen.headers.get("if-none-match") for seen in server.seen[1:]}
    well = await newsroom.standing(followed.feed_id)
    assert (0, "", None) == (well.failure_count, well.last_error, well.failing_since)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Reply(body=b"<rss><channel><item>"[:3], headers=ETAG), id="broken"),
        pytest.param(Reply(body=b"", headers=ETAG), id="empty"),
        pytest.param(Reply(body=b"<html><body>Login", headers=ETAG), id="page"),
        pytest.param(Reply(500, ETAG), id="error"),
        pytest.param(Reply(429, (*ETAG, ("Retry-After", "5"))), id="throttled"),
    ],
)
async def test_what_is_no_feed_leaves_no_validators(
    newsroom: Newsroom, open_site: OpenSite, answer: Reply
) -> None:
    """The pair of the last good reading stays, or a 304 would freeze the bad answer (HTTP-07)."""
    good = Reply(headers=(("ETag", '"good"'),), body=rss("1"))
    async with open_site({"/feed": [good, answer]}):
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    assert '"good"' == (await newsroom.standing(followed.feed_id)).etag


async def test_validators_are_replaced_as_a_pair(newsroom: Newsroom, open_site: OpenSite) -> None:
    """A 200 without validators clears them, also when its body is known (HTTP-05, B20)."""
    body = rss("1")
    async with open_site({"/feed": [Reply(headers=ETAG, body=body), Reply(body=body)]}):
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    assert "" == (await newsroom.standing(followed.feed_id)).etag


async def test_a_304_brings_new_validators(newsroom: Newsroom, open_site: OpenSite) -> None:
    """What the 304 carries replaces the stored pair (RFC 9111 §4.3.4)."""
    fresh = Reply(304, (("ETag", '"b"'),))
    async with open_site({"/feed": [Reply(headers=ETAG, body=rss("1")), fresh]}):
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    assert '"b"' == (await newsroom.standing(followed.feed_id)).etag


async def test_validators_without_a_reading_are_not_sent(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A 304 about items that were never stored would be no news for ever."""
    async with open_site({"/feed": conditional(rss("1"))}) as server:
        followed = await newsroom.subscribe(FEED)
        await subscribing.read_in_full(newsroom.tools, newsroom.account)
        feed = await newsroom.standing(followed.feed_id)
        with newsroom.database.writing() as connection:
            connection.exec_driver_sql("UPDATE feeds SET etag = '\"a\"'")
        await newsroom.poll()

    assert feed.body_hash is None
    assert "if-none-match" not in server.seen[1].headers


async def test_a_known_body_is_read_again_by_a_newer_parser(
    newsroom: Newsroom, open_site: OpenSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash of a body stands for the parser, too: what it could not read once, it may now."""
    async with open_site({"/feed": Reply(body=rss("1"))}):
        followed = await newsroom.subscribe(FEED)
        first = await newsroom.standing(followed.feed_id)
        monkeypatch.setattr(perusing, "PARSER_VERSION", b"another")
        await newsroom.poll_after(TEN_MINUTES)

    assert first.body_hash != (await newsroom.standing(followed.feed_id)).body_hash
    assert ["Story 1"] == await newsroom.titles(followed.feed_id)


async def test_gone_ends_polling_and_subscribing_again_begins_it(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """410 disables at once (FAIL-11); a new wish revives, all is forgotten, and the feed is asked
    at once (FAIL-16), with at most ten items as news (FAIL-17)."""
    many = rss(*(str(n) for n in range(60, 0, -1)))
    answers = [Reply(body=rss("1")), Reply(410), Reply(body=many)]
    async with open_site({"/feed": answers}):
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)
        gone = await newsroom.standing(followed.feed_id)
        assert (None, True) == (gone.next_poll_at, gone.disabled_at is not None)
        again = await newsroom.subscribe(FEED)
        await newsroom.poll()

    assert (True, True) == (again.existing, again.revived)
    well = await newsroom.standing(followed.feed_id)
    assert (0, None, "", newsroom.clock()) == (
        well.failure_count,
        well.failing_since,
        well.disabled_reason,
        well.last_success_at,
    )
    assert 60 == len(await newsroom.titles(followed.feed_id))
    assert 10 == len(await newsroom.titles(followed.feed_id, news=True))


async def test_what_people_should_hear_is_stored_with_the_poll(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """The fourth error in a row and the end of the streak; nothing of the three before (C11)."""
    broken = Reply(500, body=b"Traceback")
    async with open_site({"/feed": [Reply(body=rss("1")), *[broken] * 5, Reply(body=rss("2"))]}):
        await newsroom.subscribe(FEED)
        for _ in range(6):
            await newsroom.poll_when_due()

    told = await newsroom.database.write(notices.untold)
    assert ["failing", "recovered"] == [each.kind for each in told]
    assert (4, "Traceback") == (told[0].facts["failures"], told[0].facts["excerpt"])
    assert datetime.fromisoformat(told[0].facts["next_at"]) > NOON


@pytest.mark.parametrize("status", [429, 503])
async def test_too_many_requests_are_told_once(
    newsroom: Newsroom, open_site: OpenSite, status: int
) -> None:
    """429 and 503 alike, by name, once for two in a row (FAIL-21)."""
    asked_to_wait = Reply(status, (("Retry-After", "60"),))
    async with open_site({"/feed": [Reply(body=rss("1")), *[asked_to_wait] * 2]}):
        await newsroom.subscribe(FEED)
        for _ in range(2):
            await newsroom.poll_when_due()

    (told,) = await newsroom.database.write(notices.untold)
    why = f"the server asked us to wait (HTTP {status})"
    assert ("throttled", why) == (told.kind, told.facts["error"])


@pytest.mark.parametrize("is_known", [False, True], ids=["to a new place", "to another feed"])
async def test_a_move_is_told_once_it_was_carried_out(
    newsroom: Newsroom, open_site: OpenSite, is_known: bool
) -> None:
    """With both addresses, under the feed that survives (FAIL-20)."""
    there = FEED.replace("/feed", "/new")
    moved = Reply(301, (("Location", "/new"),))
    site = {"/feed": [Reply(body=rss("1")), moved], "/new": Reply(body=rss("1"))}
    async with open_site(site):
        followed = await newsroom.subscribe(FEED)
        other = await newsroom.subscribe(there) if is_known else followed
        await newsroom.poll_after(TEN_MINUTES)

    (told,) = await newsroom.database.write(notices.untold)
    assert ("merged" if is_known else "moved", other.feed_id) == (told.kind, told.feed_id)
    assert {"from": FEED, "to": there} == told.facts


async def test_a_finished_feed_is_read_and_then_left_alone(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """JSON Feed `expired`: its last items are stored, and no request follows."""
    body = b"""{"version": "https://jsonfeed.org/version/1.1", "title": "Old", "expired": true,
        "items": [{"id": "1", "content_text": "Bye"}]}"""
    async with open_site({"/feed": Reply(body=body)}):
        followed = await newsroom.subscribe(FEED)

    feed = await newsroom.standing(followed.feed_id)
    assert (None, "the publisher says that the feed is finished") == (
        feed.next_poll_at,
        feed.disabled_reason,
    )
    assert 1 == len(await newsroom.titles(followed.feed_id))


@pytest.mark.parametrize("text", ["nul \\u0000 inside", "half a pair \\ud800 inside"])
async def test_characters_that_no_database_takes(
    newsroom: Newsroom, open_site: OpenSite, text: str
) -> None:
    """A JSON feed may spell what PostgreSQL or UTF-8 cannot hold; the item is stored without."""
    item = f'{{"id": "1 {text}", "title": "{text}", "content_text": "{text}"}}'
    body = f'{{"version": "https://jsonfeed.org/version/1", "items": [{item}]}}'.encode()
    async with open_site({"/feed": Reply(body=body)}):
        followed = await newsroom.subscribe(FEED)

    assert 1 == len(await newsroom.titles(followed.feed_id))


async def test_dates_decide_as_the_publisher_wrote_them(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """An Atom entry with nothing but `updated` is compared as undated, as when it was stored."""

    def atom(link: str) -> bytes:
        return f"""<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>a</id>
            <entry><id>{link}</id><title>Same words</title><link href="https://news.example/{link}"/>
            <updated>2026-11-01T00:00:00Z</updated><content>The same text.</content></entry>
            </feed>""".encode()

    async with open_site({"/feed": [Reply(body=atom("one")), Reply(body=atom("two"))]}):
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    assert ["Same words"] == await newsroom.titles(followed.feed_id)


async def test_what_a_feed_says_of_itself_is_kept_up(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A new name, description or site comes with the next reading, also without news (PRS-23)."""

    def named(name: str, site: str, language: str) -> Reply:
        more = f"<description>All about {name}</description><language>{language}</language>"
        written = rss("1", more=more).replace(b"Harbour", name.encode())
        return Reply(body=written.replace(b"https://news.example/<", f"{site}<".encode()))

    readings = [
        named("Ships", "https://old.example/", "en"),
        named("Boats", "https://b.example/", "de"),
    ]
    async with open_site({"/feed": readings}):
        followed = await newsroom.subscribe(FEED)
        first = await newsroom.standing(followed.feed_id)
        await newsroom.poll_after(TEN_MINUTES)
        second = await newsroom.standing(followed.feed_id)

    assert [
        ("Ships", "All about Ships", "https://old.example/", "en"),
        ("Boats", "All about Boats", "https://b.example/", "de"),
    ] == [(each.title, each.description, each.site_url, each.language) for each in (first, second)]


# -- where feeds live -----------------------------------------------------------------------------


async def test_permanent_redirects_are_remembered(newsroom: Newsroom, open_site: OpenSite) -> None:
    """301 to where the feed answers: the row lives there from then on (HTTP-25)."""
    script = {"/feed": [Reply(body=rss("1")), redirect("/new", 301)], "/new": Reply(body=rss("1"))}
    async with open_site(script) as server:
        followed = await newsroom.subscribe(FEED)
        for _ in range(2):
            await newsroom.poll_after(TEN_MINUTES)

    assert "https://news.example/new" == (await newsroom.standing(followed.feed_id)).url
    assert ["/feed", "/feed", "/new", "/new"] == server.paths()


@pytest.mark.parametrize("status", [302, 303, 307])
async def test_temporary_redirects_are_followed_each_time(
    newsroom: Newsroom, open_site: OpenSite, status: int
) -> None:
    """The address stays what it was, and is asked first at every poll (HTTP-28)."""
    there = Reply(body=rss("2", "1"))
    script = {"/feed": [Reply(body=rss("1")), redirect("/new", status)], "/new": there}
    async with open_site(script) as server:
        followed = await newsroom.subscribe(FEED)
        for _ in range(2):
            await newsroom.poll_after(TEN_MINUTES)

    assert FEED == (await newsroom.standing(followed.feed_id)).url
    assert ["/feed", "/feed", "/new", "/feed", "/new"] == server.paths()
    assert ["Story 2"] == await newsroom.titles(followed.feed_id, news=True)


@pytest.mark.parametrize(
    "there",
    [
        pytest.param(Reply(body=b"<html><title>Parked"), id="a page"),
        pytest.param(Reply(404), id="nothing"),
    ],
)
async def test_a_move_to_what_is_no_feed_is_none(
    newsroom: Newsroom, open_site: OpenSite, there: Reply
) -> None:
    """The old address stays when the new one does not answer as a feed (HTTP-27)."""
    script = {"/feed": [Reply(body=rss("1")), redirect("/new", 301)], "/new": there}
    async with open_site(script):
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    assert FEED == (await newsroom.standing(followed.feed_id)).url


async def test_a_feed_that_moves_to_another_one_floods_nobody(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """A redirect to a feed that shares nothing brings entries, but no news (promise 8)."""
    others = rss(*(f"other-{n}" for n in range(40)))
    script = {"/tag": [Reply(body=rss("1")), redirect("/all", 301)], "/all": Reply(body=others)}
    async with open_site(script):
        followed = await newsroom.subscribe("https://news.example/tag")
        await newsroom.poll_after(TEN_MINUTES)

    assert 41 == len(await newsroom.titles(followed.feed_id))
    assert [] == await newsroom.titles(followed.feed_id, news=True)


async def test_an_announced_address_is_tried_when_it_was_said_twice(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """itunes:new-feed-url moves the feed at the third reading, and only to a feed."""
    says = (
        "<itunes:new-feed-url xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'>"
        "https://news.example/new</itunes:new-feed-url>"
    )
    script = {"/feed": conditional(rss("1", more=says)), "/new": Reply(body=rss("2", "1"))}
    async with open_site(script) as server:
        followed = await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)
        assert ["/feed", "/feed"] == server.paths()
        await newsroom.poll_after(TEN_MINUTES)

    assert "/new" == server.paths()[-1]
    assert "https://news.example/new" == (await newsroom.standing(followed.feed_id)).url
    assert ["Story 2"] == await newsroom.titles(followed.feed_id, news=True)


async def test_an_announced_address_that_is_no_feed_is_not_tried_each_time(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """After a vain try the feed is polled where it is, with one request a turn."""
    says = (
        "<itunes:new-feed-url xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'>"
        "https://news.example/new</itunes:new-feed-url>"
    )
    async with open_site({"/feed": conditional(rss("1", more=says))}) as server:
        followed = await newsroom.subscribe(FEED)
        for _ in range(6):
            await newsroom.poll_after(TEN_MINUTES)

    assert 1 == server.paths().count("/new")
    assert 7 == server.paths().count("/feed")
    assert 0 == (await newsroom.standing(followed.feed_id)).failure_count


async def test_a_bare_host_that_keeps_failing_is_tried_with_www(
    newsroom: Newsroom, open_site: OpenSite
) -> None:
    """At the fourth 404 in a row the www variant is asked; it answers, so the feed lives there."""
    bare = {"/feed": [Reply(body=rss("1")), Reply(404)]}
    there = {"/feed": Reply(body=rss("2", "1"))}
    async with (
        open_site(bare) as server,
        open_site(there, "www.news.example", "93.184.216.35") as with_www,
    ):
        followed = await newsroom.subscribe(FEED)
        for _ in range(4):
            await newsroom.poll_when_due()

    assert (5, 1) == (len(server.seen), len(with_www.seen))
    feed = await newsroom.standing(followed.feed_id)
    assert ("https://www.news.example/feed", "www.news.example", 0) == (
        feed.url,
        feed.lane,
        feed.failure_count,
    )


async def test_gone_is_not_asked_again_with_www(newsroom: Newsroom, open_site: OpenSite) -> None:
    """410 and 304 mean what they say (HTTP-35)."""
    async with (
        open_site({"/feed": [Reply(body=rss("1")), Reply(410)]}),
        open_site({}, "www.news.example", "93.184.216.35") as with_www,
    ):
        await newsroom.subscribe(FEED)
        await newsroom.poll_after(TEN_MINUTES)

    assert [] == with_www.seen

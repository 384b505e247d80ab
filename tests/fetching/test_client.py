"""What is asked of a site, and what its answer comes to."""

import gzip
from datetime import UTC, datetime, timedelta

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply, redirect
from tests.servers.world import World
from wireroom.fetching.outcome import (
    Failed,
    Fetched,
    Gone,
    Hops,
    NotModified,
    Throttled,
    Validators,
)
from wireroom.fetching.request import Request

FEED = b"<rss version='2.0'/>"
URL = "https://news.example/feed"
DATE = "Sun, 29 Nov 2026 08:00:00 GMT"
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


async def test_feed_is_fetched(open_site: OpenSite, open_client: OpenClient) -> None:
    """A 200 comes back whole, with all that its head says."""
    head = (
        ("Content-Type", "application/rss+xml"),
        ("ETag", 'W/"a"'),
        ("Last-Modified", DATE),
        ("Cache-Control", "max-age=60"),
        ("Retry-After", "Mon, 30 Nov 2026 12:01:00 GMT"),
        ("Link", "<https://hub.example/>; rel=hub"),
    )
    script = {"/feed": Reply(headers=head, body=FEED)}
    async with open_site(script), open_client(clock=lambda: NOW) as client:
        outcome = await client.get(Request(URL))

    expected = Fetched(
        hops=Hops(URL),
        status=200,
        body=FEED,
        content_type="application/rss+xml",
        validators=Validators('W/"a"', DATE),
        max_age=timedelta(seconds=60),
        retry_after=timedelta(seconds=60),
        link_header="<https://hub.example/>; rel=hub",
    )
    assert expected == outcome


async def test_request_says_who_asks_and_nothing_else(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Host, agent and what can be read: no cookie, no referrer, no connection to a person."""
    async with open_site({"/feed": Reply(body=FEED)}) as server, open_client() as client:
        await client.get(Request(URL))
        await client.get(Request(URL, user_agent="Another/1", accept="any"))

    first, second = (seen.headers for seen in server.seen)
    assert {"host", "user-agent", "accept", "accept-encoding"} == first.keys()
    assert "news.example" == first["host"]
    assert "Wireroom/0.1 (+https://wireroom.example/bot)" == first["user-agent"]
    assert "gzip, deflate, br, zstd" == first["accept-encoding"]
    assert ("Another/1", "*/*") == (second["user-agent"], second["accept"])


@pytest.mark.parametrize(
    ("verbatim", "sent"),
    [
        (False, {"if-none-match": '"a, b/ä"'}),
        (True, {"if-none-match": 'W/"a, b/ä"', "if-modified-since": "Sun,29-Nov-26  odd"}),
    ],
)
async def test_validators_go_back_byte_for_byte(
    verbatim: bool, sent: dict[str, str], open_site: OpenSite, open_client: OpenClient
) -> None:
    """What the server sent is what it gets, over all hops of a redirect (HTTP-02, HTTP-06)."""
    head = (("ETag", 'W/"a, b/ä"'), ("Last-Modified", "Sun,29-Nov-26  odd"))
    script = {
        "/feed": [Reply(headers=head, body=FEED), redirect("/moved")],
        "/moved": Reply(304),
    }
    async with open_site(script) as server, open_client() as client:
        first = await client.get(Request(URL))
        assert isinstance(first, Fetched)
        again = Request(URL, first.validators, verbatim_validators=verbatim)
        second = await client.get(again)

    assert NotModified(Hops("https://news.example/moved", count=1), Validators()) == second
    for seen in server.seen[1:]:
        fields = {name: value for name, value in seen.headers.items() if name.startswith("if-")}
        assert sent == {name: value.encode("latin-1").decode() for name, value in fields.items()}


async def test_304_carries_new_validators(open_site: OpenSite, open_client: OpenClient) -> None:
    """A 304 may refresh what is known of the feed (B20)."""
    reply = Reply(304, (("ETag", '"new"'), ("Cache-Control", "max-age=9")))
    async with open_site({"/feed": reply}), open_client() as client:
        outcome = await client.get(Request(URL, Validators('"old"')))

    assert NotModified(Hops(URL), Validators('"new"'), timedelta(seconds=9)) == outcome


async def test_304_that_nobody_asked_for_is_broken(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Without validators there is nothing that could be unmodified."""
    async with open_site({"/feed": Reply(304)}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert ("protocol", 304) == (outcome.kind, outcome.status)


async def test_empty_answer_is_fetched(open_site: OpenSite, open_client: OpenClient) -> None:
    """That an empty body is no feed is for the parser to say."""
    async with open_site({"/feed": Reply()}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Fetched)
    assert b"" == outcome.body


@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 451, 500, 502, 206, 300, 305, 799])
async def test_status_is_told(status: int, open_site: OpenSite, open_client: OpenClient) -> None:
    """Whatever is neither an answer nor a rule of its own is a failure with its number."""
    script = {"/feed": Reply(status, (("Retry-After", "7"),), b"<h1>Sorry</h1>")}
    async with open_site(script), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert ("status", status) == (outcome.kind, outcome.status)
    assert str(status) in outcome.reason
    assert "<h1>Sorry</h1>" == outcome.excerpt
    assert timedelta(seconds=7) == outcome.retry_after


async def test_gone_is_told(open_site: OpenSite, open_client: OpenClient) -> None:
    """410 is the publisher's own word."""
    async with open_site({"/feed": Reply(410, body=b"closed")}), open_client() as client:
        assert Gone(Hops(URL), "closed") == await client.get(Request(URL))


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("field", "wait"), [("120", timedelta(minutes=2)), ("-1", None), ("now", None)]
)
async def test_throttling_is_told(
    status: int,
    field: str,
    wait: timedelta | None,
    open_site: OpenSite,
    open_client: OpenClient,
) -> None:
    """429 and 503 come with the time that the server named, or none."""
    script = {"/feed": Reply(status, (("Retry-After", field),), b"slow down")}
    async with open_site(script), open_client() as client:
        assert Throttled(Hops(URL), status, wait, "slow down") == await client.get(Request(URL))


async def test_bot_wall_is_told(open_site: OpenSite, open_client: OpenClient) -> None:
    """A challenge is no plain 403: the sentence has advice (B25)."""
    script = {"/feed": Reply(403, (("cf-mitigated", "challenge"),), b"<html>")}
    async with open_site(script), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert ("bot_wall", 403) == (outcome.kind, outcome.status)
    assert "User-Agent" in outcome.reason


async def test_error_page_is_excerpted(open_site: OpenSite, open_client: OpenClient) -> None:
    """500 characters, valid text, an ellipsis where more follows; compressed pages as well
    (HTTP-40)."""
    page = gzip.compress(("ä" * 300 + "\0" + "ö" * 300).encode("latin-1"))
    head = (("Content-Type", "text/html; charset=iso-8859-1"), ("Content-Encoding", "gzip"))
    async with open_site({"/feed": Reply(500, head, page)}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert "ä" * 300 + " " + "ö" * 198 + "…" == outcome.excerpt
    assert 500 == len(outcome.excerpt)


async def test_cookies_are_forgotten(open_site: OpenSite, open_client: OpenClient) -> None:
    """What a site wants remembered is not, neither on the next hop nor at the next poll."""
    script = {"/feed": redirect("/next", set_cookie="id=1"), "/next": Reply(body=FEED)}
    async with open_site(script) as server, open_client() as client:
        await client.get(Request(URL))
        await client.get(Request(URL))

    assert ["cookie" in seen.headers for seen in server.seen] == [False] * 4


async def test_connection_is_used_again(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """Feeds of one host share a connection, on the address that was checked."""
    async with open_site({"/feed": Reply(body=FEED)}) as server, open_client() as client:
        for _ in range(3):
            await client.get(Request(URL))

    assert 1 == server.connections
    assert ["news.example"] == world.looked_up


async def test_stale_connection_is_replaced(open_site: OpenSite, open_client: OpenClient) -> None:
    """A kept connection that the server closed meanwhile is not the feed's failure."""
    replies = [Reply(body=FEED), Reply(raw=b""), Reply(body=FEED)]
    async with open_site({"/feed": replies}) as server, open_client() as client:
        await client.get(Request(URL))
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Fetched)
    assert 2 == server.connections


async def test_proxies_of_the_environment_are_ignored(
    open_site: OpenSite, open_client: OpenClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy would resolve names by itself, past the guard."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with open_site({"/feed": Reply(body=FEED)}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Fetched)


async def test_misuse_is_an_exception(open_site: OpenSite, open_client: OpenClient) -> None:
    """A field with a line break is a mistake of the caller, not an outcome."""
    async with open_site({}) as server, open_client() as client:
        with pytest.raises(ValueError, match="detected in headers"):
            await client.get(Request(URL, cookie="a\r\nX: y"))

    assert [] == server.seen

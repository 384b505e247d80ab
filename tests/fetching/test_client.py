"""What comes back from a site, from the perfect answer to the worst."""

import gzip
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply, Seen, redirect
from tests.servers.world import World
from wireroom.fetching.guard import Credentials
from wireroom.fetching.outcome import (
    Failed,
    Fetched,
    Gone,
    Hops,
    NotModified,
    Throttled,
    Validators,
)
from wireroom.fetching.request import FetchLimits, Post, Request, Response

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


async def test_compressed_feed_is_unpacked(open_site: OpenSite, open_client: OpenClient) -> None:
    """gzip is asked for and undone; a chunked body is put together (HTTP-11)."""
    packed = Reply(headers=(("Content-Encoding", "gzip"),), body=gzip.compress(FEED), chunked=True)
    async with open_site({"/feed": packed}) as server, open_client() as client:
        outcome = await client.get(Request(URL))

    assert server.seen[0].headers["accept-encoding"].startswith("gzip, ")

    assert isinstance(outcome, Fetched)
    assert FEED == outcome.body


OVER = b"x" * 5_000_001
TOO_LARGE: dict[str, Reply] = {
    "declared": Reply(body=b"x", content_length=5_000_001),
    "counted": Reply(body=OVER),
    "chunked": Reply(body=OVER, chunked=True),
    "until-the-end": Reply(body=OVER, content_length=None),
    "unpacked": Reply(headers=(("Content-Encoding", "gzip"),), body=gzip.compress(OVER)),
    "bomb": Reply(headers=(("Content-Encoding", "gzip"),), body=gzip.compress(bytes(10**7))),
    "head": Reply(headers=tuple((f"X-{n}", "y" * 1000) for n in range(66)), body=FEED),
}


@pytest.mark.parametrize("reply", list(TOO_LARGE.values()), ids=list(TOO_LARGE))
async def test_oversize_is_a_failure(
    reply: Reply, open_site: OpenSite, open_client: OpenClient
) -> None:
    """A byte more than 5 MB, on the wire or unpacked, is a failure, no silent cut (SEC-18,
    HTTP-19, HTTP-20)."""
    async with open_site({"/feed": reply}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert "too_large" == outcome.kind


async def test_body_at_the_limit_is_fetched(open_site: OpenSite, open_client: OpenClient) -> None:
    """5 MB sharp are within the limit."""
    async with open_site({"/feed": Reply(body=OVER[1:])}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Fetched)
    assert 5_000_000 == len(outcome.body)


async def test_request_may_bring_its_own_limits(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Images and pages have other bounds than feeds."""
    async with open_site({"/feed": Reply(body=FEED)}), open_client() as client:
        outcome = await client.get(Request(URL, limits=FetchLimits(body_bytes=5)))

    assert isinstance(outcome, Failed)
    assert "The answer is larger than 5 bytes." == outcome.reason


def test_patience_has_bounds() -> None:
    """20 s for a wait, 60 s for a fetch, unless a profile says otherwise (HTTP-17, HTTP-18)."""
    assert (timedelta(seconds=20), timedelta(seconds=60)) == (
        FetchLimits().operation,
        FetchLimits().total,
    )


SOON = timedelta(seconds=0.2)
SLOW: dict[str, tuple[Reply, FetchLimits]] = {
    "no answer": (Reply(silent=True), FetchLimits(operation=SOON)),
    "no answer in all": (Reply(silent=True), FetchLimits(total=SOON)),
    "drip": (Reply(body=FEED, drip=0.05), FetchLimits(total=SOON)),
    "pause": (Reply(body=FEED, stall_after=5), FetchLimits(operation=SOON)),
    "slow redirects": (replace(redirect("/next"), delay=0.15), FetchLimits(total=SOON)),
    "drip of an error": (Reply(500, body=FEED, drip=0.05), FetchLimits(total=SOON)),
}


@pytest.mark.parametrize(("reply", "limits"), list(SLOW.values()), ids=list(SLOW))
async def test_slow_answer_is_given_up(
    reply: Reply, limits: FetchLimits, open_site: OpenSite, open_client: OpenClient
) -> None:
    """Silence ends with the operation's time, dripping and redirects with the total (B27, HTTP-17,
    HTTP-18)."""
    script = {"/feed": reply, "/next": Reply(body=FEED, delay=0.15)}
    async with open_site(script), open_client(limits=limits) as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert "timeout" == outcome.kind
    assert outcome.reason.startswith("news.example ")


#: Nobody can tell where its body ends, and the connection stays open.
STRANGE = Reply(
    headers=(("Transfer-Encoding", "xchunked"),), body=FEED, content_length=None, stall_after=9
)
HEAD = b"HTTP/1.1 200 OK\r\n"
BROKEN: dict[str, Reply] = {
    "nothing": Reply(raw=b""),
    "no HTTP": Reply(raw=b"SSH-2.0-OpenSSH_9.2\r\n"),
    "half a head": Reply(raw=HEAD + b"Content-Ty"),
    "bad status": Reply(raw=b"HTTP/1.1 abc OK\r\n\r\n"),
    "bad length": Reply(raw=HEAD + b"Content-Length: x\r\n\r\n"),
    "two lengths": Reply(raw=HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    "nameless field": Reply(raw=HEAD + b": x\r\n\r\n"),
    "endless field": Reply(raw=HEAD + b"X: " + b"y" * 70_000 + b"\r\n\r\n"),
    "many fields": Reply(raw=HEAD + b"X: y\r\n" * 2000 + b"\r\n"),
    "cut body": Reply(body=FEED, hang_up_after=5),
    "reset body": Reply(body=bytes(10**6), content_length=None, reset=True),
    "cut chunk": Reply(raw=HEAD + b"Transfer-Encoding: chunked\r\n\r\n9\r\nabc"),
    "bad chunk": Reply(raw=HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n"),
    "strange coding": STRANGE,
    "cut gzip": Reply(headers=(("Content-Encoding", "gzip"),), body=gzip.compress(FEED)[:-9]),
    "bad gzip": Reply(headers=(("Content-Encoding", "gzip"),), body=b"\x1f\x8b\x08" + FEED),
    "two layers": Reply(headers=(("Content-Encoding", "gzip, br"),), body=gzip.compress(FEED)),
}


@pytest.mark.parametrize("reply", list(BROKEN.values()), ids=list(BROKEN))
async def test_broken_answer_is_a_failure(
    reply: Reply, open_site: OpenSite, open_client: OpenClient
) -> None:
    """Half an answer is none, and no kind of rubbish is an exception."""
    async with open_site({"/feed": reply}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert "protocol" == outcome.kind
    assert outcome.reason.endswith(".")


async def test_an_error_in_a_strange_transfer_coding_is_told(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Its status counts at once; its page has no end that could be waited for."""
    async with open_site({"/feed": replace(STRANGE, status=404)}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert ("status", 404, "") == (outcome.kind, outcome.status, outcome.excerpt)


async def test_redirects_are_counted_and_remembered(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """The outcome tells where the answer came from and where the feed has moved (HTTP-23)."""
    script = {
        "/feed": redirect("/one", 301),
        "/one": redirect("/two", 308),
        "/two": redirect("/three?x=1", 307),
        "/three?x=1": Reply(body=FEED),
    }
    async with open_site(script) as server, open_client() as client:
        outcome = await client.get(Request(URL))

    site = "https://news.example"
    assert Hops(f"{site}/three?x=1", f"{site}/two", 3) == outcome.hops
    assert ["/feed", "/one", "/two", "/three?x=1"] == server.paths()
    assert 1 == server.connections


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("reason", ["circle", "leads nowhere", "not fetched"])
async def test_bad_redirect_is_told(
    status: int, reason: str, open_site: OpenSite, open_client: OpenClient
) -> None:
    """Circles, missing Locations and other schemes end the fetch (B22, HTTP-24)."""
    replies = {
        "circle": redirect("/feed", status),
        "leads nowhere": Reply(status),
        "not fetched": redirect("ftp://news.example/feed", status),
    }
    async with open_site({"/feed": replies[reason]}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert "redirect" == outcome.kind
    assert reason in outcome.reason


@pytest.mark.parametrize(
    ("status", "is_followed"),
    [(301, True), (302, True), (303, True), (307, True), (308, True), (300, False), (305, False)],
)
async def test_redirects_are_those_five(
    status: int, is_followed: bool, open_site: OpenSite, open_client: OpenClient
) -> None:
    """301, 302, 307 and 308, and 303 as a temporary one; always with a GET (HTTP-13, HTTP-23)."""
    script = {"/feed": redirect("/new", status), "/new": Reply(body=FEED)}
    async with open_site(script) as server, open_client() as client:
        outcome = await client.get(Request(URL))

    assert (Fetched if is_followed else Failed) is type(outcome)
    is_permanent = status in {301, 308}
    assert ("https://news.example/new" if is_permanent else None) == outcome.hops.permanent_url
    assert {"GET"} == {seen.method for seen in server.seen}


async def test_endless_redirects_are_given_up(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Five redirects are followed, the sixth is not."""

    def onwards(seen: Seen) -> Reply:
        return redirect(f"/{int(seen.path[1:]) + 1}")

    script: dict[str, Any] = {f"/{number}": onwards for number in range(9)}
    async with open_site(script) as server, open_client() as client:
        outcome = await client.get(Request("https://news.example/0"))

    assert isinstance(outcome, Failed)
    assert "redirect" == outcome.kind
    assert 6 == len(server.seen)


async def test_secrets_go_to_the_first_origin_only(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Cookie and Authorization follow redirects at home and are dropped abroad, for good."""
    home = {
        "/feed": redirect("/next"),
        "/next": redirect("https://other.example/"),
        "/back": Reply(body=FEED),
    }
    abroad = {"/": redirect("https://news.example/back")}
    request = Request(URL, cookie="session=s3cret", credentials=Credentials("me", "pw"))
    async with (
        open_site(home) as server,
        open_site(abroad, "other.example", "93.184.216.35") as other,
        open_client() as client,
    ):
        outcome = await client.get(request)

    assert isinstance(outcome, Fetched)
    secrets = [("session=s3cret", "Basic bWU6cHc=")] * 2 + [(None, None)] * 2
    in_order = sorted([*server.seen, *other.seen], key=lambda seen: seen.at)
    assert secrets == [
        (seen.headers.get("cookie"), seen.headers.get("authorization")) for seen in in_order
    ]
    assert "s3cret" not in repr(request)


async def test_credentials_in_the_url_are_sent_and_not_told(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """User and password leave the URL for the Authorization field."""
    async with open_site({"/feed?k=tok": Reply(401)}) as server, open_client() as client:
        outcome = await client.get(Request("https://me:pw@news.example/feed?k=tok"))

    assert isinstance(outcome, Failed)
    assert "Basic bWU6cHc=" == server.seen[0].headers["authorization"]
    assert "https://news.example/feed?k=tok" == outcome.hops.final_url
    assert "tok" not in outcome.reason


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


@pytest.mark.parametrize("status", [200, 204, 400, 404, 410, 429, 500])
async def test_post_is_answered(status: int, open_site: OpenSite, open_client: OpenClient) -> None:
    """Any status of a webhook is a response, with its head and the beginning of its body."""
    answer = Reply(
        status, (("Retry-After", "3"), ("X-Bucket", "b")), b"" if status == 204 else b"{}"
    )
    post = Post("https://news.example/hook", b'{"a":1}', {"Content-Type": "application/json"})
    async with open_site({"/hook": answer}) as server, open_client() as client:
        response = await client.post(post)

    assert isinstance(response, Response)
    assert (status, timedelta(seconds=3)) == (response.status, response.retry_after)
    assert "b" == response.headers["x-bucket"]
    seen = server.seen[0]
    assert ("POST", b'{"a":1}') == (seen.method, seen.body)
    assert "application/json" == seen.headers["content-type"]
    assert "Wireroom/0.1 (+https://wireroom.example/bot)" == seen.headers["user-agent"]


async def test_post_is_not_redirected(open_site: OpenSite, open_client: OpenClient) -> None:
    """A body goes where its owner pointed or nowhere."""
    script = {"/hook": redirect("/other", 307), "/other": Reply()}
    async with open_site(script) as server, open_client() as client:
        response = await client.post(Post("https://news.example/hook", b"x"))

    assert isinstance(response, Response)
    assert 307 == response.status
    assert ["/hook"] == server.paths()


async def test_post_is_never_sent_twice(open_site: OpenSite, open_client: OpenClient) -> None:
    """A receiver that hangs up may have taken the body, so that is for the caller to decide."""
    replies = [Reply(), Reply(raw=b"")]
    async with open_site({"/hook": replies}) as server, open_client() as client:
        await client.post(Post("https://news.example/hook", b"1"))
        outcome = await client.post(Post("https://news.example/hook", b"2"))

    assert isinstance(outcome, Failed)
    assert "protocol" == outcome.kind
    assert [b"1", b"2"] == [seen.body for seen in server.seen]


async def test_long_answer_to_a_post_is_cut(open_site: OpenSite, open_client: OpenClient) -> None:
    """A webhook's answer is a courtesy; its length is no failure."""
    limits = FetchLimits(body_bytes=10)
    async with open_site({"/hook": Reply(body=b"x" * 99_999)}), open_client() as client:
        response = await client.post(Post("https://news.example/hook", b"x", limits=limits))

    assert isinstance(response, Response)
    assert b"x" * 10 == response.body


async def test_misuse_is_an_exception(open_site: OpenSite, open_client: OpenClient) -> None:
    """A field with a line break is a mistake of the caller, not an outcome."""
    async with open_site({}) as server, open_client() as client:
        with pytest.raises(ValueError, match="detected in headers"):
            await client.get(Request(URL, cookie="a\r\nX: y"))

    assert [] == server.seen

"""Answers that are packed, too large, too slow or broken."""

import gzip
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply, redirect
from wireroom.fetching.outcome import Failed, Fetched
from wireroom.fetching.request import FetchLimits, Request

FEED = b"<rss version='2.0'/>"
URL = "https://news.example/feed"


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

"""The request on the wire, and what becomes of the connection after the answer."""

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply
from wireroom.fetching.outcome import Failed, Fetched, NotModified, Validators
from wireroom.fetching.request import Request

URL = "https://news.example/feed"


async def test_a_request_says_what_it_must_and_nothing_else(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Host, agent and what we take; nothing that a library adds by itself."""
    async with open_site({"/feed?a=%C3%A9": Reply(body=b"x")}) as server, open_client() as client:
        await client.get(Request(f"{URL}?a=é#part"))

    (seen,) = server.seen
    assert {"host", "user-agent", "accept", "accept-encoding"} == set(seen.headers)
    assert "news.example" == seen.headers["host"].partition(":")[0]


async def test_a_connection_is_used_again(open_site: OpenSite, open_client: OpenClient) -> None:
    """Feeds of one host follow each other over one connection."""
    async with open_site({"/feed": Reply(body=b"x")}) as server, open_client() as client:
        for _ in range(3):
            await client.get(Request(URL))

    assert 1 == server.connections


async def test_a_connection_with_an_unread_body_is_closed(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """What is left of one answer must never be read as the beginning of the next."""
    replies = [Reply(body=b"x" * 6_000_000), Reply(body=b"next")]
    async with open_site({"/feed": replies}) as server, open_client() as client:
        too_large = await client.get(Request(URL))
        following = await client.get(Request(URL))

    assert isinstance(too_large, Failed)
    assert isinstance(following, Fetched)
    assert b"next" == following.body
    assert 2 == server.connections


@pytest.mark.parametrize("status", [200, 204, 304], ids=str)
async def test_what_was_said_unasked_is_nobody_s_answer(
    open_site: OpenSite, open_client: OpenClient, status: int
) -> None:
    """What comes on a connection that waits in the pool spoils it."""
    script = {"/feed": Reply(status), "/next": Reply(body=b"right")}
    async with open_site(script) as server, open_client() as client:
        await client.get(Request(URL))
        await server.say(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
        outcome = await client.get(Request("https://news.example/next"))

    assert isinstance(outcome, Fetched)
    assert b"right" == outcome.body
    assert 2 == server.connections


async def test_a_get_on_a_connection_that_was_just_closed_is_asked_again(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """RFC 9112 §9.3.1: a host may close a kept connection at the moment we take it up."""
    replies = [Reply(body=b"x"), Reply(raw=b""), Reply(body=b"again")]
    async with open_site({"/feed": replies}) as server, open_client() as client:
        await client.get(Request(URL))
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Fetched)
    assert b"again" == outcome.body
    assert 3 == len(server.seen)


async def test_a_word_before_the_answer_is_passed_over(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """103 Early Hints is not the answer."""
    raw = (
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    )
    async with open_site({"/feed": Reply(raw=raw)}), open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Fetched)
    assert b"ok" == outcome.body


BEHIND = {
    "a body": b"Content-Length: 5\r\n\r\nhello",
    "an empty chunk": b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a whole document": b"ETag: \"a\"\r\n\r\n<rss version='2.0'>\r\n\r\n</rss>",
}


@pytest.mark.parametrize("behind", BEHIND.values(), ids=BEHIND)
async def test_what_comes_behind_a_304_is_dropped(
    behind: bytes, open_site: OpenSite, open_client: OpenClient
) -> None:
    """It says that nothing is new, whatever its server adds; the connection serves nobody else."""
    odd = Reply(raw=b"HTTP/1.1 304 Not Modified\r\n" + behind)
    replies = [odd, Reply(body=b"new")]
    async with open_site({"/feed": replies}) as server, open_client() as client:
        first = await client.get(Request(URL, Validators('"a"')))
        second = await client.get(Request(URL))

    assert isinstance(first, NotModified)
    assert isinstance(second, Fetched)
    assert (b"new", 2) == (second.body, server.connections)


@pytest.mark.parametrize("evil", ["a\r\nX: y", "a\nX: y", "a\rX: y", "a\0"])
async def test_no_field_can_begin_another(
    open_site: OpenSite, open_client: OpenClient, evil: str
) -> None:
    """Such a request is not sent at all."""
    async with open_site({}) as server, open_client() as client:
        with pytest.raises(ValueError, match="detected in headers"):
            await client.get(Request(URL, user_agent=evil))

    assert [] == server.seen


async def test_an_answer_with_two_lengths_is_refused_in_words(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Whoever is in between might read another answer out of it (RFC 9112 §6.3)."""
    both = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
    reply = Reply(raw=both + b"5\r\nhello\r\n0\r\n\r\n")
    async with open_site({"/feed": reply}) as _, open_client() as client:
        outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert "protocol" == outcome.kind
    assert "Content-Length beside Transfer-Encoding" in outcome.reason

"""What is posted, and what comes back."""

from datetime import timedelta

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply, redirect
from wireroom.fetching.outcome import Failed
from wireroom.fetching.request import FetchLimits, Post, Response


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

"""Redirects as the client follows them, and whom secrets reach on the way."""

from typing import Any

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply, Seen, redirect
from wireroom.fetching.guard import Credentials
from wireroom.fetching.outcome import Failed, Fetched, Hops
from wireroom.fetching.request import Request

FEED = b"<rss version='2.0'/>"
URL = "https://news.example/feed"


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

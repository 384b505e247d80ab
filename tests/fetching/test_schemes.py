"""http and https: which is tried when, and what is said when neither works."""

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.authority import Authority
from tests.servers.scripted import Reply, ScriptedServer, redirect
from tests.servers.world import World
from wireroom.fetching.guard import Credentials, Rules
from wireroom.fetching.outcome import Failed, Fetched, Hops
from wireroom.fetching.request import Post, Request, Response
from wireroom.settings import Settings

FEED = b"<rss version='2.0'/>"
PUBLIC = "93.184.216.34"
WITH_HTTP = Rules(allow_http=True)
SCRIPT = {"/feed": Reply(body=FEED)}


@pytest.mark.parametrize("rules", [Rules(), WITH_HTTP], ids=["https only", "http allowed"])
async def test_http_address_is_asked_over_https(
    rules: Rules, world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """An http address means https wherever that answers (HTTP-33)."""
    async with open_site(SCRIPT), open_client(rules=rules) as client:
        outcome = await client.get(Request("http://news.example/feed"))

    assert isinstance(outcome, Fetched)
    assert Hops("https://news.example/feed") == outcome.hops
    assert [(PUBLIC, 443)] == world.dialled


async def test_http_is_refused_in_words(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """A site without https fails, and the sentence names the setting; http is not dialled.

    That is the default (SEC-07).
    """
    async with open_site(SCRIPT, https=False) as server, open_client() as client:
        outcome = await client.get(Request("http://news.example/feed"))

    assert isinstance(outcome, Failed)
    assert "connect" == outcome.kind
    assert (
        "news.example refuses the connection, and plain http is not fetched here "
        "(the operator can allow it with WIREROOM_ALLOW_HTTP=1)."
    ) == outcome.reason
    assert ([(PUBLIC, 443)], []) == (world.dialled, server.seen)
    assert not Settings().allow_http
    assert not Rules().allow_http


async def test_http_is_the_second_choice(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """By explicit permission (`allow_http`), http is dialled after https failed (SEC-07)."""
    async with open_site(SCRIPT, https=False), open_client(rules=WITH_HTTP) as client:
        outcome = await client.get(Request("http://news.example/feed"))

    assert isinstance(outcome, Fetched)
    assert Hops("http://news.example/feed") == outcome.hops
    assert [(PUBLIC, 443), (PUBLIC, 80)] == world.dialled


async def test_http_on_a_port_of_its_own(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """On other ports https is tried on the same port; a server without TLS is a TLS failure."""
    async with open_site(SCRIPT, https=False) as server:
        world.put(server, "news.example", PUBLIC, 8080)
        async with open_client(rules=WITH_HTTP) as client:
            outcome = await client.get(Request("http://news.example:8080/feed"))

    assert isinstance(outcome, Fetched)
    assert [(PUBLIC, 8080), (PUBLIC, 8080)] == world.dialled


async def test_error_over_https_is_the_answer(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """Once https has answered, http is not asked for a second opinion."""
    async with (
        open_site({"/feed": Reply(500)}),
        open_site(SCRIPT, https=False),
        open_client(rules=WITH_HTTP) as client,
    ):
        outcome = await client.get(Request("http://news.example/feed"))

    assert isinstance(outcome, Failed)
    assert 500 == outcome.status
    assert [(PUBLIC, 443)] == world.dialled


async def test_scheme_as_written_saves_the_vain_attempt(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """Who knows that there is no https goes straight to http, if that is allowed at all."""
    request = Request("http://news.example/feed", scheme_as_written=True)
    async with open_site(SCRIPT, https=False):
        async with open_client(rules=WITH_HTTP) as client:
            assert isinstance(await client.get(request), Fetched)
        async with open_client() as client:
            assert isinstance(await client.get(request), Failed)

    assert [(PUBLIC, 80), (PUBLIC, 443)] == world.dialled


async def test_post_falls_back_as_well(open_site: OpenSite, open_client: OpenClient) -> None:
    """Nothing was sent over the https that did not come about, so http may be tried."""
    async with (
        open_site({"/hook": Reply()}, https=False) as server,
        open_client(rules=WITH_HTTP) as client,
    ):
        response = await client.post(Post("http://news.example/hook", b"x"))

    assert isinstance(response, Response)
    assert [b"x"] == [seen.body for seen in server.seen]


async def test_https_that_points_back_to_http(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """Such sites are followed down by permission only; secrets stay behind, nothing is stored."""
    down = {"/feed": redirect("http://news.example/feed", 301)}
    request = Request("https://news.example/feed", credentials=Credentials("me", "pw"))
    async with open_site(down), open_site(SCRIPT, https=False) as plain:
        async with open_client(rules=WITH_HTTP) as client:
            followed = await client.get(request)
        async with open_client() as client:
            refused = await client.get(request)

    assert Hops("http://news.example/feed", None, 1) == followed.hops
    assert isinstance(followed, Fetched)
    assert "authorization" not in plain.seen[0].headers
    assert isinstance(refused, Failed)
    assert "redirect" == refused.kind
    assert "WIREROOM_ALLOW_HTTP=1" in refused.reason
    assert 1 == len(plain.seen)


async def test_permanent_move_to_https_is_stored(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """From http to https elsewhere is a move like any other."""
    up = {"/feed": redirect("https://b.example/feed", 301)}
    async with (
        open_site(up, "a.example", https=False),
        open_site(SCRIPT, "b.example", "93.184.216.35"),
        open_client(rules=WITH_HTTP) as client,
    ):
        outcome = await client.get(Request("http://a.example/feed"))

    url = "https://b.example/feed"
    assert Hops(url, url, 1) == outcome.hops


@pytest.mark.parametrize(
    ("certified", "days", "reason"),
    [
        ("other.example", 10, "The TLS certificate of news.example is for another name."),
        ("news.example", -1, "The TLS certificate of news.example has expired."),
    ],
)
async def test_bad_certificate_is_told(
    certified: str,
    days: int,
    reason: str,
    world: World,
    authority: Authority,
    open_client: OpenClient,
) -> None:
    """What is wrong with a certificate is said in words that its owner understands."""
    tls = authority.for_servers(certified, valid_days=days)
    async with ScriptedServer(SCRIPT, tls=tls) as server, open_client() as client:
        world.put(server, "news.example", PUBLIC)
        outcome = await client.get(Request("https://news.example/feed"))

    assert isinstance(outcome, Failed)
    assert ("tls", reason) == (outcome.kind, outcome.reason)


async def test_unknown_authority_is_told(world: World, open_client: OpenClient) -> None:
    """A chain that ends nowhere is called so."""
    tls = Authority("Somebody else").for_servers("news.example")
    async with ScriptedServer(SCRIPT, tls=tls) as server, open_client() as client:
        world.put(server, "news.example", PUBLIC)
        outcome = await client.get(Request("https://news.example/feed"))

    assert isinstance(outcome, Failed)
    assert "tls" == outcome.kind
    assert "authority" in outcome.reason


async def test_server_without_tls_is_told(
    world: World, open_site: OpenSite, open_client: OpenClient
) -> None:
    """http on the port of https is recognised."""
    async with open_site(SCRIPT, https=False) as server, open_client() as client:
        world.put(server, "news.example", PUBLIC, 443)
        outcome = await client.get(Request("https://news.example/feed"))

    assert isinstance(outcome, Failed)
    assert ("tls", "news.example answers without TLS where https is expected.") == (
        outcome.kind,
        outcome.reason,
    )


async def test_refused_connection_is_told(world: World, open_client: OpenClient) -> None:
    """Nobody listens: the sentence says so and names no path."""
    world.names["news.example"] = [PUBLIC]
    async with open_client() as client:
        outcome = await client.get(Request("https://news.example/feed?token=s3cret"))

    assert isinstance(outcome, Failed)
    assert ("connect", "news.example refuses the connection.") == (outcome.kind, outcome.reason)

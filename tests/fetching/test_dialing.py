"""The guard at work: what is never dialled, whatever names and redirects say."""

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import ip_network

import aiohttp
import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.scripted import Reply, ScriptedServer, redirect
from tests.servers.world import World
from wireroom.fetching.client import Client
from wireroom.fetching.dialing import AddressRefused, SystemNames
from wireroom.fetching.guard import Rules
from wireroom.fetching.outcome import Failed, Fetched
from wireroom.fetching.request import FetchLimits, Post, Request

FEED = b"<rss version='2.0'/>"
PUBLIC, OTHER = "93.184.216.34", "93.184.216.35"
INTRANET = Rules(allow_http=True, allowed_networks=(ip_network("10.0.0.0/8"),))


def assert_refused(outcome: object) -> None:
    assert isinstance(outcome, Failed)
    assert "refused_address" == outcome.kind
    assert outcome.reason.startswith("This address is not on the public internet")


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["::1"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["fe80::1%eth0"],
        [PUBLIC, "10.0.0.1"],
        ["10.0.0.1", PUBLIC],
        ["2606:4700::1111", "fd00::1"],
        ["garbage"],
    ],
    ids=" ".join,
)
async def test_name_with_a_private_address_is_not_dialled(
    addresses: list[str], world: World, open_client: OpenClient
) -> None:
    """One bad address among a name's answers is enough; no socket is opened (SEC-01)."""
    world.names["evil.example"] = addresses
    async with open_client() as client:
        assert_refused(await client.get(Request("https://evil.example/feed")))
        assert_refused(await client.post(Post("https://evil.example/hook", b"x")))

    assert [] == world.dialled


@pytest.mark.parametrize(
    "url",
    [
        *["https://127.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://2130706433/"],
        *["https://localhost/", "https://metadata.google.internal/computeMetadata/v1/"],
    ],
)
async def test_private_address_is_not_dialled(
    url: str, world: World, open_client: OpenClient
) -> None:
    """Literals in any spelling and local names are refused without a look-up."""
    async with open_client() as client:
        assert_refused(await client.get(Request(url)))

    assert ([], []) == (world.dialled, world.looked_up)


async def test_literal_that_slips_through_meets_the_socket(world: World) -> None:
    """Should a private literal ever reach the HTTP client, no socket is made for it."""
    async with Client(user_agent="x", make_socket=world.make_socket) as client:
        assert client._doors is not None
        with pytest.raises(aiohttp.ClientConnectorError) as caught:
            await client._doors.session(inside=False).get("http://127.0.0.1:9/")

    assert isinstance(caught.value.os_error, AddressRefused)

    assert [] == world.dialled


async def test_second_look_up_cannot_change_the_address(
    world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """A name that turns private between two hops is refused at the second (SEC-04)."""
    script = {"/feed": redirect("https://evil.example/next", connection="close")}
    async with (
        open_site(script, "evil.example") as server,
        open_client() as client,
    ):
        answers = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]]

        async def fickle(name: str) -> Sequence[str]:
            return answers.pop(0)

        async with Client(
            user_agent="x",
            tls=client._tls,
            lookup=fickle,
            make_socket=world.make_socket,
        ) as rebound:
            assert_refused(await rebound.get(Request("https://evil.example/feed")))

    assert ["/feed"] == server.paths()
    assert [(PUBLIC, 443)] == world.dialled


async def test_name_is_looked_up_once_a_connection(
    world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """The address that was checked is dialled, under the host's own name (SEC-03)."""
    script = {"/feed": Reply(body=FEED)}
    async with open_site(script) as server, open_client() as client:
        await client.get(Request("https://news.example/feed"))

    assert ["news.example"] == world.looked_up
    assert [(PUBLIC, 443)] == world.dialled
    assert ["news.example"] == [seen.headers["host"] for seen in server.seen]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location",
    ["https://inside.example/", "http://127.0.0.1/", "//0x7f.1/", "https://[fd00::1]:8443/"],
)
async def test_redirect_into_the_inner_network_is_not_followed(
    status: int, location: str, world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """Each hop is checked like the first one (SEC-02)."""
    world.names["inside.example"] = ["192.168.1.1"]
    async with open_site({"/feed": redirect(location, status)}), open_client() as client:
        assert_refused(await client.get(Request("https://news.example/feed")))

    assert [(PUBLIC, 443)] == world.dialled


async def test_unknown_name_is_a_failure(world: World, open_client: OpenClient) -> None:
    """A name without addresses is not taken for a public one (SEC-06)."""
    world.names["empty.example"] = []
    async with open_client() as client:
        for name in ("nobody.example", "empty.example"):
            outcome = await client.get(Request(f"https://{name}/?token=s3cret"))

            assert isinstance(outcome, Failed)
            assert "dns" == outcome.kind
            assert f"There is no host named {name}." == outcome.reason


async def test_unknown_name_is_a_failure_under_an_allow_list(open_client: OpenClient) -> None:
    """Not to know the way inside is no reason to crash."""
    async with open_client(rules=INTRANET) as client:
        outcome = await client.get(Request("http://nobody.internal/"))

    assert isinstance(outcome, Failed)
    assert "dns" == outcome.kind


async def test_silent_name_server_is_a_failure() -> None:
    """A look-up that takes too long is given up."""

    async def never(name: str) -> Sequence[str]:
        await asyncio.sleep(3600)
        return []

    limits = FetchLimits(connect=FetchLimits().connect / 50)
    async with Client(user_agent="x", lookup=never, limits=limits) as client:
        outcome = await client.get(Request("https://news.example/"))

    assert isinstance(outcome, Failed)
    assert ("dns", "The name news.example cannot be looked up at the moment.") == (
        outcome.kind,
        outcome.reason,
    )


async def test_next_address_is_tried(
    world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """Where the first address of a name is dead, the others get their chance."""
    async with open_site({"/feed": Reply(body=FEED)}), open_client() as client:
        world.names["news.example"] = [OTHER, PUBLIC]
        outcome = await client.get(Request("https://news.example/feed"))

    assert isinstance(outcome, Fetched)
    assert [(OTHER, 443), (PUBLIC, 443)] == world.dialled


async def test_allowed_network_is_dialled_as_written(
    world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """Inside, feeds over http are fetched over http at once, and may redirect inside (SEC-05)."""
    script = {"/feed": redirect("http://blog.internal/feed")}
    async with (
        open_site(script, "wiki.internal", "10.1.1.1", https=False),
        open_site({"/feed": Reply(body=FEED)}, "blog.internal", "10.1.1.2", https=False),
        open_client(rules=INTRANET) as client,
    ):
        outcome = await client.get(Request("http://wiki.internal/feed"))

    assert isinstance(outcome, Fetched)
    assert "http://blog.internal/feed" == outcome.hops.final_url
    assert [("10.1.1.1", 80), ("10.1.1.2", 80)] == world.dialled


async def test_allowed_literal_is_dialled(
    world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """An allow-listed address may be written as such."""
    script = {"/feed": Reply(body=FEED)}
    async with (
        open_site(script, "wiki.internal", "10.1.1.1", https=False),
        open_client(rules=INTRANET) as client,
    ):
        outcome = await client.get(Request("http://10.1.1.1/feed"))

    assert isinstance(outcome, Fetched)


@pytest.mark.parametrize("location", ["http://wiki.internal/", "http://10.1.1.1/"])
async def test_public_address_may_not_redirect_inside(
    location: str, world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """The allow-list is for feeds that the operator's people add, not for publishers (C15)."""
    world.names["wiki.internal"] = ["10.1.1.1"]
    script = {"/feed": redirect(location)}
    async with open_site(script), open_client(rules=INTRANET) as client:
        assert_refused(await client.get(Request("https://news.example/feed")))

    assert [(PUBLIC, 443)] == world.dialled


async def test_detour_outside_closes_the_inner_door(
    world: World, open_client: OpenClient, open_site: OpenSite
) -> None:
    """Inside, outside, inside again: the last hop is refused."""
    inside = {"/feed": redirect("https://news.example/feed")}
    outside = {"/feed": redirect("http://wiki.internal/secret")}
    async with (
        open_site(inside, "wiki.internal", "10.1.1.1", https=False) as wiki,
        open_site(outside),
        open_client(rules=INTRANET) as client,
    ):
        assert_refused(await client.get(Request("http://wiki.internal/feed")))

    assert ["/feed"] == wiki.paths()


async def test_network_that_is_not_listed_stays_closed(
    world: World, open_client: OpenClient
) -> None:
    """An allow-list opens its networks and nothing else."""
    world.names["x.internal"] = ["10.1.1.1", "192.168.0.1"]
    async with open_client(rules=INTRANET) as client:
        assert_refused(await client.get(Request("http://x.internal/")))
        assert_refused(await client.get(Request("http://127.0.0.1/")))

    assert [] == world.dialled


async def test_real_sockets_and_names_work() -> None:
    """Without stand-ins: the system's resolver and sockets, on an allow-listed loopback."""
    rules = Rules(allow_http=True, allowed_networks=(ip_network("127.0.0.0/8"),), high_ports=True)
    async with (
        ScriptedServer({"/feed": Reply(body=FEED)}, host="127.0.0.9") as server,
        Client(user_agent="x", rules=rules) as client,
    ):
        outcome = await client.get(Request(server.url("/feed")))

    assert isinstance(outcome, Fetched)


async def test_system_finds_localhost() -> None:
    """The system's resolver gives addresses as text, and `OSError` where there are none."""
    names = SystemNames()
    try:
        assert {"127.0.0.1", "::1"} & set(await names.lookup("localhost"))
        with pytest.raises(socket.gaierror):
            await names.lookup("a" * 64 + ".example")
    finally:
        names.close()

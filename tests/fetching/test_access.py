"""What single feeds need besides their address: proxies and certificates, over real sockets."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.authority import Authority
from tests.servers.scripted import Reply, ScriptedServer, redirect
from tests.servers.world import World
from wireroom.errors import UserError
from wireroom.fetching import access
from wireroom.fetching.access import Access
from wireroom.fetching.guard import Credentials, Rules
from wireroom.fetching.outcome import Failed, Fetched
from wireroom.fetching.request import Request
from wireroom.fetching.tls import tls_with

URL = "https://news.example/feed"
FEED = Reply(body=b"<rss version='2.0'/>")


async def test_a_proxy_is_asked_for_the_address(open_client: OpenClient) -> None:
    """It stands where the operator says, inside the private network, and looks the name up."""
    address = "http://news.example/feed"
    async with ScriptedServer({address: FEED}) as proxy:
        asked = Request(address, proxy=proxy.url(""), scheme_as_written=True)
        async with open_client(rules=Rules(allow_http=True)) as client:
            outcome = await client.get(asked)

    assert isinstance(outcome, Fetched)
    assert [address] == proxy.paths()


async def test_a_proxy_opens_no_way_inside(open_client: OpenClient) -> None:
    """Addresses of the private network are refused, whoever would dial them."""
    async with ScriptedServer({}) as proxy, open_client(rules=Rules(allow_http=True)) as client:
        outcome = await client.get(
            Request("http://10.0.0.7/", proxy=proxy.url(""), scheme_as_written=True)
        )

    assert isinstance(outcome, Failed)
    assert ("refused_address", []) == (outcome.kind, proxy.seen)


async def test_an_authority_of_ones_own_is_trusted_for_that_feed_alone(
    open_client: OpenClient, world: World
) -> None:
    """A server that signs for itself is read with its certificate, and is refused without."""
    private = Authority("A cellar")
    async with ScriptedServer({"/feed": FEED}, tls=private.for_servers("news.example")) as server:
        world.put(server, "news.example", "93.184.216.34")
        async with open_client() as client:
            trusting = await client.get(Request(URL, authority=private.pem))
            other = await client.get(Request(URL))

    assert isinstance(trusting, Fetched)
    assert isinstance(other, Failed)
    assert "tls" == other.kind


async def test_a_certificate_of_ones_own_is_shown(
    open_client: OpenClient, world: World, authority: Authority
) -> None:
    """A server that lets in whom it knows lets us in."""
    asking = authority.for_servers("news.example")
    asking.verify_mode = ssl.CERT_REQUIRED
    asking.load_verify_locations(cadata=authority.pem)
    ours = authority.signed("reader.example").decode()
    async with ScriptedServer({"/feed": FEED}, tls=asking) as server:
        world.put(server, "news.example", "93.184.216.34")
        async with open_client() as client:
            known = await client.get(Request(URL, certificate=ours, authority=authority.pem))
            unknown = await client.get(Request(URL))

    assert isinstance(known, Fetched)
    assert isinstance(unknown, Failed)


@pytest.mark.parametrize("pem", ["nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
def test_a_certificate_that_is_none_is_refused_in_words(pem: str) -> None:
    """What cannot be loaded is said before anybody is asked."""
    with pytest.raises(UserError, match="The certificate cannot be used"):
        tls_with(pem, "")


def test_it_survives_the_vault() -> None:
    """Everything comes back as it was put in."""
    whole = Access("name", "a=1", Credentials("ann", "s"), "http://p:1", "pem", "pem", "both")

    assert whole == access.loads(access.dumps(whole))


def test_it_is_not_shown() -> None:
    """Logs and tracebacks print values: this one keeps its secrets."""
    shown = repr(Access("name", "a=1", Credentials("ann", "s3"), "http://u:p@p", "key", "pem"))

    assert "Access(user_agent='name', credentials=Credentials(***), validators='')" == shown


@asynccontextmanager
async def tunnelling(world: World) -> AsyncIterator[tuple[str, list[str]]]:
    """A proxy that opens tunnels into `world`: its address, and what it was asked for."""
    asked: list[str] = []

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(head.split("\r\n")[0])
        there, thither = await asyncio.open_connection(*world.place("93.184.216.34", 443))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(copy(reader, thither), copy(there, writer), return_exceptions=True)

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as proxy:
        port = proxy.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}", asked


async def test_https_goes_through_a_tunnel_of_the_proxy(
    open_client: OpenClient, open_site: OpenSite, world: World
) -> None:
    """The proxy sees a name; the certificate is the publisher's, and every hop is judged."""
    script = {"/feed": FEED, "/away": redirect("https://169.254.169.254/latest/meta-data")}
    async with open_site(script), tunnelling(world) as (proxy, asked), open_client() as client:
        outcome = await client.get(Request(URL, proxy=proxy))
        away = await client.get(Request("https://news.example/away", proxy=proxy))

    assert isinstance(outcome, Fetched)
    assert isinstance(away, Failed)
    assert "refused_address" == away.kind
    assert {"CONNECT news.example:443 HTTP/1.1"} == set(asked)

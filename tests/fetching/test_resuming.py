"""TLS sessions are taken up again, where that is right."""

import ssl
import time

import pytest

from tests.fetching.conftest import OpenClient, OpenSite
from tests.servers.authority import Authority
from tests.servers.scripted import Reply
from wireroom.fetching.outcome import Failed, Fetched
from wireroom.fetching.request import Request
from wireroom.fetching.resuming import ResumingContext

URL = "https://news.example/feed"
CLOSING = Reply(body=b"<rss version='2.0'/>", headers=(("Connection", "close"),))


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=str)
async def test_a_new_connection_takes_up_the_session_of_the_last(
    open_site: OpenSite, open_client: OpenClient, version: ssl.TLSVersion
) -> None:
    """The first handshake is a full one; those after it need no certificate."""
    async with open_site({"/feed": CLOSING}) as server, open_client() as client:
        assert server.tls is not None
        server.tls.maximum_version = version
        outcomes = [await client.get(Request(URL)) for _ in range(3)]

    assert [True] * 3 == [isinstance(each, Fetched) for each in outcomes]
    assert (3, 2) == (server.connections, server.resumed)


async def test_a_host_that_forgot_is_met_anew(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """A restarted server does not know our ticket: a full handshake, and nobody notices."""
    async with open_client() as client:
        for _ in range(2):
            async with open_site({"/feed": CLOSING}) as server:
                outcome = await client.get(Request(URL))

    assert isinstance(outcome, Fetched)
    assert (1, 0) == (server.connections, server.resumed)


async def test_a_certificate_is_looked_at_where_the_session_is_unknown(
    open_site: OpenSite, open_client: OpenClient
) -> None:
    """Whoever takes the place of a host that we know needs a certificate for its name."""
    stranger = Authority("Somebody else")
    async with open_client() as client:
        async with open_site({"/feed": CLOSING}):
            await client.get(Request(URL))
        async with open_site({"/feed": CLOSING}) as server:
            server._server.close()
            server.tls, server.port = stranger.for_servers("news.example"), server.port
            async with server:
                outcome = await client.get(Request(URL))

    assert isinstance(outcome, Failed)
    assert "tls" == outcome.kind


def test_old_sessions_are_not_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither beyond what the server said, nor after a day; each serves once."""

    class Kept:
        time, timeout = 1000, 300

    context = ResumingContext(ssl.PROTOCOL_TLS_CLIENT)
    taken = []
    for moment in (1299, 1300):
        context.remember("news.example", Kept())  # type: ignore[arg-type]
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        taken.append(context._take("news.example") is not None)
    taken.append(context._take("news.example") is not None)

    assert [True, False, False] == taken

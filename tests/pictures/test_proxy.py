"""Pictures over real sockets: fetched once, only pictures, and silence is kept."""
# ruff: noqa: F811 - fixtures are imported, and asked for by name

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from tests.fetching.conftest import authority, open_client, open_site, world  # noqa: F401
from tests.rows import NOON, at
from tests.servers.engines import in_memory
from tests.servers.scripted import Reply, ScriptedServer, redirect
from tests.web.rooms import Outside
from wireroom.pictures.addresses import Addresses
from wireroom.pictures.cache import Cache
from wireroom.pictures.proxy import Proxy
from wireroom.store import claims
from wireroom.web import pictures
from wireroom.web.app import build
from wireroom.web.room import Settings

PNG = b"\x89PNG\r\n\x1a\n" + b"pixels"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
ADDRESSES = Addresses(b"k" * 32)
HOST = "https://news.example"

OpenSite = Callable[..., AbstractAsyncContextManager[ScriptedServer]]


@asynccontextmanager
async def _reader(proxy: Proxy, outside: Outside) -> AsyncIterator[AsyncClient]:
    app = build(
        database=outside.database,
        subscribe=outside.subscribe,
        unsubscribe=outside.unsubscribe,
        refresh=outside.refresh,
        bell=outside.bell,
        now=outside.now,
        settings=Settings(allowed_hosts=("testserver.local",)),
        vault=outside.vault,
        pictures=ADDRESSES,
        beside=[pictures.router(proxy)],
    )
    transport = ASGITransport(app)
    async with AsyncClient(transport=transport, base_url="http://testserver.local") as client:
        yield client


@pytest.fixture
async def proxy(
    tmp_path: Path, open_client: Callable[..., AbstractAsyncContextManager[object]]
) -> AsyncIterator[Proxy]:
    database = in_memory()
    async with open_client() as client:
        yield Proxy(ADDRESSES, client, database, Cache(tmp_path), lambda: NOON)  # type: ignore[arg-type]
    database.close()


@pytest.fixture
async def reader(proxy: Proxy) -> AsyncIterator[AsyncClient]:
    async with _reader(proxy, Outside(proxy.database)) as client:
        yield client


async def test_a_picture_is_fetched_once(reader: AsyncClient, open_site: OpenSite) -> None:
    """However many ask for it, and without a word about who they are."""
    async with open_site({"/1.png": Reply(body=PNG, delay=0.1)}) as site:
        path = ADDRESSES.of(f"{HOST}/1.png")
        headers = {"cookie": "wireroom=secret", "referer": "https://reader.example/"}
        both = await asyncio.gather(*(reader.get(path, headers=headers) for _ in range(2)))
        again = await reader.get(path)

    assert [(200, PNG)] * 3 == [(each.status_code, each.content) for each in (*both, again)]
    assert 1 == len(site.seen)
    assert not {"cookie", "referer"} & set(site.seen[0].headers)


async def test_a_picture_is_only_to_be_looked_at(reader: AsyncClient, open_site: OpenSite) -> None:
    """A drawing with a script in it can run nothing, and browsers keep it for a week."""
    script = Reply(body=SVG, headers=(("Content-Type", "text/html"),))
    async with open_site({"/1.svg": script}):
        answer = await reader.get(ADDRESSES.of(f"{HOST}/1.svg"))

    assert "image/svg+xml" == answer.headers["content-type"].partition(";")[0]
    assert "nosniff" == answer.headers["x-content-type-options"]
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert "private, max-age=604800" == answer.headers["cache-control"]


async def test_a_copy_that_is_current_is_not_sent_again(
    reader: AsyncClient, open_site: OpenSite
) -> None:
    """Its tag is enough."""
    async with open_site({"/1.png": Reply(body=PNG)}):
        path = ADDRESSES.of(f"{HOST}/1.png")
        tag = (await reader.get(path)).headers["etag"]
        again = await reader.get(path, headers={"if-none-match": tag})

    assert (304, b"") == (again.status_code, again.content)


NO_PICTURES = {
    "page": Reply(body=b"<!doctype html><title>Hello</title>"),
    "missing": Reply(404, body=PNG),
    "too large": Reply(body=PNG + bytes(11_000_000)),
    "to a private address": redirect("https://127.0.0.1/1.png"),
}


@pytest.mark.parametrize("reply", NO_PICTURES.values(), ids=NO_PICTURES)
async def test_what_is_no_picture_is_not_shown(
    reader: AsyncClient, open_site: OpenSite, reply: Reply
) -> None:
    """And not asked for again at once."""
    async with open_site({"/1.png": reply}) as site:
        answers = [await reader.get(ADDRESSES.of(f"{HOST}/1.png")) for _ in range(2)]

    assert [404, 404] == [each.status_code for each in answers]
    assert 1 == len(site.seen)


async def test_nobody_fetches_through_us_what_we_did_not_sign(
    reader: AsyncClient, open_site: OpenSite
) -> None:
    """The publisher hears nothing."""
    async with open_site({"/1.png": Reply(body=PNG)}) as site:
        answer = await reader.get(Addresses(b"mine").of(f"{HOST}/1.png"))

    assert 404 == answer.status_code
    assert [] == site.seen


async def test_a_host_that_asked_for_silence_is_left_alone(
    reader: AsyncClient, proxy: Proxy, open_site: OpenSite
) -> None:
    """Whoever heard it: the wish to us counts for polling, too, and the other way round."""
    slow_down = Reply(429, headers=(("Retry-After", "600"),))
    async with open_site({"/1.png": slow_down, "/2.png": Reply(body=PNG)}) as site:
        for name in ("1.png", "2.png"):
            answer = await reader.get(ADDRESSES.of(f"{HOST}/{name}"))

            assert 404 == answer.status_code
    with proxy.database.reading() as connection:
        until = claims.paused_until(connection, "news.example")

    assert ["/1.png"] == [each.path for each in site.seen]
    assert at(10) == until

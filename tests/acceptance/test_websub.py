"""A hub pushes, and a chat hears of it: how long that takes, from its request to our send call."""

import asyncio
import contextlib
import hashlib
import hmac
import socket
import statistics
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import pytest
from aiohttp import ClientSession, web

from tests.acceptance.conftest import CHAT, World
from tests.acceptance.program import until
from tests.servers.authority import Authority

PUBLIC = "https://reader.example"
PUSHES = 7
#: A private chat takes one message a second.
_APART_SECONDS = 1.2


@dataclass
class Hub:
    """A publisher with its hub, over https, that pushes signed documents."""

    authority: Authority = field(default_factory=Authority)
    items: list[int] = field(default_factory=lambda: [1])
    form: dict[str, str] = field(default_factory=dict)
    url: str = ""

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Self]:
        app = web.Application()
        app.router.add_get("/feed", self._feed)
        app.router.add_post("/hub", self._hub)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        tls = self.authority.for_servers("127.0.0.1")
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
        self.url = f"https://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            await runner.cleanup()

    async def _feed(self, _: web.Request) -> web.Response:
        links = f'<{self.url}/hub>; rel="hub", <{self.url}/feed>; rel="self"'
        return web.Response(body=self.document(), headers={"Link": links})

    async def _hub(self, request: web.Request) -> web.Response:
        self.form = {name: str(value) for name, value in (await request.post()).items()}
        return web.Response(status=202)

    def document(self) -> bytes:
        items = "".join(
            f"<item><guid isPermaLink='false'>s{number}</guid><title>Story number {number}</title>"
            f"<link>{self.url}/{number}</link></item>"
            for number in reversed(self.items)
        )
        head = f"<title>Harbour</title><link>{self.url}/</link>"
        return f"<rss version='2.0'><channel>{head}{items}</channel></rss>".encode()

    def callback(self, program_address: str) -> str:
        """Where the program hears us here, behind its public address."""
        return program_address.rstrip("/") + self.form["hub.callback"].removeprefix(PUBLIC)

    def signature(self, body: bytes) -> str:
        key = self.form["hub.secret"].encode()
        return "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest()


@pytest.fixture
async def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """A hub whose certificate the program believes."""
    async with Hub().open() as opened:
        (tmp_path / "authority.pem").write_text(opened.authority.pem)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        yield opened


async def _confirm(hub: Hub, http: ClientSession, address: str) -> None:
    question = {
        "hub.mode": "subscribe",
        "hub.topic": hub.form["hub.topic"],
        "hub.challenge": "42",
        "hub.lease_seconds": "86400",
    }
    async with http.get(hub.callback(address), params=question) as answer:
        assert (200, "42") == (answer.status, await answer.text())


async def _push(hub: Hub, http: ClientSession, world: World) -> float:
    """Seconds from the hub's request to the call of the channel."""
    hub.items.append(hub.items[-1] + 1)
    body = hub.document()
    headers = {"Content-Type": "application/rss+xml", "X-Hub-Signature": hub.signature(body)}
    began = time.monotonic()
    async with http.post(hub.callback(world.program.address), data=body, headers=headers) as taken:
        assert 202 == taken.status
    async with asyncio.timeout(40):
        while hub.items[-1] not in world.told_on_telegram():  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.005)
    return time.monotonic() - began


async def test_a_push_reaches_the_chat_within_a_second(world: World, hub: Hub) -> None:
    """The median of a few signed pushes is under a second; each story comes once, in order."""
    port = _free_port()
    world.program.settings |= {
        "PUBLIC_URL": PUBLIC,
        "LISTEN": f"127.0.0.1:{port}",
        "POLL_INTERVAL": "6h",
        "POLL_INTERVAL_MAX": "6h",
    }
    code, printed = await world.program.command(
        "subscribe", f"{hub.url}/feed", "--to", f"telegram:{CHAT}"
    )
    assert 0 == code, printed
    await world.program.start()
    await until(lambda: bool(hub.form), "the program asks the hub")
    world.program.address = f"http://127.0.0.1:{port}"
    async with ClientSession(headers={"Host": "reader.example"}) as http:
        await _confirm(hub, http, world.program.address)
        took = []
        for _ in range(PUSHES):
            took.append(await _push(hub, http, world))
            await asyncio.sleep(_APART_SECONDS)

    assert list(range(2, 2 + PUSHES)) == world.told_on_telegram()
    assert statistics.median(took) < 1.0, took
    print(f"from the hub's request to the send call: median {statistics.median(took):.3f} s")


def _free_port() -> int:
    """A port that is free now: behind a public address the program does not print its own."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port

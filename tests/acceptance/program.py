"""The real program as a process of its own, and a publisher whose feed changes."""

import asyncio
import contextlib
import hashlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.acceptance.starter import Child, Starter

#: No step of these tests takes longer on a healthy machine; a hang ends the test.
PATIENCE_SECONDS = 40

_RUNS = re.compile(rb"Wireroom runs\. (?:Open (http://\S+))?")
_TEXT = (
    "&lt;p&gt;Text of &lt;b&gt;{}&lt;/b&gt; &amp;lt; all."
    "&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;"
)
_SOURCE = Path(__file__).resolve().parents[2] / "src"


@dataclass
class Program:
    """`wireroom` with settings of its own; every process it starts is ended with the context."""

    folder: Path
    settings: dict[str, str]
    #: What forks it from a process that has imported Wireroom; None: Python is started anew.
    starter: Starter | None = None
    address: str = ""
    log: bytearray = field(default_factory=bytearray)
    _process: Child | asyncio.subprocess.Process | None = None
    _reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.kill()
        if error is not None:
            sys.stderr.write(self.log.decode(errors="replace"))

    async def start(self, part: str = "run") -> None:
        """`wireroom run`, or one of its parts; returns when it says that it runs."""
        self._process = await self._begin(part)
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (found := _RUNS.search(self.log)):
                line = await self._process.stdout.readline()
                assert line, f"ended at start: {self.log.decode(errors='replace')}"
                self.log += line
        self.address = (found[1] or b"").decode()
        self._reading = asyncio.create_task(self._keep_reading(self._process.stdout))

    async def _keep_reading(self, stream: asyncio.StreamReader) -> None:
        while line := await stream.readline():
            self.log += line

    async def kill(self) -> None:
        """SIGKILL, as a power cut would; nothing if it does not run."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM, as an init system would; gives the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(how)
        async with asyncio.timeout(PATIENCE_SECONDS):
            code = await process.wait()
        if self._reading is not None:
            await self._reading
        self.log.clear()
        return code

    @property
    def pid(self) -> int:
        """Of the running process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_dead(self) -> bool:
        """Whether the process has ended by itself or by `kill_now`."""
        return self._process is None or self._process.returncode is not None

    def kill_now(self) -> None:
        """SIGKILL this very moment, from inside a server's handler; `kill` must follow."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)

    async def command(self, *arguments: str) -> tuple[int, str]:
        """Run `wireroom ARGUMENTS` to its end; gives exit code and all that it printed."""
        process = await self._begin(*arguments)
        async with asyncio.timeout(PATIENCE_SECONDS):
            printed, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, printed.decode()

    async def _begin(self, *arguments: str) -> Child | asyncio.subprocess.Process:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("WIREROOM_")
        }
        environment |= {
            "PYTHONPATH": str(_SOURCE),
            "COLUMNS": "200",
            "WIREROOM_DATA_DIR": str(self.folder),
            "WIREROOM_LISTEN": "127.0.0.1:0",
            **{f"WIREROOM_{name}": value for name, value in self.settings.items()},
        }
        if self.starter is not None:
            return await self.starter.start(arguments, environment, self.folder)
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "wireroom",
            *arguments,
            cwd=self.folder,
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )


@dataclass
class Publisher:
    """A site with a page, a feed that can change, and addresses that misbehave."""

    items: list[int] = field(default_factory=lambda: [1, 2, 3])
    #: Called at each request for the feed, before it is answered.
    on_request: Callable[[], None] = lambda: None
    requests: list[web.BaseRequest] = field(default_factory=list)
    #: Texts of stories that are not the usual one, as they stand in the document.
    bodies: dict[int, str] = field(default_factory=dict)
    #: Whether the front page leads to the feed.
    has_front_page: bool = True
    url: str = ""

    @property
    def feed_url(self) -> str:
        return f"{self.url}/stories"

    @property
    def statuses(self) -> list[int]:
        """What the feed's requests were answered: 200 or 304."""
        return self._statuses

    async def _feed(self, request: web.Request) -> web.Response:
        self.requests.append(request)
        self.on_request()
        body = self._document()
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if request.headers.get("If-None-Match") == etag:
            self._statuses.append(304)
            return web.Response(status=304, headers={"ETag": etag})
        self._statuses.append(200)
        return web.Response(body=body, content_type="application/rss+xml", headers={"ETag": etag})

    def _document(self) -> bytes:
        items = "".join(
            f"<item><guid isPermaLink='false'>story-{number}</guid>"
            f"<title>Story &amp; number {number}</title><link>{self.url}/{number}</link>"
            f"<pubDate>Sun, 29 Nov 2026 {number // 60:02}:{number % 60:02}:00 GMT</pubDate>"
            f"<description>{self.bodies.get(number, _TEXT.format(number))}</description></item>"
            for number in reversed(self.items)
        )
        return (
            "<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel>"
            f"<title>Harbour News</title><link>{self.url}/</link>"
            f"<description>What ships bring</description>{items}</channel></rss>"
        ).encode()

    async def _page(self, request: web.Request) -> web.Response:
        if not self.has_front_page:
            return await self._bare(request)
        return web.Response(
            text="<!doctype html><title>Harbour</title>"
            "<link rel='alternate' type='application/rss+xml' title='News' href='/stories'>",
            content_type="text/html",
        )

    async def _bare(self, _: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><p>no feed", content_type="text/html")

    async def _status(self, request: web.Request) -> web.Response:
        return web.Response(status=int(request.match_info["code"]), text="no")

    async def _empty(self, _: web.Request) -> web.Response:
        return web.Response(body=b"")

    async def _large(self, _: web.Request) -> web.Response:
        return web.Response(body=b"<rss>" + b" " * 5_000_000, content_type="text/xml")

    async def _loop(self, request: web.Request) -> web.Response:
        raise web.HTTPFound("/loop/b" if request.path.endswith("a") else "/loop/a")

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Self]:
        self._statuses: list[int] = []
        app = web.Application()
        app.router.add_get("/stories", self._feed)
        app.router.add_get("/", self._page)
        app.router.add_get("/bare", self._bare)
        app.router.add_get("/status/{code}", self._status)
        app.router.add_get("/empty", self._empty)
        app.router.add_get("/large", self._large)
        app.router.add_get("/loop/{name}", self._loop)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            await runner.cleanup()


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that another process does; fails in words when it does not happen."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():  # noqa: ASYNC110 - another process changes it
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"did not happen: {what}") from None

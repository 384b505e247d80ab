"""Everything outside, on one port of all loopback addresses: a thousand publishers and Discord.

Each address is a host with feeds of its own. Requests lie for a moment before they are answered,
so that two of them at one host would be seen. What was asked and what was accepted stays here: it
is the proof.
"""

import asyncio
import json
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

#: Items of a document: no feed publishes more than that during a run.
WINDOW = 20
#: Items that each feed has from the beginning.
FIRST = 3

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_TOLD = re.compile(r"Feed (\d+) number (\d+)\b")


@dataclass(frozen=True)
class Overlap:
    """A host had a request under way when another came."""

    host: str
    paths: tuple[str, ...]


@dataclass
class Outside:
    """`published[n]` is how many items feed n has by now."""

    feeds: int
    hosts: int
    seed: int
    port: int = 0
    published: list[int] = field(default_factory=list)
    requests: Counter[str] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    overlaps: list[Overlap] = field(default_factory=list)
    #: By webhook: (feed, item) as they came.
    told: defaultdict[str, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _under_way: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.published = [FIRST] * self.feeds
        self.random = random.Random(self.seed)

    def host_of(self, feed: int) -> str:
        host = feed % self.hosts
        return f"127.20.{host // 250}.{host % 250 + 1}"

    def url_of(self, feed: int) -> str:
        return f"http://{self.host_of(feed)}:{self.port}/{feed}"

    async def open(self) -> asyncio.Server:
        """Listen; close the server at the end."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Connection(self), "0.0.0.0", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def publish(self, feed: int) -> None:
        """One more item, while the document has room for it."""
        if self.published[feed] < WINDOW:
            self.published[feed] += 1

    # -- what a connection asks -------------------------------------------------------------------

    def begin(self, host: str, path: str) -> None:
        self.requests[host] += 1
        under_way = self._under_way[host]
        under_way.append(path)
        if len(under_way) > 1:
            self.overlaps.append(Overlap(host, tuple(under_way)))

    def end(self, host: str, path: str) -> None:
        self._under_way[host].remove(path)

    def document(self, path: str, tag: str) -> tuple[int, str, bytes]:
        """Status, ETag and body."""
        feed = int(path.strip("/"))
        count = self.published[feed]
        etag = f'"{count}"'
        status = 304 if tag == etag else 200
        self.answers[status] += 1
        return status, etag, b"" if status == 304 else _document(feed, count)

    def take(self, path: str, body: bytes) -> bytes:
        """A message for a webhook: noted, and accepted."""
        webhook = path.split("/")[2]
        found = _TOLD.search(json.loads(body)["embeds"][0]["title"])
        assert found is not None
        self.told[webhook].append((int(found[1]), int(found[2])))
        number = sum(map(len, self.told.values()))
        return json.dumps({"id": str(number), "channel_id": f"9{webhook}"}).encode()


def _document(feed: int, count: int) -> bytes:
    items = "".join(
        f"<item><guid isPermaLink='false'>story-{feed}-{number}</guid>"
        f"<title>Feed {feed} number {number}</title>"
        f"<pubDate>Sun, 29 Nov 2026 {number:02}:00:00 GMT</pubDate></item>"
        for number in range(count, max(0, count - WINDOW), -1)
    )
    return (
        f"<rss version='2.0'><channel><title>Feed {feed}</title>"
        f"<link>https://soak.example/</link><description/>{items}</channel></rss>"
    ).encode()


class _Connection(asyncio.Protocol):
    """HTTP/1.1 as far as our two clients speak it."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._unread = b""
        self._host = ""
        self._path: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._host = transport.get_extra_info("sockname")[0]

    def data_received(self, data: bytes) -> None:
        if data[:1] == b"\x16":  # TLS: these publishers are old
            self._transport.close()
            return
        self._unread += data
        head, separator, rest = self._unread.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not separator or len(rest) < (int(length[1]) if length else 0):
            return
        self._unread = b""
        lines = head.decode("latin-1").split("\r\n")
        method, path, _ = lines[0].split(" ")
        if method == "POST":
            self._answer(200, "", self._outside.take(path, rest), "application/json")
            return
        tag = next((x.partition(":")[2] for x in lines if x.lower().startswith("if-none")), "")
        self._path = path
        self._outside.begin(self._host, path)
        pause = self._outside.random.uniform(0.005, 0.03)
        asyncio.get_running_loop().call_later(pause, self._feed, tag.strip())

    def _feed(self, tag: str) -> None:
        if self._path is None:
            return
        self._answer(*self._outside.document(self._path, tag), "application/rss+xml")
        self._done()

    def _answer(self, status: int, etag: str, body: bytes, kind: str) -> None:
        head = f"HTTP/1.1 {status} Yes\r\nContent-Type: {kind}\r\n"
        head += f"ETag: {etag}\r\n" if etag else ""
        head += "" if status == 304 else f"Content-Length: {len(body)}\r\n"
        self._transport.write(f"{head}\r\n".encode() + body)

    def _done(self) -> None:
        if self._path is not None:
            self._outside.end(self._host, self._path)
            self._path = None

    def connection_lost(self, _: Exception | None) -> None:
        self._done()

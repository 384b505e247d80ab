"""A web server that does what its script says, misbehaviour included, and remembers what it saw.

::

    script = {"/feed": Reply(body=b"<rss/>"), "/old": redirect("/feed")}
    async with ScriptedServer(script) as server:
        ...server.url("/feed")
        assert server.seen[0].headers["user-agent"] == "..."

A behaviour is a `Reply`, a list of replies (one a request, the last one for ever), or a function
from the `Seen` request to a reply. Paths without a behaviour are answered 404. Headers and bodies
go out byte for byte as written, so that servers of the wild can be played.
"""

import asyncio
import contextlib
import socket
import ssl
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Self


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it came; names of `headers` are lower case. `at` is monotonic, in seconds."""

    at: float
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    #: Which connection it came on, counted from 1.
    connection: int


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, honest by default.

    `raw` replaces the whole answer and ends the connection. `content_length` is a claim that need
    not be true; None leaves the field out. `hang_up_after` ends the connection after that many
    bytes of the body, `stall_after` keeps it open and sends no more, `reset` ends it with a reset.
    `delay` is waited before the answer, `drip` between single bytes of the body (seconds).
    `silent` takes the request and never answers.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    raw: bytes | None = None
    content_length: int | None = -1
    chunked: bool = False
    hang_up_after: int | None = None
    stall_after: int | None = None
    reset: bool = False
    delay: float = 0
    drip: float = 0
    silent: bool = False


#: What web servers answer to TLS on a port without it.
_NOT_TLS = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"

Behaviour = Reply | list[Reply] | Callable[[Seen], Reply]


def redirect(location: str, status: int = 302, **more: str) -> Reply:
    """A redirect; `more` are further header fields with `_` for `-`."""
    extra = tuple((name.replace("_", "-"), value) for name, value in more.items())
    return Reply(status, (("Location", location), *extra))


@dataclass
class ScriptedServer:
    """See the module. Listens on a free port of `host` while its context is open."""

    script: Mapping[str, Behaviour]
    host: str = "127.0.0.1"
    tls: ssl.SSLContext | None = None
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0
    #: Of these, how many took up a TLS session of before.
    resumed: int = 0
    port: int = 0

    async def __aenter__(self) -> Self:
        self._conversations: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._turns: dict[str, int] = {}
        self._server = await asyncio.start_server(
            self._converse,
            self.host,
            self.port,
            ssl=self.tls,
            ssl_shutdown_timeout=0.5 if self.tls else None,
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.hang_up()

    async def hang_up(self) -> None:
        """End all conversations, whatever they wait for."""
        for conversation in self._conversations:
            conversation.cancel()
        await asyncio.gather(*self._conversations, return_exceptions=True)

    async def say(self, words: bytes) -> None:
        """Say something unasked on all connections that are open; it has arrived afterwards."""
        for writer in self._writers:
            writer.write(words)
            await writer.drain()
        await asyncio.sleep(0.05)

    def url(self, path: str = "/", host: str | None = None) -> str:
        """The address of `path`; `host` names this server otherwise than by its address."""
        return f"{'https' if self.tls else 'http'}://{host or self.host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """The paths asked for so far, in order."""
        return [seen.path for seen in self.seen]

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._conversations.add(task)
        task.add_done_callback(self._conversations.discard)
        self._writers.add(writer)
        self.connections += 1
        number = self.connections
        encrypted: ssl.SSLObject | None = writer.get_extra_info("ssl_object")
        self.resumed += encrypted is not None and bool(encrypted.session_reused)
        try:
            alive = True
            while alive:
                seen = await _read_request(reader, number)
                if seen is not None:
                    self.seen.append(seen)
                reply = self._reply(seen) if seen else Reply(raw=_NOT_TLS)
                alive = await _answer(writer, reply)
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        except asyncio.CancelledError:
            return
        finally:
            self._writers.discard(writer)
            writer.close()

    def _reply(self, seen: Seen) -> Reply:
        behaviour = self.script.get(seen.path)
        if behaviour is None:
            return Reply(404, body=b"no such page")
        if isinstance(behaviour, Reply):
            return behaviour
        if callable(behaviour):
            return behaviour(seen)
        turn = self._turns.get(seen.path, 0)
        self._turns[seen.path] = turn + 1
        return behaviour[min(turn, len(behaviour) - 1)]


async def _read_request(reader: asyncio.StreamReader, connection: int) -> Seen | None:
    """The next request; None when the client begins with a TLS handshake instead."""
    head = await reader.readexactly(1)
    if head == b"\x16":
        return None
    head += await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    pairs = (line.split(":", 1) for line in lines if line)
    headers = {name.lower(): value.strip() for name, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Seen(time.monotonic(), method, path, headers, body, connection)


async def _answer(writer: asyncio.StreamWriter, reply: Reply) -> bool:
    """Whether the connection lives on."""
    if reply.silent:
        await asyncio.sleep(3600)
    await asyncio.sleep(reply.delay)
    if reply.raw is not None:
        writer.write(reply.raw)
        await writer.drain()
        return False
    writer.write(_head(reply))
    body = reply.body[: reply.hang_up_after][: reply.stall_after]
    if reply.drip:
        await _drip(writer, body, reply.drip)
    elif reply.chunked:
        writer.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n")
    else:
        writer.write(body)
    await writer.drain()
    if reply.stall_after is not None:
        await asyncio.sleep(3600)
    if reply.reset:
        _reset(writer)
        return False
    framed = reply.chunked or reply.content_length is not None
    return framed and reply.hang_up_after is None


def _reset(writer: asyncio.StreamWriter) -> None:
    """End the connection the hard way: a closed socket that must not linger sends RST."""
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _drip(writer: asyncio.StreamWriter, body: bytes, seconds: float) -> None:
    for byte in body:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(seconds)


def _head(reply: Reply) -> bytes:
    with contextlib.suppress(ValueError):
        phrase = HTTPStatus(reply.status).phrase
    lines = [f"HTTP/1.1 {reply.status} {phrase if reply.status < 600 else ''}"]
    lines += [f"{name}: {value}" for name, value in reply.headers]
    if reply.chunked:
        lines.append("Transfer-Encoding: chunked")
    elif reply.content_length is not None and reply.status != 304:
        length = len(reply.body) if reply.content_length < 0 else reply.content_length
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")

"""A GET over a pooled connection of aiohttp, without what its sessions do around one.

Polls are most of what we do, most of them are answered 304, and half of a session's work on such a
request serves cookies, redirects, tracing, uploads and authentication, none of which a poll has.
The connector (pool, resolver, TLS, limits) and the parser of answers are aiohttp's own, asked the
way a session asks them. Requests with a body, and those through proxies, go through sessions.
"""

import asyncio
from collections.abc import Mapping
from ssl import SSLContext
from types import TracebackType
from typing import Any, Self

import aiohttp
import yarl
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError

from wireroom.fetching.bodiless import Handler
from wireroom.fetching.deadlines import Deadlines
from wireroom.fetching.guard import Target


class NotHTTP(aiohttp.ClientError):
    """What came back is not the head of an answer."""


class Reply:
    """An open answer, with those attributes of `aiohttp.ClientResponse` that are used of it."""

    __slots__ = ("connection", "content", "raw_headers", "status")

    def __init__(
        self, connection: Connection, message: Any, content: aiohttp.StreamReader
    ) -> None:
        self.connection = connection
        self.status: int = message.code
        self.raw_headers: tuple[tuple[bytes, bytes], ...] = message.raw_headers
        self.content = content

    def close(self) -> None:
        """Give the answer up, and the connection with it."""
        self.connection.close()

    def release(self) -> None:
        """Back into the pool; where the body was not read to its end, the pool closes it."""
        self.connection.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


class _Wanted:
    """What the connector asks a request about the connection that it needs."""

    __slots__ = ("_target", "connection_key", "port", "ssl")

    proxy = None
    server_hostname = None

    def __init__(self, target: Target, tls: SSLContext | None) -> None:
        self._target = target
        self.port = target.port
        self.ssl = tls or True  # True: what the connector was made with
        self.connection_key = ConnectionKey(
            target.host, target.port, self.is_ssl(), self.ssl, None, None, None
        )

    @property
    def url(self) -> yarl.URL:
        return yarl.URL(self._target.url, encoded=True)

    def is_ssl(self) -> bool:
        return self._target.scheme == "https"


async def get(
    connector: aiohttp.BaseConnector,
    target: Target,
    headers: Mapping[str, str],
    *,
    tls: SSLContext | None,
    waits: aiohttp.ClientTimeout,
    line_bytes: int,
    deadlines: Deadlines,
) -> Reply:
    """The answer to one GET; the caller closes it.

    Its head must have come within `waits.sock_read`, which bounds each wait for more of the body.

    Asked twice where a connection breaks off before an answer, as RFC 9112 §9.3.1 allows: the host
    may have closed it just when we took it from the pool. Raises aiohttp's errors and `OSError`.
    """
    spoken = _head(target, headers)
    wanted = _Wanted(target, tls)
    try:
        return await _ask(connector, wanted, spoken, waits, line_bytes, deadlines)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        if isinstance(error, TimeoutError | aiohttp.ClientConnectorError):
            raise
        return await _ask(connector, wanted, spoken, waits, line_bytes, deadlines)


async def _ask(
    connector: aiohttp.BaseConnector,
    wanted: Any,
    spoken: bytes,
    waits: aiohttp.ClientTimeout,
    line_bytes: int,
    deadlines: Deadlines,
) -> Reply:
    connection = await _connected(connector, wanted, waits)
    try:
        protocol = connection.protocol
        assert isinstance(protocol, Handler)
        protocol.expect(line_bytes)
        _write(connection.transport, spoken)
        with deadlines.within(waits.sock_read or 0):
            message, content = await protocol.read()
            while 100 <= message.code < 200 and message.code != 101:
                message, content = await protocol.read()
        if not content.is_eof():  # the body has timers of its own, which a 304 need not set
            protocol.read_timeout = waits.sock_read
            protocol.start_timeout()
    except HttpProcessingError as error:
        connection.close()
        raise NotHTTP(error.message) from error
    except TimeoutError as error:
        connection.close()
        raise aiohttp.SocketTimeoutError from error
    except BaseException:
        connection.close()
        raise
    return Reply(connection, message, content)


async def _connected(
    connector: aiohttp.BaseConnector, wanted: Any, waits: aiohttp.ClientTimeout
) -> Connection:
    """A connection on which nothing was said unasked.

    The pool looks at what came before it takes a connection back, not at what came since: that
    would be read as the answer to the next request, which may be another feed's.
    """
    while True:
        try:
            connection = await connector.connect(wanted, traces=[], timeout=waits)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError from error
        if not _is_spoiled(connection):
            return connection
        connection.close()


def _is_spoiled(connection: Connection) -> bool:
    """Never a new connection, which reads nothing before it was told what to expect."""
    protocol = connection.protocol
    if protocol is None or not protocol.is_connected():
        return False
    return len(protocol) > 0 or protocol.exception() is not None


def _write(transport: asyncio.WriteTransport | None, spoken: bytes) -> None:
    if transport is None or transport.is_closing():
        raise aiohttp.ServerDisconnectedError
    transport.write(spoken)


def _head(target: Target, headers: Mapping[str, str]) -> bytes:
    """The request. Raises ValueError where a field would end its line and begin another."""
    fields = "\r\n".join([f"{name}: {value}" for name, value in headers.items()])
    head = f"GET {target.path} HTTP/1.1\r\nHost: {target.authority}\r\n{fields}\r\n\r\n"
    breaks = len(headers) + 3
    if head.count("\n") != breaks or head.count("\r") != breaks or "\0" in head:
        raise ValueError("line break or NUL detected in headers")
    return head.encode()

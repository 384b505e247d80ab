"""Connections that dawdle are closed, and nobody else notices."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn

from wireroom.patience import HEAD_BYTES, PatientProtocol

_CLOSED = 10.0


class Hasty(PatientProtocol):
    """The same with less patience."""

    head_seconds = 0.3
    body_seconds = 0.3
    most_from_one = 3


async def _echo(scope: Any, receive: Any, send: Any) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """A server on loopback."""
    config = uvicorn.Config(_echo, port=0, http=Hasty, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(_CLOSED):
        while not server.started:  # noqa: ASYNC110 - it has no other way to say so
            await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


async def _say(port: int, *parts: bytes) -> bytes:
    """Everything that comes back until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    async with asyncio.timeout(_CLOSED):
        with contextlib.suppress(ConnectionError):
            for part in parts:
                writer.write(part)
                await writer.drain()
            answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param((), id="nothing"),
        pytest.param((b"GET / HTT",), id="half_a_line"),
        pytest.param((b"GET / HTTP/1.1\r\nhost: x\r\n",), id="half_a_head"),
        pytest.param(
            (b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf",), id="half_a_body"
        ),
        pytest.param(
            (b"GET / HTTP/1.1\r\nhost: x\r\nx: ", b"y" * (HEAD_BYTES + 1)), id="endless_head"
        ),
    ],
)
async def test_whoever_dawdles_is_left(port: int, parts: tuple[bytes, ...]) -> None:
    """The connection ends without an answer."""
    assert b"" == await _say(port, *parts)


async def test_whole_requests_are_answered(port: int) -> None:
    """Several on one connection, and a body that comes in pieces and is larger than a head."""
    body = b"x" * (2 * HEAD_BYTES)
    head = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n" % len(body)
    half = len(body) // 2
    answer = await _say(
        port,
        head + b"\r\n" + body[:half],
        body[half:],
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello",
    )

    assert 2 == answer.count(b"HTTP/1.1 200 OK")
    assert body in answer
    assert answer.endswith(b"hello\r\n0\r\n\r\n")


async def _open(port: int, count: int) -> list[asyncio.StreamWriter]:
    return [(await asyncio.open_connection("127.0.0.1", port))[1] for _ in range(count)]


async def test_one_address_is_here_so_often_and_no_more(port: int) -> None:
    """Further connections are ended at once; there is room again when others have gone."""
    waiting = await _open(port, 3)
    ask = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    refused = await _say(port, ask)
    for writer in waiting:
        writer.close()
    async with asyncio.timeout(_CLOSED):
        while not (answered := await _say(port, ask)):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)

    assert b"" == refused
    assert answered.startswith(b"HTTP/1.1 200")


async def test_proxies_are_not_counted(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They bring everybody from one address."""
    monkeypatch.setattr(Hasty, "uncounted", ("127.0.0.0/8",))
    waiting = await _open(port, 5)
    ask = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    answered = await _say(port, ask)
    for writer in waiting:
        writer.close()

    assert answered.startswith(b"HTTP/1.1 200")

"""HEAD requests, over the two calls of ASGI."""

import asyncio
from typing import Any

from wireroom.heads import answering_heads

START = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]}
END = {"type": "http.response.body", "body": b"", "more_body": False}


async def _sent(app: Any, method: str) -> list[Any]:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    answering: Any = answering_heads(app)
    async with asyncio.timeout(5):
        await answering({"type": "http", "method": method, "path": "/"}, receive, send)
    return sent


async def test_a_head_is_answered_like_a_get() -> None:
    """The application sees a GET; its status and headers go out, its body does not."""
    methods: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        methods.append(scope["method"])
        await send(START)
        await send({"type": "http.response.body", "body": b"hello", "more_body": False})

    assert [START, END] == await _sent(app, "HEAD")
    assert [START, {**END, "body": b"hello"}] == await _sent(app, "GET")
    assert ["GET", "GET"] == methods


async def test_a_head_of_a_stream_ends() -> None:
    """Whatever streams until its listener has gone hears that it has, after the first part."""

    async def stream(scope: Any, receive: Any, send: Any) -> None:
        await send(START)
        while True:
            await send({"type": "http.response.body", "body": b"news", "more_body": True})
            if (await receive())["type"] == "http.disconnect":
                return

    assert [START, END] == await _sent(stream, "HEAD")

"""The address that Discord calls when somebody uses a command."""

import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from litestar import Response, Router, post

from wireroom.web.room import WebRequest
from wireroom.web.session import MACHINE

#: Larger than any form of Discord's.
BODY_MAX_BYTES = 1_000_000


class Answer(Protocol):
    """A status, and a JSON body or None."""

    @property
    def status(self) -> int: ...

    @property
    def body(self) -> dict[str, Any] | None: ...


#: (body, signature, timestamp, when it came by `time.monotonic`) to what is answered.
Receive = Callable[[bytes, str, str, float], Awaitable[Answer]]


def router(path: str, receive: Receive) -> Router:
    """The route, to be mounted beside the pages."""

    @post("/", opt=MACHINE, request_max_body_size=BODY_MAX_BYTES)
    async def interaction(request: WebRequest) -> Response[Any]:
        arrived = time.monotonic()  # Discord's patience has begun
        answer = await receive(
            await request.body(),
            request.headers.get("x-signature-ed25519", ""),
            request.headers.get("x-signature-timestamp", ""),
            arrived,
        )
        if answer.body is None:
            return Response("", status_code=answer.status, media_type="text/plain")
        return Response(answer.body, status_code=answer.status)

    return Router(path, route_handlers=[interaction], include_in_schema=False)

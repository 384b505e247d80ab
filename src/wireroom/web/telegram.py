"""The address that Telegram calls with updates, where the bot does not ask for them itself."""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Response, Router, post

from wireroom.web.room import WebRequest
from wireroom.web.session import MACHINE

#: An update is a message and its surroundings.
BODY_MAX_BYTES = 1_000_000

#: Takes the secret that came along and the body; gives the status to answer with.
Receive = Callable[[str, bytes], Awaitable[int]]


def router(path: str, receive: Receive) -> Router:
    """The one route, to be mounted beside the pages."""

    @post("/", opt=MACHINE, request_max_body_size=BODY_MAX_BYTES)
    async def update(request: WebRequest) -> Response[Any]:
        """No word of explanation: whoever calls without the secret is not Telegram."""
        secret = request.headers.get("x-telegram-bot-api-secret-token", "")
        status = await receive(secret, await request.body())
        return Response("", status_code=status, media_type="text/plain")

    return Router(path, route_handlers=[update], include_in_schema=False)

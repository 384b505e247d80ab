"""The addresses that hubs call (WebSub): questions by GET, news by POST.

The callback's last part is the secret; whoever does not know it learns nothing here. Nothing is
read before we know that it was asked for, and nothing is processed before the hub has its answer.
"""

from typing import Any

from litestar import Response, Router, get, post
from litestar.params import FromPath

from wireroom.polling.pushes import PATH, Pushes
from wireroom.web.room import WebRequest
from wireroom.web.session import MACHINE

#: As large as a feed that is polled.
BODY_MAX_BYTES = 5_000_000


def router(pushes: Pushes) -> Router:
    """Routes below `PATH`, to be mounted beside the pages."""

    @get("/{callback:str}", opt=MACHINE)
    async def verify(request: WebRequest, callback: FromPath[str]) -> Response[str]:
        """200 with the challenge, byte for byte, or 404 (§5.3)."""
        query = {name: str(value) for name, value in request.query_params.items()}
        challenge = await pushes.answer(callback, query)
        if challenge is None:
            return Response("", status_code=404, media_type="text/plain")
        return Response(challenge, media_type="text/plain")

    @post("/{callback:str}", opt=MACHINE, request_max_body_size=BODY_MAX_BYTES)
    async def receive(request: WebRequest, callback: FromPath[str]) -> Response[Any]:
        """202 for what will be looked at, 404 for what nobody asked for (§7)."""
        if request.headers.get("content-encoding", "identity") != "identity":
            return Response("", status_code=415, media_type="text/plain")
        known = await pushes.receive(
            callback,
            await request.body(),
            content_type=request.headers.get("content-type", ""),
            signature=request.headers.get("x-hub-signature", ""),
        )
        return Response("", status_code=202 if known else 404, media_type="text/plain")

    return Router(PATH, route_handlers=[verify, receive], include_in_schema=False)

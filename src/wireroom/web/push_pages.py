"""Web Push in the browser: the key to subscribe with, devices, and the service worker."""

from typing import Any

from litestar import Response, get, post

from wireroom.errors import NotFound
from wireroom.waking.devices import Waking
from wireroom.web.render import STATIC
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import OPEN, account_id_of, session_of


@get("/push/key")
async def key(request: WebRequest) -> Response[Any]:
    """What `PushManager.subscribe` wants as its applicationServerKey."""
    return Response({"key": await _waking(request).public_key()})


@post("/push/register", status_code=204)
async def register(request: WebRequest) -> None:
    """Wake this browser, until its session ends."""
    form = await request.form()
    endpoint, token_id = str(form.get("endpoint", "")), session_of(request).token.id
    await _waking(request).register(account_id_of(request), token_id, endpoint)


@post("/push/unregister", status_code=204)
async def unregister(request: WebRequest) -> None:
    """Let this browser sleep."""
    form = await request.form()
    await _waking(request).unregister(account_id_of(request), str(form.get("endpoint", "")))


@get("/service-worker.js", opt=OPEN)
async def service_worker(request: WebRequest) -> Response[Any]:
    """At the top, because a worker's reach is the folder that it comes from."""
    script = (STATIC / "service-worker.js").read_bytes()
    headers = {"Cache-Control": "no-cache"}
    return Response(script, media_type="text/javascript", headers=headers)


def _waking(request: WebRequest) -> Waking:
    waking = room_of(request).waking
    if waking is None:
        raise NotFound("This Wireroom wakes nobody.")
    return waking


ROUTES = (key, register, unregister, service_worker)

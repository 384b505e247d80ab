"""How requests to a fake Discord are read, remembered and answered."""

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.discord_bodies import TOKEN
from tests.servers.discord_rules import Refused

if TYPE_CHECKING:
    from tests.servers.discord_platform import FakePlatform

#: Gives a body, a whole answer, or nothing (204); raises Refused.
Work = Callable[[web.Request, Any], Any]
Handler = Callable[[web.Request], Any]


def as_bot(platform: "FakePlatform", answer: Work) -> Handler:
    """For the bot alone, by its token."""

    async def handle(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return web.json_response({"code": 0, "message": "401: Unauthorized"}, status=401)
        return await open_to_all(platform, answer)(request)

    return handle


def open_to_all(platform: "FakePlatform", answer: Work) -> Handler:
    """For whoever has the address."""

    async def handle(request: web.Request) -> web.StreamResponse:
        body = await _body(request)
        platform.requests.append((request.method, request.path, body))
        try:
            result = answer(request, body)
            if asyncio.iscoroutine(result):
                result = await result
        except Refused as refused:
            return _json(refused.body, refused.status)
        if isinstance(result, web.StreamResponse):
            return result
        return web.Response(status=204) if result is None else _json(result, 200)

    return handle


async def _body(request: web.Request) -> Any:
    """JSON, or the JSON part of a form with files."""
    if request.content_type != "multipart/form-data":
        return await request.json() if request.can_read_body else None
    form = await request.post()
    body = json.loads(str(form["payload_json"]))
    files = {}
    for part in form.values():
        if isinstance(part, web.FileField):
            files[part.filename] = part.file.read()
    return body | {"files": files}


def _json(body: Any, status: int) -> web.Response:
    # discord.py reads JSON only behind exactly this content type.
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json", "Via": "1.1 google"},
    )

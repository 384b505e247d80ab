"""`/out/SECRET.atom` and `.json`: feeds of our own, for whoever was given the address.

The secret is the proof; no session is looked at, because feed readers have none.
"""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar import Response, Router, get
from litestar.params import FromPath

from wireroom.feeds import writing
from wireroom.publishing import Published
from wireroom.web.room import WebRequest
from wireroom.web.session import MACHINE

PATH: Final = "/out"
_FORMATS: Final = {
    "atom": (writing.atom, writing.ATOM_TYPE),
    "json": (writing.json_feed, writing.JSON_TYPE),
}


def router(published: Callable[[str], Awaitable[Published | None]], base_url: str) -> Router:
    """The route below `PATH`, to be mounted beside the pages."""

    @get("/{name:str}", opt=MACHINE)
    async def outlet(request: WebRequest, name: FromPath[str]) -> Response[Any]:
        """200 with the feed, 304 for a copy that is current, else 404."""
        secret, _, suffix = name.rpartition(".")
        found = await published(secret) if suffix in _FORMATS and secret else None
        if found is None:
            return Response("There is no such feed.", status_code=404, media_type="text/plain")
        write, media_type = _FORMATS[suffix]
        channel = writing.Channel(
            id=f"urn:wireroom:feed:{found.id}",
            title=found.title,
            url=f"{base_url.rstrip('/')}{PATH}/{name}",
            updated=found.updated,
        )
        body = write(channel, found.entries)
        headers = {
            "ETag": f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"',
            "Cache-Control": "private, max-age=300",
        }
        if _names(request.headers.get("if-none-match", ""), headers["ETag"]):
            return Response(None, status_code=304, headers=headers)
        return Response(body, media_type=f"{media_type}; charset=utf-8", headers=headers)

    return Router(PATH, route_handlers=[outlet], include_in_schema=False)


def _names(condition: str, tag: str) -> bool:
    """Whether If-None-Match names this tag, weakly compared (RFC 9110 §13.1.2)."""
    named = [each.strip().removeprefix("W/") for each in condition.split(",")]
    return tag in named or "*" in named

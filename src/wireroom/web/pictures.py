"""`/proxy/…`: publishers' pictures, for pages of ours and for apps that were given the address.

The signature is the proof that we wrote the address into an article ourselves; no session is
looked at, because apps have none. What is served can do nothing but be looked at: a media type of
ours by the first bytes, no sniffing, and a policy under which a drawing (SVG) runs no script even
where somebody opens it by itself.
"""

import hashlib
from typing import Any

from litestar import Response, Router, get
from litestar.params import FromPath

from wireroom.pictures.addresses import PATH
from wireroom.pictures.cache import MAX_AGE_SECONDS, Picture
from wireroom.pictures.proxy import Proxy
from wireroom.web.room import WebRequest
from wireroom.web.session import MACHINE

_HEADERS = {
    "Cache-Control": f"private, max-age={int(MAX_AGE_SECONDS)}",
    "Content-Disposition": "inline",
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    ),
    # Apps that are web pages elsewhere show it, too.
    "Cross-Origin-Resource-Policy": "cross-origin",
}


def router(proxy: Proxy) -> Router:
    """The route below `PATH`, to be mounted beside the pages."""

    @get("/{signature:str}/{packed:str}", opt=MACHINE)
    async def picture(
        request: WebRequest, signature: FromPath[str], packed: FromPath[str]
    ) -> Response[Any]:
        """200 with the picture, 304 for a copy that is current, else 404."""
        found = await proxy.picture(signature, packed)
        if found is None:
            return Response("There is no such picture.", status_code=404, media_type="text/plain")
        headers = {**_HEADERS, "ETag": _tag(found)}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(None, status_code=304, headers=headers)
        return Response(found.body, media_type=found.media_type, headers=headers)

    return Router(PATH, route_handlers=[picture], include_in_schema=False)


def _tag(found: Picture) -> str:
    return f'"{hashlib.blake2b(found.body, digest_size=12).hexdigest()}"'

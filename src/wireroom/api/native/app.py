"""The API, built from what it is handed, and how it stands beside the web reader."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from litestar import Litestar, get
from litestar.config.cors import CORSConfig
from litestar.datastructures import MutableScopeHeaders, State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.response import Response
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from wireroom import __version__
from wireroom.api.native import (
    folders,
    health,
    items,
    labels,
    lists,
    live,
    page,
    problems,
    push,
    rules,
    samples,
    searches,
    subscriptions,
    tags,
)
from wireroom.api.native.door import OPEN, ApiRequest, Tools, knock

#: A list of 2 MB, whose quotes and line ends are escaped in JSON; everything else is small.
BODY_MAX_BYTES = 5_000_000

_ABOUT = """\
Feeds, folders, items and what was said about them, for reader apps.

Send `Authorization: Bearer wr_…` with every call; `wireroom account token` makes a token.
Answers are JSON. What goes wrong is answered with `Error`, a sentence for people, and `code`, a
word for programs. Ignore fields that you do not know: they are only ever added.
"""
_TAGS = {
    "Subscriptions": "Feeds that the account follows.",
    "Folders": "Where subscriptions lie.",
    "Items": "Lists, sync and states.",
    "Live": "Without asking again and again.",
    "Search": "Items by their words, and searches that have a name.",
    "Health": "What is unread, and how feeds are doing.",
    "Rules": "What is done with items that a filter finds when they are delivered.",
    "Push": "Devices that are woken when something arrives.",
    "Lists": "OPML in and out.",
    "Preferences": "Shared by the apps of an account.",
}


def build(tools: Tools, *, cors_origins: Sequence[str] = ()) -> Litestar:
    """All endpoints; it opens and closes nothing that it is handed.

    `cors_origins` are web apps that may call it from a browser; "*" is any.
    """
    return Litestar(
        [
            *subscriptions.ROUTES,
            *folders.ROUTES,
            *items.ROUTES,
            *labels.ROUTES,
            *searches.ROUTES,
            *health.ROUTES,
            *lists.ROUTES,
            *live.ROUTES,
            *tags.ROUTES,
            *rules.ROUTES,
            *push.ROUTES,
            _document,
            _readable,
        ],
        state=State({"tools": tools}),
        request_class=ApiRequest,
        before_request=knock,
        before_send=[_add_headers],
        exception_handlers=problems.HANDLERS,
        request_max_body_size=BODY_MAX_BYTES,
        openapi_config=OpenAPIConfig(
            title="Wireroom reader API",
            version=__version__,
            description=_ABOUT,
            path="/openapi",
            tags=[Tag(name=name, description=text) for name, text in _TAGS.items()],
            components=Components(
                security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}
            ),
            security=[{"token": []}],
        ),
        cors_config=_cors(cors_origins) if cors_origins else None,
        logging_config=None,
    )


def _cors(origins: Sequence[str]) -> CORSConfig:
    """Without credentials: a token is sent by the app itself, and cookies are not looked at."""
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "PUT"],
        allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
        expose_headers=["Retry-After"],
        max_age=3600,
    )


@get("/openapi.json", opt=OPEN, include_in_schema=False)
async def _document(request: ApiRequest) -> Response[bytes]:
    document, _ = _described(request.app)
    return Response(document, media_type="application/json")


@get("/api", opt=OPEN, include_in_schema=False)
async def _readable(request: ApiRequest) -> Response[str]:
    _, readable = _described(request.app)
    return Response(
        readable,
        media_type="text/html",
        headers={"Content-Security-Policy": page.POLICY},
    )


@lru_cache(maxsize=1)
def _described(app: Litestar) -> tuple[bytes, str]:
    """For programs and for people. Strangers may ask, and making it takes 35 ms."""
    schema = samples.completed(app.openapi_schema.to_schema())
    return msgspec.json.encode(schema), page.render(schema)


async def _add_headers(message: Message, _: Scope) -> None:
    """On every answer, errors included."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        headers.setdefault("Cache-Control", "no-store")
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Referrer-Policy", "no-referrer")
        headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")


def beside(web: ASGIApp, api: ASGIApp) -> ASGIApp:
    """One application: paths of the API go to it, everything else to the web reader.

    The two share nothing but the port: the API has no cookies, forms or pages, and answers even
    unknown paths below its own in JSON. Start and end are the web reader's; the API has none.
    """

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        chosen = api if is_ours(scope.get("path", "")) else web
        await chosen(scope, receive, send)

    return choose


def is_ours(path: str) -> bool:
    """Does a path belong to the API?"""
    return path.startswith("/rss_") or path.rstrip("/") in _OTHERS


_OTHERS = frozenset({"/get_preferences", "/set_preferences", "/openapi.json", "/api"})

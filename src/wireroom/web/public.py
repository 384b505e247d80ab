"""Pages for those who have no account: publishers who wonder who polls them, and monitors."""

from typing import Any

from litestar import Response, get
from sqlalchemy import Connection, text

from wireroom.errors import StoreError
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import OPEN


@get("/bot", opt=OPEN)
async def bot(request: WebRequest) -> Response[Any]:
    """Who polls, how often, and what stops us (HTTP-10)."""
    return page(request, "bot.html", settings=room_of(request).settings)


@get("/health", opt=OPEN)
async def health(request: WebRequest) -> Response[dict[str, str]]:
    """200 while we answer and the database does, else 503."""
    try:
        await room_of(request).database.read(_ask)
    except StoreError as error:
        return Response({"status": "unavailable", "database": str(error)}, status_code=503)
    return Response({"status": "ok", "database": "ok"})


def _ask(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))


ROUTES = (bot, health)

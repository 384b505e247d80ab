"""Chats and servers that lead to one's account, and letting further ones in by a code."""

from typing import Any

from litestar import Response, get, post

from wireroom import doors
from wireroom.errors import UserError
from wireroom.web import proof
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import account_id_of, redirect

_CHATS = {"telegram": "Telegram chat", "discord": "Discord server"}


@get("/settings/links")
async def links_page(request: WebRequest) -> Response[Any]:
    return await _links(request)


async def _links(request: WebRequest, *, status: int = 200, **values: Any) -> Response[Any]:
    known = await doors.list_doors(room_of(request).database, account_id_of(request))
    linked = [(_CHATS[each.kind], each.subject) for each in known if each.kind in _CHATS]
    shown = {"code": "", "error": "", "proved": proof.is_fresh(request), **values}
    return page(request, "links.html", status=status, linked=linked, **shown)


@post("/settings/links/code", status_code=200)
async def make_code(request: WebRequest) -> Response[Any]:
    """The code is in this answer and nowhere else."""
    if not proof.is_fresh(request):
        return proof.first("/settings/links")
    room = room_of(request)
    code = await doors.new_code(room.database, account_id_of(request), now=room.now())
    return await _links(request, code=code)


@post("/settings/links")
async def take_code(request: WebRequest) -> Response[Any]:
    """A code that a chat gave: all that it follows comes here, and the chat is let in."""
    if not proof.is_fresh(request):
        return proof.first("/settings/links")
    room, form = room_of(request), await request.form()
    code = str(form.get("code", ""))[:64]
    try:
        await doors.link_into(room.database, account_id_of(request), code, now=room.now())
    except UserError as error:
        return await _links(request, status=422, error=str(error))
    room.bell.ring()
    return redirect("/settings/links")


ROUTES = (links_page, make_code, take_code)

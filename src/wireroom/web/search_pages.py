"""Searching in the browser, and searches that have a name."""

from typing import Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from wireroom import searching
from wireroom.errors import UserError
from wireroom.searching import Found
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import account_id_of, redirect


@get("/search")
async def search(
    request: WebRequest, q: FromQuery[str] = "", after: FromQuery[str] = ""
) -> Response[Any]:
    """The field, the searches that have a name, and what was found."""
    return await _page(request, q, after)


async def _page(request: WebRequest, q: str, after: str = "", error: str = "") -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    found: Found | None = None
    status = 422 if error else 200
    if q.strip() and not error:
        offset = int(after) if after.isascii() and after.isdecimal() and len(after) < 4 else 0
        try:
            found = await searching.find(room.database, account_id, q, room.now(), offset=offset)
        except UserError as problem:
            status, error = 422, str(problem)
    kept = await searching.saved(room.database, account_id)
    return page(
        request,
        "search.html",
        status=status,
        q=q,
        found=found,
        more=_address(q, found.next) if found and found.next else "",
        kept=[(each, _address(each.query)) for each in kept],
        error=error,
    )


def _address(q: str, after: int | None = None) -> str:
    return "/search?" + urlencode({"q": q} | ({} if after is None else {"after": str(after)}))


@post("/search/keep")
async def keep(request: WebRequest) -> Response[Any]:
    """Give the search a name."""
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    q, name = str(form.get("q", "")), str(form.get("name", ""))
    try:
        kept = await searching.save(room.database, account_id, name, q, room.now())
    except UserError as error:
        return await _page(request, q, error=str(error))
    return redirect(_address(kept.query))


@post("/search/{search_id:int}/forget")
async def forget(request: WebRequest, search_id: FromPath[int]) -> Response[Any]:
    await searching.forget(room_of(request).database, account_id_of(request), search_id)
    return redirect("/search")


ROUTES = (search, keep, forget)

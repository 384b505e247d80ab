"""What is taken out of every text: the operator's table, with a trial before a row is added."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from wireroom import routing
from wireroom.errors import NotAllowed, UserError
from wireroom.web.render import is_partial, page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import account_id_of, redirect

_HERE = "/settings/replacements"
_DONE = {
    "added": "Added. It counts from the next message on.",
    "deleted": "Deleted.",
    "seeded": "What generators and teasers usually write is in the table.",
}


@get(_HERE)
async def replacements_page(request: WebRequest, done: FromQuery[str] = "") -> Response[Any]:
    return await _table(request, said=_DONE.get(done, ""))


async def _table(
    request: WebRequest,
    *,
    status: int = 200,
    error: str = "",
    said: str = "",
    value: str = "",
    is_regex: bool = False,
    trial: object = None,
) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    rows = await routing.list_replacements(room.database, account_id)
    return page(
        request,
        "replacements.html",
        status=status,
        rows=rows,
        error=error,
        said=said,
        value=value,
        is_regex=is_regex,
        trial=trial,
    )


async def _typed(request: WebRequest) -> tuple[str, bool]:
    """The text, with the blanks at its ends, and whether it is an expression."""
    form = await request.form()
    return str(form.get("value", "")), form.get("is_regex") == "1"


@post(_HERE)
async def add(request: WebRequest) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    value, is_regex = await _typed(request)
    try:
        await routing.add_replacement(
            room.database, account_id, value, is_regex=is_regex, now=room.now()
        )
    except NotAllowed:
        raise
    except UserError as error:
        return await _table(request, status=422, error=str(error), value=value, is_regex=is_regex)
    return redirect(f"{_HERE}?done=added")


@post(f"{_HERE}/try", status_code=200)
async def try_out(request: WebRequest) -> Response[Any]:
    """What it would take out of the newest entries; nothing is changed by that."""
    room, account_id = room_of(request), account_id_of(request)
    value, is_regex = await _typed(request)
    trial, error = None, ""
    try:
        trial = await routing.try_replacement(room.database, account_id, value, is_regex=is_regex)
    except NotAllowed:
        raise
    except UserError as refused:
        error = str(refused)
    status = 422 if error else 200
    if is_partial(request):
        return page(request, "replacement_try.html", status=status, trial=trial, refused=error)
    return await _table(
        request, status=status, error=error, value=value, is_regex=is_regex, trial=trial
    )


@post(f"{_HERE}/{{replacement_id:int}}/delete")
async def delete(request: WebRequest, replacement_id: FromPath[int]) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    await routing.delete_replacement(room.database, account_id, replacement_id)
    return redirect(f"{_HERE}?done=deleted")


@post(f"{_HERE}/seed")
async def seed(request: WebRequest) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    await routing.seed_replacements(room.database, account_id, now=room.now())
    return redirect(f"{_HERE}?done=seeded")


ROUTES = (replacements_page, add, try_out, delete, seed)

"""How somebody likes the reader, their password, and where they are logged in."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from wireroom import accounts
from wireroom.errors import NotFound, UserError
from wireroom.web import proof
from wireroom.web.door import check_twice
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import (
    account_id_of,
    log_in,
    preferences_from,
    redirect,
    session_of,
)

#: What has just been done, by the word in the address that the form leads back to.
_DONE = {
    "saved": "Saved.",
    "password": "The password is changed, and every other session has ended.",
}


@get("/settings")
async def settings_page(request: WebRequest, done: FromQuery[str] = "") -> Response[Any]:
    return await _settings(request, said=_DONE.get(done, ""))


async def _settings(
    request: WebRequest, *, status: int = 200, error: str = "", said: str = ""
) -> Response[Any]:
    room, session = room_of(request), session_of(request)
    sessions = await accounts.list_sessions(room.database, session.account.id)
    return page(
        request,
        "settings.html",
        status=status,
        sessions=sessions,
        current=session.token.id,
        account=session.account,
        login=await proof.login_name(request),
        wakes=room.waking is not None,
        error=error,
        said=said,
    )


@post("/settings/preferences")
async def preferences(request: WebRequest) -> Response[Any]:
    form = await request.form()
    liked = preferences_from(
        {
            "theme": form.get("theme"),
            "density": form.get("density"),
            "show": form.get("show"),
            "marks_on_open": form.get("marks_on_open") == "1",
        }
    )
    await accounts.set_preferences(
        room_of(request).database, account_id_of(request), "web", liked.to_dict()
    )
    return redirect("/settings?done=saved")


@post("/settings/password")
async def password(request: WebRequest) -> Response[Any]:
    """Ends all other sessions; this one goes on under a new secret."""
    room, session = room_of(request), session_of(request)
    form = await request.form()
    new = str(form.get("new", ""))
    try:
        check_twice(new, str(form.get("again", "")))
        await accounts.change_password(
            room.database,
            room.throttle,
            session,
            current=str(form.get("current", "")),
            new=new,
            now=room.now(),
        )
    except UserError as error:
        return await _settings(request, status=422, error=str(error))
    return await log_in(request, session.account.id, "/settings?done=password")


@post("/settings/sessions/{token_id:int}/close")
async def close_session(request: WebRequest, token_id: FromPath[int]) -> Response[Any]:
    room = room_of(request)
    sessions = await accounts.list_sessions(room.database, account_id_of(request))
    if token_id not in {token.id for token in sessions}:
        raise NotFound("There is no such session.")
    await accounts.close_session(room.database, account_id_of(request), token_id)
    return redirect("/settings")


@post("/settings/sessions/close-others")
async def close_others(request: WebRequest) -> Response[Any]:
    await accounts.close_other_sessions(room_of(request).database, session_of(request))
    return redirect("/settings")


ROUTES = (settings_page, preferences, password, close_session, close_others)

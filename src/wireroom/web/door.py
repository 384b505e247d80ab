"""The door: first visit, logging in and out."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromQuery

from wireroom import accounts
from wireroom.errors import NotAllowed, UserError
from wireroom.web import security
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import (
    OPEN,
    cookie,
    log_in,
    redirect,
    session_cookie,
    session_of,
    viewer_of,
)


@get("/setup", opt=OPEN)
async def setup_page(request: WebRequest) -> Response[Any]:
    """The very first page of an installation."""
    room = room_of(request)
    if not await accounts.needs_setup(room.database):
        return redirect("/")
    return page(request, "setup.html", needs_code=bool(room.settings.setup_code))


@post("/setup", opt=OPEN)
async def setup(request: WebRequest) -> Response[Any]:
    room = room_of(request)
    form = await request.form()
    login, password = str(form.get("login", "")), str(form.get("password", ""))
    try:
        _check_setup_code(request, str(form.get("code", "")))
        check_twice(password, str(form.get("again", "")))
        account_id = await accounts.create_owner(room.database, login, password, room.now())
    except UserError as error:
        return page(
            request,
            "setup.html",
            status=422,
            needs_code=bool(room.settings.setup_code),
            error=str(error),
            login=login,
        )
    return await log_in(request, account_id, "/")


def check_twice(password: str, again: str) -> None:
    """Raises UserError when a new password was not typed the same way twice."""
    if password != again:
        raise UserError("The two passwords differ.")


def _check_setup_code(request: WebRequest, given: str) -> None:
    room = room_of(request)
    expected = room.settings.setup_code
    if not expected:
        return
    keys = ("setup", f"setup {security.client_address(request, room)}")
    if room.throttle.wait(keys, room.now()):
        raise NotAllowed("Too many wrong codes. Wait a little and try again.", code="throttled")
    room.throttle.tried(keys, room.now())
    if not accounts.same_secret(given.strip(), expected):
        raise NotAllowed("The setup code is not the one that Wireroom printed when it started.")
    room.throttle.succeeded(keys)


@get("/login", opt=OPEN)
async def login_page(request: WebRequest, next: FromQuery[str] = "/") -> Response[Any]:  # noqa: A002
    target = security.local_path(next)
    if viewer_of(request).session is not None:
        return redirect(target)
    if await accounts.needs_setup(room_of(request).database):
        return redirect("/setup")
    return page(request, "login.html", next=target)


@post("/login", opt=OPEN)
async def login(request: WebRequest) -> Response[Any]:
    room = room_of(request)
    form = await request.form()
    name, target = str(form.get("login", "")), security.local_path(str(form.get("next", "/")))
    try:
        account_id = await accounts.check_login(
            room.database,
            room.throttle,
            login=name,
            password=str(form.get("password", "")),
            address=security.client_address(request, room),
            now=room.now(),
        )
    except NotAllowed as error:
        status = 429 if error.code == "throttled" else 422
        return page(
            request, "login.html", status=status, error=str(error), login=name, next=target
        )
    return await log_in(request, account_id, target)


@post("/logout")
async def logout(request: WebRequest) -> Response[Any]:
    room, session = room_of(request), session_of(request)
    await accounts.close_session(room.database, session.account.id, session.token.id)
    answer = redirect("/login")
    answer.set_cookie(cookie(room, session_cookie(room), "", 0))
    return answer


ROUTES = (setup_page, setup, login_page, login, logout)

"""The door: first visit, logging in and out."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromQuery

from wireroom import accounts
from wireroom.accounts import joining
from wireroom.errors import NotAllowed, NotFound, UserError
from wireroom.throttle import origin_key
from wireroom.web import second_step, security, single_sign_on
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
    room = room_of(request)
    if await accounts.needs_setup(room.database):
        return redirect("/setup")
    named = single_sign_on.named_by_proxy(request)
    if named:
        return await log_in(request, await single_sign_on.account_named(room, named), target)
    return _login_form(request, next=target)


def _login_form(request: WebRequest, *, status: int = 200, **values: Any) -> Response[Any]:
    room = room_of(request)
    return page(
        request,
        "login.html",
        status=status,
        sign_on=room.sign_on.issuer.title if room.sign_on else "",
        may_join=room.settings.registration == "open",
        **values,
    )


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
        return _login_form(request, status=status, error=str(error), login=name, next=target)
    return await second_step.begin(request, account_id, target)


@get("/join", opt=OPEN)
async def join_page(request: WebRequest, invitation: FromQuery[str] = "") -> Response[Any]:
    """Where an invitation leads, and whoever wants an account where that is open to all."""
    room = room_of(request)
    rule = room.settings.registration
    if await accounts.needs_setup(room.database):
        return redirect("/setup")
    if not await joining.may_join(room.database, rule, invitation, room.now()):
        raise NotFound(
            "This invitation is not valid (any more). Ask whoever runs this Wireroom for a new "
            "one."
        )
    return page(request, "join.html", invitation=invitation)


@post("/join", opt=OPEN)
async def join(request: WebRequest) -> Response[Any]:
    room = room_of(request)
    form = await request.form()
    login, invitation = str(form.get("login", "")), str(form.get("invitation", ""))
    password = str(form.get("password", ""))
    try:
        _join_slowly(request)
        check_twice(password, str(form.get("again", "")))
        account_id = await joining.join(
            room.database,
            room.settings.registration,
            secret=invitation,
            login=login,
            password=password,
            now=room.now(),
        )
    except UserError as error:
        return page(
            request, "join.html", status=422, error=str(error), login=login, invitation=invitation
        )
    return await log_in(request, account_id, "/")


def _join_slowly(request: WebRequest) -> None:
    """Nobody makes accounts by the hundred from one place, nor tries out taken names."""
    room = room_of(request)
    keys = (f"join {origin_key(security.client_address(request, room))}",)
    if room.throttle.wait(keys, room.now()):
        raise NotAllowed("Too many tries. Wait a little and try again.", code="throttled")
    room.throttle.tried(keys, room.now())


@post("/logout")
async def logout(request: WebRequest) -> Response[Any]:
    room, session = room_of(request), session_of(request)
    await accounts.close_session(room.database, session.account.id, session.token.id)
    answer = redirect("/login")
    answer.set_cookie(cookie(room, session_cookie(room), "", 0))
    return answer


ROUTES = (setup_page, setup, login_page, login, join_page, join, logout)

"""Logging in by an OpenID Connect issuer, or by a reverse proxy that knows who is there."""

import dataclasses
from typing import Any

from litestar import Response, get
from litestar.params import FromQuery

from wireroom.accounts import vouched
from wireroom.accounts.sign_on import Person, SignOn, Ticket
from wireroom.errors import NotAllowed, NotFound
from wireroom.web import sealed, security
from wireroom.web.room import Room, WebRequest, room_of
from wireroom.web.session import OPEN, log_in, redirect, session_of, viewer_of

_COOKIE = "issuer"
BACK = "/login/issuer/back"


def named_by_proxy(request: WebRequest) -> str:
    return security.named_by_proxy(request, room_of(request))


async def account_named(room: Room, name: str) -> int:
    """The account of whom the proxy names; made when it is new."""
    return await vouched.account_behind_word(
        room.database, "proxy", name, name, makes_accounts=True, now=room.now()
    )


def _issuer(room: Room) -> SignOn:
    if room.sign_on is None:
        raise NotFound("There is no such page.")
    return room.sign_on


def _back_to(room: Room) -> str:
    return room.settings.base_url.rstrip("/") + BACK


@get("/login/issuer", opt=OPEN)
async def leave(
    request: WebRequest,
    next: FromQuery[str] = "/",  # noqa: A002
    again: FromQuery[bool] = False,
) -> Response[Any]:
    """Off to the issuer, who is to ask who it is even if it knows, if `again`."""
    kept: dict[str, Any] = {"next": security.local_path(next)}
    session = viewer_of(request).session
    if again and session is not None:
        kept["same"] = session.account.id
    return await _leave(request, kept, again=again)


async def connect(request: WebRequest) -> Response[Any]:
    """Off to the issuer, to come back with a further door for whoever is logged in."""
    account_id = session_of(request).account.id
    return await _leave(request, {"next": "/settings/security", "account": account_id})


async def _leave(
    request: WebRequest, kept: dict[str, Any], *, again: bool = False
) -> Response[Any]:
    room = room_of(request)
    url, ticket = await _issuer(room).begin(_back_to(room), room.now(), again=again)
    answer: Response[Any] = Response(None, status_code=303, headers={"Location": url})
    sealed.remember(room, answer, _COOKIE, {**kept, "ticket": dataclasses.asdict(ticket)})
    return answer


@get(BACK, opt=OPEN)
async def come_back(
    request: WebRequest,
    code: FromQuery[str] = "",
    error: FromQuery[str] = "",
) -> Response[Any]:
    """The issuer has sent the browser back, with a code or with a reason."""
    room, kept = room_of(request), sealed.recall(request, _COOKIE)
    issuer = _issuer(room)
    if kept is None:
        return redirect("/login")
    if error:
        raise NotAllowed(f"The issuer did not let you in: {error[:80]}.")
    person = await issuer.finish(
        Ticket(**kept["ticket"]),
        state=request.query_params.get("state", ""),
        code=code,
        back_to=_back_to(room),
        now=room.now(),
    )
    answer = await _let_in(request, issuer, person, kept)
    sealed.forget(room, answer, _COOKIE)
    return answer


async def _let_in(
    request: WebRequest, issuer: SignOn, person: Person, kept: dict[str, Any]
) -> Response[Any]:
    room = room_of(request)
    wanted = kept.get("account")
    if wanted is None:
        same = kept.get("same")
        known = dataclasses.replace(issuer.issuer, makes_accounts=False) if same else issuer.issuer
        account_id = await vouched.account_of(room.database, known, person, room.now())
        if same not in (None, account_id):
            raise NotAllowed("The issuer named somebody else. Log out to log in as them.")
        return await log_in(request, account_id, kept["next"], proved_at=person.proved_at)
    session = viewer_of(request).session
    if session is None or session.account.id != wanted:
        raise NotAllowed("You are not logged in any more. Log in and connect again.")
    await vouched.connect(room.database, issuer.issuer, person, wanted, room.now())
    return redirect(kept["next"])


ROUTES = (leave, come_back)

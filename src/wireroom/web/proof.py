"""Asking again who it is before something grave: a browser that was left open is not enough."""

import base64
from typing import Any
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromQuery

from wireroom import accounts
from wireroom.accounts import factors, passkeys
from wireroom.errors import NotAllowed, UserError
from wireroom.store import accounts as store
from wireroom.web import sealed, security
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.second_step import challenge_of, check, site_of
from wireroom.web.session import account_id_of, redirect, session_of

_COOKIE = "proof"


def is_fresh(request: WebRequest) -> bool:
    """Did whoever asks log in, or show who they are, within the last minutes?

    Whom a trusted proxy names was shown to it with this very request.
    """
    room = room_of(request)
    return session_of(request).is_proved(room.now()) or bool(
        security.named_by_proxy(request, room)
    )


async def asked_for(request: WebRequest) -> dict[str, Any]:
    """What a form that guards the account asks for; see the macro `who`."""
    return {"login": await login_name(request), "proved": is_fresh(request)}


async def login_name(request: WebRequest) -> str:
    """The name that the account's password goes with; "" where it has none."""
    login = await room_of(request).database.read(store.login_of, account_id_of(request))
    return login[0] if login else ""


def first(back: str) -> Response[Any]:
    """Off to show who it is, and then to `back`, a page of ours."""
    return redirect(f"/confirm?next={quote(back, safe='/')}")


@get("/confirm")
async def ask(request: WebRequest, next: FromQuery[str] = "/settings") -> Response[Any]:  # noqa: A002
    target = security.local_path(next, "/settings")
    return redirect(target) if is_fresh(request) else await _form(request, target)


async def _form(
    request: WebRequest, target: str, *, status: int = 200, error: str = ""
) -> Response[Any]:
    """All ways that this account has to show who it is."""
    room, account_id = room_of(request), account_id_of(request)
    known = await factors.factors(room.database, account_id)
    keys = [each for each in known if each.kind == "passkey"]
    asked = passkeys.ask_for_proof(site_of(request), keys) if keys else None
    by_word = await room.database.read(store.has_door, account_id, "oidc")
    answer = page(
        request,
        "confirm.html",
        status=status,
        error=error,
        target=target,
        login=await login_name(request),
        has_app=any(each.kind == "totp" for each in known),
        passkey_options=asked.options if asked else "",
        sign_on=room.sign_on.issuer.title if room.sign_on and by_word else "",
    )
    if asked:
        challenge = base64.b64encode(asked.challenge).decode()
        sealed.remember(room, answer, _COOKIE, {"challenge": challenge})
    return answer


@post("/confirm")
async def prove(request: WebRequest) -> Response[Any]:
    """By password, by a code of the app, or by a passkey."""
    room, session, form = room_of(request), session_of(request), await request.form()
    target = security.local_path(str(form.get("next", "")), "/settings")
    code, passkey = str(form.get("code", "")), str(form.get("passkey", ""))
    try:
        if code or passkey:
            kept = sealed.recall(request, _COOKIE) or {}
            await check(request, session.account.id, challenge_of(kept), code, passkey)
        else:
            await _check_password(request, str(form.get("current", "")))
    except UserError as error:
        status = 429 if isinstance(error, NotAllowed) and error.code == "throttled" else 422
        return await _form(request, target, status=status, error=str(error))
    await accounts.prove_session(room.database, session, room.now())
    answer = redirect(target)
    sealed.forget(room, answer, _COOKIE)
    return answer


async def _check_password(request: WebRequest, current: str) -> None:
    room = room_of(request)
    door = await accounts.confirm_password(
        room.database, room.throttle, session_of(request), current, room.now()
    )
    if door is None:
        raise NotAllowed("This account has no password; log out, and in again.")


ROUTES = (ask, prove)

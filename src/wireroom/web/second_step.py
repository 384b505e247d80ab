"""The second step of a login, for those who have set one up: a code or a passkey."""

import base64
from typing import Any
from urllib.parse import urlsplit

from litestar import Response, get, post

from wireroom.accounts import factors, passkeys
from wireroom.accounts.passkeys import Site
from wireroom.errors import NotAllowed, UserError
from wireroom.web import sealed
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import OPEN, log_in, redirect

_COOKIE = "step"


async def begin(request: WebRequest, account_id: int, target: str) -> Response[Any]:
    """After the right password: log in, or ask for the second step."""
    room = room_of(request)
    known = await factors.factors(room.database, account_id)
    if not known:
        return await log_in(request, account_id, target)
    answer = redirect("/login/second")
    sealed.remember(room, answer, _COOKIE, {"account": account_id, "next": target})
    return answer


def site_of(request: WebRequest) -> Site:
    """Where the browser believes to be; the gate has looked whether that is us."""
    host = request.headers.get("host", "")
    scheme = "https" if room_of(request).settings.is_https else "http"
    return Site(urlsplit(f"//{host}").hostname or "", f"{scheme}://{host}")


def challenge_of(kept: dict[str, Any]) -> bytes:
    """The challenge that was remembered; empty when none was, which no answer matches."""
    return base64.b64decode(kept.get("challenge", ""))


@get("/login/second", opt=OPEN)
async def ask(request: WebRequest) -> Response[Any]:
    return await _form(request)


async def _form(request: WebRequest, *, status: int = 200, error: str = "") -> Response[Any]:
    room, kept = room_of(request), sealed.recall(request, _COOKIE)
    if kept is None:
        return redirect("/login")
    known = await factors.factors(room.database, kept["account"])
    keys = [each for each in known if each.kind == "passkey"]
    asked = passkeys.ask_for_proof(site_of(request), keys) if keys else None
    answer = page(
        request,
        "second.html",
        status=status,
        error=error,
        has_app=any(each.kind == "totp" for each in known),
        passkey_options=asked.options if asked else "",
    )
    if asked:
        challenge = base64.b64encode(asked.challenge).decode()
        sealed.remember(room, answer, _COOKIE, {**kept, "challenge": challenge})
    return answer


@post("/login/second", opt=OPEN)
async def prove(request: WebRequest) -> Response[Any]:
    """By `code`, or by `passkey`: what the browser's authenticator said, as JSON."""
    room, kept = room_of(request), sealed.recall(request, _COOKIE)
    if kept is None:
        return redirect("/login")
    form = await request.form()
    try:
        code, passkey = str(form.get("code", "")), str(form.get("passkey", ""))
        await check(request, kept["account"], challenge_of(kept), code, passkey)
    except UserError as error:
        status = 429 if isinstance(error, NotAllowed) and error.code == "throttled" else 422
        return await _form(request, status=status, error=str(error))
    answer = await log_in(request, kept["account"], kept["next"])
    sealed.forget(room, answer, _COOKIE)
    return answer


async def check(
    request: WebRequest, account_id: int, challenge: bytes, code: str, passkey: str
) -> None:
    """A passkey's answer to `challenge`, or else a code. Raises NotAllowed."""
    room = room_of(request)
    if passkey:
        await passkeys.check_passkey(
            room.database,
            room.throttle,
            site_of(request),
            account_id,
            answer=passkey,
            challenge=challenge,
            now=room.now(),
        )
    else:
        await factors.check_code(
            room.database, room.vault, room.throttle, account_id, code, room.now()
        )


ROUTES = (ask, prove)

"""What somebody settles about their account: tokens, second step, invitations, leaving."""

import base64
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from wireroom import accounts, leaving
from wireroom.accounts import factors, joining, passkeys
from wireroom.errors import NotAllowed, UserError
from wireroom.web import proof, sealed, single_sign_on
from wireroom.web.render import page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.second_step import challenge_of, site_of
from wireroom.web.session import account_id_of, cookie, redirect, session_cookie, session_of

_COOKIE = "factor"
_SCOPES = ("", accounts.READ_AND_MARK, accounts.READ_ONLY)


# -- tokens ---------------------------------------------------------------------------------------


@get("/settings/tokens")
async def tokens_page(request: WebRequest) -> Response[Any]:
    return await _tokens(request)


async def _tokens(request: WebRequest, *, status: int = 200, **values: Any) -> Response[Any]:
    listed = await accounts.list_tokens(room_of(request).database, account_id_of(request))
    return page(
        request,
        "tokens.html",
        status=status,
        tokens=listed,
        proved=proof.is_fresh(request),
        **{"secret": "", "error": "", **values},
    )


@post("/settings/tokens", status_code=200)
async def make_token(request: WebRequest) -> Response[Any]:
    """The secret is in this answer and nowhere else."""
    if not proof.is_fresh(request):
        return proof.first("/settings/tokens")
    room, form = room_of(request), await request.form()
    name, scopes = str(form.get("name", "")).strip(), str(form.get("scopes", ""))
    if not name or not name.isprintable() or scopes not in _SCOPES:
        return await _tokens(request, status=422, error="Say what the token is for.")
    secret = await accounts.create_token(
        room.database, account_id_of(request), name=name, scopes=scopes, now=room.now()
    )
    return await _tokens(request, secret=secret, name=name)


@post("/settings/tokens/{token_id:int}/revoke")
async def revoke_token(request: WebRequest, token_id: FromPath[int]) -> Response[Any]:
    await accounts.revoke_token(room_of(request).database, account_id_of(request), token_id)
    return redirect("/settings/tokens")


# -- the second step ------------------------------------------------------------------------------


@get("/settings/security")
async def security_page(request: WebRequest) -> Response[Any]:
    return await _security(request)


async def _security(request: WebRequest, *, status: int = 200, **values: Any) -> Response[Any]:
    """With a fresh key for an app and a fresh challenge for a passkey, both remembered sealed."""
    room, session = room_of(request), session_of(request)
    known = await factors.factors(room.database, session.account.id)
    asked = passkeys.ask_for_new(site_of(request), session.account, known)
    kept = sealed.recall(request, _COOKIE) or {}
    key = kept.get("key") or factors.new_key()
    answer = page(
        request,
        "security.html",
        status=status,
        factors=[each for each in known if each.kind != "recovery"],
        recovery_left=sum(each.kind == "recovery" for each in known),
        key=key,
        qr=factors.qr_code(factors.key_uri(key, session.account.name)),
        passkey_options=asked.options,
        sign_on=room.sign_on.issuer.title if room.sign_on else "",
        **await proof.asked_for(request),
        **{"codes": [], "error": "", **values},
    )
    challenge = base64.b64encode(asked.challenge).decode()
    sealed.remember(room, answer, _COOKIE, {"key": key, "challenge": challenge})
    return answer


@post("/settings/security/app", status_code=200)
async def add_app(request: WebRequest) -> Response[Any]:
    room, form = room_of(request), await request.form()
    kept = sealed.recall(request, _COOKIE) or {}
    try:
        await confirm(request)
        codes = await factors.add_app(
            room.database,
            room.vault,
            account_id_of(request),
            key=_remembered(kept, "key"),
            code="".join(str(form.get("code", "")).split()),
            now=room.now(),
        )
    except UserError as error:
        return await _security(request, status=422, error=str(error))
    return await _security(request, codes=codes)


@post("/settings/security/passkey", status_code=200)
async def add_passkey(request: WebRequest) -> Response[Any]:
    room, form = room_of(request), await request.form()
    kept = sealed.recall(request, _COOKIE) or {}
    try:
        await confirm(request)
        codes = await passkeys.add_passkey(
            room.database,
            site_of(request),
            account_id_of(request),
            answer=str(form.get("passkey", "")),
            challenge=challenge_of(kept),
            name=str(form.get("name", "")),
            now=room.now(),
        )
    except UserError as error:
        return await _security(request, status=422, error=str(error))
    return await _security(request, codes=codes)


def _remembered(kept: dict[str, Any], name: str) -> str:
    if name not in kept:
        raise UserError("That took too long. Take this new code.")
    return str(kept[name])


async def confirm(request: WebRequest) -> None:
    """The password again: an open browser is not enough to change what guards the account.

    Without a password, a login a moment ago does. Raises NotAllowed.
    """
    room, form = room_of(request), await request.form()
    door = await accounts.confirm_password(
        room.database,
        room.throttle,
        session_of(request),
        str(form.get("current", "")),
        room.now(),
    )
    if door is None and not proof.is_fresh(request):
        raise NotAllowed(
            "This account has no password to ask for. Show first that it is you, and do this "
            "within ten minutes."
        )


@post("/settings/security/{factor_id:int}/remove")
async def remove_factor(request: WebRequest, factor_id: FromPath[int]) -> Response[Any]:
    try:
        await confirm(request)
    except UserError as error:
        return await _security(request, status=422, error=str(error))
    await factors.remove_factor(room_of(request).database, account_id_of(request), factor_id)
    return redirect("/settings/security")


@post("/settings/security/codes", status_code=200)
async def renew_codes(request: WebRequest) -> Response[Any]:
    room = room_of(request)
    try:
        await confirm(request)
    except UserError as error:
        return await _security(request, status=422, error=str(error))
    codes = await factors.renew_recovery_codes(room.database, account_id_of(request), room.now())
    return await _security(request, codes=codes)


@post("/settings/issuer")
async def connect_issuer(request: WebRequest) -> Response[Any]:
    """Off to the issuer, to make its word a further door to the account one is logged in to."""
    try:
        await confirm(request)
    except UserError as error:
        return await _security(request, status=422, error=str(error))
    return await single_sign_on.connect(request)


# -- invitations ----------------------------------------------------------------------------------


@get("/settings/invitations")
async def invitations_page(request: WebRequest) -> Response[Any]:
    return await _invitations(request)


async def _invitations(request: WebRequest, link: str = "") -> Response[Any]:
    room, session = room_of(request), session_of(request)
    if session.account.role != "operator":
        raise NotAllowed("Only whoever runs this Wireroom invites.")
    return page(
        request,
        "invitations.html",
        invitations=await joining.invitations(room.database, session.account.id, room.now()),
        registration=room.settings.registration,
        proved=proof.is_fresh(request),
        link=link,
    )


@post("/settings/invitations", status_code=200)
async def invite(request: WebRequest) -> Response[Any]:
    """The link is in this answer and nowhere else."""
    if not proof.is_fresh(request):
        return proof.first("/settings/invitations")
    room, form = room_of(request), await request.form()
    secret = await joining.invite(
        room.database, session_of(request), name=str(form.get("name", "")), now=room.now()
    )
    base = room.settings.base_url.rstrip("/")
    return await _invitations(request, f"{base}/join?invitation={secret}")


@post("/settings/invitations/{invitation_id:int}/withdraw")
async def withdraw(request: WebRequest, invitation_id: FromPath[int]) -> Response[Any]:
    await joining.withdraw(room_of(request).database, account_id_of(request), invitation_id)
    return redirect("/settings/invitations")


# -- leaving --------------------------------------------------------------------------------------


@get("/settings/data")
async def data_page(request: WebRequest) -> Response[Any]:
    return await _data(request)


async def _data(request: WebRequest, *, status: int = 200, error: str = "") -> Response[Any]:
    account, asked = session_of(request).account, await proof.asked_for(request)
    return page(request, "data.html", status=status, account=account, error=error, **asked)


@get("/settings/data/export")
async def export(request: WebRequest) -> Response[Any]:
    """Everything of the account, as a zip."""
    if not proof.is_fresh(request):
        return proof.first("/settings/data")
    room = room_of(request)
    packed = await leaving.take_along(room.database, account_id_of(request), room.now())
    name = f"wireroom-{room.now():%Y%m%d}.zip"
    return Response(
        packed,
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@post("/settings/data/delete")
async def delete_account(request: WebRequest) -> Response[Any]:
    """Needs the password and the account's name, typed."""
    room, session, form = room_of(request), session_of(request), await request.form()
    try:
        await confirm(request)
        _check_name(str(form.get("name", "")), session.account.name)
        await leaving.erase(room.database, session.account.id, room.now())
    except UserError as error:
        return await _data(request, status=422, error=str(error))
    answer = redirect("/login")
    answer.set_cookie(cookie(room, session_cookie(room), "", 0))
    return answer


def _check_name(typed: str, name: str) -> None:
    if typed.strip().casefold() != name.casefold():
        raise UserError("Type the name of the account to delete it.")


ROUTES = (
    tokens_page,
    make_token,
    revoke_token,
    security_page,
    add_app,
    add_passkey,
    remove_factor,
    renew_codes,
    connect_issuer,
    invitations_page,
    invite,
    withdraw,
    data_page,
    export,
    delete_account,
)

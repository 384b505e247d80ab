"""What a feed needs besides its address: given in a form, and never shown again."""

from collections.abc import Mapping
from typing import Any, cast

from litestar import Response, post
from litestar.params import FromPath

from wireroom.errors import NotFound, UserError
from wireroom.fetching.access import NONE, Access, Sent
from wireroom.fetching.guard import Credentials
from wireroom.web.feed_pages import about_page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import account_id_of, redirect


@post("/feed/{subscription_id:int}/access")
async def unlock(request: WebRequest, subscription_id: FromPath[int]) -> Response[Any]:
    """Ask the feed as the form says; what is wrong with it is said above the form."""
    form = await request.form()
    room, account_id = room_of(request), account_id_of(request)
    if room.unlock is None:
        raise NotFound("Feeds cannot be opened here.")
    try:
        wanted = NONE if form.get("forget") == "1" else _wanted(form)
        number = await room.unlock(account_id, subscription_id, wanted)
    except NotFound:
        raise
    except UserError as error:
        return await about_page(request, subscription_id, status=422, access_error=str(error))
    room.bell.ring()
    return redirect(f"/feed/{number}/about#access")


def _wanted(form: Mapping[str, Any]) -> Access:
    user, password = str(form.get("user", "")).strip(), str(form.get("password", ""))
    wanted = Access(
        user_agent=str(form.get("user_agent", "")).strip(),
        cookie=str(form.get("cookie", "")).strip(),
        credentials=Credentials(user, password) if user or password else None,
        proxy=str(form.get("proxy", "")).strip(),
        certificate=_pem(form.get("certificate")),
        authority=_pem(form.get("authority")),
        validators=cast("Sent", str(form.get("validators", ""))),  # whoever keeps it checks it
    )
    if not wanted:
        raise UserError("Fill in what the feed needs, or let what is kept be forgotten.")
    return wanted


def _pem(value: object) -> str:
    """Browsers send line breaks as CR LF."""
    return str(value or "").replace("\r\n", "\n").strip()


ROUTES = (unlock,)

"""Who is asking: cookies, the gate before every page, and tokens against forged requests."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, cast
from urllib.parse import quote

from litestar import Response
from litestar.datastructures import Cookie, FormMultiDict

from wireroom import accounts
from wireroom.accounts import Session
from wireroom.errors import NotAllowed, NotFound, UserError
from wireroom.store import accounts as store
from wireroom.store.reading import Show
from wireroom.web import security
from wireroom.web.room import Room, WebRequest, room_of

#: On a route: anybody may see it, logged in or not.
OPEN = {"open": True}
#: The same for files, which are the same for everybody.
FILES = {"open": True, "files": True}
#: For routes that machines call: no session, no form, and a proof of their own.
MACHINE = {"open": True, "machine": True}
CSRF_FIELD = "_csrf"
CSRF_HEADER = "x-csrf-token"
#: Above every number that a database row can have.
_TOO_LARGE = 2**63

Theme = Literal["auto", "light", "dark"]
Density = Literal["cozy", "compact"]
_THEMES = ("auto", "light", "dark")
_DENSITIES = ("cozy", "compact")
_SHOWS = ("unread", "all")


@dataclass(frozen=True, slots=True)
class Preferences:
    """How somebody likes the reader; kept with the account under "web"."""

    theme: Theme = "auto"
    density: Density = "cozy"
    show: Show = "unread"
    marks_on_open: bool = True

    def to_dict(self) -> dict[str, Any]:
        return {
            "theme": self.theme,
            "density": self.density,
            "show": self.show,
            "marks_on_open": self.marks_on_open,
        }


def preferences_from(stored: object) -> Preferences:
    """Whatever is stored or was sent: what we do not know is the default."""
    values = stored if isinstance(stored, dict) else {}
    theme, density, show = (values.get(name) for name in ("theme", "density", "show"))
    return Preferences(
        theme=cast("Theme", theme) if theme in _THEMES else "auto",
        density=cast("Density", density) if density in _DENSITIES else "cozy",
        show=cast("Show", show) if show in _SHOWS else "unread",
        marks_on_open=bool(values.get("marks_on_open", True)),
    )


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whoever asks for a page. `secret` is the cookie that the CSRF token is bound to."""

    secret: str
    session: Session | None = None
    preferences: Preferences = field(default_factory=Preferences)
    #: The cookie is new and has to be sent along.
    is_new: bool = False

    @property
    def csrf(self) -> str:
        return hmac.new(self.secret.encode(), b"csrf", hashlib.sha256).hexdigest()


def viewer_of(request: WebRequest) -> Viewer:
    viewer: Viewer | None = request.scope.get("state", {}).get("viewer")
    return viewer if viewer is not None else Viewer(secret=secrets.token_urlsafe(16))


def session_of(request: WebRequest) -> Session:
    """The session of a page that only people who are logged in get to."""
    session = viewer_of(request).session
    if session is None:
        raise NotAllowed("Log in first.")
    return session


def account_id_of(request: WebRequest) -> int:
    return session_of(request).account.id


# -- the gate ------------------------------------------------------------------------------------


async def gate(request: WebRequest) -> Response[Any] | None:
    """Runs before every page: lets it through, or answers instead of it."""
    room = room_of(request)
    if not security.host_is_ours(request, room.settings):
        raise NotAllowed("This name is not one that Wireroom answers to (allowed_hosts).")
    if "\0" in request.scope["path"]:
        raise NotFound("There is no such page.")
    if any(isinstance(v, int) and abs(v) >= _TOO_LARGE for v in request.path_params.values()):
        raise NotFound("There is no such page.")
    if any(request.route_handler.opt.get(kind) for kind in ("files", "machine")):
        return None
    viewer = await _viewer(request, room)
    request.state.viewer = viewer
    if request.method in security.UNSAFE:
        await _refuse_forgery(request, viewer)
    if viewer.session is None and not request.route_handler.opt.get("open"):
        return await _to_the_door(request, room)
    return None


async def _viewer(request: WebRequest, room: Room) -> Viewer:
    secret = request.cookies.get(session_cookie(room))
    if secret:
        session = await accounts.session_behind(room.database, secret, room.now())
        if session is not None and await _is_still_named(request, room, session):
            kept = preferences_from(session.account.preferences.get("web"))
            return Viewer(secret, session, kept)
    visit = request.cookies.get(visit_cookie(room))
    if visit:
        return Viewer(visit)
    return Viewer(secrets.token_urlsafe(16), is_new=True)


async def _is_still_named(request: WebRequest, room: Room, session: Session) -> bool:
    """Where a proxy says who is there, a session of somebody else has ended."""
    named = security.named_by_proxy(request, room)
    if not named:
        return True
    door = await room.database.read(store.account_behind, "proxy", named)
    return door == session.account.id


async def _refuse_forgery(request: WebRequest, viewer: Viewer) -> None:
    form = await _form(request)
    given = request.headers.get(CSRF_HEADER)
    if given is None:
        given = str(form.get(CSRF_FIELD, ""))
    if not security.comes_from_us(request) or not accounts.same_secret(given, viewer.csrf):
        raise NotAllowed(
            "This form was not sent from a page of yours, or that page is too old. "
            "Go back, reload it and try again.",
            code="csrf",
        )


async def _form(request: WebRequest) -> FormMultiDict:
    """The form that was sent; pages find it read. Raises UserError for what no browser sends."""
    try:
        form = await request.form()
    except (LookupError, ValueError) as error:  # a charset that is unknown, or not kept to
        raise UserError("That form cannot be read.", code="invalid_form") from error
    if any("\0" in str(value) for value in form.values()):
        raise UserError("A form cannot hold the character U+0000.", code="invalid_form")
    return form


async def _to_the_door(request: WebRequest, room: Room) -> Response[Any]:
    door = "/setup" if await accounts.needs_setup(room.database) else "/login"
    if request.headers.get("hx-request") or request.url.path == "/live":
        return Response(
            "You have been logged out.",
            status_code=401,
            media_type="text/plain",
            headers={"HX-Redirect": door},
        )
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if request.method == "GET" and path != "/" and door == "/login":
        door += f"?next={quote(path, safe='/')}"
    return redirect(door)


def redirect(path: str) -> Response[Any]:
    """See Other, to a path of ours."""
    return Response(None, status_code=303, headers={"Location": path})


# -- cookies -------------------------------------------------------------------------------------


def session_cookie(room: Room) -> str:
    return "__Host-wireroom" if room.settings.is_https else "wireroom"


def visit_cookie(room: Room) -> str:
    return "__Host-wireroom-visit" if room.settings.is_https else "wireroom-visit"


def cookie(room: Room, name: str, value: str, max_age_seconds: int | None) -> Cookie:
    return Cookie(
        key=name,
        value=value,
        max_age=max_age_seconds,
        path="/",
        secure=room.settings.is_https,
        httponly=True,
        samesite="lax",
    )


async def log_in(
    request: WebRequest, account_id: int, target: str, *, proved_at: datetime | None = None
) -> Response[Any]:
    """Open a new session and go on; whatever session there was before is closed (fixation).

    `proved_at` is when they showed who they are, if that was not now.
    """
    room = room_of(request)
    before = viewer_of(request).session
    if before is not None:
        await accounts.close_session(room.database, before.account.id, before.token.id)
    secret = await accounts.open_session(
        room.database,
        account_id,
        name=browser_name(request),
        now=room.now(),
        proved_at=proved_at,
    )
    answer = redirect(security.local_path(target))
    lifetime = int(accounts.SESSION_ABSOLUTE.total_seconds())
    answer.set_cookie(cookie(room, session_cookie(room), secret, lifetime))
    answer.set_cookie(cookie(room, visit_cookie(room), "", 0))
    return answer


_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_name(request: WebRequest) -> str:
    """Roughly, for people to recognise their sessions by."""
    agent = request.headers.get("user-agent", "")
    browser = next((name for mark, name in _BROWSERS if mark in agent), "A browser")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    return f"{browser} on {system}" if system else browser

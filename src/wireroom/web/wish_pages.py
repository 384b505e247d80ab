"""What is wished of messages: of all of an account's, to one place, of one feed, and for everyone.

A route's own wishes have the same forms on its own page (`route_pages`).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from litestar import Response, get, post
from markupsafe import Markup

from wireroom import following, routing
from wireroom.delivery import wishlist
from wireroom.errors import NotFound, UserError
from wireroom.routing import EVERYONE, Place
from wireroom.web.render import is_partial, page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import account_id_of, redirect, session_of

#: Wishes with a field of their own; all others are set by name, in one form.
LONG: Final = ("filter", "rules", "template")
_OTHERS: Final = "other"
#: Wishes that decide what is sent; all others, how it looks or when it comes.
_DECIDING: Final = ("filter", "rules", "filter_rule", "filter_on", "once")
_ROOT: Final = "/settings/wishes"
_PLACES: Final = [
    f"{_ROOT}/account",
    f"{_ROOT}/everyone",
    f"{_ROOT}/destination/{{destination_id:int}}",
    f"{_ROOT}/subscription/{{subscription_id:int}}",
]
_DONE: Final = {
    "saved": "Saved.",
    "shown": "Saved. A sample of it has gone where news go; what comes looks like it.",
}


@dataclass(frozen=True, slots=True)
class Typed:
    """One wish as it was typed; an empty text takes it back."""

    name: str
    text: str

    @property
    def value(self) -> Any:
        if not self.text:
            return None
        return self.text if self.name in LONG else wishlist.as_value(self.text)

    @property
    def form(self) -> str:
        """Which of the page's forms it was typed into."""
        return self.name if self.name in LONG else _OTHERS

    @property
    def done(self) -> str:
        return "shown" if self.name == "template" and self.value is not None else "saved"


async def typed(request: WebRequest) -> Typed:
    form = await request.form()
    name = str(form.get("name", ""))
    return Typed(name, str(form.get("value", "")).replace("\r\n", "\n").strip())


async def save(request: WebRequest, place: Place, wish: Typed) -> None:
    """Set it; a template counts only once the place took a sample in it. Raises UserError."""
    room, account_id = room_of(request), account_id_of(request)
    if wish.done == "shown" and room.set_template is not None:
        await room.set_template(account_id, place, wish.value)
        return
    await routing.set_wish(room.database, account_id, place, wish.name, wish.value, now=room.now())


def _found(wish: Typed, **what: Any) -> Mapping[str, Any]:
    """What `wish_try.html` shows: one thing of these."""
    nothing: dict[str, Any] = {"trials": [], "shown": None, "posting": None, "refused": ""}
    return {**nothing, "name": wish.name, "text": wish.text, **what}


async def tried(request: WebRequest, place: Place, wish: Typed) -> Mapping[str, Any]:
    """What comes of a wish: of filters and rules, what they make of the newest entries of each
    route; of all others, how the newest would be posted. Nothing is changed by it."""
    room, account_id = room_of(request), account_id_of(request)
    changed = {wish.name: wish.value}
    try:
        if wish.name == "template" and wish.value:
            source = await routing.show_at(room.database, account_id, place, wish.value)
            shown = Markup(source.replace("\n", "<br>\n"))  # noqa: S704 - the template made it safe
            return _found(wish, shown=shown)
        if wish.name not in _DECIDING and room.show_posting is not None:
            posting = await room.show_posting(account_id, place, changed)
            return _found(wish, posting=posting)
        trials = await routing.try_at(room.database, account_id, place, changed)
        return _found(wish, trials=trials)
    except NotFound:
        raise
    except UserError as refused:
        return _found(wish, refused=str(refused))


#: Shows the page of a place: what was typed stays, with what is said about it.
Again = Callable[..., Awaitable[Response[Any]]]


async def answer_trial(request: WebRequest, place: Place, again: Again) -> Response[Any]:
    """What came of trying: a piece of the page where script asked, else all of it."""
    wish = await typed(request)
    found = await tried(request, place, wish)
    status = 422 if found["refused"] else 200
    if is_partial(request):
        return page(request, "wish_try.html", status=status, **found)
    return await again(status=status, typed={wish.name: wish.value}, tried={wish.form: found})


async def answer_wish(request: WebRequest, place: Place, here: str, again: Again) -> Response[Any]:
    """Save what was typed; what is wrong with it is said below the form, which keeps it."""
    wish = await typed(request)
    try:
        await save(request, place, wish)
    except NotFound:
        raise
    except UserError as error:
        refused = {wish.form: _found(wish, refused=str(error))}
        return await again(status=422, typed={wish.name: wish.value}, tried=refused)
    room_of(request).bell.ring()
    return redirect(f"{here}?done={wish.done}")


# -- where they can be said -----------------------------------------------------------------------


@get(_ROOT)
async def wishes_page(request: WebRequest) -> Response[Any]:
    """All places."""
    room, account_id = room_of(request), account_id_of(request)
    states = await routing.list_routes(room.database, account_id)
    shelf = await following.shelf(room.database, account_id)
    return page(
        request,
        "wishes.html",
        destinations={each.destination_id: each for each in states}.values(),
        followed=shelf.followed,
        is_operator=_is_operator(request),
    )


def _is_operator(request: WebRequest) -> bool:
    return session_of(request).account.role == "operator"


def _place(request: WebRequest) -> Place:
    for kind in ("destination", "subscription"):
        number = request.path_params.get(f"{kind}_id")
        if number is not None:
            return Place("destination" if kind == "destination" else "subscription", number)
    if request.url.path.startswith(f"{_ROOT}/everyone"):
        return EVERYONE
    return Place("account", account_id_of(request))


def _here(place: Place) -> str:
    number = f"/{place.id}" if place.kind in ("destination", "subscription") else ""
    return f"{_ROOT}/{place.kind}{number}"


async def _one(
    request: WebRequest,
    place: Place,
    *,
    status: int = 200,
    said: str = "",
    typed: Mapping[str, Any] | None = None,
    tried: Mapping[str, Any] | None = None,
) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    settings = await routing.get_wishes(room.database, account_id, place)
    return page(
        request,
        "place_wishes.html",
        status=status,
        kind=place.kind,
        name=await _name(request, place),
        here=_here(place),
        settings=settings,
        shown={**settings, **(typed or {})},
        tried=tried or {},
        wishes=wishlist.WISHES,
        long=LONG,
        said=said,
    )


async def _name(request: WebRequest, place: Place) -> str:
    """What the place is called; of the account and of everyone nothing."""
    room, account_id = room_of(request), account_id_of(request)
    if place.kind == "destination":
        states = await routing.list_routes(room.database, account_id)
        return next((each.destination for each in states if each.destination_id == place.id), "")
    if place.kind == "subscription":
        shelf = await following.shelf(room.database, account_id)
        mine = (each.title for each in shelf.followed if each.subscription_id == place.id)
        return next(mine, "")
    return ""


def _again(request: WebRequest, place: Place) -> Again:
    async def again(**said: Any) -> Response[Any]:
        return await _one(request, place, **said)

    return again


@get(_PLACES)
async def place_page(request: WebRequest) -> Response[Any]:
    done = _DONE.get(request.query_params.get("done", ""), "")
    return await _one(request, _place(request), said=done)


@post([f"{path}/wish" for path in _PLACES])
async def wish(request: WebRequest) -> Response[Any]:
    place = _place(request)
    return await answer_wish(request, place, _here(place), _again(request, place))


@post([f"{path}/try" for path in _PLACES], status_code=200)
async def try_out(request: WebRequest) -> Response[Any]:
    place = _place(request)
    return await answer_trial(request, place, _again(request, place))


ROUTES = (wishes_page, place_page, wish, try_out)

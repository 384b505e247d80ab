"""Where an account's news go: its routes, what is wished of each, and what came of it."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from markupsafe import escape

from wireroom import following, routing
from wireroom.delivery import wishlist
from wireroom.errors import NotFound, UserError
from wireroom.routing import Place
from wireroom.store.steering import RouteState
from wireroom.web.render import is_partial, page
from wireroom.web.room import WebRequest, room_of
from wireroom.web.session import account_id_of, redirect, session_of
from wireroom.web.wish_pages import LONG, Again, answer_trial, answer_wish

#: Lines of the ledger that are shown.
TOLD: Final = 50
_DONE: Final = {
    "added": "News go there from now on.",
    "paused": "Paused; what comes meanwhile waits.",
    "resumed": "Goes on.",
    "again": "They are sent again.",
    "saved": "Saved.",
    "shown": "Saved. A sample of it has gone where news go; what comes looks like it.",
}
#: What the form for a new route asks for, and the kinds of places that it offers: the first of
#: them to everybody, all to the operator.
_FIELDS: Final = ("subscription", "kind", "to", "newest")
_KINDS: Final = (
    ("discord", "a Discord webhook"),
    ("webhook", "a signed webhook of yours"),
    ("telegram", "a Telegram chat"),
    ("mail", "a mail address"),
    ("apprise", "a service that Apprise knows"),
)
_FOR_MEMBERS: Final = 2
_NOTHING_TYPED: Final = dict.fromkeys(_FIELDS, "")


def _state(states: list[RouteState], route_id: int) -> RouteState:
    for each in states:
        if each.id == route_id:
            return each
    raise NotFound("There is no such route.", code="unknown_route")


# -- all of them ----------------------------------------------------------------------------------


@get("/settings/routes")
async def routes_page(
    request: WebRequest, done: FromQuery[str] = "", feed: FromQuery[str] = ""
) -> Response[Any]:
    return await _list(
        request, said=_DONE.get(done, ""), typed=_NOTHING_TYPED | {"subscription": feed}
    )


async def _list(
    request: WebRequest,
    *,
    status: int = 200,
    error: str = "",
    said: str = "",
    typed: dict[str, str] = _NOTHING_TYPED,
) -> Response[Any]:
    """All routes, and the form for one more, filled in with what was typed or chosen before."""
    room, account_id = room_of(request), account_id_of(request)
    is_operator = session_of(request).account.role == "operator"
    states = await routing.list_routes(room.database, account_id)
    shelf = await following.shelf(room.database, account_id)
    return page(
        request,
        "routes.html",
        status=status,
        states=states,
        followed=shelf.followed,
        kinds=_KINDS if is_operator else _KINDS[:_FOR_MEMBERS],
        can_add=room.send_to is not None,
        now=room.now(),
        error=error,
        said=said,
        typed=typed,
    )


@post("/settings/routes")
async def add(request: WebRequest) -> Response[Any]:
    """A feed goes to one more place."""
    room, session = room_of(request), session_of(request)
    form = await request.form()
    typed = {name: str(form.get(name) or "").strip() for name in _FIELDS}
    if room.send_to is None:
        raise NotFound("This Wireroom sends nothing from here.")
    try:
        told = await room.send_to(
            session.account.id,
            _number(typed["subscription"], most=2**62),
            f"{typed['kind']}:{typed['to']}",
            _number(typed["newest"] or "0", most=100),
            session.account.role == "operator",
        )
    except NotFound:
        raise
    except UserError as error:
        return await _list(request, status=422, error=str(error), typed=typed)
    room.bell.ring()
    return await _list(request, said=told) if told else redirect("/settings/routes?done=added")


def _number(value: object, *, most: int) -> int:
    text = str(value or "")
    if not text.isascii() or not text.isdecimal() or len(text) > 20 or int(text) > most:
        raise UserError("That is no number that fits here.")
    return int(text)


# -- one of them ----------------------------------------------------------------------------------


@get("/settings/routes/{route_id:int}")
async def route_page(
    request: WebRequest, route_id: FromPath[int], done: FromQuery[str] = ""
) -> Response[Any]:
    return await _one(request, route_id, said=_DONE.get(done, ""))


async def _one(
    request: WebRequest,
    route_id: int,
    *,
    status: int = 200,
    error: str = "",
    said: str = "",
    typed: Mapping[str, Any] | None = None,
    tried: Mapping[str, Any] | None = None,
) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    states = await routing.list_routes(room.database, account_id)
    state = _state(states, route_id)
    return page(
        request,
        "route.html",
        status=status,
        state=state,
        told=await routing.delivered(room.database, account_id, route_id, limit=TOLD),
        shown={**state.settings, **(typed or {})},
        wishes=wishlist.WISHES,
        tried=tried or {},
        long=LONG,
        now=room.now(),
        error=error,
        said=said,
    )


async def _done(
    request: WebRequest, route_id: int, what: str, work: Callable[[], Awaitable[object]]
) -> Response[Any]:
    """Do it and show the route again; what is wrong with it is said above."""
    try:
        await work()
    except NotFound:
        raise
    except UserError as error:
        return await _one(request, route_id, status=422, error=str(error))
    room_of(request).bell.ring()
    return redirect(f"/settings/routes/{route_id}?done={what}")


@post("/settings/routes/{route_id:int}/pause")
async def pause(request: WebRequest, route_id: FromPath[int]) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    days = str((await request.form()).get("days") or "0")

    async def work() -> None:
        count, now = _number(days, most=3650), room.now()
        until = now + timedelta(days=count) if count else None
        await routing.pause(room.database, account_id, route_id, now=now, until=until)

    return await _done(request, route_id, "paused", work)


@post("/settings/routes/{route_id:int}/resume")
async def resume(request: WebRequest, route_id: FromPath[int]) -> Response[Any]:
    """Also a destination that was suspended; of what waited all, or the newest so many."""
    room, account_id = room_of(request), account_id_of(request)
    newest = str((await request.form()).get("newest") or "")

    async def work() -> None:
        count = _number(newest, most=routing.MOST_REPLAYED) if newest else None
        await routing.resume(room.database, account_id, route_id, now=room.now(), newest=count)

    return await _done(request, route_id, "resumed", work)


@post("/settings/routes/{route_id:int}/replay")
async def replay(request: WebRequest, route_id: FromPath[int]) -> Response[Any]:
    """The newest so many, or all since the beginning of a day, in UTC."""
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    newest, since = str(form.get("newest", "")), str(form.get("since", ""))

    async def work() -> None:
        moment = _day(since) if since else None
        count = 0 if since else _number(newest, most=routing.MOST_REPLAYED)
        await routing.replay(
            room.database, account_id, route_id, now=room.now(), newest=count, since=moment
        )

    return await _done(request, route_id, "again", work)


def _day(text: str) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(text), time(), UTC)
    except ValueError:
        raise UserError("That is no day: it is written as 2026-11-30.") from None


# -- what is wished of it -------------------------------------------------------------------------


def _again(request: WebRequest, route_id: int) -> Again:
    async def again(**said: Any) -> Response[Any]:
        return await _one(request, route_id, **said)

    return again


@post("/settings/routes/{route_id:int}/wish")
async def wish(request: WebRequest, route_id: FromPath[int]) -> Response[Any]:
    here, again = f"/settings/routes/{route_id}", _again(request, route_id)
    return await answer_wish(request, Place("route", route_id), here, again)


@post("/settings/routes/{route_id:int}/try", status_code=200)
async def try_out(request: WebRequest, route_id: FromPath[int]) -> Response[Any]:
    return await answer_trial(request, Place("route", route_id), _again(request, route_id))


@get("/settings/routes/{route_id:int}/why/{seq:int}")
async def why(request: WebRequest, route_id: FromPath[int], seq: FromPath[int]) -> Response[Any]:
    room, account_id = room_of(request), account_id_of(request)
    sentence = await routing.why(room.database, account_id, route_id, seq, now=room.now())
    if is_partial(request):
        return Response(str(escape(sentence)), media_type="text/html")
    return page(request, "why.html", sentence=sentence, route_id=route_id)


ROUTES = (routes_page, add, route_page, pause, resume, replay, wish, try_out, why)

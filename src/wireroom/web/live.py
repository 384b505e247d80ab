"""News without reloading: a stream that says *that* something happened, and the entries for it.

The stream carries no content, only the account's pulse (see `store.reading.pulse`), which is also
the event's id: a browser that reconnects says the last pulse it heard and is told at once if
anything happened in between. The bell wakes the stream when this process stored something; the
timeout is there for what other processes store.
"""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from litestar import Response, get, post
from litestar.params import FromQuery
from litestar.response import ServerSentEvent, ServerSentEventMessage

from wireroom import accounts, following, labelling, reading, watching
from wireroom.accounts import Session
from wireroom.errors import StoreUnavailable, UserError
from wireroom.web.render import page
from wireroom.web.room import Room, WebRequest, room_of
from wireroom.web.session import account_id_of, session_of

NEWS_SHOWN = 50


@get("/live")
async def live(request: WebRequest, since: FromQuery[str] = "") -> Response[Any]:
    """Server-sent events named `news`; 204 tells a browser to stop asking."""
    room, account_id = room_of(request), account_id_of(request)
    if room.listeners.are_enough(account_id):
        return Response(None, status_code=204)
    heard = request.headers.get("last-event-id", since)
    return ServerSentEvent(_beats(room, session_of(request), heard))


async def _beats(
    room: Room, session: Session, heard: str
) -> AsyncIterator[ServerSentEventMessage]:
    account_id = session.account.id
    looks = watching.looks(room.bell, room.listeners, account_id)
    async with contextlib.aclosing(looks):  # type: ignore[type-var]
        async for _ in looks:
            if not await _lasts(room, session):
                return
            pulse = await _pulse(room, account_id, heard)
            if pulse != heard:
                heard = pulse
                yield ServerSentEventMessage(event="news", id=pulse, data=pulse, retry=5000)
            else:
                yield ServerSentEventMessage(comment="nothing new", retry=5000)


async def _lasts(room: Room, session: Session) -> bool:
    try:
        return await accounts.is_valid(room.database, session.token.id, room.now())
    except StoreUnavailable:
        return True


async def _pulse(room: Room, account_id: int, otherwise: str) -> str:
    try:
        return await reading.pulse(room.database, account_id)
    except StoreUnavailable:
        return otherwise


@post("/news", status_code=200)
async def news(request: WebRequest) -> Response[Any]:
    """Rows for what arrived after the numbers that the page knows, and all counts.

    A POST only because those numbers can be many; it changes nothing.
    """
    room, account_id = room_of(request), account_id_of(request)
    form = await request.form()
    seen = seen_from(str(form.get("seen", "")))
    shelf = await following.shelf(room.database, account_id)
    arrived = await reading.arrived_since(room.database, account_id, seen, NEWS_SHOWN + 1)
    carried = await labelling.of(room.database, account_id, reading.keys_of(arrived))
    now_seen = {f.feed_id: f.last_seq for f in shelf.followed if f.feed_id in seen}
    return page(
        request,
        "news.html",
        entries=[e for e in arrived if form.get("show") != "unread" or not e.is_read],
        carried=carried,
        too_many=len(arrived) > NEWS_SHOWN,
        shelf=shelf,
        seen=seen_text(now_seen),
    )


def seen_text(seen: dict[int, int]) -> str:
    """Last numbers by feed in a form that pages carry: `feed.number-feed.number`."""
    return "-".join(f"{feed_id}.{seq}" for feed_id, seq in seen.items())


def seen_from(text: str) -> dict[int, int]:
    """The reverse of `seen_text`. Raises UserError for anything else."""
    try:
        pairs = [pair.split(".") for pair in text.split("-") if pair]
        seen = {int(feed_id): int(seq) for feed_id, seq in pairs}
    except ValueError:
        seen = {-1: 0}
    if any(not 0 <= number < 2**63 for pair in seen.items() for number in pair):
        raise UserError("This page is out of date: reload it.")
    return seen


ROUTES = (live, news)

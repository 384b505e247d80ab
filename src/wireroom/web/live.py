"""News without reloading: a stream that says *that* something happened, and the entries for it.

The stream carries no content, only the account's pulse (see `store.reading.pulse`), which is also
the event's id: a browser that reconnects says the last pulse it heard and is told at once if
anything happened in between. The bell wakes the stream when this process stored something; the
timeout is there for what other processes store.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from litestar import Response, get, post
from litestar.params import FromQuery
from litestar.response import ServerSentEvent, ServerSentEventMessage

from wireroom import following, reading
from wireroom.errors import StoreUnavailable, UserError
from wireroom.web.render import page
from wireroom.web.room import Room, WebRequest, room_of
from wireroom.web.session import account_id_of

#: Without a ring, the database is asked this often.
LOOK_EVERY_SECONDS = 20.0
#: Several rings in a row are answered together.
GATHER_SECONDS = 0.4
#: Then the browser connects again, and its session is looked at again.
STREAM_SECONDS = 600.0
STREAMS_PER_ACCOUNT = 16
NEWS_SHOWN = 50


@get("/live")
async def live(request: WebRequest, since: FromQuery[str] = "") -> Response[Any]:
    """Server-sent events named `news`; 204 tells a browser to stop asking."""
    room, account_id = room_of(request), account_id_of(request)
    if room.listeners.get(account_id, 0) >= STREAMS_PER_ACCOUNT:
        return Response(None, status_code=204)
    heard = request.headers.get("last-event-id", since)
    return ServerSentEvent(_beats(room, account_id, heard))


async def _beats(room: Room, account_id: int, heard: str) -> AsyncIterator[ServerSentEventMessage]:
    clock = asyncio.get_running_loop().time
    end = clock() + STREAM_SECONDS
    room.listeners[account_id] = room.listeners.get(account_id, 0) + 1
    try:
        while clock() < end and not room.closing.is_set():
            rings = room.bell.rings
            pulse = await _pulse(room, account_id, heard)
            if pulse != heard:
                heard = pulse
                yield ServerSentEventMessage(event="news", id=pulse, data=pulse, retry=5000)
            else:
                yield ServerSentEventMessage(comment="nothing new", retry=5000)
            await room.bell.wait(rings, LOOK_EVERY_SECONDS)
            if not room.closing.is_set():
                await asyncio.sleep(GATHER_SECONDS)
    finally:
        room.listeners[account_id] -= 1
        if room.listeners[account_id] <= 0:
            del room.listeners[account_id]


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
    now_seen = {f.feed_id: f.last_seq for f in shelf.followed if f.feed_id in seen}
    return page(
        request,
        "news.html",
        entries=[e for e in arrived if form.get("show") != "unread" or not e.is_read],
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

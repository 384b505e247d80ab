"""A destination's turn, on one page: what waits for it, picked, composed, sent, written down.

The cursor moves only after the channel accepted the message, or with a recorded decision to pass
over it (promise 1). Between the channel's answer and the commit of the cursor nothing waits: that
is the only moment in which a kill repeats a message (promise 2); `sending` sees to that, and
`single_file` that few messages are in it at once.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace

import structlog
from sqlalchemy import Connection

from wireroom.delivery import backlog
from wireroom.delivery.picking import pick_once, story_of
from wireroom.delivery.running import run_errands
from wireroom.delivery.sending import pass_over, send
from wireroom.delivery.turn import (
    Delivering,
    EndTurn,
    LeaveRoute,
    Letter,
    Next,
    Progress,
    Turn,
    begin,
    insist,
)
from wireroom.errors import StoreUnavailable
from wireroom.store import claims, routes
from wireroom.store.claims import DestinationLease
from wireroom.store.entries import Entry
from wireroom.store.routes import Note, Route, Waiting

__all__ = ["Delivering", "deliver"]

log = structlog.get_logger(__name__)


async def deliver(lease: DestinationLease, tools: Delivering) -> None:
    """Send what waits for one destination until nothing does, or until it must wait itself.

    While the database is away nothing is sent: the turn ends, and the destination is given back
    when it is there again. Raises LeaseLost when somebody else took over; the rest of the turn is
    dropped then.
    """
    try:
        ended = await _take_turn(lease, tools)
    except StoreUnavailable as error:
        log.warning("turn ended early", destination=lease.destination_id, error=str(error))
        ended = EndTurn(tools.now())

    def release(connection: Connection) -> None:
        now = tools.now()
        held_until = routes.next_at(connection, lease.destination_id, now=now)
        claims.release_destination(
            connection, lease, now=now, retry_at=ended.retry_at, next_at=held_until
        )

    await insist(release, tools)


async def _take_turn(lease: DestinationLease, tools: Delivering) -> EndTurn:
    turn = await begin(lease, tools)
    if isinstance(turn, Turn) and turn.has_errands:
        ended = await run_errands(turn, tools)
        if ended is not None:
            return ended
    while isinstance(turn, Turn):
        waiting = await tools.database.read(_outbox, turn, tools)
        if not waiting:
            return EndTurn()
        ended = await _send_round(turn, waiting, tools)
        if ended is not None:
            return ended
    return turn


def _outbox(connection: Connection, turn: Turn, tools: Delivering) -> list[Waiting]:
    return routes.outbox(connection, turn.destination.id, now=tools.now())


async def _send_round(turn: Turn, waiting: Sequence[Waiting], tools: Delivering) -> EndTurn | None:
    """Send these entries, oldest first over all routes; None when there may be more to do."""
    ready = []
    for each in waiting:
        prepared = await backlog.prepare(turn, each, waiting, tools)
        if isinstance(prepared, EndTurn):
            return prepared
        if isinstance(prepared, Waiting):
            ready.append(prepared)
    standing = {each.route.id: each.route for each in ready}
    for route_id, entry in _oldest_first(ready):
        route = standing.get(route_id)
        if route is None:
            continue
        if tools.stopping.is_set() or tools.now() >= turn.ends_at:
            return EndTurn(tools.now())
        progress = await _send_entry(turn, route, entry, tools)
        if isinstance(progress, EndTurn):
            return progress
        if isinstance(progress, LeaveRoute):
            del standing[route_id]
        else:
            standing[route_id] = _behind(route, entry)
    return None


def _behind(route: Route, entry: Entry) -> Route:
    return replace(
        route, cursor=entry.seq, attempts=0, parcels_sent=0, failing_since=None, not_before=None
    )


def _oldest_first(waiting: Sequence[Waiting]) -> Iterator[tuple[int, Entry]]:
    """Entries of all routes by first sight; each route's own stay in seq order (promise 3).

    `heapq.merge` compares only the heads, so a clock that was set back between two entries of a
    feed changes nothing within its route.
    """
    queues = [[(each.route.id, entry) for entry in each.entries] for each in waiting]
    return heapq.merge(*queues, key=lambda pair: pair[1].first_seen)


async def _send_entry(turn: Turn, route: Route, entry: Entry, tools: Delivering) -> Progress:
    """One entry on one route; what became of it is committed on return."""
    picked = await pick_once(turn, route, entry, tools)
    if not picked.choice.is_sent or picked.message is None:
        passed = {entry.seq: picked.choice.why}
        return await pass_over(turn, route, passed, tools, picked.effects)
    if await backlog.is_day_full(turn, route, tools):
        return LeaveRoute()
    letter = Letter(
        picked.message,
        {entry.seq: Note("sent", picked.choice.why)},
        entry.revision,
        picked.effects,
        picked.choice.ruling.muted,
    )
    progress = await send(turn, route, letter, tools)
    if isinstance(progress, Next):
        turn.told.append(story_of(route, entry))
    return progress

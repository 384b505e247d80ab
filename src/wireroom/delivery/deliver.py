"""A destination's turn, on one page: what waits for it, composed, rendered, sent, written down.

The cursor moves only after the channel accepted the message, or with a recorded decision to pass
over it (promise 1). Between the channel's answer and the commit of the cursor nothing waits: that
is the only moment in which a kill repeats a message (promise 2).
"""

import asyncio
import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import structlog
from sqlalchemy import Connection

from wireroom.delivery import retry
from wireroom.delivery.channel import Address, Answer, Channel, Parcel, Sent, TryLater
from wireroom.delivery.compose import compose
from wireroom.delivery.retry import Advance, Attempts, Decision, Skip, Suspend, Wait
from wireroom.store import claims, routes
from wireroom.store.claims import DestinationLease
from wireroom.store.engine import Database
from wireroom.store.entries import Entry
from wireroom.store.routes import Destination, Route, Waiting
from wireroom.store.vault import Vault

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Delivering:
    """What delivering needs: where things are kept, how they are sent, the clock and chance."""

    database: Database
    channels: Mapping[str, Channel]
    vault: Vault
    now: Callable[[], datetime]
    random: Callable[[], float]
    #: Set at the end of the program: no further message is begun.
    stopping: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Turn:
    """One lease on one destination, its channel, and its address in clear."""

    lease: DestinationLease
    destination: Destination
    channel: Channel
    address: Address


async def deliver(lease: DestinationLease, tools: Delivering) -> None:
    """Send what waits for one destination until nothing does, or until it must wait itself.

    Raises LeaseLost when somebody else took over; the rest of the turn is dropped then.
    """
    turn = await _begin(lease, tools)
    retry_at = None
    while turn is not None:
        waiting = await tools.database.read(_outbox, lease, tools.now())
        if not waiting:
            break
        decision = await _send_round(turn, waiting, tools)
        if isinstance(decision, Suspend):
            return  # which gave the lease up
        if isinstance(decision, Wait):
            retry_at = decision.until
            break
    await tools.database.write(_release, lease, tools.now(), retry_at)


async def _begin(lease: DestinationLease, tools: Delivering) -> Turn | None:
    destination = await tools.database.read(routes.destination, lease.destination_id)
    if destination is None:
        return None
    secret = tools.vault.open(destination.secret) if destination.secret else ""
    channel = tools.channels[destination.channel]
    return Turn(lease, destination, channel, Address(destination.address, secret))


def _outbox(connection: Connection, lease: DestinationLease, now: datetime) -> list[Waiting]:
    return routes.outbox(connection, lease.destination_id, now=now)


def _release(
    connection: Connection, lease: DestinationLease, now: datetime, retry_at: datetime | None
) -> None:
    claims.release_destination(connection, lease, now=now, retry_at=retry_at)


async def _send_round(turn: Turn, waiting: Sequence[Waiting], tools: Delivering) -> Decision:
    """Send these entries, oldest first over all routes, as far as it goes."""
    standing = {each.route.id: each.route for each in waiting}
    for each in waiting:
        if not each.entries:  # all past the cursor were trimmed
            skip = Skip("no longer kept")
            await _settle(turn, each.route, each.route.last_seq, skip, [], tools)
    for route_id, entry in _oldest_first(waiting):
        if tools.stopping.is_set():
            return Wait(tools.now(), "the program ends")
        route = standing[route_id]
        decision = await _send_entry(turn, route, entry, tools)
        if isinstance(decision, Wait | Suspend):
            return decision
        standing[route_id] = replace(
            route, cursor=entry.seq, attempts=0, parcels_sent=0, failing_since=None
        )
    return Advance()


def _oldest_first(waiting: Sequence[Waiting]) -> Iterator[tuple[int, Entry]]:
    """Entries of all routes by first sight; each route's own stay in seq order (promise 3).

    `heapq.merge` compares only the heads, so a clock that was set back between two entries of a
    feed changes nothing within its route.
    """
    queues = [[(each.route.id, entry) for entry in each.entries] for each in waiting]
    return heapq.merge(*queues, key=lambda pair: pair[1].first_seen)


async def _send_entry(turn: Turn, route: Route, entry: Entry, tools: Delivering) -> Decision:
    """One entry on one route, in all its parcels; the decision is committed on return."""
    parcels = _parcels(turn, route, entry)
    if isinstance(parcels, Skip):
        return await _settle(turn, route, entry.seq, parcels, [], tools)
    message_ids: list[str] = []
    for number, parcel in enumerate(parcels, start=1):
        if number <= route.parcels_sent:
            continue  # accepted before; only what is left of the message goes out
        answer = await turn.channel.send(turn.address, parcel)
        attempts = Attempts(route.attempts, route.failing_since)
        decision = retry.after(answer, attempts, tools.now(), tools.random())
        if not isinstance(decision, Advance):
            return await _react(turn, route, entry, answer, decision, tools)
        if isinstance(answer, Sent):
            message_ids.append(answer.message_id)
        if number < len(parcels):
            await tools.database.write(_note_parcel, turn, route, number, answer, tools.now())
        else:
            await tools.database.write(_note_moved, turn, answer)
    return await _settle(turn, route, entry.seq, Advance(), message_ids, tools)


def _parcels(turn: Turn, route: Route, entry: Entry) -> tuple[Parcel, ...] | Skip:
    """The entry in the channel's form, or why it is passed over."""
    if entry.seq in route.passed:
        return Skip("dealt with before two feeds became one")
    if not entry.is_news and entry.seq > route.asked_through:
        return Skip(entry.not_news_why or "not news")
    settings = {**turn.destination.settings, **route.settings}
    try:
        return turn.channel.render(compose(entry, route), turn.address, settings)
    except Exception:  # one bad entry never blocks those behind it (promise 7)
        log.exception("entry not rendered", feed=entry.feed_id, seq=entry.seq, route=route.id)
        return Skip("could not be rendered; see the log")


async def _settle(
    turn: Turn,
    route: Route,
    seq: int,
    decision: Advance | Skip,
    message_ids: Sequence[str],
    tools: Delivering,
) -> Decision:
    """Move the cursor past an entry and note what became of it."""
    outcome, detail = ("skipped", decision.reason) if isinstance(decision, Skip) else ("sent", "")

    def work(connection: Connection) -> None:
        claims.hold_destination(connection, turn.lease, now=tools.now())
        routes.advance(
            connection,
            route,
            to_seq=seq,
            outcome=outcome,
            message_ids=message_ids,
            detail=detail,
            now=tools.now(),
        )

    await tools.database.write(work)
    log.info(outcome, route=route.id, feed=route.feed_id, seq=seq, why=detail or None)
    return decision


async def _react(
    turn: Turn,
    route: Route,
    entry: Entry,
    answer: Answer,
    decision: Decision,
    tools: Delivering,
) -> Decision:
    """The channel did not take it: write down what was decided, and stop or go on."""
    if isinstance(decision, Skip):
        return await _settle(turn, route, entry.seq, decision, [], tools)
    is_pace = isinstance(answer, TryLater) and answer.after is not None

    def work(connection: Connection) -> None:
        claims.hold_destination(connection, turn.lease, now=tools.now())
        if isinstance(decision, Suspend):
            routes.suspend(connection, turn.lease, reason=decision.reason, now=tools.now())
        elif not is_pace:  # being asked to wait is no failure of the message
            routes.note_failure(connection, route, now=tools.now())

    await tools.database.write(work)
    reason = decision.reason if isinstance(decision, Wait | Suspend) else ""
    log.info(
        "not sent", route=route.id, seq=entry.seq, decision=type(decision).__name__, why=reason
    )
    return decision


def _note_parcel(
    connection: Connection, turn: Turn, route: Route, sent: int, answer: Answer, now: datetime
) -> None:
    claims.hold_destination(connection, turn.lease, now=now)
    routes.note_parcel(connection, route, sent=sent)
    _note_moved(connection, turn, answer)


def _note_moved(connection: Connection, turn: Turn, answer: Answer) -> None:
    """The platform gave the destination a new address (TGD-14)."""
    if isinstance(answer, Sent) and answer.moved_to:
        routes.change_address(connection, turn.destination.id, answer.moved_to)

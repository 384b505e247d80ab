"""A destination's turn, on one page: what waits for it, composed, rendered, sent, written down.

The cursor moves only after the channel accepted the message, or with a recorded decision to pass
over it (promise 1). Between the channel's answer and the commit of the cursor nothing waits: that
is the only moment in which a kill repeats a message (promise 2). What was accepted is written down
even when the lease is lost or the database is away for a while.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from wireroom.delivery import retry
from wireroom.delivery.channel import (
    Address,
    Answer,
    Channel,
    Gone,
    Parcel,
    Rejected,
    Sent,
    TryLater,
)
from wireroom.delivery.compose import compose
from wireroom.delivery.retry import Attempts, Skip, Suspend, Wait
from wireroom.errors import LeaseLost, SettingsError, StoreUnavailable
from wireroom.store import claims, routes
from wireroom.store.claims import DestinationLease
from wireroom.store.engine import Database
from wireroom.store.entries import Entry
from wireroom.store.routes import Destination, Route, Waiting
from wireroom.store.vault import Vault

log = structlog.get_logger(__name__)

#: After so long a turn ends, so that one long backlog holds no place for ever.
LONGEST_TURN: Final = timedelta(minutes=1)
#: A destination whose secret cannot be opened is looked at again then; only the operator can help.
WITHOUT_SECRET: Final = timedelta(minutes=5)
#: From so many failures of one message on, only its own route waits for it.
BLOCKED_BY_ONE: Final = 3


@dataclass(frozen=True, slots=True)
class Delivering:
    """What delivering needs: where things are kept, how they are sent, the clock and chance."""

    database: Database
    channels: Mapping[str, Channel]
    vault: Vault
    now: Callable[[], datetime]
    random: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    #: Set at the end of the program: no further message is begun.
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    #: Channels that rest as a whole, and until when: their platform is away or wants silence.
    resting: dict[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """One lease on one destination, its channel, and its address in clear."""

    lease: DestinationLease
    destination: Destination
    channel: Channel
    address: Address
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Next:
    """Go on behind this entry."""


@dataclass(frozen=True, slots=True)
class LeaveRoute:
    """Nothing more of this route in this round: it waits, ended, or stands elsewhere by now."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Nothing more to this destination now; `retry_at` None leaves it to what comes."""

    retry_at: datetime | None = None


#: How a turn goes on after a message.
Progress = Next | LeaveRoute | EndTurn


async def deliver(lease: DestinationLease, tools: Delivering) -> None:
    """Send what waits for one destination until nothing does, or until it must wait itself.

    Raises LeaseLost when somebody else took over; the rest of the turn is dropped then.
    """
    ended = await _take_turn(lease, tools)
    await tools.database.write(_release, lease, tools.now(), ended.retry_at)


async def _take_turn(lease: DestinationLease, tools: Delivering) -> EndTurn:
    turn = await _begin(lease, tools)
    while isinstance(turn, Turn):
        waiting = await tools.database.read(_outbox, lease, tools.now())
        if not waiting:
            return EndTurn()
        ended = await _send_round(turn, waiting, tools)
        if ended is not None:
            return ended
    return turn


async def _begin(lease: DestinationLease, tools: Delivering) -> Turn | EndTurn:
    destination = await tools.database.read(routes.destination, lease.destination_id)
    if destination is None or destination.suspended_at is not None:
        return EndTurn()
    try:
        secret = tools.vault.open(destination.secret) if destination.secret else ""
    except SettingsError as error:
        log.error("destination cannot be used", destination=destination.id, why=str(error))  # noqa: TRY400 - the sentence says it all
        return EndTurn(tools.now() + WITHOUT_SECRET)
    channel = tools.channels[destination.channel]
    address = Address(destination.address, secret)
    return Turn(lease, destination, channel, address, tools.now() + LONGEST_TURN)


def _outbox(connection: Connection, lease: DestinationLease, now: datetime) -> list[Waiting]:
    return routes.outbox(connection, lease.destination_id, now=now)


def _release(
    connection: Connection, lease: DestinationLease, now: datetime, retry_at: datetime | None
) -> None:
    held_until = routes.next_at(connection, lease.destination_id, now=now)
    claims.release_destination(connection, lease, now=now, retry_at=retry_at, next_at=held_until)


async def _send_round(turn: Turn, waiting: Sequence[Waiting], tools: Delivering) -> EndTurn | None:
    """Send these entries, oldest first over all routes; None when there may be more to do."""
    standing = {each.route.id: each.route for each in waiting}
    for each in waiting:
        if not each.entries:  # all past the cursor were trimmed
            skip = Skip("no longer kept")
            await _pass_over(turn, each.route, {each.route.last_seq: skip.reason}, tools)
    for route_id, entry in _oldest_first(waiting):
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
            standing[route_id] = replace(
                route, cursor=entry.seq, attempts=0, parcels_sent=0, failing_since=None
            )
    return None


def _oldest_first(waiting: Sequence[Waiting]) -> Iterator[tuple[int, Entry]]:
    """Entries of all routes by first sight; each route's own stay in seq order (promise 3).

    `heapq.merge` compares only the heads, so a clock that was set back between two entries of a
    feed changes nothing within its route.
    """
    queues = [[(each.route.id, entry) for entry in each.entries] for each in waiting]
    return heapq.merge(*queues, key=lambda pair: pair[1].first_seen)


async def _send_entry(turn: Turn, route: Route, entry: Entry, tools: Delivering) -> Progress:
    """One entry on one route, in all its parcels; the outcome is committed on return."""
    parcels = _parcels(turn, route, entry)
    if isinstance(parcels, Skip):
        return await _pass_over(turn, route, {entry.seq: parcels.reason}, tools)
    for number, parcel in enumerate(parcels, start=1):
        if number <= route.parcels_sent:
            continue  # accepted before; only what is left of the message goes out
        if (refused := await _may_not_send(turn, route, tools)) is not None:
            return refused
        answer = await _send(turn, parcel)
        if not isinstance(answer, Sent):
            return await _react(turn, route, entry, answer, tools)
        is_last = number == len(parcels)
        progress = await _write_down(
            turn, route, entry, None if is_last else number, answer, tools
        )
        if is_last or not isinstance(progress, Next):
            return progress
        route = replace(route, parcels_sent=number)
    # Fewer parcels than went out before a restart: the entry was edited meanwhile.
    return await _write_down(turn, route, entry, None, Sent(), tools)


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


async def _may_not_send(turn: Turn, route: Route, tools: Delivering) -> Progress | None:
    """Why the next message must stay here: a promise may have been given since the last one.

    Whoever paused, unsubscribed, suspended or replayed was told that it is so.
    """
    now = tools.now()
    rests_until = tools.resting.get(turn.channel.kind)
    if tools.stopping.is_set():
        return EndTurn(now)
    if rests_until is not None and rests_until > now:
        return EndTurn(rests_until)

    def look(connection: Connection) -> str:
        return routes.may_send(connection, turn.lease, route, now=now)

    may = await tools.database.read(look)
    if may == "late":
        await tools.database.write(
            lambda connection: claims.hold_destination(connection, turn.lease, now=now)
        )
        return None
    return {"yes": None, "moved": LeaveRoute(), "stop": EndTurn()}[may]


async def _send(turn: Turn, parcel: Parcel) -> Answer:
    try:
        return await turn.channel.send(turn.address, parcel)
    except Exception:  # a channel's own mistake over one message must not stop those behind it
        log.exception("channel failed on a message", destination=turn.destination.id)
        return Rejected("the channel failed on it; see the log", certain=False)


# -- writing it down ------------------------------------------------------------------------------


async def _write_down(
    turn: Turn, route: Route, entry: Entry, parcel: int | None, answer: Sent, tools: Delivering
) -> Progress:
    """The channel accepted parcel number `parcel` of several, or, with None, all there was.

    Raises LeaseLost after the commit when the destination is somebody else's by now: the cursor
    itself tells them that this entry is out.
    """

    def work(connection: Connection) -> tuple[bool, bool]:
        now = tools.now()
        held = claims.prolong_destination(connection, turn.lease, now=now)
        if parcel is None:
            stood = routes.advance(
                connection,
                route,
                to_seq=entry.seq,
                outcome="sent",
                message_ids=[answer.message_id] if answer.message_id else [],
                revision=entry.revision,
                now=now,
            )
        else:
            stood = routes.note_parcel(
                connection, route, entry.seq, sent=parcel, message_id=answer.message_id, now=now
            )
        if answer.moved_to:
            routes.change_address(connection, turn.destination.id, answer.moved_to, now=now)
        return held, stood

    held, stood = await _commit(work, tools)
    if parcel is None:
        log.info("sent", route=route.id, feed=route.feed_id, seq=entry.seq, stood=stood or None)
    if not held:
        raise LeaseLost("The lease on a destination was lost while a message was under way.")
    if answer.moved_to:  # the next turn reads where it goes now
        log.info("destination moved", destination=turn.destination.id)
        return EndTurn(tools.now())
    return Next() if stood else LeaveRoute()


async def _commit(
    work: Callable[[Connection], tuple[bool, bool]], tools: Delivering
) -> tuple[bool, bool]:
    """Commit what cannot be taken back, however long the database is away.

    Nothing else is sent to the destination meanwhile; forgetting it would send it again.
    """
    pause = 0.5
    while True:
        try:
            return await tools.database.write(work)
        except StoreUnavailable as error:
            if tools.stopping.is_set():
                raise
            log.warning("a sent message waits to be written down", error=str(error))
            await tools.sleep(pause)
            pause = min(2 * pause, 30)


async def _pass_over(
    turn: Turn, route: Route, passed: Mapping[int, str], tools: Delivering
) -> Progress:
    """Move the cursor past entries that are not sent, each with its reason."""

    def work(connection: Connection) -> bool:
        claims.hold_destination(connection, turn.lease, now=tools.now())
        return routes.pass_over(connection, route, passed, now=tools.now())

    stood = await tools.database.write(work)
    for seq, why in passed.items():
        log.info("skipped", route=route.id, feed=route.feed_id, seq=seq, why=why)
    return Next() if stood else LeaveRoute()


async def _react(
    turn: Turn, route: Route, entry: Entry, answer: Answer, tools: Delivering
) -> Progress:
    """The channel did not take it: write down what was decided, and stop or go on."""
    attempts = Attempts(route.attempts, route.failing_since)
    decision = retry.after(answer, attempts, tools.now(), tools.random())
    if isinstance(decision, Skip):
        return await _pass_over(turn, route, {entry.seq: decision.reason}, tools)
    assert isinstance(decision, Wait | Suspend)
    log.info("not sent", route=route.id, seq=entry.seq, why=decision.reason)
    if isinstance(decision, Suspend):
        await tools.database.write(_suspend, turn, decision.reason, tools.now())
        return EndTurn()
    if decision.scope == "channel":
        tools.resting[turn.channel.kind] = decision.until
    only_this = _is_about_the_message(answer, route.attempts + 1)
    if not _is_pace(answer):
        not_before = decision.until if only_this else None
        await tools.database.write(_note_failure, turn, route, tools.now(), not_before)
    return LeaveRoute() if only_this else EndTurn(decision.until)


def _is_pace(answer: Answer) -> bool:
    """Being asked to wait is no failure of the message."""
    return isinstance(answer, TryLater) and answer.after is not None


def _is_about_the_message(answer: Answer, failures: int) -> bool:
    """Whether other routes may go on while this message waits (TGD-12).

    A platform that fails again and again, but names no time, may be failing on this one message.
    """
    if isinstance(answer, Gone) or _is_pace(answer):
        return False
    if isinstance(answer, TryLater) and answer.scope == "channel":
        return False
    return isinstance(answer, Rejected) or failures >= BLOCKED_BY_ONE


def _suspend(connection: Connection, turn: Turn, reason: str, now: datetime) -> None:
    claims.hold_destination(connection, turn.lease, now=now)
    routes.suspend(connection, turn.destination.id, reason=reason, now=now)


def _note_failure(
    connection: Connection, turn: Turn, route: Route, now: datetime, not_before: datetime | None
) -> None:
    claims.hold_destination(connection, turn.lease, now=now)
    routes.note_failure(connection, route, now=now, not_before=not_before)

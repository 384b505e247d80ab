"""Errands of a destination: notices, edits, forwarded entries, and what follows a message.

An errand is done when the channel took it, or when a recorded decision says that it never will be;
a kill in between repeats it once, as with entries.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog
from sqlalchemy import Connection

from wireroom.delivery import afterwards, effects, notices, retry
from wireroom.delivery.channel import Answer, Go, Gone, Parcel, Rejected, Sent
from wireroom.delivery.picking import pick
from wireroom.delivery.retry import Attempts, Skip, Suspend, Wait
from wireroom.delivery.sending import ask, suspend
from wireroom.delivery.turn import Delivering, EndTurn, Turn, insist
from wireroom.delivery.wishes import wishes
from wireroom.errors import LeaseLost, StoreError
from wireroom.store import claims, entries, errands, places, reading, routes, sent
from wireroom.store.errands import Errand
from wireroom.store.places import Place

log = structlog.get_logger(__name__)


async def run_errands(turn: Turn, tools: Delivering) -> EndTurn | None:
    """Run what may be run now; None when the turn goes on."""

    def look(connection: Connection) -> list[Errand]:
        return errands.due(connection, turn.destination.id, now=tools.now())

    while some := await tools.database.read(look):
        for errand in some:
            if tools.stopping.is_set() or tools.now() >= turn.ends_at:
                return EndTurn(tools.now())
            ended = await _run(turn, errand, tools)
            if ended is not None:
                return ended
            if errand.kind == "afterwards":
                break  # those behind it may have to wait with it
    return None


async def _run(turn: Turn, errand: Errand, tools: Delivering) -> EndTurn | None:
    try:
        work = await tools.database.read(_prepared, turn, errand, tools.now())
    except StoreError:
        raise
    except Exception:  # one bad errand never blocks those behind it
        log.exception("errand not composed", errand=errand.id, kind=errand.kind)
        work = None
    if work is None:
        await tools.database.write(errands.done, errand.id)
        return None
    return await _carry_out(turn, errand, work, tools)


@dataclass(frozen=True, slots=True)
class _Work:
    """Parcels to send, or, with `edits`, what messages that were sent show instead."""

    parcels: Sequence[Parcel]
    edits: tuple[str, ...] = ()
    #: Of an entry that changed: the state of it that the messages show then.
    revision: int | None = None


def _prepared(connection: Connection, turn: Turn, errand: Errand, now: datetime) -> _Work | None:
    """What is to be done; None when nothing is any more."""
    match errand.kind:
        case "notice":
            kind = str(errand.facts["kind"])
            whose = turn.destination.account_id
            account = places.settings_at(connection, whose, Place("account", whose)) or {}
            said_in = notices.language_in((turn.destination.settings, account, *turn.house))
            message = notices.message(kind, errand.facts, said_in)
            shown = notices.settings(kind, turn.house)
            return _Work(turn.channel.render(message, turn.address, shown))
        case "forward":
            wanted = wishes((errand.facts["settings"], turn.destination.settings, *turn.house))
            message = effects.unpacked(errand.facts["message"])
            return _Work(turn.channel.render(message, turn.address, wanted.settings))
        case "edit":
            return _of_change(connection, turn, errand)
        case "afterwards":
            parcel = afterwards.parcel(errand, now=now)
            return None if parcel is None else _Work((parcel,))


def _of_change(connection: Connection, turn: Turn, errand: Errand) -> _Work | None:
    """An entry changed after it was sent."""
    assert errand.route_id is not None
    assert errand.seq is not None
    route = routes.find(connection, errand.route_id)
    shown = sent.find(connection, errand.route_id, errand.seq)
    if route is None or shown is None or route.destination_id != turn.destination.id:
        return None
    wanted = turn.wishes(route)
    entry = next(iter(entries.after(connection, route.feed_id, errand.seq - 1, 1)), None)
    if entry is None or entry.seq != errand.seq or entry.revision <= shown.revision:
        return None
    choice, message = pick(turn, route, entry)
    if not choice.is_sent or message is None or not wanted.follows:
        return None
    stands = reading.find_entry(connection, route.account_id, route.feed_id, entry.seq)
    if stands is not None:
        read, favorite = stands[0].is_read, stands[0].is_favorite
        message = replace(message, is_read=read, is_favorite=favorite)
    parcels = turn.channel.render(message, turn.address, wanted.settings)
    edits = shown.message_ids if wanted.on_update == "edit" else ()
    return _Work(parcels[: len(edits)] if edits else parcels, edits, entry.revision)


async def _carry_out(turn: Turn, errand: Errand, work: _Work, tools: Delivering) -> EndTurn | None:
    ids: list[str] = []
    for number, parcel in enumerate(work.parcels, start=1):
        if number <= errand.parcels_sent:
            continue
        if (ended := await _may_not(turn, tools)) is not None:
            return ended
        async with tools.file.place() as place:
            answer = await _ask(turn, work, number, parcel, place.enter)
            if not isinstance(answer, Sent):
                return await _react(turn, errand, answer, tools)
            ids.append(answer.message_id)
            whole = work if number == len(work.parcels) else None
            ended = await _took(turn, errand, number, whole, ids, answer, tools)
        if ended is not None:
            return ended
    return None


async def _ask(turn: Turn, work: _Work, number: int, parcel: Parcel, go: Go) -> Answer:
    if not work.edits:
        return await ask(turn, parcel, go)
    try:
        answer = await turn.channel.edit(turn.address, work.edits[number - 1], parcel)
    except Exception:  # a channel's own mistake over one message must not stop those behind it
        log.exception("channel failed on an edit", destination=turn.destination.id)
        return Rejected("the channel failed on it; see the log")
    # That a chat is gone is said again by the next message, which is sure to be new.
    return Rejected(answer.reason) if isinstance(answer, Gone) else answer


async def _may_not(turn: Turn, tools: Delivering) -> EndTurn | None:
    """Why nothing may go out to the destination now. Raises LeaseLost."""
    now = tools.now()
    rests_until = tools.resting.get(turn.channel.kind)
    if rests_until is not None and rests_until > now:
        return EndTurn(rests_until)

    def look(connection: Connection) -> bool:
        claims.hold_destination(connection, turn.lease, now=now)
        there = routes.destination(connection, turn.destination.id)
        return there is not None and there.suspended_at is None

    return None if await tools.database.write(look) else EndTurn()


async def _took(
    turn: Turn,
    errand: Errand,
    number: int,
    finished: _Work | None,
    ids: Sequence[str],
    answer: Sent,
    tools: Delivering,
) -> EndTurn | None:
    """Write down that parcel `number` is out, and with it the whole errand if it is `finished`."""

    def work(connection: Connection) -> tuple[bool, bool]:
        now = tools.now()
        is_old = finished is not None and _was_overtaken(connection, errand, finished)
        held = claims.prolong_destination(connection, turn.lease, now=now)
        if finished is None:
            errands.note_parcel(connection, errand.id, sent=number)
        else:
            _note_change(connection, errand, finished, ids)
            # What the entry says by now is one more of the same errand.
            (errands.begin_again if is_old else errands.done)(connection, errand.id)
        afterwards.keep(connection, turn.destination.id, answer, now=now)
        if answer.moved_to:
            routes.change_address(connection, turn.destination.id, answer.moved_to, now=now)
        return held, True

    held, _ = await insist(work, tools)
    if finished is not None:
        tools.meters.message(turn.channel.kind, errand.kind)
        log.info("errand done", errand=errand.id, kind=errand.kind)
    if not held:
        raise LeaseLost("The lease on a destination was lost while a message was under way.")
    return EndTurn(tools.now()) if answer.moved_to else None


def _was_overtaken(connection: Connection, errand: Errand, work: _Work) -> bool:
    if work.revision is None or errand.route_id is None or errand.seq is None:
        return False
    return sent.was_overtaken(connection, errand.route_id, errand.seq, work.revision)


def _note_change(connection: Connection, errand: Errand, work: _Work, ids: Sequence[str]) -> None:
    if work.revision is None or errand.route_id is None or errand.seq is None:
        return
    new_ids = "" if work.edits else ",".join(filter(None, ids))
    sent.note_edit(
        connection, errand.route_id, errand.seq, revision=work.revision, message_ids=new_ids
    )


async def _react(turn: Turn, errand: Errand, answer: Answer, tools: Delivering) -> EndTurn | None:
    now = tools.now()
    attempts = Attempts(errand.attempts, errand.failing_since)
    decision = retry.after(answer, attempts, now, tools.random())
    if isinstance(decision, Skip):
        log.warning("errand given up", errand=errand.id, kind=errand.kind, why=decision.reason)
        await tools.database.write(errands.done, errand.id)
        return None
    if isinstance(decision, Suspend):
        await suspend(turn, decision.reason, tools)
        return EndTurn()
    assert isinstance(decision, Wait)
    if decision.scope == "channel":
        tools.resting[turn.channel.kind] = decision.until
    await tools.database.write(_rest, turn, errand, now, decision.until)
    if isinstance(answer, Rejected | Gone) or errand.kind == "afterwards":
        return None
    return EndTurn(decision.until)


def _rest(
    connection: Connection, turn: Turn, errand: Errand, now: datetime, until: datetime
) -> None:
    claims.hold_destination(connection, turn.lease, now=now)
    errands.note_failure(connection, errand.id, now=now, not_before=until)
    if errand.kind == "afterwards":  # those behind it stay behind it
        errands.put_off(connection, turn.destination.id, errand.kind, until=until)

"""Errands of a destination: notices, edits and forwarded entries, beside what its routes send.

An errand is done when the channel took it, or when a recorded decision says that it never will be;
a kill in between repeats it once, as with entries.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection

from wireroom.delivery import notices, retry
from wireroom.delivery.channel import Answer, Gone, Parcel, Rejected, Sent
from wireroom.delivery.message import Message
from wireroom.delivery.retry import Attempts, Skip, Suspend, Wait
from wireroom.delivery.sending import ask, commit_sent, suspend
from wireroom.delivery.turn import Delivering, EndTurn, Turn
from wireroom.errors import LeaseLost
from wireroom.store import claims, errands, routes
from wireroom.store.errands import Errand

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
    return None


async def _run(turn: Turn, errand: Errand, tools: Delivering) -> EndTurn | None:
    try:
        message, settings = _composed(turn, errand)
        parcels = turn.channel.render(message, turn.address, settings)
    except Exception:  # one bad errand never blocks those behind it
        log.exception("errand not composed", errand=errand.id, kind=errand.kind)
        await tools.database.write(errands.done, errand.id)
        return None
    return await _send(turn, errand, parcels, tools)


def _composed(turn: Turn, errand: Errand) -> tuple[Message, Mapping[str, Any]]:
    kind = str(errand.facts["kind"])
    layers = (turn.destination.settings, *turn.house)
    said_in = notices.language_in(layers)
    return notices.message(kind, errand.facts, said_in), notices.settings(kind)


async def _send(
    turn: Turn, errand: Errand, parcels: Sequence[Parcel], tools: Delivering
) -> EndTurn | None:
    for number, parcel in enumerate(parcels, start=1):
        if number <= errand.parcels_sent:
            continue
        if (ended := await _may_not(turn, tools)) is not None:
            return ended
        answer = await ask(turn, parcel)
        if not isinstance(answer, Sent):
            return await _react(turn, errand, answer, tools)
        if (ended := await _took(turn, errand, number, len(parcels), answer, tools)) is not None:
            return ended
    return None


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
    turn: Turn, errand: Errand, number: int, of: int, answer: Sent, tools: Delivering
) -> EndTurn | None:
    def work(connection: Connection) -> tuple[bool, bool]:
        now = tools.now()
        held = claims.prolong_destination(connection, turn.lease, now=now)
        if number == of:
            errands.done(connection, errand.id)
        else:
            errands.note_parcel(connection, errand.id, sent=number)
        if answer.moved_to:
            routes.change_address(connection, turn.destination.id, answer.moved_to, now=now)
        return held, True

    held, _ = await commit_sent(work, tools)
    if number == of:
        log.info("errand done", errand=errand.id, kind=errand.kind)
    if not held:
        raise LeaseLost("The lease on a destination was lost while a message was under way.")
    return EndTurn(tools.now()) if answer.moved_to else None


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
    return None if isinstance(answer, Rejected | Gone) else EndTurn(decision.until)


def _rest(
    connection: Connection, turn: Turn, errand: Errand, now: datetime, until: datetime
) -> None:
    claims.hold_destination(connection, turn.lease, now=now)
    errands.note_failure(connection, errand.id, now=now, not_before=until)

"""One letter goes out: rendered, sent parcel by parcel, and written down.

What a channel accepted is written down even when the lease is lost or the database is away for a
while: forgetting it would send it again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy import Connection

from wireroom.delivery import afterwards, effects, retry
from wireroom.delivery.channel import Answer, Go, Gone, Parcel, Rejected, Sent, TryLater
from wireroom.delivery.effects import Effect
from wireroom.delivery.retry import Attempts, Skip, Suspend, Wait
from wireroom.delivery.turn import (
    Delivering,
    EndTurn,
    LeaveRoute,
    Letter,
    Next,
    Progress,
    Turn,
    insist,
)
from wireroom.errors import LeaseLost
from wireroom.store import claims, notices, routes, sent
from wireroom.store.notices import Happened
from wireroom.store.routes import Note, Route

log = structlog.get_logger(__name__)

#: From so many failures of one message on, only its own route waits for it.
BLOCKED_BY_ONE: Final = 3


async def send(turn: Turn, route: Route, letter: Letter, tools: Delivering) -> Progress:
    """Send a letter in all its parcels; what became of it is committed on return."""
    try:
        settings = turn.wishes(route).settings
        if letter.muted:
            settings = {**settings, "silent": True}
        parcels = turn.channel.render(letter.message, turn.address, settings)
    except Exception:  # one bad entry never blocks those behind it (promise 7)
        log.exception("entry not rendered", feed=route.feed_id, seq=letter.seq, route=route.id)
        return await _skip(turn, route, letter, "cannot be rendered; see the log", tools)
    for number, parcel in enumerate(parcels, start=1):
        if number <= route.parcels_sent:
            continue  # accepted before; only what is left of the message goes out
        if (refused := await _may_not_send(turn, route, tools)) is not None:
            return refused
        is_last = number == len(parcels)
        async with tools.file.place() as place:
            answer = await ask(turn, parcel, place.enter)
            if not isinstance(answer, Sent):
                return await _react(turn, route, letter, answer, tools)
            part = None if is_last else number
            progress = await _write_down(turn, route, letter, part, answer, tools)
        if is_last or not isinstance(progress, Next):
            return progress
        route = replace(route, parcels_sent=number)
    # Fewer parcels than went out before a restart: the entry was edited meanwhile.
    return await _write_down(turn, route, letter, None, Sent(), tools)


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


async def ask(turn: Turn, parcel: Parcel, go: Go) -> Answer:
    """Hand a parcel to the channel; whatever happens is an answer."""
    try:
        return await turn.channel.send(turn.address, parcel, go=go)
    except Exception:  # a channel's own mistake over one message must not stop those behind it
        log.exception("channel failed on a message", destination=turn.destination.id)
        return Rejected("the channel failed on it; see the log", certain=False)


# -- accepted -------------------------------------------------------------------------------------


async def _write_down(
    turn: Turn, route: Route, letter: Letter, part: int | None, answer: Sent, tools: Delivering
) -> Progress:
    """The channel accepted parcel number `part` of several, or, with None, all there was.

    Raises LeaseLost after the commit when the destination is somebody else's by now: the cursor
    itself tells them that this letter is out.
    """

    follows = part is None and turn.wishes(route).follows and not letter.gathers

    def work(connection: Connection) -> tuple[bool, bool]:
        now = tools.now()
        is_old = follows and sent.was_overtaken(connection, route.id, letter.seq, letter.revision)
        held = claims.prolong_destination(connection, turn.lease, now=now)
        ids = [answer.message_id] if answer.message_id else []
        if part is None:
            stood = routes.advance(
                connection,
                route,
                notes=letter.notes,
                message_ids=ids,
                revision=letter.revision,
                now=now,
            )
        else:
            stood = routes.note_parcel(
                connection, route, letter.seq, sent=part, message_id=answer.message_id, now=now
            )
        if part is None and stood:
            effects.carry_out(connection, route, letter.effects, now=now)
            _take_along(connection, letter, ids, now)
            if is_old:
                place = turn.destination.id
                sent.want_edit(connection, place, route.id, letter.seq, now=now)
        afterwards.keep(connection, turn.destination.id, answer, now=now)
        if answer.moved_to:
            routes.change_address(connection, turn.destination.id, answer.moved_to, now=now)
        return held, stood

    held, stood = await insist(work, tools)
    if part is None:
        tools.meters.message(turn.channel.kind, "sent")
        log.info("sent", route=route.id, feed=route.feed_id, seq=letter.seq)
    if not held:
        raise LeaseLost("The lease on a destination was lost while a message was under way.")
    if answer.moved_to:  # the next turn reads where it goes now
        log.info("destination moved", destination=turn.destination.id)
        return EndTurn(tools.now())
    return Next() if stood else LeaveRoute()


def _take_along(
    connection: Connection, letter: Letter, message_ids: Sequence[str], now: datetime
) -> None:
    for each in letter.along:
        if routes.advance(
            connection, each.route, notes=each.notes, message_ids=message_ids, now=now
        ):
            effects.carry_out(connection, each.route, each.effects, now=now)


# -- not sent -------------------------------------------------------------------------------------


async def pass_over(
    turn: Turn,
    route: Route,
    passed: Mapping[int, str],
    tools: Delivering,
    also: tuple[Effect, ...] = (),
) -> Progress:
    """Move the cursor past entries that are not sent, each with its reason, and do `also` what
    rules want of them."""

    def work(connection: Connection) -> bool:
        now = tools.now()
        claims.hold_destination(connection, turn.lease, now=now)
        notes = {seq: Note("skipped", why) for seq, why in passed.items()}
        stood = routes.advance(connection, route, notes=notes, now=now)
        if stood:
            effects.carry_out(connection, route, also, now=now)
        return stood

    stood = await tools.database.write(work)
    tools.meters.message(turn.channel.kind, "skipped", len(passed))
    for seq, why in passed.items():
        log.info("skipped", route=route.id, feed=route.feed_id, seq=seq, why=why)
    return Next() if stood else LeaveRoute()


async def _skip(
    turn: Turn, route: Route, letter: Letter, reason: str, tools: Delivering
) -> Progress:
    """Pass over a letter that cannot be sent; what was not in it keeps its own reason."""
    passed = {
        seq: reason if note.outcome == "sent" else note.detail
        for seq, note in letter.notes.items()
    }
    return await pass_over(turn, route, passed, tools, letter.effects)


async def _react(
    turn: Turn, route: Route, letter: Letter, answer: Answer, tools: Delivering
) -> Progress:
    """The channel did not take it: write down what was decided, and stop or go on."""
    attempts = Attempts(route.attempts, route.failing_since)
    decision = retry.after(answer, attempts, tools.now(), tools.random())
    tools.meters.message(turn.channel.kind, "waits" if _is_pace(answer) else "refused")
    if isinstance(decision, Skip):
        return await _skip(turn, route, letter, decision.reason, tools)
    assert isinstance(decision, Wait | Suspend)
    if isinstance(decision, Suspend):
        await suspend(turn, decision.reason, tools)
        return EndTurn()
    log.info("not sent", route=route.id, seq=letter.seq, why=decision.reason)
    if decision.scope == "channel":
        tools.resting[turn.channel.kind] = decision.until
    only_this = _is_about_the_message(answer, route.attempts + 1)
    if not _is_pace(answer):
        not_before = decision.until if only_this else route.not_before
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


async def suspend(turn: Turn, reason: str, tools: Delivering) -> None:
    """Send nothing to the destination any more, and let its owner know elsewhere."""
    log.warning("destination suspended", destination=turn.destination.id, why=reason)
    place = turn.destination.title or f"{turn.channel.kind} {turn.destination.address}"
    what = Happened("suspended", {"place": place, "error": reason})

    def work(connection: Connection) -> None:
        now = tools.now()
        claims.hold_destination(connection, turn.lease, now=now)
        routes.suspend(connection, turn.destination.id, reason=reason, now=now)
        notices.of_destination(connection, turn.destination.id, what, now=now)

    await tools.database.write(work)


def _note_failure(
    connection: Connection, turn: Turn, route: Route, now: datetime, not_before: datetime | None
) -> None:
    claims.hold_destination(connection, turn.lease, now=now)
    routes.note_failure(connection, route, now=now, not_before=not_before)

"""What rules do besides sending, carried out in the transaction that moves the cursor."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import structlog
from sqlalchemy import Connection

from wireroom.delivery.message import Message
from wireroom.delivery.rules import Marks, Ruling
from wireroom.store import errands, read_states, routes, tagging
from wireroom.store.errands import NewErrand
from wireroom.store.read_states import StateChange
from wireroom.store.routes import Route

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Effect:
    """What is to be done about one entry, and the message that goes elsewhere if one does."""

    seq: int
    ruling: Ruling
    message: Message | None = None


def carry_out(
    connection: Connection, route: Route, effects: Sequence[Effect], *, now: datetime
) -> None:
    """Mark entries as the rules want it, and give others' messages to their destinations."""
    marks = [(each.seq, each.ruling.marks) for each in effects if each.seq > route.marked_through]
    mark(connection, route.account_id, route.feed_id, marks, now=now)
    for each in effects:
        if each.message is not None and each.ruling.leads_to:
            _forward(connection, route, each, each.message, now)


def mark(
    connection: Connection,
    account_id: int,
    feed_id: int,
    marks: Sequence[tuple[int, Marks]],
    *,
    now: datetime,
) -> None:
    """Say of entries of a feed, by their numbers, what rules want said."""
    states = [
        StateChange(
            feed_id,
            seq,
            is_read=True if each.is_read else None,
            is_favorite=True if each.is_favourite else None,
        )
        for seq, each in marks
        if each.is_read or each.is_favourite
    ]
    if states:
        read_states.set_states(connection, account_id, states, now)
    for seq, each in marks:
        tagging.put(connection, account_id, each.tags, feed_id, seq, now=now)


def _forward(
    connection: Connection, route: Route, effect: Effect, message: Message, now: datetime
) -> None:
    facts = {"message": packed(message), "settings": {"silent": effect.ruling.muted}}
    for destination_id in effect.ruling.leads_to:
        there = routes.destination(connection, destination_id)
        if there is None or there.account_id != route.account_id:
            log.warning("a rule leads nowhere", route=route.id, destination=destination_id)
        elif destination_id != route.destination_id:
            errands.add(connection, [NewErrand(destination_id, "forward", facts)], now=now)


def packed(message: Message) -> dict[str, Any]:
    """A message as JSON has it: what is sent does not change any more, whatever its feed does."""
    built: dict[str, Any] = msgspec.to_builtins(message)
    return built


def unpacked(facts: dict[str, Any]) -> Message:
    """The inverse of `packed`."""
    return msgspec.convert(facts, Message)

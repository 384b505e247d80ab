"""What rules do besides sending, carried out in the transaction that moves the cursor."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import structlog
from sqlalchemy import Connection

from wireroom.delivery.message import Message
from wireroom.delivery.rules import Ruling
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
    states = [
        StateChange(
            route.feed_id,
            each.seq,
            is_read=True if each.ruling.is_read else None,
            is_favorite=True if each.ruling.is_favourite else None,
        )
        for each in effects
        if each.ruling.is_read or each.ruling.is_favourite
    ]
    if states:
        read_states.set_states(connection, route.account_id, states, now)
    for each in effects:
        tagging.put(
            connection, route.account_id, each.ruling.tags, route.feed_id, each.seq, now=now
        )
        if each.message is not None and each.ruling.leads_to:
            _forward(connection, route, each, each.message, now)


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

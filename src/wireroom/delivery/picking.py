"""Picking: whether an entry goes out on a route, and as what, whatever is wrong with it."""

import structlog

from wireroom.delivery.compose import Choice, choose, compose
from wireroom.delivery.message import Message
from wireroom.delivery.turn import Turn
from wireroom.store.entries import Entry
from wireroom.store.routes import Route

log = structlog.get_logger(__name__)

_BROKEN = Choice(False, "cannot be composed; see the log")


def judge(turn: Turn, route: Route, entry: Entry) -> Choice:
    """Whether the entry would be sent, and why; one bad entry never blocks those behind it."""
    try:
        return choose(entry, route, turn.wishes(route))
    except Exception:
        log.exception("entry not judged", feed=entry.feed_id, seq=entry.seq, route=route.id)
        return _BROKEN


def pick(turn: Turn, route: Route, entry: Entry) -> tuple[Choice, Message | None]:
    """The judgement, and the message if there is to be one."""
    choice = judge(turn, route, entry)
    if not choice.is_sent:
        return choice, None
    try:
        return choice, compose(entry, route, turn.wishes(route), turn.removed)
    except Exception:
        log.exception("entry not composed", feed=entry.feed_id, seq=entry.seq, route=route.id)
        return _BROKEN, None

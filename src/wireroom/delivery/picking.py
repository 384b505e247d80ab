"""Picking: whether an entry goes out on a route, and as what, whatever is wrong with it."""

from dataclasses import dataclass, replace

import structlog

from wireroom.delivery import stories
from wireroom.delivery.compose import Choice, choose, compose
from wireroom.delivery.effects import Effect
from wireroom.delivery.message import Message
from wireroom.delivery.stories import Story
from wireroom.delivery.turn import Delivering, Turn
from wireroom.store import sent
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
    """The judgement, and the message if there is to be one: here, or where a rule leads it."""
    choice = judge(turn, route, entry)
    if not choice.is_sent and not choice.ruling.leads_to:
        return choice, None
    try:
        wanted = turn.wishes(route)
        return choice, compose(entry, route, wanted, turn.removed, choice.ruling, turn.pages)
    except Exception:
        log.exception("entry not composed", feed=entry.feed_id, seq=entry.seq, route=route.id)
        return _BROKEN, None


# -- a story that two feeds tell ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Picked:
    """An entry that was looked at: the judgement, the message, and what rules do besides."""

    choice: Choice
    message: Message | None
    effects: tuple[Effect, ...]


async def pick_once(turn: Turn, route: Route, entry: Entry, tools: Delivering) -> Picked:
    """`pick`, but a story that the destination was told already is left out, if it wishes so."""
    choice, message = pick(turn, route, entry)
    if choice.is_sent and turn.wishes(route).once and not route.parcels_sent:
        known = stories.twin(story_of(route, entry), await _told(turn, tools))
        if known is not None:
            choice = replace(choice, is_sent=False, why=stories.already(known))
    ruling = choice.ruling
    effects = (Effect(entry.seq, ruling, message),) if ruling.touches else ()
    return Picked(choice, message if choice.is_sent else None, effects)


def story_of(route: Route, entry: Entry) -> Story:
    """The entry as it is recognised in another feed."""
    return stories.story(
        link=entry.link, title=entry.title, feed_id=route.feed_id, feed_title=route.feed_title
    )


async def _told(turn: Turn, tools: Delivering) -> list[Story]:
    """What was told here lately; asked of the ledger once a turn."""
    if "told" not in turn.asked:
        turn.asked.add("told")
        since = tools.now() - stories.MEMORY
        rows = await tools.database.read(
            lambda connection: sent.told_since(connection, turn.destination.id, since=since)
        )
        turn.told.extend(stories.known(rows))
    return turn.told

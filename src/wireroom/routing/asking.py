"""What would be sent, what was, and why: nothing here changes anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection

from wireroom.catalogue import DEFAULT, Language, fates
from wireroom.catalogue.refusals import in_words
from wireroom.delivery import stories, template, wishlist
from wireroom.delivery.compose import choose, compose, fields
from wireroom.delivery.picking import story_of
from wireroom.delivery.replacements import Replacement
from wireroom.delivery.stories import Story
from wireroom.delivery.wishes import LAYERS, Wishes, wishes
from wireroom.errors import NotFound
from wireroom.feeds.model import SafeHtml
from wireroom.routing.steering import found
from wireroom.store import entries, house, routes, sent, steering
from wireroom.store.engine import Database
from wireroom.store.entries import Entry
from wireroom.store.places import Kind
from wireroom.store.routes import Route
from wireroom.store.steering import Delivered, RouteState


@dataclass(frozen=True, slots=True)
class Would:
    """What would become of an entry that is there already."""

    seq: int
    title: str
    is_sent: bool
    why: str
    #: Sent without a sound.
    is_muted: bool = False


async def preview(database: Database, account_id: int, route_id: int, source: str) -> SafeHtml:
    """A template as the newest entry would look in it. Raises UserError when it cannot be used."""

    def look(connection: Connection) -> SafeHtml:
        found(connection, account_id, route_id)
        return rendered(connection, route_id, source)

    return await database.read(look)


def rendered(connection: Connection, route_id: int, source: str) -> SafeHtml:
    """The newest entry of a route in this template. Raises UserError when it cannot be used."""
    read = template.parse(source)
    route = routes.find(connection, route_id)
    newest = newest_entries(connection, route, 1) if route else []
    if route is None or not newest:
        return SafeHtml("")  # nothing to show it with yet; parsing has rendered it once
    wanted = wishes_of(connection, route)
    removed = [Replacement(each.value, each.is_regex) for each in house.removals(connection)]
    message = compose(newest[-1], route, wanted, removed)
    return template.render(read, fields(message, route, wanted))


def wishes_of(
    connection: Connection,
    route: Route,
    changed: Mapping[str, Any] | None = None,
    at: Kind = "route",
) -> Wishes:
    """What is wished of a route by all who have a say, with what stands `at` one of the places
    `changed` for this once; None takes a wish back."""
    layers = [route.settings, *route.wider, *house.layers(connection, route.channel)]
    place = LAYERS.index(at)
    layers[place] = {
        name: value
        for name, value in {**layers[place], **(changed or {})}.items()
        if value is not None
    }
    return wishes(layers)


def newest_entries(
    connection: Connection, route: Route, count: int, *, through: int | None = None
) -> list[Entry]:
    """The newest entries of a route's feed, up to the entry `through`, oldest of them first."""
    start = steering.cursor_before(connection, route.feed_id, newest=count, through=through)
    found = entries.after(connection, route.feed_id, start, count)
    return [each for each in found if through is None or each.seq <= through]


async def dry_run(
    database: Database,
    account_id: int,
    route_id: int,
    *,
    newest: int = 50,
    changed: Mapping[str, Any] | None = None,
) -> list[Would]:
    """What would become of the newest entries, with settings `changed` for this once.

    A story that another feed told at the destination lately counts as told, where that is wished.

    Raises UserError when a changed filter cannot be read.
    """
    check(changed)

    def look(connection: Connection) -> list[Would]:
        found(connection, account_id, route_id)
        return judged(connection, route_id, newest, changed)

    return await database.read(look)


def check(changed: Mapping[str, Any] | None) -> None:
    """Raises UserError for a wish that cannot be."""
    for name, value in (changed or {}).items():
        if value is not None:
            wishlist.check(name, value)


def judged(
    connection: Connection,
    route_id: int,
    newest: int,
    changed: Mapping[str, Any] | None = None,
    at: Kind = "route",
) -> list[Would]:
    """What would become of the newest entries of a route; none before its feed was read."""
    route = routes.find(connection, route_id)
    if route is None:
        return []
    wanted = wishes_of(connection, route, changed, at)
    tried = newest_entries(connection, route, newest)
    told = _told(connection, route, tried) if wanted.once else []
    return [_would(entry, route, wanted, told) for entry in tried]


def _would(entry: Entry, route: Route, wanted: Wishes, told: Sequence[Story]) -> Would:
    choice = choose(entry, route, wanted)
    if choice.is_sent and (known := stories.twin(story_of(route, entry), told)) is not None:
        return Would(entry.seq, entry.title, False, stories.already(known))
    return Would(entry.seq, entry.title, choice.is_sent, choice.why, choice.ruling.muted)


def _told(connection: Connection, route: Route, tried: Sequence[Entry]) -> list[Story]:
    """What was told at the route's destination, as far back as mattered to the first of these."""
    if not tried:
        return []
    since = min(each.first_seen for each in tried) - stories.MEMORY
    return stories.known(sent.told_since(connection, route.destination_id, since=since))


async def delivered(
    database: Database, account_id: int, route_id: int, *, limit: int = 50
) -> list[Delivered]:
    """The newest lines of a route's ledger."""

    def look(connection: Connection) -> list[Delivered]:
        state = found(connection, account_id, route_id)
        return steering.ledger(connection, state, limit=limit)

    return await database.read(look)


async def why(
    database: Database,
    account_id: int,
    route_id: int,
    seq: int,
    *,
    now: datetime,
    language: Language = DEFAULT,
    names: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Why an entry was sent, was not, or is not yet, in one sentence. Raises NotFound.

    `names` are those of places of wishes, as `fates.here` takes them.
    """

    def look(connection: Connection) -> str:
        state = found(connection, account_id, route_id)
        if state.cursor is None or seq > state.last_seq or seq < 1:
            raise NotFound("There is no such entry.", code="unknown_entry")
        noted = steering.ledger(connection, state, limit=1, seq=seq)
        if seq > state.cursor:
            return _waits(state, now, language)
        return _became(noted[0], language, names) if noted else fates.BEFORE.say(language)

    return await database.read(look)


def _became(line: Delivered, language: Language, names: Mapping[str, str]) -> str:
    because = in_words(fates.here(line.detail, names), language).removesuffix(".")
    match line.outcome:
        case "sent":
            text = fates.SENT_BECAUSE if because else fates.SENT
        case "sending":
            text = fates.SENT_IN_PART
        case _:
            text = fates.NOT_SENT_BECAUSE if because else fates.NOT_SENT
    return text.say(language, why=because)


def _waits(state: RouteState, now: datetime, language: Language) -> str:
    if state.suspended_at is not None:
        return fates.SUSPENDED.say(language, why=in_words(state.suspended_reason, language))
    if state.paused_until is not None and state.paused_until > now:
        if state.paused_until.year >= steering.FOREVER_YEAR - 1:
            return fates.PAUSED.say(language)
        return fates.PAUSED_UNTIL.say(language, moment=_moment(state.paused_until))
    if state.attempts:
        return fates.TRIED.say(language, state.attempts)
    if state.not_before is not None and state.not_before > now:
        return fates.HELD_BACK.say(language, moment=_moment(state.not_before))
    return fates.QUEUED.say(language)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"

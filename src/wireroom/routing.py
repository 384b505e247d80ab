"""Use cases of routes and destinations: what their owners ask for, from every front end.

All of them look for the route within the account that asks, so somebody else's is as good as none
(promise 10). Nothing that cannot be read or rendered is ever stored.
"""

import difflib
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NoReturn

from sqlalchemy import Connection

from wireroom.delivery import template
from wireroom.delivery.compose import choose, compose, fields
from wireroom.delivery.wishes import Wishes, hours, times, wishes
from wireroom.errors import NotFound, UserError
from wireroom.feeds import filters
from wireroom.feeds.model import SafeHtml
from wireroom.store import entries, house, routes, steering
from wireroom.store.engine import Database
from wireroom.store.entries import Entry
from wireroom.store.routes import Route
from wireroom.store.steering import Delivered, RouteState

#: A pause until further notice.
FOREVER: Final = datetime(steering.FOREVER_YEAR, 1, 1, tzinfo=UTC)
MOST_REPLAYED: Final = 500


@dataclass(frozen=True, slots=True)
class Would:
    """What would become of an entry that is there already."""

    seq: int
    title: str
    is_sent: bool
    why: str


async def list_routes(database: Database, account_id: int) -> list[RouteState]:
    """All routes of an account with how they stand."""
    return await database.read(steering.list_states, account_id)


def _found(connection: Connection, account_id: int, route_id: int) -> RouteState:
    state = steering.find_state(connection, account_id, route_id)
    return _unknown() if state is None else state


def _unknown() -> NoReturn:
    raise NotFound("There is no such route.", code="unknown_route")


# -- pausing and sending again --------------------------------------------------------------------


async def pause(
    database: Database,
    account_id: int,
    route_id: int,
    *,
    now: datetime,
    until: datetime | None = None,
) -> None:
    """Send nothing until then, or until further notice; what comes meanwhile waits."""
    end = until or FOREVER
    if end <= now:
        raise UserError("A pause ends in the future.", code="invalid_time")

    def work(connection: Connection) -> None:
        state = _found(connection, account_id, route_id)
        steering.set_pause(connection, state, end, now=now)

    await database.write(work)


async def resume(
    database: Database,
    account_id: int,
    route_id: int,
    *,
    now: datetime,
    newest: int | None = None,
) -> None:
    """End a pause; of what waited all goes out, or only the `newest` so many (0: none).

    A destination that was suspended takes messages again as well: whoever says so has mended it.
    """

    def work(connection: Connection) -> None:
        state = _found(connection, account_id, route_id)
        steering.set_pause(connection, state, None, now=now)
        if state.suspended_at is not None:
            routes.resume(connection, state.destination_id, now=now)
        if newest is None or state.cursor is None:
            return
        cursor = steering.cursor_before(connection, state.feed_id, newest=newest)
        if cursor > state.cursor and (route := routes.find(connection, route_id)) is not None:
            why = f"passed over: came during a pause, and only the newest {newest} were wanted"
            notes = {
                seq: routes.Note("skipped", why) for seq in range(route.cursor + 1, cursor + 1)
            }
            routes.advance(connection, route, notes=notes, now=now)

    await database.write(work)


async def replay(
    database: Database,
    account_id: int,
    route_id: int,
    *,
    now: datetime,
    newest: int = 0,
    since: datetime | None = None,
) -> int:
    """Send the `newest` so many again, or all since a moment; gives how many that is at most.

    What waits anyway stays ahead. Filters apply as ever.
    """
    if since is None and not 0 < newest <= MOST_REPLAYED:
        raise UserError(f"Between 1 and {MOST_REPLAYED} can be sent again.", code="invalid_count")

    def work(connection: Connection) -> int:
        state = _found(connection, account_id, route_id)
        cursor = steering.cursor_before(connection, state.feed_id, newest=newest, since=since)
        cursor = cursor if state.cursor is None else min(cursor, state.cursor)
        if state.last_seq - cursor > MOST_REPLAYED and (state.cursor or 0) > cursor:
            raise UserError(
                f"That would be more than {MOST_REPLAYED} messages.", code="invalid_count"
            )
        steering.move_cursor(connection, state, cursor, now=now)
        return state.last_seq - cursor

    return await database.write(work)


async def suspend_destination(
    database: Database, account_id: int, destination_id: int, *, now: datetime, reason: str
) -> None:
    """Send nothing there any more until it is resumed. Raises NotFound."""

    def work(connection: Connection) -> None:
        _own_destination(connection, account_id, destination_id)
        routes.suspend(connection, destination_id, reason=reason, now=now)

    await database.write(work)


async def resume_destination(
    database: Database, account_id: int, destination_id: int, *, now: datetime
) -> None:
    """Send there again, beginning with what waited. Raises NotFound."""

    def work(connection: Connection) -> None:
        _own_destination(connection, account_id, destination_id)
        routes.resume(connection, destination_id, now=now)

    await database.write(work)


def _own_destination(connection: Connection, account_id: int, destination_id: int) -> None:
    found = routes.destination(connection, destination_id)
    if found is None or found.account_id != account_id:
        raise NotFound("There is no such destination.", code="unknown_destination")


# -- wishes ---------------------------------------------------------------------------------------


async def set_wish(
    database: Database, account_id: int, route_id: int, name: str, value: Any, *, now: datetime
) -> None:
    """Set one setting of a route; None takes it back. Raises UserError for a value that cannot be.

    A filter must be readable, a template must render the newest entry.
    """
    _known(name)
    if value is not None:
        _check(name, value)

    def work(connection: Connection) -> None:
        state = _found(connection, account_id, route_id)
        settings = {key: each for key, each in state.settings.items() if key != name}
        if value is not None:
            settings[name] = value
        if name == "template" and value is not None:
            _rendered(connection, route_id, value)
        steering.set_settings(connection, state, settings, now=now)

    await database.write(work)


#: What a route can wish for: whole numbers, switches, and the rest is text.
_NUMBERS = frozenset({"burst", "per_day", "content", "color", "utc_offset_minutes"})
_SWITCHES = frozenset({"more_line", "at_words", "preview", "silent"})
_TEXTS = frozenset(
    {
        *("filter", "filter_rule", "filter_on", "template", "digest", "quiet", "zone"),
        *("ellipsis", "source", "media", "empty"),
    }
)
_WISHES = _NUMBERS | _SWITCHES | _TEXTS


def _known(name: str) -> None:
    """A wish that is spelled wrong would be passed over in silence, and unwanted messages sent."""
    if name not in _WISHES:
        near = difflib.get_close_matches(name, _WISHES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(_WISHES))}."
        raise UserError(f"A route has no setting {name!r}: {hint}", code="invalid_setting")


def _check(name: str, value: Any) -> None:
    ok = True
    match name:
        case "zone":
            ok = isinstance(value, str) and value in zoneinfo.available_timezones()
        case "source":
            ok = value in ("full", "summary")
        case "media":
            ok = value in ("auto", "none")
        case "content" | "color" | "utc_offset_minutes":
            ok = isinstance(value, int) and not isinstance(value, bool)
        case "more_line" | "at_words" | "preview" | "silent":
            ok = isinstance(value, bool)
        case "filter":
            filters.parse(str(value))
        case "template":
            template.parse(str(value))
        case "digest":
            ok = isinstance(value, str) and len(times(value)) == value.count(",") + 1
        case "quiet":
            ok = hours(value) is not None
        case "burst" | "per_day":
            ok = isinstance(value, int) and not isinstance(value, bool) and value > 0
    if not ok:
        example = _EXAMPLES.get(name, "on or off" if name in _SWITCHES else "a number above 0")
        raise UserError(f"{name} is written as {example}.", code="invalid_setting")


_EXAMPLES = {
    "digest": "08:00,18:30",
    "quiet": "22:00-07:00",
    "zone": "Europe/Berlin",
    "source": "full or summary",
    "media": "auto or none",
}


async def preview(database: Database, account_id: int, route_id: int, source: str) -> SafeHtml:
    """A template as the newest entry would look in it. Raises UserError when it cannot be used."""

    def look(connection: Connection) -> SafeHtml:
        _found(connection, account_id, route_id)
        return _rendered(connection, route_id, source)

    return await database.read(look)


def _rendered(connection: Connection, route_id: int, source: str) -> SafeHtml:
    read = template.parse(source)
    route = routes.find(connection, route_id)
    newest = _newest(connection, route, 1) if route else []
    if route is None or not newest:
        return SafeHtml("")  # nothing to show it with yet; parsing has rendered it once
    wanted = _wishes(connection, route)
    message = compose(newest[-1], route, wanted)
    return template.render(read, fields(message, route, wanted))


def _wishes(
    connection: Connection, route: Route, changed: Mapping[str, Any] | None = None
) -> Wishes:
    own = {**route.settings, **(changed or {})}
    return wishes((own, *route.wider, house.settings(connection)))


def _newest(connection: Connection, route: Route, count: int) -> list[Entry]:
    start = steering.cursor_before(connection, route.feed_id, newest=count)
    return entries.after(connection, route.feed_id, start, count)


# -- why ------------------------------------------------------------------------------------------


async def dry_run(
    database: Database,
    account_id: int,
    route_id: int,
    *,
    newest: int = 50,
    changed: Mapping[str, Any] | None = None,
) -> list[Would]:
    """What would become of the newest entries, with settings `changed` for this once.

    Raises UserError when a changed filter cannot be read.
    """
    for name, value in (changed or {}).items():
        _check(name, value)

    def look(connection: Connection) -> list[Would]:
        _found(connection, account_id, route_id)
        route = routes.find(connection, route_id)
        if route is None:
            return []
        wanted = _wishes(connection, route, changed)
        return [
            Would(entry.seq, entry.title, choice.is_sent, choice.why)
            for entry in _newest(connection, route, newest)
            for choice in [choose(entry, route, wanted)]
        ]

    return await database.read(look)


async def delivered(
    database: Database, account_id: int, route_id: int, *, limit: int = 50
) -> list[Delivered]:
    """The newest lines of a route's ledger."""

    def look(connection: Connection) -> list[Delivered]:
        state = _found(connection, account_id, route_id)
        return steering.ledger(connection, state, limit=limit)

    return await database.read(look)


async def why(
    database: Database, account_id: int, route_id: int, seq: int, *, now: datetime
) -> str:
    """Why an entry was sent, was not, or is not yet, in one sentence. Raises NotFound."""

    def look(connection: Connection) -> str:
        state = _found(connection, account_id, route_id)
        if state.cursor is None or seq > state.last_seq or seq < 1:
            raise NotFound("There is no such entry.", code="unknown_entry")
        noted = steering.ledger(connection, state, limit=1, seq=seq)
        if seq > state.cursor:
            return _waits(state, now)
        if noted:
            done = {"sent": "Sent", "skipped": "Not sent", "sending": "Sent in part"}
            reason = f": {noted[0].detail}" if noted[0].detail else ""
            return f"{done.get(noted[0].outcome, noted[0].outcome)}{reason}."
        return "It came before this route began, or its record is too old to be kept."

    return await database.read(look)


def _waits(state: RouteState, now: datetime) -> str:
    if state.suspended_at is not None:
        return f"It waits: the destination is suspended ({state.suspended_reason})."
    if state.paused_until is not None and state.paused_until > now:
        until = state.paused_until
        forever = until.year >= steering.FOREVER_YEAR - 1
        return f"It waits: paused until {'further notice' if forever else _moment(until)}."
    if state.attempts:
        return f"It waits: {state.attempts} tries came to nothing; it is tried again."
    if state.not_before is not None and state.not_before > now:
        return f"It waits: nothing goes out on this route before {_moment(state.not_before)}."
    return "It waits for its turn."


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"

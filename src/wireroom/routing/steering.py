"""Pausing, resuming, sending again; suspending a destination and taking it up again."""

from datetime import UTC, datetime
from typing import Final, NoReturn

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.store import routes, steering
from wireroom.store.engine import Database
from wireroom.store.steering import RouteState

#: A pause until further notice.
FOREVER: Final = datetime(steering.FOREVER_YEAR, 1, 1, tzinfo=UTC)
MOST_REPLAYED: Final = 500


async def list_routes(database: Database, account_id: int) -> list[RouteState]:
    """All routes of an account with how they stand."""
    return await database.read(steering.list_states, account_id)


async def routes_of_feed(database: Database, account_id: int, feed_id: int) -> list[RouteState]:
    """Where a feed that the account follows goes."""
    return await database.read(steering.states_of_feed, account_id, feed_id)


def found(connection: Connection, account_id: int, route_id: int) -> RouteState:
    state = steering.find_state(connection, account_id, route_id)
    return _unknown() if state is None else state


def _unknown() -> NoReturn:
    raise NotFound("There is no such route.", code="unknown_route")


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
        state = found(connection, account_id, route_id)
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
        state = found(connection, account_id, route_id)
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
        state = found(connection, account_id, route_id)
        wanted = steering.cursor_before(connection, state.feed_id, newest=newest, since=since)
        cursor = wanted if state.cursor is None else min(wanted, state.cursor)
        if state.last_seq - cursor > MOST_REPLAYED and (state.cursor or 0) > cursor:
            raise UserError(
                f"That would be more than {MOST_REPLAYED} messages.", code="invalid_count"
            )
        steering.wish_for(connection, state, wanted)
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

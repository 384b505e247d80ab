"""Use cases of clients that keep a copy: what came, what was said elsewhere, what was said here.

A client that takes over all items since its cursor, all states since its cursor and the watermark
of the subscription shows what the server shows, in whatever order it does so and however often.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.reading import DEFAULT_LIMIT, MAX_CHANGES, MAX_LIMIT
from wireroom.store import labels, read_states, reading, subscriptions
from wireroom.store import syncing as store
from wireroom.store.engine import Database
from wireroom.store.read_states import StateChange
from wireroom.store.reading import Body, Entry
from wireroom.store.syncing import START, Partition, Point, State

#: How far behind now the state cursor stays (SYN-08). A change carries the moment it was asked
#: for, and may wait for its turn to write (30 s, `engine.BUSY_TIMEOUT_MS`); the rest is for clocks
#: of several machines. What lies in between is told again, which changes nothing (SYN-09).
TRAILING = timedelta(seconds=40)


# -- items ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Entries in the order in which we met them, with their bodies by (feed, seq)."""

    feed_id: int
    entries: list[Entry]
    bodies: dict[tuple[int, int], Body]
    has_more: bool


async def items_since(
    database: Database,
    account_id: int,
    subscription_id: int,
    after: tuple[int, int] | None,
    limit: int = DEFAULT_LIMIT,
) -> Arrivals:
    """What came after the entry `after` (feed, seq), or everything; dates play no part (SYN-03).

    Raises NotFound, and UserError (invalid_cursor) for an entry of another feed.
    """
    limit = max(1, min(limit, MAX_LIMIT))

    def read(connection: Connection) -> Arrivals:
        which = _partition(connection, account_id, subscription_id)
        feed_id, seq = after or (which.feed_id, 0)
        if feed_id != which.feed_id:
            raise UserError("That cursor belongs to another feed.", code="invalid_cursor")
        found = reading.entries_past(connection, account_id, feed_id, seq, limit + 1)
        page = found[:limit]
        return Arrivals(
            feed_id,
            page,
            reading.bodies(connection, account_id, reading.keys_of(page)),
            has_more=len(found) > limit,
        )

    return await database.read(read)


# -- states ---------------------------------------------------------------------------------------

Phase = Literal["pull", "walk", "rest"]


@dataclass(frozen=True, slots=True)
class StateCursor:
    """How far a client has come with the states of one subscription.

    `pull`: the first pull, by place; `walk`: amid the changes, more of them follow; `rest`: all
    changes were told. `began` is when this pull or walk began; it is not kept at rest.
    """

    phase: Phase
    began: datetime | None
    point: Point


@dataclass(frozen=True, slots=True)
class Said:
    """A page of states; `next` is where the following call goes on."""

    partition: Partition
    states: Sequence[State]
    #: The labels of their entries by (feed, seq); entries without any are left out.
    labels: Mapping[tuple[int, int], Sequence[str]]
    next: StateCursor
    has_more: bool


async def states_since(
    database: Database,
    account_id: int,
    subscription_id: int,
    cursor: StateCursor | None,
    now: datetime,
    limit: int = DEFAULT_LIMIT,
) -> Said:
    """All that was ever said of this feed's entries, or what was said since. Raises NotFound.

    A label that comes or goes is something said, too.
    """
    limit = max(1, min(limit, MAX_LIMIT))
    began = now if cursor is None or cursor.began is None else cursor.began
    point = START if cursor is None else cursor.point
    pulling = cursor is None or cursor.phase == "pull"

    def read(connection: Connection) -> Said:
        which = _partition(connection, account_id, subscription_id)
        look = store.states_by_place if pulling else store.states_by_change
        found = look(connection, which, point, limit + 1)
        page, more = found[:limit], len(found) > limit
        named = labels.of(connection, account_id, [(which.feed_id, each.seq) for each in page])
        following = _next(page, point, began, pulling=pulling, more=more)
        return Said(which, page, named, following, more)

    return await database.read(read)


def _next(
    page: Sequence[State], point: Point, began: datetime, *, pulling: bool, more: bool
) -> StateCursor:
    """Where to go on: amid the page order while there is more, else well before this call."""
    behind = Point(began - TRAILING, 0)
    if pulling:
        if not more:
            return StateCursor("rest", None, behind)  # SYN-10
        return StateCursor("pull", began, Point(page[-1].sort_at, page[-1].seq))
    last = Point(page[-1].updated_at, page[-1].seq) if page else point
    if more:
        return StateCursor("walk", began, last)
    return StateCursor("rest", None, min(last, behind))


async def set_states(
    database: Database, account_id: int, changes: Sequence[StateChange], now: datetime
) -> int:
    """Say all of it or nothing (API-50); gives how many entries were written about.

    Raises UserError (too_many_items) and NotFound (not_subscribed). Changes that say nothing, and
    those of entries that are gone, are passed over.
    """
    if len(changes) > MAX_CHANGES:
        raise UserError(f"At most {MAX_CHANGES} entries in one go.", code="too_many_items")

    def write(connection: Connection) -> int:
        followed = subscriptions.feeds_of(connection, account_id)
        if any(change.feed_id not in followed for change in changes):
            raise NotFound("You do not follow that feed.", code="not_subscribed")
        return read_states.set_states(connection, account_id, changes, now)

    return await database.write(write)


async def follows(database: Database, account_id: int, feed_id: int) -> bool:
    """Whether there is a subscription of this account to the feed."""

    def read(connection: Connection) -> bool:
        found = subscriptions.find(connection, account_id=account_id, feed_id=feed_id)
        return found is not None

    return await database.read(read)


def _partition(connection: Connection, account_id: int, subscription_id: int) -> Partition:
    which = store.partition(connection, account_id, subscription_id)
    if which is None:
        raise NotFound("There is no such subscription.", code="unknown_subscription")
    return which

"""How things stand, in numbers for monitors."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, func, select

from wireroom.store.schema import destinations, feeds

#: From so many errors in a row on, a feed counts as failing: it is red in the reader, too.
FAILING_ERRORS = 3


@dataclass(frozen=True, slots=True)
class Gauges:
    """Feeds and destinations of all processes; `due` are those whose time to be asked has come."""

    feeds: int
    due: int
    failing: int
    disabled: int
    destinations: int
    suspended: int


def read(connection: Connection, now: datetime) -> Gauges:
    """Count, in two statements."""
    is_disabled = feeds.c.disabled_at.is_not(None)
    of_feeds = select(
        func.count(),
        func.count().filter(and_(feeds.c.next_poll_at <= now, ~is_disabled)),
        func.count().filter(and_(feeds.c.failure_count >= FAILING_ERRORS, ~is_disabled)),
        func.count().filter(is_disabled),
    ).select_from(feeds)
    of_places = select(
        func.count(), func.count().filter(destinations.c.suspended_at.is_not(None))
    ).select_from(destinations)
    return Gauges(*connection.execute(of_feeds).one(), *connection.execute(of_places).one())

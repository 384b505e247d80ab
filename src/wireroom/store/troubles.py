"""What an operator should know of: destinations that take nothing, feeds that give nothing."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from wireroom.store.gauges import FAILING_ERRORS
from wireroom.store.schema import destinations, feeds


@dataclass(frozen=True, slots=True)
class Suspended:
    """A destination to which nothing goes until somebody resumes it."""

    id: int
    title: str
    reason: str


def suspended(connection: Connection) -> list[Suspended]:
    """All suspended destinations, longest first."""
    rows = connection.execute(
        select(
            destinations.c.id,
            func.coalesce(func.nullif(destinations.c.title, ""), destinations.c.channel),
            destinations.c.suspended_reason,
        )
        .where(destinations.c.suspended_at.is_not(None))
        .order_by(destinations.c.suspended_at)
    )
    return [Suspended(*row) for row in rows]


def failing_feeds(connection: Connection) -> tuple[int, int]:
    """How many feeds there are, and how many of them have failed several times or are off."""
    total, failing = connection.execute(
        select(
            func.count(),
            func.count().filter(
                (feeds.c.failure_count >= FAILING_ERRORS) | feeds.c.disabled_at.is_not(None)
            ),
        ).select_from(feeds)
    ).one()
    return total, failing

"""Webhooks of Discord servers that took an end, and whether somebody was told."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, func, or_, select, update

from wireroom.store.schema import destinations, discord_webhooks, feeds, routes, subscriptions

#: Ends that are told in one go.
MOST_ENDS: Final = 100


@dataclass(frozen=True, slots=True)
class Ended:
    """A webhook that takes nothing more, and who is to hear of it."""

    destination_id: int
    guild_id: str
    channel_id: str
    added_by: str
    reason: str
    feed_titles: tuple[str, ...]


def list_untold(connection: Connection) -> list[Ended]:
    """Suspended webhooks of which nobody was told yet."""
    rows = connection.execute(
        select(
            destinations.c.id,
            discord_webhooks.c.guild_id,
            discord_webhooks.c.channel_id,
            discord_webhooks.c.added_by,
            destinations.c.suspended_reason,
        )
        .join(discord_webhooks, discord_webhooks.c.destination_id == destinations.c.id)
        .where(
            destinations.c.suspended_at.is_not(None),
            select(routes.c.id).where(routes.c.destination_id == destinations.c.id).exists(),
            or_(
                discord_webhooks.c.told_at.is_(None),
                discord_webhooks.c.told_at < destinations.c.suspended_at,
            ),
        )
        .order_by(destinations.c.suspended_at)
        .limit(MOST_ENDS)
    ).all()
    return [
        Ended(
            row.id,
            row.guild_id,
            row.channel_id,
            row.added_by,
            row.suspended_reason,
            _titles(connection, row.id),
        )
        for row in rows
    ]


def _titles(connection: Connection, destination_id: int) -> tuple[str, ...]:
    title = func.coalesce(func.nullif(subscriptions.c.custom_title, ""), feeds.c.title)
    return tuple(
        connection.execute(
            select(title)
            .select_from(routes)
            .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
            .join(feeds, feeds.c.id == routes.c.feed_id)
            .where(routes.c.destination_id == destination_id)
            .order_by(routes.c.id)
        ).scalars()
    )


def note_told(connection: Connection, ids: Sequence[int], *, now: datetime) -> list[int]:
    """Of these ends somebody is told now; gives those that nobody else has taken up before."""
    taken = connection.execute(
        update(discord_webhooks)
        .where(
            discord_webhooks.c.destination_id.in_(ids),
            or_(
                discord_webhooks.c.told_at.is_(None),
                discord_webhooks.c.told_at
                < select(destinations.c.suspended_at)
                .where(destinations.c.id == discord_webhooks.c.destination_id)
                .scalar_subquery(),
            ),
        )
        .values(told_at=now)
        .returning(discord_webhooks.c.destination_id)
    )
    return sorted(taken.scalars())

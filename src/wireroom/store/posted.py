"""Which entry a message of a Discord server shows."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, or_, select

from wireroom.store.schema import deliveries, destinations, discord_webhooks, entries, routes


@dataclass(frozen=True, slots=True)
class Posted:
    """An entry that was sent as a message."""

    route_id: int
    feed_id: int
    seq: int
    title: str
    link: str
    author: str
    published: datetime | None
    first_seen: datetime
    sent_at: datetime


def find_posted(
    connection: Connection, account_id: int, guild_id: str, message_id: str
) -> Posted | None:
    """The entry that a message of this server shows; the ledger forgets after a while."""
    ids = deliveries.c.message_ids
    found = connection.execute(
        select(
            routes.c.id,
            routes.c.feed_id,
            deliveries.c.seq,
            func.coalesce(entries.c.title, ""),
            func.coalesce(entries.c.link, ""),
            func.coalesce(entries.c.author, ""),
            entries.c.published_at,
            func.coalesce(entries.c.first_seen_at, deliveries.c.at),
            deliveries.c.at,
        )
        .select_from(deliveries)
        .join(routes, routes.c.id == deliveries.c.route_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .join(discord_webhooks, discord_webhooks.c.destination_id == destinations.c.id)
        .outerjoin(
            entries,
            (entries.c.feed_id == routes.c.feed_id) & (entries.c.seq == deliveries.c.seq),
        )
        .where(
            discord_webhooks.c.guild_id == guild_id,
            destinations.c.account_id == account_id,
            or_(
                ids == message_id,
                ids.startswith(f"{message_id},", autoescape=True),
                ids.endswith(f",{message_id}", autoescape=True),
                ids.contains(f",{message_id},", autoescape=True),
            ),
        )
        .order_by(deliveries.c.at.desc())
    ).first()
    return None if found is None else Posted(*found)

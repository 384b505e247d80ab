"""Which entry a message of a Discord server shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, func, or_, select

from wireroom.store.dialects import insert_or
from wireroom.store.schema import (
    deliveries,
    destinations,
    discord_webhooks,
    entries,
    feeds,
    routes,
)

#: Newest entries of each feed among which a link is looked for.
_LOOKED_AT: Final = 500


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
    #: False: the ledger does not speak of the message, as it was a test.
    is_noted: bool = True


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


def find_linked(
    connection: Connection,
    account_id: int,
    guild_id: str,
    links: Collection[str],
    *,
    webhook_id: str,
    at: datetime,
) -> Posted | None:
    """The newest entry with one of these links, of the routes that go to the webhook."""
    address = destinations.c.address
    goes_there = or_(address == webhook_id, address.startswith(f"{webhook_id}?", autoescape=True))
    found = connection.execute(
        select(
            routes.c.id,
            routes.c.feed_id,
            entries.c.seq,
            entries.c.title,
            entries.c.link,
            entries.c.author,
            entries.c.published_at,
            entries.c.first_seen_at,
        )
        .select_from(routes)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .join(discord_webhooks, discord_webhooks.c.destination_id == destinations.c.id)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(entries, entries.c.feed_id == feeds.c.id)
        .where(discord_webhooks.c.guild_id == guild_id, destinations.c.account_id == account_id)
        .where(goes_there)
        .where(entries.c.seq > feeds.c.last_seq - _LOOKED_AT, entries.c.link.in_(links))
        .order_by(entries.c.first_seen_at.desc(), routes.c.id)
    ).first()
    return None if found is None else Posted(*found, at, is_noted=False)


def note_posted(
    connection: Connection,
    route_id: int,
    seq: int,
    *,
    message_ids: Sequence[str],
    revision: int,
    detail: str,
    now: datetime,
) -> None:
    """An entry that the route is past was posted outside of its order.

    What the ledger says of it already stays; an entry that is still to come gets its own line.
    """
    cursor = connection.execute(select(routes.c.cursor).where(routes.c.id == route_id)).scalar()
    if cursor is None or seq > cursor:
        return
    line = insert_or(connection, deliveries).values(
        route_id=route_id,
        seq=seq,
        outcome="sent",
        message_ids=",".join(message_ids)[:512],
        detail=detail[:500],
        revision=revision,
        at=now,
    )
    connection.execute(line.on_conflict_do_nothing())

"""Messages that were sent into a chat, and the entries that they brought."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, literal, select

from wireroom.store.chat_routes import of_chat
from wireroom.store.schema import deliveries, destinations, entries, routes


@dataclass(frozen=True, slots=True)
class Post:
    """A message that was sent into a chat, and the entry that it brought."""

    route_id: int
    feed_id: int
    seq: int
    outcome: str
    detail: str
    sent_at: datetime
    title: str
    link: str
    author: str
    categories: Sequence[str]
    published_at: datetime | None
    first_seen_at: datetime | None


def find_post(
    connection: Connection, account_id: int, channel: str, chat: str, message_id: int
) -> Post | None:
    """The entry behind a message of ours in a chat; None when it is none, or forgotten."""
    # Between commas, also those of an album, which stand with a plus between them.
    ids = literal(",").concat(func.replace(deliveries.c.message_ids, "+", ",")).concat(",")
    row = connection.execute(
        select(
            deliveries.c.route_id,
            routes.c.feed_id,
            deliveries.c.seq,
            deliveries.c.outcome,
            deliveries.c.detail,
            deliveries.c.at,
            func.coalesce(entries.c.title, ""),
            func.coalesce(entries.c.link, ""),
            func.coalesce(entries.c.author, ""),
            entries.c.categories,
            entries.c.published_at,
            entries.c.first_seen_at,
        )
        .select_from(deliveries)
        .join(routes, routes.c.id == deliveries.c.route_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .outerjoin(
            entries, (entries.c.feed_id == routes.c.feed_id) & (entries.c.seq == deliveries.c.seq)
        )
        .where(*of_chat(account_id, channel, chat))
        .where(ids.contains(f",{message_id},"))
        # A digest is noted with each of its entries: the newest stands for it.
        .order_by(deliveries.c.at.desc(), deliveries.c.seq.desc())
        .limit(1)
    ).first()
    if row is None:
        return None
    values = list(row)
    values[9] = tuple(values[9] or ())
    return Post(*values)

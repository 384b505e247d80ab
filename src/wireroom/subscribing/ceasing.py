"""An account follows a feed no longer."""

from dataclasses import dataclass

from sqlalchemy import Connection

from wireroom.errors import NotFound
from wireroom.polling.tools import Polling
from wireroom.store import feeds, subscriptions


@dataclass(frozen=True, slots=True)
class Unsubscribed:
    """A subscription ended; `purged` when nobody else followed the feed (STO-11)."""

    feed_id: int
    purged: bool


async def unsubscribe(tools: Polling, account_id: int, subscription_id: int) -> Unsubscribed:
    """End a subscription; the feed goes with its last one. Raises NotFound."""

    def work(connection: Connection) -> Unsubscribed | None:
        feed_id = subscriptions.remove(
            connection, account_id=account_id, subscription_id=subscription_id
        )
        if feed_id is None:
            return None
        return Unsubscribed(
            feed_id, purged=feeds.purge_if_unfollowed(connection, feed_id, now=tools.now())
        )

    ended = await tools.database.write(work)
    if ended is None:
        raise NotFound("There is no such subscription.", code="unknown_subscription")
    return ended

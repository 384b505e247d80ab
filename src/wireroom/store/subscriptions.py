"""Who follows what: subscriptions."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.errors import Conflict
from wireroom.store import feeds, ruled
from wireroom.store.schema import entry_states, entry_tags, subscriptions, tags


@dataclass(frozen=True, slots=True)
class Made:
    """A subscription, and whether it stood already (IDN-20)."""

    subscription_id: int
    existing: bool


def add(
    connection: Connection,
    *,
    account_id: int,
    feed_id: int,
    now: datetime,
    folder_id: int | None = None,
) -> Made:
    """Let the account follow the feed; a second call answers with the first one's row.

    Raises Conflict when the feed was forgotten a moment ago.
    """
    # The feed's row is locked before anything else, here and where a subscription ends, so that
    # counts are right and a feed never goes while somebody comes.
    if not feeds.stays(connection, feed_id):
        raise Conflict("The feed was forgotten at this very moment; try again.")
    known = find(connection, account_id=account_id, feed_id=feed_id)
    if known is not None:
        return Made(known, existing=True)
    try:
        with connection.begin_nested():
            made = connection.execute(
                insert(subscriptions)
                .values(
                    account_id=account_id,
                    feed_id=feed_id,
                    folder_id=folder_id,
                    data_store_uuid=str(uuid.uuid4()),
                    created_at=now,
                )
                .returning(subscriptions.c.id)
            ).scalar_one()
    except IntegrityError:
        again = find(connection, account_id=account_id, feed_id=feed_id)
        if again is None:
            raise
        return Made(again, existing=True)
    feeds.count_followers(connection, feed_id)
    ruled.settle_new(connection, account_id, made)
    return Made(int(made), existing=False)


def find(connection: Connection, *, account_id: int, feed_id: int) -> int | None:
    """The account's subscription to this feed, or None."""
    return connection.execute(
        select(subscriptions.c.id).where(
            subscriptions.c.account_id == account_id, subscriptions.c.feed_id == feed_id
        )
    ).scalar()


def belongs(connection: Connection, *, account_id: int, subscription_id: int) -> bool:
    """Whether there is such a subscription and it is this account's; it stays so to the end.

    Whoever else asks for it in order to write waits for that.
    """
    mine = select(subscriptions.c.id).where(
        subscriptions.c.id == subscription_id, subscriptions.c.account_id == account_id
    )
    return connection.execute(mine.with_for_update(key_share=True)).first() is not None


def feeds_of(connection: Connection, account_id: int) -> set[int]:
    """The feeds that an account follows."""
    return set(
        connection.execute(
            select(subscriptions.c.feed_id).where(subscriptions.c.account_id == account_id)
        ).scalars()
    )


def numbers(connection: Connection, account_id: int) -> dict[int, int]:
    """Subscriptions of an account by feed."""
    query = select(subscriptions.c.feed_id, subscriptions.c.id)
    rows = connection.execute(query.where(subscriptions.c.account_id == account_id))
    return {row.feed_id: row.id for row in rows}


def remove(connection: Connection, *, account_id: int, subscription_id: int) -> int | None:
    """End a subscription of this account, with its states, labels and routes (STO-19).

    Gives the feed's id, or None when there is no such subscription or it is somebody else's.
    """
    mine = (subscriptions.c.id == subscription_id, subscriptions.c.account_id == account_id)
    feed_id = connection.execute(select(subscriptions.c.feed_id).where(*mine)).scalar()
    if feed_id is None or not feeds.stays(connection, feed_id, may_go=True):
        return None
    ended = connection.execute(
        delete(subscriptions).where(*mine).returning(subscriptions.c.feed_id)
    ).scalar()
    if ended is None:
        return None
    if ended != feed_id:  # two feeds became one between our look and our lock
        feed_id = ended
    connection.execute(
        delete(entry_states).where(
            entry_states.c.account_id == account_id, entry_states.c.feed_id == feed_id
        )
    )
    labels = select(tags.c.id).where(tags.c.account_id == account_id)
    connection.execute(
        delete(entry_tags).where(entry_tags.c.feed_id == feed_id, entry_tags.c.tag_id.in_(labels))
    )
    feeds.count_followers(connection, feed_id)
    return int(feed_id)


def set_wanted_interval(
    connection: Connection, *, account_id: int, subscription_id: int, seconds: int | None
) -> int | None:
    """How often this subscription wants its feed asked, None for the policy's own pace (SCH-21).

    Gives the feed's id, or None when there is no such subscription or it is somebody else's.
    """
    feed_id = connection.execute(
        update(subscriptions)
        .where(subscriptions.c.id == subscription_id, subscriptions.c.account_id == account_id)
        .values(wanted_interval_seconds=seconds)
        .returning(subscriptions.c.feed_id)
    ).scalar()
    if feed_id is not None:
        feeds.count_followers(connection, feed_id)
    return feed_id

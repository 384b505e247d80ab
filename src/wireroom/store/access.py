"""What feeds need besides their address, sealed: who holds the vault makes sense of it."""

from sqlalchemy import Connection, delete, insert, select, update

from wireroom.store.feed_to_poll import SHARED
from wireroom.store.schema import feed_access, feeds


def put(connection: Connection, feed_id: int, *, scheme: str, sealed: bytes | None) -> None:
    """Keep it in place of what was there; None forgets it.

    What was read under other credentials may not be what these open, so that the feed is asked
    without validators next.
    """
    here = feed_access.c.feed_id == feed_id
    connection.execute(delete(feed_access).where(here))
    if sealed is not None:
        connection.execute(
            insert(feed_access).values(feed_id=feed_id, scheme=scheme, sealed=sealed)
        )
    connection.execute(
        update(feeds).where(feeds.c.id == feed_id).values(etag="", last_modified="")
    )


def owner_of(connection: Connection, feed_id: int) -> int:
    """The account whose feed it is, or `feed_to_poll.SHARED`."""
    owner = connection.execute(
        select(feeds.c.owner_account_id).where(feeds.c.id == feed_id)
    ).scalar()
    return SHARED if owner is None else owner


def private_to(connection: Connection, account_id: int) -> frozenset[int]:
    """Feeds that are this account's alone."""
    mine = select(feeds.c.id).where(feeds.c.owner_account_id == account_id)
    return frozenset(connection.execute(mine).scalars())


def scheme_of(connection: Connection, feed_id: int) -> str:
    """How a feed is opened, in a word; "" for one that is open to all."""
    scheme = select(feed_access.c.scheme).where(feed_access.c.feed_id == feed_id)
    return connection.execute(scheme).scalar() or ""

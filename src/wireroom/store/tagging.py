"""Putting words of an account on entries, as rules do."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select

from wireroom.store import read_states
from wireroom.store.dialects import insert_or
from wireroom.store.schema import entries, entry_tags, tags


def put(
    connection: Connection,
    account_id: int,
    names: Sequence[str],
    feed_id: int,
    seq: int,
    *,
    now: datetime,
) -> None:
    """Tag an entry; a tag that is new is made. Nothing happens to an entry that was trimmed."""
    here = select(entries.c.sort_at).where(entries.c.feed_id == feed_id, entries.c.seq == seq)
    sort_at = connection.execute(here).scalar() if names else None
    if sort_at is None:
        return
    rows = [{"account_id": account_id, "name": name, "created_at": now} for name in names]
    connection.execute(insert_or(connection, tags).on_conflict_do_nothing(), rows)
    known = select(tags.c.id).where(tags.c.account_id == account_id, tags.c.name.in_(names))
    put_on = [
        {"tag_id": tag_id, "feed_id": feed_id, "seq": seq, "sort_at": sort_at}
        for tag_id in connection.execute(known).scalars()
    ]
    connection.execute(insert_or(connection, entry_tags).on_conflict_do_nothing(), put_on)
    read_states.tell(connection, account_id, [(feed_id, seq)], now)

"""Labels: words that an account, or a rule of it, has put on entries (the table `tags`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    select,
    true,
    update,
)

from wireroom.store.dialects import insert_or
from wireroom.store.entry_view import pairs_value
from wireroom.store.read_states import StateChange, set_states
from wireroom.store.schema import (
    Instant,
    accounts,
    entries,
    entry_states,
    entry_tags,
    subscriptions,
    tags,
)
from wireroom.store.scopes import EVER, LABEL_ID, READER, Place, Show, labelled, pairs, values_of

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Label:
    """`count` is the number of entries that carry it."""

    id: int
    name: str
    count: int


def every(connection: Connection, account_id: int) -> list[Label]:
    """By name."""
    rows = connection.execute(
        select(tags.c.id, tags.c.name, func.count(entry_tags.c.seq))
        .outerjoin(entry_tags, entry_tags.c.tag_id == tags.c.id)
        .where(tags.c.account_id == account_id)
        .group_by(tags.c.id, tags.c.name)
        .order_by(func.lower(tags.c.name), tags.c.id)
    )
    return [Label(*row) for row in rows]


def names(connection: Connection, account_id: int) -> dict[int, str]:
    """By id, in the order of names; costs the same however many entries carry them."""
    rows = connection.execute(
        select(tags.c.id, tags.c.name)
        .where(tags.c.account_id == account_id)
        .order_by(func.lower(tags.c.name), tags.c.id)
    )
    return {row.id: row.name for row in rows}


def of(connection: Connection, account_id: int, keys: Sequence[Key]) -> Mapping[Key, list[str]]:
    """The names on these entries (feed, seq), in order; entries without any are left out."""
    if not keys:
        return {}
    wanted = pairs(connection.dialect.name, "wanted", "feed_id", "seq")
    here = and_(wanted.c.feed_id == entry_tags.c.feed_id, wanted.c.seq == entry_tags.c.seq)
    rows = connection.execute(
        select(entry_tags.c.feed_id, entry_tags.c.seq, tags.c.name)
        .select_from(wanted.join(entry_tags, here))
        .join(tags, tags.c.id == entry_tags.c.tag_id)
        .where(tags.c.account_id == account_id)
        .order_by(func.lower(tags.c.name), tags.c.id),
        {"wanted": pairs_value(keys)},
    )
    found: dict[Key, list[str]] = {}
    for feed_id, seq, name in rows:
        found.setdefault((feed_id, seq), []).append(name)
    return found


def has_one_of(labels: ColumnElement[bool]) -> ColumnElement[bool]:
    """A condition on `entries`: one of these labels is on it; `labels` is one on `tags`."""
    return exists().where(
        entry_tags.c.feed_id == entries.c.feed_id,
        entry_tags.c.seq == entries.c.seq,
        entry_tags.c.tag_id.in_(select(tags.c.id).where(labels)),
    )


# -- writing --------------------------------------------------------------------------------------


def hold(connection: Connection, account_id: int) -> dict[str, int]:
    """An account's labels by name, held against other writers until the commit."""
    connection.execute(
        select(accounts.c.id).where(accounts.c.id == account_id).with_for_update()
    ).first()
    rows = connection.execute(
        select(tags.c.name, tags.c.id).where(tags.c.account_id == account_id)
    )
    return {row.name: row.id for row in rows}


def add(connection: Connection, account_id: int, name: str, *, now: datetime) -> int:
    """A new label; nobody else adds one meanwhile, see `hold`."""
    made: int = connection.execute(
        insert(tags).values(account_id=account_id, name=name, created_at=now).returning(tags.c.id)
    ).scalar_one()
    return made


def there(connection: Connection, keys: Sequence[Key]) -> list[Place]:
    """Those of the entries that are still there."""
    if not keys:
        return []
    wanted = pairs(connection.dialect.name, "wanted", "feed_id", "seq")
    here = and_(wanted.c.feed_id == entries.c.feed_id, wanted.c.seq == entries.c.seq)
    rows = connection.execute(
        select(entries.c.sort_at, entries.c.feed_id, entries.c.seq).select_from(
            wanted.join(entries, here)
        ),
        {"wanted": pairs_value(keys)},
    )
    return [Place(*row) for row in rows]


def put(connection: Connection, label_ids: Sequence[int], places: Sequence[Place]) -> None:
    """These labels onto these entries, which are there."""
    rows = [
        {"tag_id": label_id, "feed_id": at.feed_id, "seq": at.seq, "sort_at": at.sort_at}
        for label_id in label_ids
        for at in places
    ]
    if rows:
        connection.execute(insert_or(connection, entry_tags).on_conflict_do_nothing(), rows)


def take_off(connection: Connection, label_ids: Sequence[int], places: Sequence[Place]) -> None:
    """These labels from these entries; entries without them stay as they are."""
    for at in places if label_ids else ():
        connection.execute(
            delete(entry_tags).where(
                entry_tags.c.tag_id.in_(label_ids),
                entry_tags.c.feed_id == at.feed_id,
                entry_tags.c.seq == at.seq,
            )
        )


def mark_seen(
    connection: Connection,
    account_id: int,
    name: str,
    seen: Mapping[int, int],
    show: Show,
    now: datetime,
) -> int:
    """Say "read" of what carries a label and is unread, up to each feed's number in `seen`.

    Gives of how many. No watermark moves: what lies beside on the shelf stays as it is.
    """
    numbers = pairs(connection.dialect.name, "seen", "feed_id", "last_seq")
    said = and_(
        entry_states.c.account_id == READER,
        entry_states.c.feed_id == entry_tags.c.feed_id,
        entry_states.c.seq == entry_tags.c.seq,
    )
    passed = entry_tags.c.sort_at <= func.coalesce(
        subscriptions.c.read_watermark, literal(EVER, Instant)
    )
    unread = (
        select(entry_tags.c.feed_id, entry_tags.c.seq)
        .join(subscriptions, subscriptions.c.feed_id == entry_tags.c.feed_id)
        .join(numbers, numbers.c.feed_id == entry_tags.c.feed_id)
        .outerjoin(entry_states, said)
        .where(
            subscriptions.c.account_id == READER,
            entry_tags.c.tag_id == LABEL_ID,
            entry_tags.c.seq <= numbers.c.last_seq,
            func.coalesce(entry_states.c.is_read, passed) == false(),
        )
    )
    if show == "favorite":
        unread = unread.where(entry_states.c.is_favorite == true())
    values = {**values_of(account_id), **labelled(name), "seen": pairs_value(seen.items())}
    found = connection.execute(unread, values).all()
    changes = [StateChange(feed_id, seq, is_read=True) for feed_id, seq in found]
    return set_states(connection, account_id, changes, now)


def rename(connection: Connection, account_id: int, label_id: int, name: str) -> bool:
    """False when there is none; the name must be free."""
    mine = (tags.c.id == label_id, tags.c.account_id == account_id)
    return connection.execute(update(tags).where(*mine).values(name=name)).rowcount == 1


def remove(connection: Connection, account_id: int, label_id: int) -> bool:
    """From all entries. False when there is none."""
    mine = (tags.c.id == label_id, tags.c.account_id == account_id)
    return connection.execute(delete(tags).where(*mine)).rowcount == 1

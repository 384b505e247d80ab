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
    func,
    insert,
    select,
    true,
    tuple_,
    update,
)

from wireroom.store.dialects import insert_or
from wireroom.store.entry_view import (
    Entry,
    entry_columns,
    entry_of,
    pairs_value,
    was_read,
)
from wireroom.store.schema import Instant, accounts, entries, entry_states, entry_tags, tags
from wireroom.store.scopes import READER, Order, Place, Scope, Show, in_scope, pairs, values_of

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


def list_entries(
    connection: Connection,
    account_id: int,
    name: str,
    scope: Scope,
    *,
    show: Show,
    order: Order,
    after: Place | None,
    limit: int,
) -> list[Entry]:
    """One page of what carries a label, strictly by place; see `listing.list_entries`."""
    query = entry_columns().where(in_scope(scope.form), has_one_of(_called(name)))
    if show == "unread":
        query = query.where(~was_read())
    elif show == "favorite":
        query = query.where(entry_states.c.is_favorite == true())
    place = (entries.c.sort_at, entries.c.feed_id, entries.c.seq)
    if after is not None:
        last = tuple_(
            *(after.sort_at, after.feed_id, after.seq),
            types=[Instant(), *(c.type for c in place[1:])],
        )
        query = query.where(tuple_(*place) < last if order == "newest" else tuple_(*place) > last)
    ordered = [each.desc() if order == "newest" else each.asc() for each in place]
    values = values_of(account_id, scope)
    return [entry_of(r) for r in connection.execute(query.order_by(*ordered).limit(limit), values)]


def _called(name: str) -> ColumnElement[bool]:
    return and_(tags.c.account_id == READER, tags.c.name == name)


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


def there(connection: Connection, keys: Sequence[Key]) -> list[Key]:
    """Those of the entries that are still there."""
    if not keys:
        return []
    wanted = pairs(connection.dialect.name, "wanted", "feed_id", "seq")
    here = and_(wanted.c.feed_id == entries.c.feed_id, wanted.c.seq == entries.c.seq)
    rows = connection.execute(
        select(entries.c.feed_id, entries.c.seq).select_from(wanted.join(entries, here)),
        {"wanted": pairs_value(keys)},
    )
    return [(feed_id, seq) for feed_id, seq in rows]


def put(connection: Connection, label_ids: Sequence[int], keys: Sequence[Key]) -> None:
    """These labels onto these entries, which are there."""
    rows = [
        {"tag_id": label_id, "feed_id": feed_id, "seq": seq}
        for label_id in label_ids
        for feed_id, seq in keys
    ]
    if rows:
        connection.execute(insert_or(connection, entry_tags).on_conflict_do_nothing(), rows)


def take_off(connection: Connection, label_ids: Sequence[int], keys: Sequence[Key]) -> None:
    """These labels from these entries; entries without them stay as they are."""
    for feed_id, seq in keys if label_ids else ():
        connection.execute(
            delete(entry_tags).where(
                entry_tags.c.tag_id.in_(label_ids),
                entry_tags.c.feed_id == feed_id,
                entry_tags.c.seq == seq,
            )
        )


def rename(connection: Connection, account_id: int, label_id: int, name: str) -> bool:
    """False when there is none; the name must be free."""
    mine = (tags.c.id == label_id, tags.c.account_id == account_id)
    return connection.execute(update(tags).where(*mine).values(name=name)).rowcount == 1


def remove(connection: Connection, account_id: int, label_id: int) -> bool:
    """From all entries. False when there is none."""
    mine = (tags.c.id == label_id, tags.c.account_id == account_id)
    return connection.execute(delete(tags).where(*mine)).rowcount == 1

"""Everything that an account has here, for its owner to take along; and taking it away."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    Table,
    delete,
    exists,
    func,
    or_,
    select,
)

from wireroom.store import chats, feeds, subscriptions
from wireroom.store.schema import (
    accounts,
    entries,
    entry_bodies,
    entry_states,
    identities,
    metadata,
)
from wireroom.store.schema import feeds as feed_rows
from wireroom.store.schema import subscriptions as followed

#: Told more fully below, or nobody's to take along.
_NOT_DUMPED = frozenset({"entry_states"})
_UNFOLLOWED_AT_ONCE = 50


def belongings(
    connection: Connection, account_id: int
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Table by table, all rows of an account, without what is sealed or hashed."""
    for table in metadata.sorted_tables:
        condition = _owned(table, account_id)
        if condition is None or table.name in _NOT_DUMPED:
            continue
        open_columns = [
            column
            for column in table.c
            if not isinstance(column.type, LargeBinary) and not column.name.startswith("secret")
        ]
        rows = connection.execute(select(*open_columns).where(condition)).mappings()
        yield table.name, [dict(row) for row in rows]


def _owned(table: Table, account_id: int) -> ColumnElement[bool] | None:
    """Which rows are an account's; None for a table that holds nobody's.

    A table without an account of its own belongs to whom the tables belong that it hangs on.
    """
    if table is accounts:
        return accounts.c.id == account_id
    if "account_id" in table.c:
        return table.c.account_id == account_id
    if table is feed_rows:
        return feed_rows.c.id.in_(
            select(followed.c.feed_id).where(followed.c.account_id == account_id)
        )
    hangs_on = [
        key.parent.in_(select(key.column).where(condition))
        for key in table.foreign_keys
        if key.column.table is not feed_rows
        and (condition := _owned(key.column.table, account_id)) is not None
    ]
    return or_(*hangs_on) if hangs_on else None


def said(connection: Connection, account_id: int) -> Iterator[dict[str, Any]]:
    """What the account said about entries, with the entries' addresses; favourites in full."""
    for row in connection.execute(_said(account_id).execution_options(yield_per=500)).mappings():
        told = dict(row)
        content = told.pop("content")
        yield {**told, "content": content} if told["is_favorite"] else told


def _said(account_id: int) -> Select[Any]:
    body = (entry_bodies.c.feed_id == entries.c.feed_id) & (entry_bodies.c.seq == entries.c.seq)
    return (
        select(
            feed_rows.c.url.label("feed"),
            entries.c.public_id,
            entries.c.title,
            entries.c.link,
            entries.c.published_at,
            entry_states.c.is_read,
            entry_states.c.is_favorite,
            entry_states.c.updated_at,
            func.coalesce(entries.c.content, entry_bodies.c.content, entries.c.summary, "").label(
                "content"
            ),
        )
        .select_from(entry_states)
        .join(
            entries,
            (entries.c.feed_id == entry_states.c.feed_id) & (entries.c.seq == entry_states.c.seq),
        )
        .join(feed_rows, feed_rows.c.id == entries.c.feed_id)
        .outerjoin(entry_bodies, body)
        .where(entry_states.c.account_id == account_id)
    )


def is_last_operator(connection: Connection, account_id: int) -> bool:
    """Does nobody else run this installation, and this account does?"""
    role = connection.scalar(select(accounts.c.role).where(accounts.c.id == account_id))
    others = exists().where(
        accounts.c.role == "operator",
        accounts.c.id != account_id,
        identities.c.account_id == accounts.c.id,
    )
    return role == "operator" and not connection.scalar(select(others))


def unfollow_some(connection: Connection, account_id: int, now: datetime) -> int:
    """End some subscriptions, with the feeds that only this account followed; 0: none is left."""
    listed = connection.scalars(
        select(followed.c.id)
        .where(followed.c.account_id == account_id)
        .order_by(followed.c.id)
        .limit(_UNFOLLOWED_AT_ONCE)
    ).all()
    for subscription_id in listed:
        feed_id = subscriptions.remove(
            connection, account_id=account_id, subscription_id=subscription_id
        )
        if feed_id is not None:
            feeds.purge_if_unfollowed(connection, feed_id, now=now)
    return len(listed)


def remove_account(connection: Connection, account_id: int) -> bool:
    """The account with all that hangs on it; False while it follows something."""
    follows = exists().where(followed.c.account_id == account_id)
    if connection.scalar(select(follows)):
        return False
    doors = select(identities.c.subject).where(
        identities.c.account_id == account_id, identities.c.kind == "telegram"
    )
    chats.forget_chats(connection, [int(each) for each in connection.scalars(doors)])
    connection.execute(delete(accounts).where(accounts.c.id == account_id))
    return True

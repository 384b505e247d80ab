"""How far the rules of an account have come in what it follows.

`subscriptions.ruled_through` is the last entry that they were asked about; NULL where none count.
Rules count from the moment at which they are set: a change of them never moves the cursor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, or_, select, true, update

from wireroom.store import feeds, house
from wireroom.store.schema import accounts, subscriptions
from wireroom.store.schema import feeds as feeds_table


@dataclass(frozen=True, slots=True)
class Ruled:
    """A subscription with entries that its rules were not asked about yet."""

    id: int
    account_id: int
    feed_id: int
    through: int
    last_seq: int
    feed_title: str
    language: str
    #: What the subscription and the account want, most special first.
    wider: tuple[Mapping[str, Any], ...]


def behind(connection: Connection, limit: int, *, after: int = 0) -> list[Ruled]:
    """The next subscriptions past the number `after` whose rules have something before them."""
    # Not by the primary key, which planners prefer, and which has all that are followed.
    number = subscriptions.c.id + 0
    query = _RULED.where(number > after).order_by(number).limit(limit)
    return [_ruled(row) for row in connection.execute(query)]


def find(connection: Connection, subscription_id: int) -> Ruled | None:
    """A subscription whose rules have something before them; None when they have not."""
    row = connection.execute(_RULED.where(subscriptions.c.id == subscription_id)).first()
    return None if row is None else _ruled(row)


def is_behind(connection: Connection, which: ColumnElement[bool]) -> bool:
    """Whether rules of one of these subscriptions still have something before them."""
    return connection.execute(_RULED.where(which).limit(1)).first() is not None


_RULED = (
    select(
        subscriptions.c.id,
        subscriptions.c.account_id,
        subscriptions.c.feed_id,
        subscriptions.c.ruled_through,
        feeds_table.c.last_seq,
        func.coalesce(func.nullif(subscriptions.c.custom_title, ""), feeds_table.c.title).label(
            "feed_title"
        ),
        feeds_table.c.language,
        subscriptions.c.settings,
        accounts.c.preferences,
    )
    .join(feeds_table, feeds_table.c.id == subscriptions.c.feed_id)
    .join(accounts, accounts.c.id == subscriptions.c.account_id)
    .where(subscriptions.c.ruled_through >= 0)  # by the index, which has few rows from there on
    .where(subscriptions.c.ruled_through < feeds_table.c.last_seq)
)


def _ruled(row: Row[*tuple[Any, ...]]) -> Ruled:
    return Ruled(
        row.id,
        row.account_id,
        row.feed_id,
        row.ruled_through,
        row.last_seq,
        row.feed_title,
        row.language,
        (row.settings, row.preferences.get("delivery") or {}),
    )


def advance(connection: Connection, ruled: Ruled, through: int) -> bool:
    """Move the cursor; False when somebody else did, or the subscription is not what it was.

    Locks the account, the feed and the subscription, in the order of whoever lets two of them
    become one.
    """
    account = select(accounts.c.id).where(accounts.c.id == ruled.account_id)
    connection.execute(account.with_for_update(read=True, key_share=True))
    if not feeds.stays(connection, ruled.feed_id):
        return False
    moved = connection.execute(
        update(subscriptions)
        .where(
            subscriptions.c.id == ruled.id,
            subscriptions.c.account_id == ruled.account_id,
            subscriptions.c.feed_id == ruled.feed_id,
            subscriptions.c.ruled_through == ruled.through,
        )
        .values(ruled_through=through)
    )
    return moved.rowcount == 1


def settle(connection: Connection, which: ColumnElement[bool]) -> None:
    """Let rules count for those of these subscriptions that have some by now, from the next entry
    on, and for no others. Where they counted before, they go on where they are."""
    has_rules = _has_rules(connection)
    last_seq = select(feeds_table.c.last_seq).where(feeds_table.c.id == subscriptions.c.feed_id)
    is_ruled = subscriptions.c.ruled_through.is_not(None)
    connection.execute(
        update(subscriptions)
        .where(which, ~is_ruled, has_rules)
        .values(ruled_through=last_seq.scalar_subquery())
    )
    connection.execute(
        update(subscriptions).where(which, is_ruled, ~has_rules).values(ruled_through=None)
    )


def settle_new(connection: Connection, account_id: int, subscription_id: int) -> None:
    """`settle` for a subscription that is just made, which a change of the account's rules at the
    same moment would not see."""
    account = select(accounts.c.id).where(accounts.c.id == account_id)
    connection.execute(account.with_for_update(read=True))
    settle(connection, subscriptions.c.id == subscription_id)


def _has_rules(connection: Connection) -> ColumnElement[bool]:
    everyone = house.settings(connection).get("rules")
    if isinstance(everyone, str) and everyone.strip():
        return true()
    of_account: Select[Any] = select(accounts.c.id).where(
        accounts.c.id == subscriptions.c.account_id,
        func.coalesce(accounts.c.preferences[("delivery", "rules")].as_string(), "") != "",
    )
    return or_(
        func.coalesce(subscriptions.c.settings["rules"].as_string(), "") != "",
        of_account.exists(),
    )

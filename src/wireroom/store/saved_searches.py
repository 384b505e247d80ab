"""Searches that somebody gave a name."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select, update

from wireroom.store.schema import accounts, saved_searches


@dataclass(frozen=True, slots=True)
class SavedSearch:
    id: int
    name: str
    query: str


def every(connection: Connection, account_id: int) -> list[SavedSearch]:
    """By name."""
    rows = connection.execute(
        select(saved_searches.c.id, saved_searches.c.name, saved_searches.c.query)
        .where(saved_searches.c.account_id == account_id)
        .order_by(func.lower(saved_searches.c.name), saved_searches.c.id)
    )
    return [SavedSearch(*row) for row in rows]


def find(connection: Connection, account_id: int, search_id: int) -> SavedSearch | None:
    """None also for another account's."""
    row = connection.execute(
        select(saved_searches.c.id, saved_searches.c.name, saved_searches.c.query).where(
            saved_searches.c.id == search_id, saved_searches.c.account_id == account_id
        )
    ).first()
    return None if row is None else SavedSearch(*row)


def save(
    connection: Connection, account_id: int, name: str, query: str, *, now: datetime
) -> SavedSearch:
    """Under this name, in place of what had it."""
    # Two at once for one account come one after the other.
    connection.execute(
        select(accounts.c.id).where(accounts.c.id == account_id).with_for_update()
    ).first()
    same = (saved_searches.c.account_id == account_id, saved_searches.c.name == name)
    known = connection.execute(select(saved_searches.c.id).where(*same)).scalar()
    if known is None:
        known = connection.execute(
            insert(saved_searches)
            .values(account_id=account_id, name=name, query=query, created_at=now)
            .returning(saved_searches.c.id)
        ).scalar_one()
    else:
        connection.execute(update(saved_searches).where(*same).values(query=query))
    return SavedSearch(known, name, query)


def remove(connection: Connection, account_id: int, search_id: int) -> bool:
    """False when there is none."""
    gone = connection.execute(
        delete(saved_searches).where(
            saved_searches.c.id == search_id, saved_searches.c.account_id == account_id
        )
    )
    return gone.rowcount == 1

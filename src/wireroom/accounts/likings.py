"""What each front end remembers of an account."""

from typing import Any

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.store import accounts as store
from wireroom.store.engine import Database


async def set_preferences(
    database: Database, account_id: int, part: str, values: dict[str, Any]
) -> None:
    """Replace one front end's part of the preferences; the other parts stay."""

    def write(connection: Connection) -> None:
        account = store.find_account(connection, account_id)
        if account is None:
            raise NotFound("There is no such account.")
        store.set_preferences(connection, account_id, {**account.preferences, part: values})

    await database.write(write)


async def preferences(database: Database, account_id: int, part: str) -> dict[str, Any]:
    """One front end's part of the preferences."""
    account = await database.read(store.find_account, account_id)
    kept = account.preferences.get(part) if account else None
    return dict(kept) if isinstance(kept, dict) else {}


async def merge_preferences(
    database: Database, account_id: int, part: str, values: dict[str, Any], *, most: int
) -> dict[str, Any]:
    """Set some of one front end's preferences, so that two devices do not undo each other.

    Gives that part as it is now. Raises UserError when it would hold more than `most`.
    """

    def write(connection: Connection) -> dict[str, Any]:
        every = store.hold_preferences(connection, account_id)
        kept = every.get(part)
        merged = {**(kept if isinstance(kept, dict) else {}), **values}
        if len(merged) > most:
            raise UserError(f"{most} preferences are enough.", code=f"invalid_{part}")
        store.set_preferences(connection, account_id, {**every, part: merged})
        return merged

    return await database.write(write)

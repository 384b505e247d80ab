"""What is taken out of all texts (TGC-17 … TGC-20): the operator's table, for everyone."""

from datetime import datetime

from sqlalchemy import Connection

from wireroom.delivery import seeds
from wireroom.delivery.replacements import Replacement, check
from wireroom.errors import Conflict, NotFound
from wireroom.routing.wishes import operators_only
from wireroom.store import house
from wireroom.store.engine import Database
from wireroom.store.house import Removal


async def list_replacements(database: Database, account_id: int) -> list[Removal]:
    """All rows, in the order in which they are applied. Raises NotAllowed."""

    def look(connection: Connection) -> list[Removal]:
        operators_only(connection, account_id)
        return house.removals(connection)

    return await database.read(look)


async def add_replacement(
    database: Database, account_id: int, value: str, *, is_regex: bool = False, now: datetime
) -> int:
    """Add a text, or a linear-time expression, as the last row; gives its id.

    Raises UserError (`invalid_replacement`) for one that is empty, longer than 255 characters or
    no expression, Conflict (`duplicate_replacement`) for one that is there, and NotAllowed.
    """
    check(Replacement(value, is_regex))

    def work(connection: Connection) -> int | None:
        operators_only(connection, account_id)
        return house.add_removal(connection, value, is_regex=is_regex, now=now)

    added = await database.write(work)
    if added is None:
        raise Conflict("This is taken out already.", code="duplicate_replacement")
    return added


async def delete_replacement(database: Database, account_id: int, replacement_id: int) -> None:
    """Raises NotFound (`unknown_replacement`) or NotAllowed."""

    def work(connection: Connection) -> bool:
        operators_only(connection, account_id)
        return house.remove_removal(connection, replacement_id)

    if not await database.write(work):
        raise NotFound(
            f"There is no replacement with the number {replacement_id}.",
            code="unknown_replacement",
        )


async def seed_replacements(database: Database, account_id: int, *, now: datetime) -> int:
    """Add what most generators and teasers write (TGD-30); gives how many were not there yet."""

    def work(connection: Connection) -> int:
        operators_only(connection, account_id)
        return seeded(connection, now=now)

    return await database.write(work)


def seed_once(connection: Connection, *, now: datetime) -> None:
    """Seed an installation that was never seeded: rows that were deleted stay away."""
    if house.note_once(connection, "replacements_seeded", now=now):
        seeded(connection, now=now)


def seeded(connection: Connection, *, now: datetime) -> int:
    """Add the rows of `seeds` that are not there yet."""
    added = [
        house.add_removal(connection, each.value, is_regex=each.is_regex, now=now)
        for each in seeds.SEEDS
    ]
    return sum(each is not None for each in added)

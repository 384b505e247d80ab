"""Use cases of searching: finding entries by what somebody typed, and keeping searches by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.store import query, reading, saved_searches, search
from wireroom.store.engine import Database
from wireroom.store.reading import Body
from wireroom.store.saved_searches import SavedSearch
from wireroom.store.search import Hit

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
#: Nobody looks further down, and the index would be walked from its beginning for each page.
DEEPEST = 1_000
QUERY_CHARS = 1024
NAME_CHARS = 128
SEARCHES_PER_ACCOUNT = 200


@dataclass(frozen=True, slots=True)
class Found:
    """A page of hits with their long fields; `next` is where the following one starts."""

    hits: list[Hit]
    bodies: Mapping[tuple[int, int], Body]
    next: int | None


async def find(
    database: Database,
    account_id: int,
    typed: str,
    now: datetime,
    *,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Found:
    """The best first; without words the newest. Raises UserError (invalid_query)."""
    asked = query.parse(_checked(typed), now)
    limit = max(1, min(limit, MAX_LIMIT))

    def read(connection: Connection) -> Found:
        hits = search.search(connection, account_id, asked, limit=limit + 1, offset=offset)
        shown = hits[:limit]
        bodies = reading.bodies(connection, account_id, reading.keys_of(h.entry for h in shown))
        more = len(hits) > limit and offset + limit < DEEPEST
        return Found(shown, bodies, offset + limit if more else None)

    return await database.read(read)


def _checked(typed: str) -> str:
    typed = " ".join(typed.split())
    if not typed:
        raise UserError("Type what to look for.", code="invalid_query")
    if len(typed) > QUERY_CHARS or "\0" in typed:
        raise UserError(f"A search has at most {QUERY_CHARS} characters.", code="invalid_query")
    return typed


async def saved(database: Database, account_id: int) -> list[SavedSearch]:
    """All of an account's, by name."""
    return await database.read(saved_searches.every, account_id)


async def saved_one(database: Database, account_id: int, search_id: int) -> SavedSearch:
    """Raises NotFound (unknown_search)."""
    found = await database.read(saved_searches.find, account_id, search_id)
    if found is None:
        raise _unknown()
    return found


async def save(
    database: Database, account_id: int, name: str, typed: str, now: datetime
) -> SavedSearch:
    """Keep a search, in place of one with the same name.

    Raises UserError (invalid_name, invalid_query, too_many_searches).
    """
    typed, name = _checked(typed), " ".join(name.split())
    query.parse(typed, now)
    if not 0 < len(name) <= NAME_CHARS or not name.isprintable():
        raise UserError(f"A name has 1 to {NAME_CHARS} characters.", code="invalid_name")

    def write(connection: Connection) -> SavedSearch:
        kept = saved_searches.every(connection, account_id)
        if len(kept) >= SEARCHES_PER_ACCOUNT and name not in {each.name for each in kept}:
            raise UserError(
                f"{SEARCHES_PER_ACCOUNT} searches are enough.", code="too_many_searches"
            )
        return saved_searches.save(connection, account_id, name, typed, now=now)

    return await database.write(write)


async def forget(database: Database, account_id: int, search_id: int) -> None:
    """Raises NotFound (unknown_search)."""
    if not await database.write(saved_searches.remove, account_id, search_id):
        raise _unknown()


def _unknown() -> NotFound:
    return NotFound("There is no such search.", code="unknown_search")


__all__ = ["Found", "Hit", "SavedSearch", "find", "forget", "save", "saved", "saved_one"]

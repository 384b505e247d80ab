"""Use cases of reading: lists, single entries, and what is said about them.

The semantics of read state live in `store.reading`, `store.read_states` and `store.marking`; this
page checks what callers ask for and says which of it cannot be had.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.store import labels, marking, read_states
from wireroom.store import reading as store
from wireroom.store.engine import Database
from wireroom.store.marking import Marked
from wireroom.store.read_states import StateChange
from wireroom.store.reading import EVERYTHING, Body, Entry, Order, Place, Scope, Show

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
#: Entries one call may write about (API-34).
MAX_CHANGES = 100


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list; `next` is where the following one starts, None at the end (API-30)."""

    entries: list[Entry]
    next: Place | None


async def list_entries(
    database: Database,
    account_id: int,
    scope: Scope = EVERYTHING,
    *,
    show: Show = "all",
    order: Order = "newest",
    after: Place | None = None,
    limit: int = DEFAULT_LIMIT,
    label: str | None = None,
) -> Page:
    """`limit` is clamped to 1..100 (API-29). Raises NotFound for a scope that is not there.

    With a label, only what carries it.
    """

    def read(connection: Connection) -> Page:
        return _page(connection, account_id, scope, show, order, after, limit, label)

    return await database.read(read)


async def list_in_full(
    database: Database,
    account_id: int,
    scope: Scope = EVERYTHING,
    *,
    show: Show = "all",
    order: Order = "newest",
    after: Place | None = None,
    limit: int = DEFAULT_LIMIT,
    label: str | None = None,
) -> tuple[Page, dict[tuple[int, int], Body]]:
    """The same page with the long fields of its entries, by (feed, seq), from one moment."""

    def read(connection: Connection) -> tuple[Page, dict[tuple[int, int], Body]]:
        page = _page(connection, account_id, scope, show, order, after, limit, label)
        return page, store.bodies(connection, account_id, store.keys_of(page.entries))

    return await database.read(read)


def _page(
    connection: Connection,
    account_id: int,
    scope: Scope,
    show: Show,
    order: Order,
    after: Place | None,
    limit: int,
    label: str | None,
) -> Page:
    limit = max(1, min(limit, MAX_LIMIT))
    _require(connection, account_id, scope)
    found = store.list_entries(
        connection, account_id, scope,
        show=show, order=order, after=after, limit=limit + 1, label=label,
    )  # fmt: skip
    more = len(found) > limit
    return Page(found[:limit], found[limit - 1].place if more else None)


async def entry_in_full(
    database: Database, account_id: int, feed_id: int, seq: int
) -> tuple[Entry, Body]:
    """Raises NotFound (unknown_item) for what is not there or not followed."""
    found = await database.read(store.find_entry, account_id, feed_id, seq)
    if found is None:
        raise NotFound("There is no such entry.", code="unknown_item")
    return found


def keys_of(listed: Sequence[Entry]) -> list[tuple[int, int]]:
    """(feed, seq) of each."""
    return store.keys_of(listed)


async def bodies(
    database: Database, account_id: int, listed: Sequence[Entry]
) -> dict[tuple[int, int], Body]:
    """The long fields of entries that `list_entries` gave, by (feed, seq)."""
    return await database.read(store.bodies, account_id, store.keys_of(listed))


async def set_states(
    database: Database, account_id: int, changes: Sequence[StateChange], now: datetime
) -> int:
    """Gives how many entries were written about; unknown ones are passed over."""
    if len(changes) > MAX_CHANGES:
        raise UserError(f"At most {MAX_CHANGES} entries in one go.", code="too_many_items")
    return await database.write(read_states.set_states, account_id, changes, now)


async def mark_read_until(
    database: Database, account_id: int, scope: Scope, until: datetime | None, now: datetime
) -> tuple[Marked, datetime]:
    """Everything published up to `until` is read; gives the mark that was set.

    None means now; a naive time is UTC; a time ahead of now becomes now (API-39).
    """
    until = now if until is None else until
    until = min(until.replace(tzinfo=UTC) if until.tzinfo is None else until, now)

    def write(connection: Connection) -> Marked:
        _require(connection, account_id, scope)
        return marking.raise_watermarks(connection, account_id, scope, until, now)

    return await database.write(write), until


async def mark_seen(
    database: Database,
    account_id: int,
    seen: Mapping[int, int],
    *,
    show: Show,
    now: datetime,
    label: str | None = None,
) -> None:
    """What a list could show when it was drawn is read, and nothing that came later (B48).

    `seen` is each listed feed's last number at that moment; feeds not followed are passed over.
    With a label, only what carries it.
    """
    seen = _bounded(seen)
    if label is None:
        await database.write(marking.mark_seen, account_id, seen, show, now)
    else:
        await database.write(labels.mark_seen, account_id, label, seen, show, now)


async def arrived_since(
    database: Database, account_id: int, seen: Mapping[int, int], limit: int = MAX_LIMIT
) -> list[Entry]:
    """What came to the feeds in `seen` after those numbers, newest first."""
    return await database.read(store.arrived_since, account_id, _bounded(seen), limit)


def _bounded(seen: Mapping[int, int]) -> Mapping[int, int]:
    if len(seen) > store.SEEN_FEEDS:
        raise UserError(f"At most {store.SEEN_FEEDS} feeds in one go.", code="too_many_feeds")
    return seen


async def unread_counts(
    database: Database, account_id: int, scope: Scope = EVERYTHING
) -> dict[int, int]:
    """By feed; feeds without any unread entry are left out. Raises NotFound."""

    def read(connection: Connection) -> dict[int, int]:
        _require(connection, account_id, scope)
        return store.unread_counts(connection, account_id, scope)

    return await database.read(read)


async def pulse(database: Database, account_id: int) -> str:
    """A word that changes whenever the account's lists may have changed."""
    return await database.read(store.pulse, account_id)


def _require(connection: Connection, account_id: int, scope: Scope) -> None:
    if store.scope_exists(connection, account_id, scope):
        return
    if scope.folder_id is not None:
        raise NotFound("There is no such folder.", code="unknown_folder")
    raise NotFound("There is no such subscription.", code="unknown_subscription")


__all__ = [
    "DEFAULT_LIMIT",
    "EVERYTHING",
    "MAX_CHANGES",
    "MAX_LIMIT",
    "Body",
    "Entry",
    "Marked",
    "Order",
    "Page",
    "Place",
    "Scope",
    "Show",
    "StateChange",
    "arrived_since",
    "bodies",
    "entry_in_full",
    "keys_of",
    "list_entries",
    "list_in_full",
    "mark_read_until",
    "mark_seen",
    "pulse",
    "set_states",
    "unread_counts",
]

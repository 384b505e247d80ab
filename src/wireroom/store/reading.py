"""What an account reads: lists, counts and single entries.

Read state, decided in the modules named here and nowhere else (API-36, API-37): an explicit row in
`entry_states` wins; otherwise an entry is read when its date is at or before the subscription's
watermark. The date is `sort_at`, which is the publication time but never later than the moment we
met the entry, so that a date in the future cannot keep it unread for ever.
"""

from wireroom.store.counting import (
    FEEDS_AT_ONCE,
    after_numbers,
    arrived_since,
    moved_on,
    pulse,
    unread_counts,
)
from wireroom.store.entry_view import (
    TEASER_CHARS,
    Body,
    Entry,
    bodies,
    entries_past,
    find_entries,
    find_entry,
    keys_of,
    was_read,
)
from wireroom.store.listing import list_entries
from wireroom.store.scopes import (
    EVER,
    EVERYTHING,
    NEVER,
    Order,
    Place,
    Scope,
    Show,
    scope_exists,
)

#: Feeds that one statement is asked about by number.
SEEN_FEEDS = 10_000

__all__ = [
    "EVER",
    "EVERYTHING",
    "FEEDS_AT_ONCE",
    "NEVER",
    "SEEN_FEEDS",
    "TEASER_CHARS",
    "Body",
    "Entry",
    "Order",
    "Place",
    "Scope",
    "Show",
    "after_numbers",
    "arrived_since",
    "bodies",
    "entries_past",
    "find_entries",
    "find_entry",
    "keys_of",
    "list_entries",
    "moved_on",
    "pulse",
    "scope_exists",
    "unread_counts",
    "was_read",
]

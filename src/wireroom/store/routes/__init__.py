"""Destinations, routes and their cursors: what waits for whom, and what became of it.

The outbox is not a table: it is every entry past a route's cursor.
"""

from wireroom.store.routes.making import (
    add_destination,
    add_route,
    find_destination,
    start_waiting_routes,
)
from wireroom.store.routes.outbox import (
    ENTRIES_AT_ONCE,
    ROUTES_AT_ONCE,
    may_send,
    next_at,
    outbox,
    standing,
)
from wireroom.store.routes.places import change_address, resume, suspend, wake
from wireroom.store.routes.progress import (
    Note,
    advance,
    hold_back,
    note_failure,
    note_parcel,
    sent_since,
    under_way,
)
from wireroom.store.routes.route import (
    MERGED,
    Destination,
    Route,
    Waiting,
    destination,
    find,
    find_any,
)

__all__ = [
    "ENTRIES_AT_ONCE",
    "MERGED",
    "ROUTES_AT_ONCE",
    "Destination",
    "Note",
    "Route",
    "Waiting",
    "add_destination",
    "add_route",
    "advance",
    "change_address",
    "destination",
    "find",
    "find_any",
    "find_destination",
    "hold_back",
    "may_send",
    "next_at",
    "note_failure",
    "note_parcel",
    "outbox",
    "resume",
    "sent_since",
    "standing",
    "start_waiting_routes",
    "suspend",
    "under_way",
    "wake",
]

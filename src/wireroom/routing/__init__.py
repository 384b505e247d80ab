"""Use cases of routes and destinations: what their owners ask for, from every front end.

All of them look for the thing within the account that asks, so somebody else's is as good as none
(promise 10). Nothing that cannot be read or rendered is ever stored.
"""

from wireroom.routing.asking import Would, delivered, dry_run, preview, why
from wireroom.routing.pauses import pause_end
from wireroom.routing.posting import Posting, show_posting
from wireroom.routing.replacements import (
    add_replacement,
    delete_replacement,
    list_replacements,
    seed_replacements,
)
from wireroom.routing.samples import send_sample, set_template
from wireroom.routing.steering import (
    FOREVER,
    MOST_REPLAYED,
    list_routes,
    pause,
    replay,
    resume,
    resume_destination,
    routes_of_feed,
    suspend_destination,
)
from wireroom.routing.trials import Trial, try_feed, try_route
from wireroom.routing.trying import RouteTrial, TakenOut, show_at, try_at, try_replacement
from wireroom.routing.wishes import EVERYONE, Place, get_wishes, set_wish

__all__ = [
    "EVERYONE",
    "FOREVER",
    "MOST_REPLAYED",
    "Place",
    "Posting",
    "RouteTrial",
    "TakenOut",
    "Trial",
    "Would",
    "add_replacement",
    "delete_replacement",
    "delivered",
    "dry_run",
    "get_wishes",
    "list_replacements",
    "list_routes",
    "pause",
    "pause_end",
    "preview",
    "replay",
    "resume",
    "resume_destination",
    "routes_of_feed",
    "seed_replacements",
    "send_sample",
    "set_template",
    "set_wish",
    "show_at",
    "show_posting",
    "suspend_destination",
    "try_at",
    "try_feed",
    "try_replacement",
    "try_route",
    "why",
]

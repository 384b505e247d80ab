"""Following a feed and ceasing to: what every front end calls.

Adding a feed costs its publisher one request: the answer that proves the address right is also the
first reading, committed with the subscription in one transaction. A second one goes out where the
document gives itself another address.
"""

from wireroom.subscribing.adding import MOST_CHOICES, Choice, subscribe, subscribe_or_choose
from wireroom.subscribing.asking import (
    choose_identity,
    read_in_full,
    refresh_now,
    request_refresh,
    require_polling,
    set_interval,
)
from wireroom.subscribing.ceasing import Unsubscribed, unsubscribe
from wireroom.subscribing.lane import lane_lease
from wireroom.subscribing.looking import Looked, candidates, look
from wireroom.subscribing.sending import Target, send_to
from wireroom.subscribing.wishes import Subscribed

__all__ = [
    "MOST_CHOICES",
    "Choice",
    "Looked",
    "Subscribed",
    "Target",
    "Unsubscribed",
    "candidates",
    "choose_identity",
    "lane_lease",
    "look",
    "read_in_full",
    "refresh_now",
    "request_refresh",
    "require_polling",
    "send_to",
    "set_interval",
    "subscribe",
    "subscribe_or_choose",
    "unsubscribe",
]

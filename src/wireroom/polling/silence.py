"""For how long a host that says "too many requests" is left alone (pure, B18, B25).

This is the host's pause, for all feeds on it. When the feed that met it is asked again is for
`schedule` to say, and may be much later.
"""

from datetime import datetime, timedelta

from wireroom.feeds import urls
from wireroom.fetching.outcome import Failed, Fetched, Outcome, Throttled
from wireroom.polling.policies import Policy
from wireroom.store.claims import LaneLease
from wireroom.store.ingest import Silence

#: The first pause where the host names no time; each further one in a row is twice as long.
_FIRST = timedelta(minutes=10)
#: No more doublings than lead from there beyond every cap.
_MOST_DOUBLINGS = 8
#: Hosts that name a time in the past, or none to speak of.
_LEAST = timedelta(seconds=10)


def asked_for(
    outcome: Outcome, lease: LaneLease, policy: Policy, now: datetime, *, walled: bool = False
) -> Silence | None:
    """Which lane is to be silent, and until when; None when nobody asked for it.

    The host that answered asks, which after a redirect is not the feed's own. A bot wall, which
    is what `walled` tells of, says the same in another way.
    """
    longest = policy.retry_after_cap
    match outcome:
        case Throttled():
            pass
        case Failed() | Fetched() if walled:
            longest = min(longest, policy.backoff.cap)
        case _:
            return None
    lane = urls.lane(outcome.hops.final_url) or lease.lane
    if outcome.retry_after is not None:
        wait = min(max(outcome.retry_after, _LEAST), longest)
    else:
        in_a_row = lease.throttles if lane == lease.lane else 0
        wait = min(_FIRST * 2 ** min(in_a_row, _MOST_DOUBLINGS), longest)
    return Silence(lane, now + wait)

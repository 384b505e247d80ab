"""Leases: who may work on a lane or a destination now. One statement for each guarantee.

A claim sets `ready_at` to the end of the lease and counts `lease_token` up; a release sets
`ready_at` to the next moment when there is work. Whoever commits work under a lease calls `hold`
first, in the same transaction: it fails when the lease was lost, and keeps others from taking it
meanwhile (fencing). `woken` tells whoever releases a destination that something came meanwhile.
"""

from wireroom.store.claims.destinations import (
    DestinationLease,
    claim_destinations,
    hold_destination,
    next_destination_at,
    prolong_destination,
    release_destination,
    ring_at,
    wake_destinations,
)
from wireroom.store.claims.lanes import (
    LEAST_LEFT,
    LaneLease,
    claim_lane,
    claim_lanes,
    forget_throttles,
    hold_lanes,
    make_lane,
    next_lane_at,
    pause_lane,
    paused_until,
    release_lane,
    remove_empty_lane,
    wake_lane,
)
from wireroom.store.claims.lease import LEASE

__all__ = [
    "LEASE",
    "LEAST_LEFT",
    "DestinationLease",
    "LaneLease",
    "claim_destinations",
    "claim_lane",
    "claim_lanes",
    "forget_throttles",
    "hold_destination",
    "hold_lanes",
    "make_lane",
    "next_destination_at",
    "next_lane_at",
    "pause_lane",
    "paused_until",
    "prolong_destination",
    "release_destination",
    "release_lane",
    "remove_empty_lane",
    "ring_at",
    "wake_destinations",
    "wake_lane",
]

"""How often a wrong password may be tried and an endpoint called: pure decisions, in memory.

A few tries are free; after that each wrong one from the same place doubles the wait, up to a
quarter of an hour. There is no lock-out: a name that strangers try from everywhere is answered
slower, to its owner as well, and never refused.
"""

import ipaddress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

FREE_TRIES = 5
LONGEST_WAIT = timedelta(minutes=15)
#: Without a try for this long, an address or account starts afresh.
FORGOTTEN_AFTER = timedelta(hours=1)
#: A name is answered slower after so many tries from wherever, by so much for each, up to this.
SLOW_FROM = 20
SLOWER_BY = timedelta(milliseconds=100)
SLOWEST = timedelta(seconds=3)
#: More than this are not kept: the oldest go first.
KEPT = 10_000


@dataclass(slots=True)
class _Tries:
    wrong: int
    last: datetime


@dataclass(slots=True)
class Throttle:
    """Counts wrong tries by key: a login name, or where the caller comes from."""

    _tries: dict[str, _Tries] = field(default_factory=dict)

    def wait(self, keys: tuple[str, ...], now: datetime) -> timedelta:
        """How long every one of the keys has to wait before the next try; zero: go ahead."""
        return max((self._wait(key, now) for key in keys), default=timedelta())

    def _wait(self, key: str, now: datetime) -> timedelta:
        tries = self._tries.get(key)
        if tries is None or now - tries.last >= FORGOTTEN_AFTER or tries.wrong < FREE_TRIES:
            return timedelta()
        seconds = 2 ** min(tries.wrong - FREE_TRIES + 1, 20)
        until = tries.last + min(timedelta(seconds=seconds), LONGEST_WAIT)
        return max(until - now, timedelta())

    def slowness(self, key: str, now: datetime) -> timedelta:
        """How long to hold the answer back."""
        tries = self._tries.get(key)
        if tries is None or now - tries.last >= FORGOTTEN_AFTER:
            return timedelta()
        return min(max(tries.wrong - SLOW_FROM, 0) * SLOWER_BY, SLOWEST)

    def tried(self, keys: tuple[str, ...], now: datetime) -> None:
        """Count a try before its password is looked at, so that many at once count as many."""
        for key in keys:
            tries = self._tries.pop(key, None)
            fresh = tries is None or now - tries.last >= FORGOTTEN_AFTER
            self._tries[key] = _Tries(1 if fresh or tries is None else tries.wrong + 1, now)
        while len(self._tries) > KEPT:
            del self._tries[next(iter(self._tries))]

    def succeeded(self, keys: tuple[str, ...]) -> None:
        """The right password was given: forget the wrong ones."""
        for key in keys:
            self._tries.pop(key, None)


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: datetime


@dataclass(slots=True)
class Rate:
    """So many calls a minute by key; a minute's worth may come at once."""

    per_minute: int
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def wait(self, key: str, now: datetime) -> timedelta:
        """Count a call; zero: go ahead, else how long until the next one is answered."""
        bucket = self._buckets.pop(key, None) or _Bucket(self.per_minute, now)
        gained = max((now - bucket.at).total_seconds(), 0) * self.per_minute / 60
        bucket.tokens, bucket.at = min(bucket.tokens + gained, self.per_minute), now
        self._buckets[key] = bucket
        while len(self._buckets) > KEPT:
            del self._buckets[next(iter(self._buckets))]
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return timedelta()
        return timedelta(seconds=(1 - bucket.tokens) * 60 / self.per_minute)


def address_behind(peer: str, forwarded: str, proxies: tuple[str, ...]) -> str:
    """Where a request came from: behind known proxies the last hop that none of them is.

    `peer` is the other end of the connection, `forwarded` an X-Forwarded-For header.
    """
    address = peer
    hops = [hop.strip() for hop in forwarded.split(",")]
    while hops and is_among(address, proxies):
        hop = hops.pop()
        if hop:
            address = hop
    return address


def is_among(address: str, networks: tuple[str, ...]) -> bool:
    """Is an address in one of these networks? What is no address is in none."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(ip in ipaddress.ip_network(network, strict=False) for network in networks)


def origin_key(address: str) -> str:
    """Where a caller comes from: the address; for IPv6 its /64, which is one customer's."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return f"from {address[:64]}"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return f"from {ip.ipv4_mapped}"
        return f"from {ipaddress.ip_network((ip, 64), strict=False)}"
    return f"from {ip}"

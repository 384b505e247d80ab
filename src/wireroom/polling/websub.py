"""WebSub, the subscriber's decisions: which hub, which topic, whose signature, when again (pure).

Section numbers are those of the W3C Recommendation. Hubs tell us early; polling stays the truth,
so every doubt is resolved by polling.
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from wireroom.feeds import discovery, urls

#: What we ask for; hubs grant what they like.
LEASE = timedelta(days=10)
#: Granted leases are cut to these bounds: leases are never perpetual.
_SHORTEST, _LONGEST = timedelta(minutes=10), timedelta(days=30)
#: Of a lease, when it is renewed.
_RENEW_AT = 0.8
#: A hub that accepts has this long to call back.
VERIFY_WITHIN = timedelta(hours=1)
_RETRY = timedelta(hours=1)
#: After so many failures in a row a hub is left alone for a day.
_BROKEN_AFTER = 3
_DAY = timedelta(days=1)
#: A hub that said no is asked again after this.
_DENIED = timedelta(days=3)
#: So many pushes in a row with a wrong signature: somebody else holds the callback's address.
MOST_FORGED = 20

_METHODS = frozenset({"sha1", "sha256", "sha384", "sha512"})
_ACCEPTED = range(200, 300)
_MOVED = frozenset({307, 308})

Mode = Literal["subscribe", "unsubscribe", "denied"]
_MODES: Mapping[str, Mode] = {
    "subscribe": "subscribe",
    "unsubscribe": "unsubscribe",
    "denied": "denied",
}


def hub_and_topic(
    link_header: str, hub_urls: Iterable[str], self_url: str, final_url: str
) -> tuple[str, str]:
    """The hub to ask and the topic to name, or two "" (§4).

    The Link header comes before the document. Without a self link the address that answered is the
    topic. An https hub is preferred, because a secret may only be sent over https.
    """
    links = list(discovery.header_links(link_header))
    hubs = [urls.resolve(final_url, link.href) for link in links if "hub" in link.rels]
    topics = [urls.resolve(final_url, link.href) for link in links if "self" in link.rels]
    if not any(hubs):
        hubs, topics = list(hub_urls), [self_url]
    hubs = sorted((hub for hub in hubs if hub), key=lambda hub: not hub.startswith("https:"))
    topic = next((topic for topic in topics if topic), final_url)
    return (hubs[0], topic) if hubs else ("", "")


def subscription_form(
    mode: Mode, topic: str, callback_url: str, secret: str, *, hub_url: str
) -> dict[str, str]:
    """What is posted to the hub (§5.1). The secret goes over https alone."""
    form = {
        "hub.mode": mode,
        "hub.topic": topic,
        "hub.callback": callback_url,
        "hub.lease_seconds": str(round(LEASE.total_seconds())),
        "hub.verify": "async",  # PubSubHubbub 0.3 asks for it
    }
    if hub_url.startswith("https:"):
        form["hub.secret"] = secret
    return form


def farewell_form(topic: str, callback_url: str) -> dict[str, str]:
    """What is posted to the hub once nobody follows the feed any more (§5.1)."""
    return {
        "hub.mode": "unsubscribe",
        "hub.topic": topic,
        "hub.callback": callback_url,
        "hub.verify": "async",
    }


@dataclass(frozen=True, slots=True)
class Verification:
    """A hub's question whether a subscription is wanted, or its refusal (§5.2, §5.3)."""

    mode: Mode
    topic: str
    challenge: str
    lease: timedelta | None
    reason: str = ""


def verification(query: Mapping[str, str]) -> Verification | None:
    """The question in a callback's query, or None when it is none. PHP writes hub_mode."""

    def value(name: str) -> str:
        return query.get(f"hub.{name}") or query.get(f"hub_{name}") or ""

    mode = _MODES.get(value("mode"))
    if mode is None or not value("topic"):
        return None
    challenge = value("challenge")[:4096]
    if mode != "denied" and not challenge:
        return None
    seconds = value("lease_seconds")
    granted = int(seconds) if seconds.isascii() and seconds.isdigit() and len(seconds) < 12 else 0
    lease = min(max(timedelta(seconds=granted), _SHORTEST), _LONGEST) if granted else None
    return Verification(mode, value("topic"), challenge, lease, value("reason")[:256])


def renew_at(lease: timedelta, now: datetime, random: float) -> datetime:
    """When a lease that was granted now is renewed: at 80 % of it, less up to a tenth."""
    return now + lease * (_RENEW_AT - 0.1 * random)


def is_accepted(status: int) -> bool:
    """Whether a hub took our request: 202, and 204 or 200 of old hubs."""
    return status in _ACCEPTED


def moved_to(hub_url: str, status: int, location: str) -> str:
    """Where the same is to be said again, or "" (§5.1). What goes over https stays there."""
    if status not in _MOVED or not location:
        return ""
    there = urls.resolve(hub_url, location)
    return there if there.startswith("https:") or hub_url.startswith("http:") else ""


def retry_at(failures: int, now: datetime, wait: timedelta | None = None) -> datetime:
    """When a hub that failed so often in a row is asked again; `wait` is its Retry-After."""
    usual = _DAY if failures >= _BROKEN_AFTER else _RETRY
    return now + max(usual, min(wait or _RETRY, _DAY))


def denied_until(now: datetime) -> datetime:
    """When a hub that said no is asked again."""
    return now + _DENIED


def is_signed(header: str, body: bytes, secret: str) -> bool:
    """Whether `X-Hub-Signature` is that of the body under our secret (§7.1)."""
    method, _, signature = header.strip().partition("=")
    method = method.lower()
    if method not in _METHODS:
        return False
    expected = hmac.new(secret.encode(), body, method).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.strip().lower().encode())


def is_trusted(feed_url: str, topic_url: str, hub_url: str) -> bool:
    """Whether a signed push is taken as the feed's own words, or only as a hint to poll.

    The topic is what the document says, and may be somebody else's; without https there was no
    secret.
    """
    same = urls.registrable(urls.host(feed_url)) or urls.host(feed_url)
    there = urls.registrable(urls.host(topic_url)) or urls.host(topic_url)
    return same == there and hub_url.startswith("https:")

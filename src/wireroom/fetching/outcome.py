"""What can come back from asking for a URL: values, so that the caller plans for each (pure).

::

    Outcome = Fetched | NotModified | Gone | Throttled | Failed

Redirects are not an outcome of their own: the client follows them and every outcome carries the
`Hops` that led to it.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from wireroom.values import value


@value
class Validators:
    """ETag and Last-Modified exactly as the server sent them (RFC 9110 §8.8), never
    re-formatted."""

    etag: str = ""
    last_modified: str = ""

    def __bool__(self) -> bool:
        return bool(self.etag or self.last_modified)


@value
class Hops:
    """The way to the answer.

    `final_url` answered. `permanent_url` is the last target of the unbroken leading run of 301/308
    (HTTP-26), or None when the first hop was not permanent or there was none. `count` is the
    number of redirects.
    """

    final_url: str
    permanent_url: str | None = None
    count: int = 0


@value
class Fetched:
    """A complete 200. `body` is decompressed and within the size limits.

    `max_age` is Cache-Control max-age where it is a positive number; `retry_after` is sent by some
    servers with a 200, too (FAIL-15). `link_header` is the raw Link header (WebSub, RFC 8288).
    """

    hops: Hops
    status: int
    body: bytes
    content_type: str
    validators: Validators
    max_age: timedelta | None = None
    retry_after: timedelta | None = None
    link_header: str = ""
    #: The language that Content-Language names, or "" when it names none or several.
    content_language: str = ""


@value
class NotModified:
    """304: what we have is current. `validators` hold only what the 304 itself carried (RFC 9111
    §4.3.4)."""

    hops: Hops
    validators: Validators
    max_age: timedelta | None = None
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Gone:
    """410: the publisher says that nothing will come any more."""

    hops: Hops
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Throttled:
    """429 or 503: not an error. `retry_after` is None when the server named no time."""

    hops: Hops
    status: int
    retry_after: timedelta | None = None
    excerpt: str = ""


#: Why nothing usable came back, for code to branch on; `Failed.reason` is for people.
FailureKind = Literal[
    "invalid_url",  # not an address that may be dialled: scheme, port, characters
    "refused_address",  # resolves to a private or special address (SSRF guard)
    "dns",
    "connect",
    "tls",
    "timeout",
    "protocol",  # broken HTTP, broken compression
    "redirect",  # loop, too many hops, missing Location, other scheme
    "too_large",
    "status",  # 4xx/5xx other than 410, 429, 503; see `Failed.status`
    "bot_wall",  # a challenge page instead of an answer
    "local",  # this machine has run out of sockets or memory; says nothing of the feed
    "postponed",  # our caller did not let us dial the next hop
]


@dataclass(frozen=True, slots=True)
class Failed:
    """No usable answer. `reason` is one sentence without secrets; `excerpt` at most 500 characters
    of the body."""

    hops: Hops
    kind: FailureKind
    reason: str
    status: int | None = None
    retry_after: timedelta | None = None
    excerpt: str = ""


Outcome = Fetched | NotModified | Gone | Throttled | Failed

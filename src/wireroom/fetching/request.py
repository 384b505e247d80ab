"""What the client is asked for, and within which bounds (pure values)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from wireroom.fetching.access import Access
from wireroom.fetching.guard import Credentials
from wireroom.fetching.headers import Accept
from wireroom.fetching.outcome import Validators
from wireroom.values import value

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one fetch (C17). Going over a size is a failure, never a silent cut.

    `wire_bytes` are counted before, `body_bytes` after decompression. `connect` bounds the look-up
    of a name and, once more, connecting with the TLS handshake; `operation` any wait for the next
    bytes; `total` everything together, all redirects included.
    """

    wire_bytes: int = 5 * MEGABYTE
    body_bytes: int = 5 * MEGABYTE
    header_bytes: int = 64 * 1024
    redirects: int = 5
    connect: timedelta = timedelta(seconds=10)
    operation: timedelta = timedelta(seconds=20)
    total: timedelta = timedelta(seconds=60)


@value
class Request:
    """A GET for an address that somebody typed or a publisher sent.

    `verbatim_validators` sends both validators byte for byte (HTTP-02) instead of the strong ETag
    alone (HTTP-03, HTTP-04). `cookie` is the value of a Cookie header; it and `credentials` (else
    those in the URL) go to the first origin only and are dropped for good when a redirect changes
    scheme, host or port.
    `scheme_as_written` spares an http address the attempt over https, for callers who know from
    the last `Hops.final_url` that it is vain; `Rules.allow_http` is needed all the same.
    `user_agent` and `limits` default to the client's. `proxy`, `certificate` and `authority` are
    those of `fetching.access`; the certificate, too, is for the first origin only.
    """

    url: str
    validators: Validators = Validators()
    verbatim_validators: bool = False
    accept: Accept = "feed"
    user_agent: str | None = None
    cookie: str | None = field(default=None, repr=False)
    credentials: Credentials | None = None
    scheme_as_written: bool = False
    limits: FetchLimits | None = None
    proxy: str = field(default="", repr=False)
    certificate: str = field(default="", repr=False)
    authority: str = field(default="", repr=False)

    def by(self, access: Access) -> "Request":
        """The same with what the feed needs besides its address."""
        if not access:
            return self
        return replace(
            self,
            verbatim_validators=access.is_verbatim(usually=self.verbatim_validators),
            user_agent=access.user_agent or self.user_agent,
            cookie=access.cookie or self.cookie,
            credentials=access.credentials or self.credentials,
            proxy=access.proxy,
            certificate=access.certificate,
            authority=access.authority,
        )


@dataclass(frozen=True, slots=True)
class Post:
    """A POST to an address that somebody typed, such as a webhook.

    Redirects are not followed: a body is delivered where its owner pointed, or not at all.
    `headers` are the caller's, Content-Type among them.
    """

    url: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    limits: FetchLimits | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What a POST was answered, whatever the status. Names of `headers` are lower case.

    `body` is the beginning of the answer, at most `FetchLimits.body_bytes`.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    retry_after: timedelta | None = None

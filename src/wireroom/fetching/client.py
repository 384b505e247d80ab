"""The one HTTP client for addresses that people type and publishers send.

::

    async with Client(user_agent="Wireroom/0.1 (+https://example.org/bot)") as client:
        outcome = await client.get(Request("https://example.org/feed", validators))

What the network does comes back as a value; exceptions mean cancellation or a mistake in here.
Every hop goes through `fetching.dialing`, so it is resolved, checked and pinned by itself.

An address with http is asked over https first, and over http only if https does not come about
(no connection, no TLS) and `Rules.allow_http` is set. The exception are hosts which only the
operator's allow-list permits: nobody signs certificates for these, so with `allow_http` they are
dialled as written.
"""

import asyncio
import socket
import ssl
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Self

import aiohttp
import yarl

from wireroom.errors import InvalidURL
from wireroom.fetching.decompress import in_words
from wireroom.fetching.dialing import Doors, Lookup, MakeSocket, SystemNames
from wireroom.fetching.guard import PLAIN_HTTP_REFUSED, Credentials, Rules, Target, check_url
from wireroom.fetching.headers import (
    ACCEPT_ENCODING,
    Head,
    conditional_headers,
    read_head,
    request_headers,
)
from wireroom.fetching.outcome import Failed, FailureKind, Hops, Outcome
from wireroom.fetching.reading import outcome_of, read_beginning
from wireroom.fetching.reasons import Trouble, trouble_of
from wireroom.fetching.redirects import REDIRECTS, Trail, follow
from wireroom.fetching.request import FetchLimits, Post, Request, Response

#: Bytes of a redirect's body, and seconds, spent on it so that its connection can be used again.
_REDIRECT_BODY = 16 * 1024
_REDIRECT_SECONDS = 1.0

#: https did not come about, and nothing has been sent.
_NO_HTTPS: frozenset[FailureKind] = frozenset({"connect", "tls"})

#: Says "" when a URL may be dialled now, else why not.
BeforeHop = Callable[[str], Awaitable[str]]


def utc_now() -> datetime:
    return datetime.now(UTC)


def system_tls() -> ssl.SSLContext:
    """The system's certificates; costs some 20 ms, so one context serves all connections."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


@dataclass(frozen=True, slots=True)
class _Call:
    """What is said on every hop; `secrets` are header fields for the first origin alone."""

    method: str
    headers: Mapping[str, str]
    limits: FetchLimits
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class _Answer:
    """An open response to `asked`, whose head has been read."""

    asked: Target
    response: aiohttp.ClientResponse
    head: Head
    inside: bool


class Client:
    """See the module. Belongs to one event loop; use as an async context manager.

    `user_agent` is sent as it is. `tls`, `lookup` and `make_socket` stand in for the system's
    certificates, name resolution and sockets. `connections` bounds the open connections; fetches
    beyond it wait within their total time, so let it be above the number of concurrent fetches.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        rules: Rules = Rules(),
        limits: FetchLimits = FetchLimits(),
        tls: ssl.SSLContext | None = None,
        lookup: Lookup | None = None,
        make_socket: MakeSocket = socket.socket,
        connections: int = 256,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._user_agent = user_agent
        self._rules = rules
        self._limits = limits
        self._tls = tls
        self._lookup = lookup
        self._make_socket = make_socket
        self._connections = connections
        self._clock = clock
        self._names: SystemNames | None = None
        self._doors: Doors | None = None

    async def __aenter__(self) -> Self:
        if self._lookup is None:
            self._names = SystemNames()
            self._lookup = self._names.lookup
        self._doors = Doors(
            self._rules,
            self._limits,
            tls=self._tls or system_tls(),
            lookup=self._lookup,
            make_socket=self._make_socket,
            connections=self._connections,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._doors is not None:
            await self._doors.close()
        if self._names is not None:
            self._names.close()

    async def get(self, request: Request, *, before_hop: BeforeHop | None = None) -> Outcome:
        """Ask for `request.url`, follow where it leads, and say what came of it.

        `before_hop` is asked before every URL is dialled; anything but "" is its reason to stop,
        which comes back as a `Failed` of kind postponed. Its time counts as that of the fetch.
        """
        try:
            target = check_url(request.url, self._rules)
        except InvalidURL as error:
            return _refused(error)
        limits = request.limits or self._limits
        conditions = conditional_headers(request.validators, verbatim=request.verbatim_validators)
        call = _Call(
            method="GET",
            headers=request_headers(request.accept, request.user_agent or self._user_agent)
            | conditions,
            secrets=_secrets(request.cookie, request.credentials or target.credentials),
            limits=limits,
        )
        trail = Trail(target, as_written=request.scheme_as_written)
        try:
            async with asyncio.timeout(limits.total.total_seconds()):
                while True:
                    if before_hop and (reason := await before_hop(trail.target.url)):
                        return Failed(trail.hops(), "postponed", reason)
                    step = await self._hop(trail, call, conditional=bool(conditions))
                    if not isinstance(step, Trail):
                        return step
                    trail = step
        except TimeoutError:
            return _out_of_time(trail, limits)

    async def post(self, post: Post) -> Response | Failed:
        """Deliver `post.body`; any status is a `Response`.

        A `Failed` of kind invalid_url, refused_address, dns, connect or tls says that nothing was
        delivered. After any other the receiver may have taken it.
        """
        try:
            target = check_url(post.url, self._rules)
        except InvalidURL as error:
            return _refused(error)
        limits = post.limits or self._limits
        own = {"User-Agent": self._user_agent, "Accept-Encoding": ACCEPT_ENCODING}
        call = _Call(
            method="POST",
            headers=own | dict(post.headers),
            secrets=_secrets(None, target.credentials),
            body=post.body,
            limits=limits,
        )
        trail = Trail(target)
        try:
            async with asyncio.timeout(limits.total.total_seconds()):
                answer = await self._ask(trail, call)
                if isinstance(answer, Failed):
                    return answer
                async with answer.response as response:
                    body = await read_beginning(response, answer.head, limits.body_bytes)
        except TimeoutError:
            return _out_of_time(trail, limits)
        headers = {name.lower(): value for name, value in answer.response.headers.items()}
        return Response(answer.head.status, headers, body, answer.head.retry_after)

    async def _hop(self, trail: Trail, call: _Call, *, conditional: bool) -> Outcome | Trail:
        answer = await self._ask(trail, call)
        if isinstance(answer, Failed):
            return answer
        async with answer.response as response:
            head = answer.head
            if head.status in REDIRECTS:
                await _pass_over(response, head)
                return self._follow(trail, answer, call.limits)
            hops = trail.hops(answer.asked)
            try:
                return await outcome_of(response, head, hops, call.limits, conditional=conditional)
            except (aiohttp.ClientError, OSError) as error:
                trouble = trouble_of(error, answer.asked.host)
                return Failed(hops, trouble.kind, trouble.reason, head.status)

    def _follow(self, trail: Trail, answer: _Answer, limits: FetchLimits) -> Trail | Failed:
        head = answer.head
        step = follow(
            trail, answer.asked, head.status, head.location, self._rules, limits.redirects
        )
        return step if isinstance(step, Failed) else replace(step, inside=answer.inside)

    async def _ask(self, trail: Trail, call: _Call) -> _Answer | Failed:
        """The first answer that one of the ways to dial the trail's target gives."""
        assert self._doors is not None, "the client is used outside of its context"
        inside = trail.inside and await self._doors.leads_inside(trail.target.host)
        session = self._doors.session(inside=inside)
        for target in self._ways(trail, inside=inside):
            try:
                response = await _send(session, target, trail, call)
            except (aiohttp.ClientError, OSError) as error:
                trouble = trouble_of(error, target.host)
                if trouble.kind not in _NO_HTTPS:
                    break
            else:
                return self._read(trail, target, response, call, inside=inside)
        return Failed(trail.hops(target), trouble.kind, self._why(trouble, trail.target))

    def _ways(self, trail: Trail, *, inside: bool) -> tuple[Target, ...]:
        target = trail.target
        if target.scheme == "https":
            return (target,)
        if not self._rules.allow_http:
            return (target.over_https(),)
        return (target,) if trail.as_written or inside else (target.over_https(), target)

    def _why(self, trouble: Trouble, target: Target) -> str:
        if target.scheme == "https" or self._rules.allow_http or trouble.kind not in _NO_HTTPS:
            return trouble.reason
        return f"{trouble.reason.removesuffix('.')}, and {PLAIN_HTTP_REFUSED}."

    def _read(
        self,
        trail: Trail,
        asked: Target,
        response: aiohttp.ClientResponse,
        call: _Call,
        *,
        inside: bool,
    ) -> _Answer | Failed:
        fields = response.raw_headers
        most = call.limits.header_bytes
        if sum(len(name) + len(value) + 4 for name, value in fields) > most:
            response.close()
            reason = f"The head of the answer is larger than {in_words(most)}."
            return Failed(trail.hops(asked), "too_large", reason, response.status)
        return _Answer(asked, response, read_head(response.status, fields, self._clock()), inside)


async def _send(
    session: aiohttp.ClientSession, target: Target, trail: Trail, call: _Call
) -> aiohttp.ClientResponse:
    secrets = call.secrets if trail.may_carry_secrets(target) else {}
    return await session.request(
        call.method,
        yarl.URL(target.url, encoded=True),
        headers={**call.headers, **secrets},
        data=call.body,
        allow_redirects=False,
        timeout=aiohttp.ClientTimeout(
            total=None,
            sock_connect=call.limits.connect.total_seconds(),
            sock_read=call.limits.operation.total_seconds(),
        ),
    )


async def _pass_over(response: aiohttp.ClientResponse, head: Head) -> None:
    try:
        async with asyncio.timeout(_REDIRECT_SECONDS):
            await read_beginning(response, head, _REDIRECT_BODY)
    except TimeoutError:
        response.close()


def _secrets(cookie: str | None, credentials: Credentials | None) -> dict[str, str]:
    secrets = {"Cookie": cookie} if cookie else {}
    if credentials is not None:
        pair = f"{credentials.user}:{credentials.password}".encode()
        secrets["Authorization"] = f"Basic {b64encode(pair).decode()}"
    return secrets


def _refused(error: InvalidURL) -> Failed:
    kind: FailureKind = "refused_address" if error.code == "refused_address" else "invalid_url"
    return Failed(Hops(""), kind, str(error))


def _out_of_time(trail: Trail, limits: FetchLimits) -> Failed:
    seconds = f"{limits.total.total_seconds():g}"
    reason = f"{trail.target.host} has not finished its answer within {seconds} seconds."
    return Failed(trail.hops(), "timeout", reason)

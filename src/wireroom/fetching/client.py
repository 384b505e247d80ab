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
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Self

import aiohttp

from wireroom.errors import InvalidURL
from wireroom.fetching.asking import Answer, Call, ask, secret_headers
from wireroom.fetching.dialing import Doors, Lookup, MakeSocket, SystemNames
from wireroom.fetching.guard import Rules, check_url
from wireroom.fetching.headers import (
    ACCEPT_ENCODING,
    conditional_headers,
    request_headers,
    text,
)
from wireroom.fetching.outcome import Failed, FailureKind, Hops, Outcome
from wireroom.fetching.reading import not_modified, outcome_of, read_beginning
from wireroom.fetching.reasons import trouble_of
from wireroom.fetching.redirects import REDIRECTS, Trail, follow
from wireroom.fetching.request import FetchLimits, Post, Request, Response
from wireroom.fetching.tls import system_tls

#: Bytes of a redirect's body, and seconds, spent on it so that its connection can be used again.
_REDIRECT_BODY = 16 * 1024
_REDIRECT_SECONDS = 1.0

#: Says "" when a URL may be dialled now, else why not.
BeforeHop = Callable[[str], Awaitable[str]]


def utc_now() -> datetime:
    return datetime.now(UTC)


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
        #: Those of a request that brings none; may be replaced at any time.
        self.limits = limits
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
            self.limits,
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

        `Hops.final_url` is empty where the URL itself was refused. `before_hop` is asked before
        every URL is dialled; anything but "" is its reason to stop, which comes back as a `Failed`
        of kind postponed. Its time counts as that of the fetch.
        """
        try:
            target = check_url(request.url, self._rules)
        except InvalidURL as error:
            return _refused(error)
        conditions = conditional_headers(request.validators, verbatim=request.verbatim_validators)
        agent = request.user_agent or self._user_agent
        call = Call(
            method="GET",
            headers={**request_headers(request.accept, agent), **conditions},
            limits=request.limits or self.limits,
            secrets=secret_headers(request.cookie, request.credentials or target.credentials),
            proxy=request.proxy,
            certificate=request.certificate,
            authority=request.authority,
        )
        trail = Trail(target, as_written=request.scheme_as_written)
        try:
            with self._open_doors().deadlines.within(call.limits.total.total_seconds()):
                while True:
                    if before_hop and (reason := await before_hop(trail.target.url)):
                        return Failed(trail.hops(), "postponed", reason)
                    step = await self._hop(trail, call, conditional=bool(conditions))
                    if not isinstance(step, Trail):
                        return step
                    trail = step
        except TimeoutError:
            return _out_of_time(trail, call.limits)

    async def post(self, post: Post) -> Response | Failed:
        """Deliver `post.body`; any status is a `Response`.

        A `Failed` of kind invalid_url, refused_address, local, dns, connect or tls says that
        nothing was delivered. After any other the receiver may have taken it.
        """
        try:
            target = check_url(post.url, self._rules)
        except InvalidURL as error:
            return _refused(error)
        call = Call(
            method="POST",
            headers={
                "User-Agent": self._user_agent,
                "Accept-Encoding": ACCEPT_ENCODING,
                **post.headers,
            },
            limits=post.limits or self.limits,
            secrets=secret_headers(None, target.credentials),
            body=post.body,
        )
        trail = Trail(target)
        try:
            with self._open_doors().deadlines.within(call.limits.total.total_seconds()):
                answer = await self._ask(trail, call)
                return answer if isinstance(answer, Failed) else await _response(answer, call)
        except TimeoutError:
            return _out_of_time(trail, call.limits)

    def _open_doors(self) -> Doors:
        assert self._doors is not None, "the client is used outside of its context"
        return self._doors

    def _ask(self, trail: Trail, call: Call) -> Awaitable[Answer | Failed]:
        return ask(trail, call, doors=self._open_doors(), rules=self._rules, now=self._clock())

    async def _hop(self, trail: Trail, call: Call, *, conditional: bool) -> Outcome | Trail:
        answer = await self._ask(trail, call)
        if isinstance(answer, Failed):
            return answer
        if answer.head.status == HTTPStatus.NOT_MODIFIED:  # most answers; it has no body to read
            answer.response.release()
            return not_modified(answer.head, trail.hops(answer.asked), conditional=conditional)
        async with answer.response:
            if answer.head.status in REDIRECTS:
                await _pass_over(answer)
                return self._follow(trail, answer, call.limits)
            return await _outcome(answer, trail.hops(answer.asked), call.limits)

    def _follow(self, trail: Trail, answer: Answer, limits: FetchLimits) -> Trail | Failed:
        head = answer.head
        step = follow(
            trail, answer.asked, head.status, head.location, self._rules, limits.redirects
        )
        return step if isinstance(step, Failed) else replace(step, inside=answer.inside)


async def _outcome(answer: Answer, hops: Hops, limits: FetchLimits) -> Outcome:
    try:
        return await outcome_of(answer.response, answer.head, hops, limits)
    except (aiohttp.ClientError, OSError) as error:
        trouble = trouble_of(error, answer.asked.host)
        return Failed(hops, trouble.kind, trouble.reason, answer.head.status)


async def _response(answer: Answer, call: Call) -> Response:
    async with answer.response as response:
        body = await read_beginning(response, answer.head, call.limits.body_bytes)
    headers = {text(name).lower(): text(value.strip()) for name, value in response.raw_headers}
    return Response(answer.head.status, headers, body, answer.head.retry_after)


async def _pass_over(redirect: Answer) -> None:
    try:
        async with asyncio.timeout(_REDIRECT_SECONDS):
            await read_beginning(redirect.response, redirect.head, _REDIRECT_BODY)
    except TimeoutError:
        redirect.response.close()


def _refused(error: InvalidURL) -> Failed:
    kind: FailureKind = "refused_address" if error.code == "refused_address" else "invalid_url"
    return Failed(Hops(""), kind, str(error))


def _out_of_time(trail: Trail, limits: FetchLimits) -> Failed:
    seconds = f"{limits.total.total_seconds():g}"
    reason = f"{trail.target.host} has not finished its answer within {seconds} seconds."
    return Failed(trail.hops(), "timeout", reason)

"""Asking one target once: which way it is dialled, what is said, how the answer begins."""

import functools
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

import aiohttp
import yarl

from wireroom.fetching import speaking
from wireroom.fetching.deadlines import Deadlines
from wireroom.fetching.decompress import in_words
from wireroom.fetching.dialing import Doors
from wireroom.fetching.guard import PLAIN_HTTP_REFUSED, Credentials, Rules, Target
from wireroom.fetching.headers import Head, read_head
from wireroom.fetching.outcome import Failed, FailureKind
from wireroom.fetching.reasons import Trouble, trouble_of
from wireroom.fetching.redirects import Trail
from wireroom.fetching.request import FetchLimits
from wireroom.fetching.speaking import Reply
from wireroom.fetching.tls import tls_with
from wireroom.values import value

#: https did not come about, and nothing has been sent.
_NO_HTTPS: frozenset[FailureKind] = frozenset({"connect", "tls"})


@value
class Call:
    """What is said on every hop; `secrets` are header fields for the first origin alone."""

    method: str
    headers: Mapping[str, str]
    limits: FetchLimits
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = None
    proxy: str = field(default="", repr=False)
    certificate: str = field(default="", repr=False)
    authority: str = field(default="", repr=False)


@value
class Answer:
    """An open response of `asked`, whose head has been read.

    `inside` tells that it came through the inner door.
    """

    asked: Target
    response: aiohttp.ClientResponse | Reply
    head: Head
    inside: bool


def secret_headers(cookie: str | None, credentials: Credentials | None) -> dict[str, str]:
    """The header fields that only the first origin may see."""
    secrets = {"Cookie": cookie} if cookie else {}
    if credentials is not None:
        pair = f"{credentials.user}:{credentials.password}".encode()
        secrets["Authorization"] = f"Basic {b64encode(pair).decode()}"
    return secrets


async def ask(
    trail: Trail, call: Call, *, doors: Doors, rules: Rules, now: datetime
) -> Answer | Failed:
    """The answer of the trail's target over the first way that leads there.

    The caller closes the response.
    """
    inside = trail.inside and await doors.leads_inside(trail.target.host)
    session = doors.proxied() if call.proxy else doors.session(inside=inside)
    for target in _ways(trail, rules, inside=inside):
        try:
            response = await _send(session, target, trail, call, doors.deadlines)
        except (aiohttp.ClientError, OSError) as error:
            trouble = trouble_of(error, target.host)
            if trouble.kind not in _NO_HTTPS:
                break
        else:
            return _answer(trail, target, response, call, inside=inside, now=now)
    return Failed(trail.hops(target), trouble.kind, _why(trouble, trail.target, rules))


def _ways(trail: Trail, rules: Rules, *, inside: bool) -> tuple[Target, ...]:
    target = trail.target
    if target.scheme == "https":
        return (target,)
    if not rules.allow_http:
        return (target.over_https(),)
    return (target,) if trail.as_written or inside else (target.over_https(), target)


async def _send(
    session: aiohttp.ClientSession,
    target: Target,
    trail: Trail,
    call: Call,
    deadlines: Deadlines,
) -> aiohttp.ClientResponse | Reply:
    may_carry = trail.may_carry_secrets(target)
    headers = {**call.headers, **call.secrets} if may_carry and call.secrets else call.headers
    is_special = may_carry and (call.certificate or call.authority)
    tls = tls_with(call.certificate, call.authority) if is_special else None
    if call.method == "GET" and not call.proxy:
        assert session.connector is not None, "the client is used after its end"
        return await speaking.get(
            session.connector,
            target,
            headers,
            tls=tls,
            waits=_timeout(call.limits),
            line_bytes=call.limits.header_bytes,
            deadlines=deadlines,
        )
    special: dict[str, Any] = {"proxy": call.proxy} if call.proxy else {}
    return await session.request(
        call.method,
        yarl.URL(target.url, encoded=True),
        headers=headers,
        data=call.body,
        allow_redirects=False,
        timeout=_timeout(call.limits),
        ssl=tls or True,
        **special,
    )


@functools.lru_cache(maxsize=16)
def _timeout(limits: FetchLimits) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(
        total=None,  # the client's, over all hops
        sock_connect=limits.connect.total_seconds(),
        sock_read=limits.operation.total_seconds(),
    )


def _answer(
    trail: Trail,
    asked: Target,
    response: aiohttp.ClientResponse | Reply,
    call: Call,
    *,
    inside: bool,
    now: datetime,
) -> Answer | Failed:
    fields = response.raw_headers
    most = call.limits.header_bytes
    if sum([len(name) + len(value) + 4 for name, value in fields]) > most:
        response.close()
        reason = f"The head of the answer is larger than {in_words(most)}."
        return Failed(trail.hops(asked), "too_large", reason, response.status)
    return Answer(asked, response, read_head(response.status, fields, now), inside)


def _why(trouble: Trouble, target: Target, rules: Rules) -> str:
    if target.scheme == "https" or rules.allow_http or trouble.kind not in _NO_HTTPS:
        return trouble.reason
    return f"{trouble.reason.removesuffix('.')}, and {PLAIN_HTTP_REFUSED}."

"""Connections that lead only where the guard lets them.

There are two doors. The public door opens to public addresses alone; the inner door, there only if
the operator allow-listed private networks, to those alone. Both check all addresses of a name when
it is looked up and, once more, the very address that a socket is made for: literals never pass the
resolver, and each attempt of happy eyeballs is a socket of its own. Between check and connect
there is nothing that a second DNS answer could change. Kept-alive connections are reused on the
address that was checked; names are not cached here, the operating system's resolver does that.
"""

import asyncio
import functools
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from wireroom.fetching.bodiless import Connector
from wireroom.fetching.deadlines import Deadlines
from wireroom.fetching.guard import (
    Rules,
    check_address,
    is_literal,
    is_private_by_permission,
)
from wireroom.fetching.request import FetchLimits

#: Makes an unconnected socket of (family, kind, protocol); the seam where tests put their network.
MakeSocket = Callable[[int, int, int], socket.socket]

#: From a host name to all its addresses as text; raises `OSError` where there are none.
Lookup = Callable[[str], Awaitable[Sequence[str]]]

#: Seconds. Feeds of one host follow each other within two; longer idling only holds sockets.
_KEEP_ALIVE = 5.0

#: Addresses of which is remembered whether they may be dialled.
_REMEMBERED = 4096

#: getaddrinfo blocks a thread, up to half a minute where name servers are dead.
_LOOKUP_THREADS = 32


MayDial = Callable[[str], bool]


class AddressRefused(OSError):
    """The guard stopped a connection. An `OSError`, as the HTTP client expects of resolvers."""


class SystemNames:
    """Looks names up the way the operating system does, hosts file and all, on its own threads.

    The loop's default pool is too small for that: a handful of dead name servers would stop
    everything else that uses it.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_LOOKUP_THREADS, thread_name_prefix="dns")

    async def lookup(self, host: str) -> list[str]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _getaddrinfo, host)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _getaddrinfo(host: str) -> list[str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    except UnicodeError as error:  # a label that IDNA cannot encode
        raise socket.gaierror(socket.EAI_NONAME, "not a host name") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Doors:
    """The two ways out; see the module. Belongs to one event loop; `close` it."""

    def __init__(
        self,
        rules: Rules,
        limits: FetchLimits,
        *,
        tls: ssl.SSLContext,
        lookup: Lookup,
        make_socket: MakeSocket,
        connections: int,
    ) -> None:
        self.deadlines = Deadlines()
        self._tls = tls
        self._header_bytes = limits.header_bytes
        self._proxied: aiohttp.ClientSession | None = None
        self._lookup = lookup
        self._seconds = limits.connect.total_seconds()

        public_rules = replace(rules, allowed_networks=())

        # The rules do not change, and each address is looked at twice on its way.
        @functools.lru_cache(maxsize=_REMEMBERED)
        def public(address: str) -> bool:
            return check_address(address, public_rules) is None

        @functools.lru_cache(maxsize=_REMEMBERED)
        def inner(address: str) -> bool:
            return is_private_by_permission(address, rules)

        def door(may_dial: MayDial) -> aiohttp.ClientSession:
            resolver = CheckingResolver(may_dial, lookup, self._seconds)
            connector = Connector(
                resolver=resolver,
                socket_factory=_checked_sockets(may_dial, make_socket),
                ssl=tls,
                use_dns_cache=False,
                limit=connections,
                keepalive_timeout=_KEEP_ALIVE,
            )
            return _open_session(connector, limits.header_bytes)

        self._may_inside = inner
        #: Host to whether it led inside, and until when (monotonic) that is believed.
        self._led_inside: dict[str, tuple[bool, float]] = {}
        self._public = door(public)
        self._inner = door(inner) if rules.allowed_networks else None

    async def leads_inside(self, host: str) -> bool:
        """Whether only the allow-list permits this host, so that the inner door is its door.

        What a name led to is remembered for as long as a connection to it would be kept: the door
        judges each address anew when it dials.
        """
        if self._inner is None:
            return False
        if is_literal(host):
            return self._may_inside(host)
        inside, until = self._led_inside.get(host, (False, 0.0))
        return inside if time.monotonic() < until else await self._look_inside(host)

    async def _look_inside(self, host: str) -> bool:
        try:
            with self.deadlines.within(self._seconds):
                addresses = await self._lookup(host)
        except OSError:  # asking the door will fail in the same way, and say how
            return False
        inside = bool(addresses) and all(map(self._may_inside, addresses))
        if len(self._led_inside) >= _REMEMBERED:
            self._led_inside.clear()
        self._led_inside[host] = inside, time.monotonic() + _KEEP_ALIVE
        return inside

    def session(self, *, inside: bool) -> aiohttp.ClientSession:
        if inside and self._inner is not None:
            return self._inner
        return self._public

    def proxied(self) -> aiohttp.ClientSession:
        """To proxies, which stand where the operator says, and look names up themselves."""
        if self._proxied is None:
            connector = aiohttp.TCPConnector(ssl=self._tls, keepalive_timeout=_KEEP_ALIVE)
            self._proxied = _open_session(connector, self._header_bytes)
        return self._proxied

    async def close(self) -> None:
        self.deadlines.close()
        if self._proxied is not None:
            await self._proxied.close()
        await self._public.close()
        if self._inner is not None:
            await self._inner.close()


class CheckingResolver(AbstractResolver):
    """Resolves for aiohttp; one bad address among many refuses them all."""

    def __init__(self, may_dial: MayDial, lookup: Lookup, seconds: float) -> None:
        self._may_dial = may_dial
        self._lookup = lookup
        self._seconds = seconds

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        try:
            async with asyncio.timeout(self._seconds):
                addresses = await self._lookup(host)
        except TimeoutError:
            raise socket.gaierror(socket.EAI_AGAIN, "no answer in time") from None
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "no addresses")
        if not all(self._may_dial(address) for address in addresses):
            raise AddressRefused(f"{host} has an address that is not dialled")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing to release: the lookup belongs to whoever passed it."""


def _checked_sockets(
    may_dial: MayDial, make_socket: MakeSocket
) -> Callable[[tuple[Any, ...]], socket.socket]:
    def checked_socket(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not may_dial(str(address[0])):
            raise AddressRefused("an address that is not dialled")
        return make_socket(family, kind, protocol)

    return checked_socket


def _open_session(connector: aiohttp.TCPConnector, header_bytes: int) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,  # a proxy from the environment would resolve names itself
        auto_decompress=False,
        max_line_size=header_bytes,
        max_field_size=header_bytes,
    )

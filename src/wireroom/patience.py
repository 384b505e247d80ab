"""How long a visitor may take to ask, and how often one may be here at once.

uvicorn waits for a head and a body as long as they take, httptools takes heads of any size, and
neither counts who is there, so that a few thousand idle connections from one place would keep
everybody else out.
"""

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from wireroom.throttle import is_among, origin_key

#: From the first byte (or the connection) to the end of the head, and of the body after it.
HEAD_SECONDS = 15.0
BODY_SECONDS = 60.0
HEAD_BYTES = 64 * 1024
#: Connections from one address (IPv6: /64) at a time: several browsers with live pages behind one
#: router, and an app that opens a few.
MOST_FROM_ONE = 128
#: What runs on this machine, proxies that nobody has named included.
LOOPBACK = ("127.0.0.0/8", "::1")


class PatientProtocol(HttpToolsProtocol):
    """HTTP/1.1 as uvicorn speaks it, with an end to waiting. Bounds may be set on the class."""

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS
    most_from_one = MOST_FROM_ONE
    #: Networks that are not counted: proxies bring everybody from one address.
    uncounted: tuple[str, ...] = ()
    _here: ClassVar[Counter[str]] = Counter()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._origin = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._count_in(transport.get_extra_info("peername"))
        if self._here[self._origin] > self.most_from_one:
            transport.abort()
        self._wait(self.head_seconds)

    def _count_in(self, peer: Any) -> None:
        """Nothing is counted under "": a Unix socket, a proxy."""
        address = peer[0] if isinstance(peer, tuple) else ""
        if address and not is_among(address, self.uncounted):
            self._origin = origin_key(address)
            self._here[self._origin] += 1

    def _count_out(self) -> None:
        if self._origin:
            self._here[self._origin] -= 1
            if not self._here[self._origin]:
                del self._here[self._origin]
            self._origin = ""

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        super().data_received(data)
        # Still in the head: `on_headers_complete` sets this to a large negative number.
        if self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        self._wait(self.head_seconds)

    def on_headers_complete(self) -> None:
        self._head_bytes = -(2**62)
        self._wait(self.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._count_out()
        super().connection_lost(exc)

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()

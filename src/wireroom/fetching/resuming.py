"""TLS sessions taken up again: a new connection to a host that we know costs both sides less.

A resumed handshake needs no certificate, no signature and no verification (RFC 8446 §2.2). asyncio
and uvloop offer no way to say which session, so the context itself remembers one for each host:
both ask `wrap_bio` of it for each connection. A session belongs to its context, and so to the
certificates that it trusts; the name was verified when the session began.
"""

import ssl
import time
from collections import OrderedDict
from typing import Any

#: Hosts whose last session is remembered; a session is a few kilobytes.
MOST_SESSIONS = 4096

#: Seconds. A certificate that was withdrawn meanwhile is looked at again after so long at most.
LONGEST = 24 * 3600


class ResumingContext(ssl.SSLContext):
    """As `ssl.SSLContext`, for clients. Each session serves once, as RFC 8446 §C.4 advises."""

    def __init__(self, _protocol: int = ssl.PROTOCOL_TLS_CLIENT) -> None:
        self.sslobject_class = _Remembering
        self._sessions: OrderedDict[str, ssl.SSLSession] = OrderedDict()

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        if session is None and isinstance(server_hostname, str):
            session = self._take(server_hostname)
        return super().wrap_bio(incoming, outgoing, server_side, server_hostname, session)

    def remember(self, host: str, session: ssl.SSLSession) -> None:
        """For the next connection to this host."""
        self._sessions[host] = session
        self._sessions.move_to_end(host)
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)

    def _take(self, host: str) -> ssl.SSLSession | None:
        session = self._sessions.pop(host, None)
        if session is None or time.time() >= session.time + min(session.timeout, LONGEST):
            return None
        return session


class _Remembering(ssl.SSLObject):
    """A connection that leaves its session with the context.

    Under TLS 1.3 a session comes behind the handshake, with the first bytes of the answer.
    """

    _is_kept = False
    _sslobj: Any

    def read(self, most: int = 1024, *into: Any) -> Any:
        # What `super().read` does, without the call: there are two for each answer.
        got = self._sslobj.read(most, *into)
        if got and not self._is_kept:
            self._keep()
        return got

    def _keep(self) -> None:
        self._is_kept = True
        session, host, context = self.session, self.server_hostname, self.context
        if session is not None and session.has_ticket and host:
            assert isinstance(context, ResumingContext)
            context.remember(host, session)

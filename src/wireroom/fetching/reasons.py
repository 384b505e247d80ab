"""What went wrong on the network, in one sentence for people and one word for code.

Sentences name the host, never the rest of the URL: paths and queries hold tokens.
"""

import errno
import socket
import ssl
from typing import NamedTuple

import aiohttp

from wireroom.fetching.dialing import AddressRefused
from wireroom.fetching.guard import REFUSED
from wireroom.fetching.outcome import FailureKind


class Trouble(NamedTuple):
    """A failure before it is known at which hop it happened."""

    kind: FailureKind
    reason: str


#: By OpenSSL's X509_V_ERR numbers.
_CERTIFICATE = {
    7: "is not signed by whom it names",
    9: "is not valid yet",
    10: "has expired",
    18: "is signed by nobody but itself",
    19: "comes from an authority that nobody knows",
    20: "comes from an authority that is unknown here, or the server forgot to send its chain",
    21: "cannot be verified, since the server sends no chain",
    23: "has been revoked",
    62: "is for another name",
    64: "is for another address",
}

_CONNECT = {
    errno.ECONNREFUSED: "refuses the connection",
    errno.ECONNRESET: "breaks the connection off",
    errno.EHOSTUNREACH: "cannot be reached",
    errno.EADDRNOTAVAIL: "cannot be reached from this network",
    errno.ENETUNREACH: "cannot be reached from this network",
    errno.ETIMEDOUT: "does not take the connection",
}


#: What the parser names in its message where an answer has both (RFC 9112 §6.3).
_TWO_LENGTHS = ("Content-Length", "Transfer-Encoding")

#: Errors of our own making, which are not to be held against a feed.
_LOCAL = frozenset({
    errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS
})  # fmt: skip


def trouble_of(error: Exception, host: str) -> Trouble:
    """What `error`, raised by the HTTP client while asking `host`, means."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return Trouble("tls", _certificate(error.certificate_error, host))
    if isinstance(cause, AddressRefused):
        return Trouble("refused_address", REFUSED)
    if isinstance(cause, ssl.SSLError):
        return Trouble("tls", _handshake(cause, host))
    if isinstance(cause, socket.gaierror):
        return Trouble("dns", _dns(cause, host))
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return Trouble("connect", f"{host} does not take the connection in time.")
    if isinstance(error, TimeoutError):
        return Trouble("timeout", f"{host} keeps silent for too long.")
    if isinstance(cause, OSError) and cause.errno in _LOCAL:
        return Trouble("local", "This machine cannot open another connection at the moment.")
    if isinstance(error, aiohttp.ClientConnectorError):
        why = _CONNECT.get(_number(error.os_error), "cannot be reached")
        return Trouble("connect", f"{host} {why}.")
    if isinstance(error, aiohttp.ClientPayloadError):
        return Trouble("protocol", f"{host} breaks off in the middle of its answer.")
    if isinstance(error, aiohttp.ServerDisconnectedError | OSError):
        return Trouble("protocol", f"{host} hangs up without an answer.")
    refusal = str(error).partition("\n")[0]  # behind it stand the host's own words
    if all(name in refusal for name in _TWO_LENGTHS):
        return Trouble(
            "protocol",
            f"{host} says in two ways where its answer ends (Content-Length beside "
            "Transfer-Encoding), which is refused as unsafe.",
        )
    return Trouble("protocol", f"{host} answers with something that is not proper HTTP.")


def _number(error: OSError) -> int:
    """Why there is no connection; asyncio gives none where it ends within the TLS handshake."""
    is_cut = isinstance(error, ConnectionResetError | ConnectionAbortedError)
    return error.errno or (errno.ECONNRESET if is_cut else 0)


def _certificate(error: Exception, host: str) -> str:
    code = error.verify_code if isinstance(error, ssl.SSLCertVerificationError) else 0
    return f"The TLS certificate of {host} {_CERTIFICATE.get(code, 'cannot be verified')}."


def _handshake(error: ssl.SSLError, host: str) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate(error, host)
    if error.reason in {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"}:
        return f"{host} answers without TLS where https is expected."
    if error.reason in {"UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION"}:
        return f"{host} speaks only TLS versions that are no longer safe."
    return f"{host} and this program cannot agree on a TLS connection."


def _dns(error: socket.gaierror, host: str) -> str:
    if error.errno in {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}:
        return f"There is no host named {host}."
    return f"The name {host} cannot be looked up at the moment."

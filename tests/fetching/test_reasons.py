"""What went wrong, in words and in kinds."""

import errno
import socket
from types import SimpleNamespace

import aiohttp
import pytest

from wireroom.fetching.dialing import AddressRefused
from wireroom.fetching.guard import REFUSED
from wireroom.fetching.outcome import FailureKind
from wireroom.fetching.reasons import trouble_of


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (AddressRefused("10.0.0.1"), "refused_address"),
        (socket.gaierror(socket.EAI_NONAME, "x"), "dns"),
        (socket.gaierror(socket.EAI_AGAIN, "x"), "dns"),
        (TimeoutError(), "timeout"),
        (OSError(errno.EMFILE, "Too many open files"), "local"),
        (OSError(errno.ENOBUFS, "No buffer space"), "local"),
        (ConnectionResetError(errno.ECONNRESET, "x"), "protocol"),
    ],
)
def test_error_has_its_kind(error: Exception, kind: FailureKind) -> None:
    """Each error is sorted by whose fault it is; sentences are whole and keep its details back."""
    trouble = trouble_of(error, "news.example")

    assert kind == trouble.kind
    assert trouble.reason.endswith(".")
    assert str(error) not in trouble.reason or not str(error)


def test_a_handshake_that_is_cut_off_is_called_so() -> None:
    """A host that hangs up on our TLS can be reached, so that nobody looks for it in vain."""
    key = SimpleNamespace(host="news.example", port=443, ssl=True)
    error = aiohttp.ClientConnectorError(key, ConnectionResetError())  # type: ignore[arg-type]

    assert (
        "connect",
        "news.example breaks the connection off.",
    ) == trouble_of(error, "news.example")


def test_refusal_says_always_the_same() -> None:
    """Why an address is refused would tell of the inner network."""
    assert REFUSED == trouble_of(AddressRefused("10.0.0.1 is private"), "x.example").reason

"""Whom we trust, and who we are, on encrypted connections."""

import functools
import ssl
import tempfile

from wireroom.errors import UserError
from wireroom.fetching.resuming import ResumingContext


@functools.cache
def system_tls() -> ssl.SSLContext:
    """The system's certificates; read once, which costs some 40 ms."""
    return _trusting_the_system()


def _trusting_the_system() -> ssl.SSLContext:
    context = ResumingContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_default_certs()
    context.set_alpn_protocols(["http/1.1"])
    return context


@functools.lru_cache(maxsize=32)
def tls_with(certificate: str, authority: str) -> ssl.SSLContext:
    """The system's certificates and `authority`; we show `certificate`. Both are PEM or "".

    Raises UserError where they are not.
    """
    context = _trusting_the_system()
    try:
        if authority:
            context.load_verify_locations(cadata=authority)
        if certificate:
            _show(context, certificate)
    except (ssl.SSLError, ValueError) as error:
        raise UserError(
            "The certificate cannot be used: give PEM, the client's with its unlocked key."
        ) from error
    return context


def _show(context: ssl.SSLContext, certificate: str) -> None:
    # OpenSSL reads it from files alone; this one is ours only, and gone at once.
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(certificate)
        file.flush()
        context.load_cert_chain(file.name, password=_no_password)


def _no_password() -> str:
    """Instead of a prompt in the operator's terminal."""
    return ""

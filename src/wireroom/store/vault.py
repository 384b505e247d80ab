"""Secrets at rest: what must be read again in clear is kept as AES-GCM ciphertext.

The key lies outside the database: in WIREROOM_SECRET_KEY, or in a file beside the data that is
made
at the first start and readable by its owner alone. Without it the database gives no webhook away.
"""

import base64
import binascii
import contextlib
import hmac
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from wireroom.errors import SettingsError

_KEY_BYTES = 32
_NONCE_BYTES = 12
#: First byte of every ciphertext, so that the way of sealing may change one day.
_VERSION = b"\x01"


class Vault:
    """Seals and opens secrets with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._cipher = AESGCM(key)

    def seal(self, secret: str) -> bytes:
        """Ciphertext of a secret; a second call gives another one."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return _VERSION + nonce + self._cipher.encrypt(nonce, secret.encode(), _VERSION)

    def derived(self, purpose: str) -> bytes:
        """A key of 32 bytes for something else than sealing; the same for the same purpose."""
        return hmac.digest(self._key, b"wireroom " + purpose.encode(), "sha256")

    def open(self, sealed: bytes) -> str:
        """The secret again. Raises SettingsError when the key is not the one that sealed it."""
        nonce, ciphertext = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        try:
            return self._cipher.decrypt(nonce, ciphertext, sealed[:1]).decode()
        except (InvalidTag, ValueError) as error:
            raise SettingsError(
                "A stored secret cannot be opened: the secret key is not the one that was used "
                "when it was stored. Bring the old key file back or set WIREROOM_SECRET_KEY."
            ) from error


def vault_from_text(key: str) -> Vault:
    """A vault for a key given as text: base64 of 32 bytes, in either alphabet (RFC 4648 §4,
    §5).
    """
    try:
        raw = base64.b64decode("".join(key.split()), altchars=None, validate=True)
    except (binascii.Error, ValueError):
        raw = _url_safe(key)
    if len(raw) != _KEY_BYTES:
        raise SettingsError(
            f"WIREROOM_SECRET_KEY must hold 32 bytes in base64; this one holds {len(raw)}."
        )
    return Vault(raw)


def _url_safe(key: str) -> bytes:
    try:
        return base64.b64decode("".join(key.split()), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise SettingsError("WIREROOM_SECRET_KEY must be base64 of 32 bytes.") from error


def vault_from_file(file: Path) -> Vault:
    """A vault for the key in this file, which is made (mode 0600) when there is none yet.

    Of two processes that make it at once, both get the same. Raises SettingsError when it cannot
    be read or made.
    """
    try:
        if not file.exists():
            _make_key(file)
        return vault_from_text(file.read_text())
    except OSError as error:
        raise SettingsError(
            f"The secret key in {file} cannot be read or made: {error.strerror or error}."
        ) from error


def _make_key(file: Path) -> None:
    """Written aside and then given its name: nobody ever reads half a key, not after a crash."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(base64.urlsafe_b64encode(secrets.token_bytes(_KEY_BYTES)))
            opened.flush()
            os.fsync(opened.fileno())
        with contextlib.suppress(FileExistsError):  # another process was first
            os.link(aside, file)
    finally:
        aside.unlink()

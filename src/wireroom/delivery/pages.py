"""Addresses under which our web reader shows an entry in full, to whoever was given one (pure).

The signature is all the proof there is: nobody can name an entry that was not sent to them.
"""

import hmac
from dataclasses import dataclass, field
from typing import Final

PATH: Final = "/text"
_SIGNATURE_CHARS: Final = 32


@dataclass(frozen=True, slots=True)
class Pages:
    """`base_url` is where the world reaches us; `key` signs."""

    base_url: str
    key: bytes = field(repr=False)

    def address(self, feed_id: int, seq: int) -> str:
        return f"{self.base_url.rstrip('/')}{PATH}/{feed_id}/{seq}/{self._signed(feed_id, seq)}"

    def is_ours(self, feed_id: int, seq: int, signature: str) -> bool:
        return hmac.compare_digest(self._signed(feed_id, seq).encode(), signature.encode())

    def _signed(self, feed_id: int, seq: int) -> str:
        named = f"{feed_id} {seq}".encode()
        return hmac.digest(self.key, named, "sha256").hex()[:_SIGNATURE_CHARS]

"""Signed addresses of pictures (pure): only what we wrote into a page ourselves is fetched.

`/proxy/SIGNATURE/ADDRESS`, the publisher's address in base64url. The signature has no date in it,
so that a picture keeps its address, and browsers and apps their copies.
"""

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from urllib.parse import urlsplit

from wireroom.feeds import pictures

PATH = "/proxy/"
#: Longer addresses are loaded from the publisher.
LONGEST_URL = 2048
_SIGNATURE_BYTES = 20


@dataclass(frozen=True, slots=True)
class Addresses:
    """Makes addresses below `base` ("" for our own pages), and reads them when they come back."""

    key: bytes
    base: str = ""

    def of(self, url: str) -> str:
        """Where to load a picture from: through us, or as it is where a login stands in it."""
        if len(url) > LONGEST_URL or "@" in urlsplit(url).netloc:
            return url
        return f"{self.base}{PATH}{self._signature(url)}/{_packed(url.encode())}"

    def rewritten(self, html: str) -> str:
        """Sanitised HTML with all its pictures through us."""
        return pictures.rewritten(html, self._of_any)

    def _of_any(self, url: str) -> str:
        try:
            return self.of(url)
        except ValueError:  # no address that anybody could load
            return url

    def behind(self, signature: str, packed: str) -> str | None:
        """The publisher's address, or None where the signature is not ours."""
        try:
            url = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode()
        except (binascii.Error, ValueError):
            return None
        expected = self._signature(url)
        return url if hmac.compare_digest(expected.encode(), signature.encode()) else None

    def _signature(self, url: str) -> str:
        signed = hmac.new(self.key, url.encode(), hashlib.sha256).digest()
        return _packed(signed[:_SIGNATURE_BYTES])


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")

"""Where a webhook is: what may be shown of it, and what is sealed (pure)."""

import hashlib
import json
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from wireroom.delivery.channel import Address
from wireroom.errors import InvalidURL


@dataclass(frozen=True, slots=True)
class Secret:
    """The whole address, which may hold a password, and the key that signs."""

    url: str = field(repr=False)
    key: str = field(repr=False)


def made(url: str, key: str) -> Address:
    """The address of a webhook. Raises InvalidURL; `guard` looks closer when it is dialled."""
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise InvalidURL("A webhook's address begins with https://.")
    mark = hashlib.sha256(url.encode()).hexdigest()[:12]
    return Address(f"{parts.hostname[:200]}#{mark}", json.dumps({"url": url, "key": key}))


def read(secret: str) -> Secret | None:
    """The inverse of what `made` sealed."""
    try:
        found = json.loads(secret)
        return Secret(str(found["url"]), str(found["key"]))
    except (ValueError, KeyError, TypeError):
        return None

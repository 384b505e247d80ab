"""Where a webhook is: what may be shown of it, and what is sealed (pure)."""

import hashlib
import json
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from wireroom.delivery.channel import Address
from wireroom.errors import InvalidURL
from wireroom.feeds import urls


@dataclass(frozen=True, slots=True)
class Secret:
    """The whole address, which may hold a password, and the key that signs."""

    url: str = field(repr=False)
    key: str = field(repr=False)


def made(url: str, key: str) -> Address:
    """The address of a webhook. Raises InvalidURL; `guard` looks closer when it is dialled."""
    host = _host(url)
    if not host:
        raise InvalidURL("A webhook's address begins with https://.")
    mark = hashlib.sha256(url.encode()).hexdigest()[:12]
    return Address(f"{host[:200]}#{mark}", json.dumps({"url": url, "key": key}))


def _host(url: str) -> str:
    """As typed; "" for what is no address of the web."""
    try:
        return urlsplit(url).hostname or "" if urls.split(url) else ""
    except ValueError:
        return ""


def read(secret: str) -> Secret | None:
    """The inverse of what `made` sealed."""
    try:
        found = json.loads(secret)
        return Secret(str(found["url"]), str(found["key"]))
    except (ValueError, KeyError, TypeError):
        return None

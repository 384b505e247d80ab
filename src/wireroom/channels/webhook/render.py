"""A message as the JSON that docs/webhook.md describes (pure)."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC
from typing import Any, Final

from wireroom.delivery import wording
from wireroom.delivery.channel import Address, Parcel
from wireroom.delivery.format import Format
from wireroom.delivery.message import Message

VERSION: Final = 1
DEFAULT_FORMAT: Final = Format(content=0, ellipsis="…", media="auto")


def render(message: Message, address: Address, settings: Mapping[str, Any]) -> tuple[Parcel, ...]:
    """One body; the same message gives the same bytes, so that its name stays the same too."""
    form = DEFAULT_FORMAT.changed_by(settings)
    body = {
        "version": VERSION,
        "feed": {"title": message.feed_title, "site": message.site_url, "icon": message.icon_url},
        "entry": _entry(message),
        "text": wording.text(message, form),
        "laid_out": message.laid_out,
        "tags": list(message.tags),
        "mentions": list(message.mentions),
    }
    return (Parcel("post", body),)


def _entry(message: Message) -> dict[str, Any] | None:
    """None for what is no single entry: a digest, a notice."""
    if not message.title and not message.body and not message.link:
        return None
    at = message.published
    return {
        "title": message.title,
        "url": message.link,
        "author": message.author,
        "published": None if at is None else at.astimezone(UTC).isoformat(),
        "html": message.body,
        "summary": message.summary,
        "image": message.image_url,
        "categories": list(message.categories),
        "enclosures": [
            {"url": each.url, "type": each.media_type, "length": each.length_bytes}
            for each in message.enclosures
        ],
    }


def body_of(parcel: Parcel) -> bytes:
    return json.dumps(parcel.payload, ensure_ascii=False, sort_keys=True).encode()


def name_of(body: bytes) -> str:
    """The idempotency key: one message has one, however often it is tried."""
    return hashlib.sha256(body).hexdigest()[:32]


def signature(key: str, at: int, body: bytes) -> str:
    """HMAC-SHA256 over "seconds.body", in hexadecimal."""
    return hmac.new(key.encode(), str(at).encode() + b"." + body, hashlib.sha256).hexdigest()

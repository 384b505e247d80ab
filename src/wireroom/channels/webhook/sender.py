"""Signed posts through the guarded client: whoever typed the address, it cannot lead inside."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from wireroom.channels.webhook import address as addresses
from wireroom.channels.webhook.render import body_of, name_of, render, signature
from wireroom.delivery.channel import (
    Address,
    Answer,
    Go,
    Gone,
    Parcel,
    Rejected,
    Sent,
    TryLater,
    at_once,
)
from wireroom.delivery.message import Message
from wireroom.fetching.client import Client
from wireroom.fetching.outcome import Failed
from wireroom.fetching.request import FetchLimits, Post, Response

#: What is read of an answer, and how long it may take.
_LIMITS: Final = FetchLimits(
    wire_bytes=64_000, body_bytes=4_000, total=timedelta(seconds=20), redirects=0
)
#: Ways to fail in which nothing was delivered.
_NEVER_LEFT: Final = frozenset(
    ("invalid_url", "refused_address", "local", "dns", "connect", "tls")
)


class WebhookChannel:
    """Signed JSON posts as a channel; the client is its owner's to close."""

    kind: Final = "webhook"
    pace: Final = timedelta(0)

    def __init__(
        self, client: Client, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._client = client
        self._now = now

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        return render(message, address, settings)

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        await go()
        return await self._post(address, parcel, {})

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        """The changed entry is posted, with the name of what it replaces."""
        return await self._post(address, parcel, {"Wireroom-Replaces": message_id})

    async def close(self) -> None:
        return

    async def _post(self, address: Address, parcel: Parcel, more: Mapping[str, str]) -> Answer:
        secret = addresses.read(address.secret)
        if secret is None:
            return Gone("the address is not that of a webhook")
        body = body_of(parcel)
        name, at = name_of(body), int(self._now().timestamp())
        headers = {
            "Content-Type": "application/json",
            "Wireroom-Id": name,
            "Wireroom-Signature": f"t={at},v1={signature(secret.key, at, body)}",
            **more,
        }
        answer = await self._client.post(Post(secret.url, body, headers, limits=_LIMITS))
        return _failed(answer) if isinstance(answer, Failed) else _judged(answer, name)


def _failed(failed: Failed) -> Answer:
    if failed.kind in ("invalid_url", "refused_address"):
        return Gone(failed.reason, certain=False)
    return TryLater(failed.reason, maybe_sent=failed.kind not in _NEVER_LEFT)


def _judged(answer: Response, name: str) -> Answer:
    status = answer.status
    if 200 <= status < 300:
        return Sent(name)
    reason = f"it answers {status}"
    if status in (408, 425, 429) or status >= 500:
        return TryLater(reason, answer.retry_after, maybe_sent=status >= 500)
    if status == 410:
        return Gone(reason)
    if status in (400, 413, 415, 422):
        return Rejected(reason, certain=status != 400)
    return Gone(reason, certain=False)

"""Apprise as a channel: e-mail, Matrix, Slack, ntfy, Gotify and a hundred more by one address.

The library blocks and opens its own connections, past the guard; so each call runs in a thread,
and only who runs this installation may name such an address.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from wireroom.delivery import wording
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
from wireroom.delivery.format import Format
from wireroom.delivery.message import Message

DEFAULT_FORMAT: Final = Format(content=1000, ellipsis="…", media="none")
_PATIENCE_SECONDS: Final = 60.0

#: (address, title, text) to whether the service took it; None for an address nobody understands.
Notify = Callable[[str, str, str], bool | None]


def notify(url: str, title: str, body: str) -> bool | None:
    """Through the library, which is loaded with the first message."""
    import apprise

    service = apprise.Apprise(asset=apprise.AppriseAsset(app_id="Wireroom", async_mode=False))
    if not service.add(url):
        return None
    return bool(service.notify(body=body, title=title, body_format=apprise.NotifyFormat.TEXT))


def shown(url: str) -> str:
    """What is stored in the open of an address: the scheme, and a mark that no other one has."""
    scheme = url.partition("://")[0].lower()
    return f"{scheme[:40]}#{_mark(url)[:12]}"


def name(url: str) -> str | None:
    """What people are shown: the service, its host, and a mark that tells two there apart.

    None for an address that nobody understands. Where a service has no host of one's own, a token
    may stand in its place in the address, so none is shown.
    """
    import apprise

    service = apprise.Apprise.instantiate(url)
    if service is None:
        return None
    host = str(service.host or "") if "host" in service.template_tokens else ""
    where = f" at {host}" if "." in host or host == "localhost" else ""
    return f"{service.service_name}{where} #{_mark(url)[:4]}"


def _mark(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()


class AppriseChannel:
    """See the module."""

    kind: Final = "apprise"
    pace: Final = timedelta(0)

    def __init__(self, notify: Notify = notify) -> None:
        self._notify = notify

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        form = DEFAULT_FORMAT.changed_by(settings)
        text = wording.text(message, form)
        return (Parcel("notify", {"title": wording.subject(message), "body": text}),)

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        title, body = parcel.payload["title"], parcel.payload["body"]
        await go()
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                took = await asyncio.to_thread(self._notify, address.secret, title, body)
        except TimeoutError:
            return TryLater("the service did not answer in time", maybe_sent=True)
        if took is None:
            return Gone("Apprise does not understand the address")
        return Sent() if took else TryLater("the service did not take it")

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        return Rejected("it cannot be changed once it is sent")

    async def close(self) -> None:
        return

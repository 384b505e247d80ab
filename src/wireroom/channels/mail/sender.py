"""Messages as e-mail: one for an entry, or a digest where the route asks for one.

The same message has the same Message-ID, so that a mail program shows a repeat once.
"""

import hashlib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from email.headerregistry import Address as MailAddress
from email.message import EmailMessage
from email.utils import formatdate
from typing import Any, Final
from urllib.parse import unquote, urlsplit

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
from wireroom.delivery.richtext import one_line
from wireroom.errors import SettingsError

DEFAULT_FORMAT: Final = Format(content=0, ellipsis="…", media="auto")
#: How long everything rests when the server does not let us in.
_LOCKED_OUT: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Server:
    """The SMTP server that takes our mail: `smtps` speaks TLS from the first byte."""

    host: str
    port: int
    implicit_tls: bool
    starttls: bool
    user: str = ""
    password: str = field(default="", repr=False)


def server(url: str) -> Server:
    """Read smtp://user:password@host:587 or smtps://host. Raises SettingsError.

    STARTTLS is required, but on loopback, where nobody could listen.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise SettingsError(
            "WIREROOM_SMTP is written smtp://user:password@host:587, or smtps:// for TLS "
            "from the first byte."
        )
    implicit = parts.scheme == "smtps"
    is_loopback = parts.hostname in ("127.0.0.1", "localhost", "::1")
    return Server(
        parts.hostname,
        parts.port or (465 if implicit else 587),
        implicit,
        not implicit and not is_loopback,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
    )


class MailChannel:
    """E-mail as a channel."""

    kind: Final = "mail"
    pace: Final = timedelta(0)

    def __init__(
        self, smtp: Server, sender: str, *, timeout: timedelta = timedelta(seconds=30)
    ) -> None:
        self._server = smtp
        self._sender = sender
        self._timeout = timeout

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        form = DEFAULT_FORMAT.changed_by(settings)
        payload = {
            "subject": wording.subject(message),
            "from": one_line(message.feed_title)[:100],
            "text": wording.text(message, form),
            "html": wording.html(message, form),
        }
        return (Parcel("mail", payload),)

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        import aiosmtplib

        mail = self._mail(address.public, parcel)
        here = self._server
        await go()
        try:
            await aiosmtplib.send(
                mail,
                hostname=here.host,
                port=here.port,
                use_tls=here.implicit_tls,
                start_tls=here.starttls,
                tls_context=ssl.create_default_context(),
                username=here.user or None,
                password=here.password or None,
                timeout=self._timeout.total_seconds(),
            )
        except aiosmtplib.SMTPAuthenticationError:
            return TryLater("the mail server refuses our login", _LOCKED_OUT, scope="channel")
        except aiosmtplib.SMTPRecipientsRefused as refused:
            return _refused(refused.recipients[0].code, "the address")
        except aiosmtplib.SMTPSenderRefused as refused:
            return TryLater(f"the mail server refuses our sender ({refused.code})", _LOCKED_OUT)
        except aiosmtplib.SMTPResponseException as refused:
            return _judged(refused.code)
        except (aiosmtplib.SMTPException, OSError) as failed:
            kind = type(failed).__name__
            return TryLater(f"the mail server cannot be reached ({kind})", scope="channel")
        return Sent(str(mail["Message-ID"]))

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        return Rejected("mail cannot be changed once it is sent")

    async def close(self) -> None:
        return

    def _mail(self, to: str, parcel: Parcel) -> EmailMessage:
        body = parcel.payload
        seen = f"{to}\0{body['subject']}\0{body['text']}".encode()
        domain = self._sender.rpartition("@")[2] or "wireroom.invalid"
        mail = EmailMessage()
        mail["Subject"] = body["subject"]
        mail["From"] = MailAddress(body["from"] or "Wireroom", addr_spec=self._sender)
        mail["To"] = MailAddress(addr_spec=to)
        mail["Date"] = formatdate(usegmt=True)
        mail["Message-ID"] = f"<{hashlib.sha256(seen).hexdigest()[:40]}@{domain}>"
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(body["text"])
        mail.add_alternative(body["html"], subtype="html")
        return mail


def _refused(code: int, what: str) -> Answer:
    if 400 <= code < 500:
        return TryLater(f"the mail server puts {what} off ({code})")
    return Gone(f"the mail server refuses {what} ({code})", certain=False)


def _judged(code: int) -> Answer:
    if 400 <= code < 500:
        return TryLater(f"the mail server is busy ({code})", maybe_sent=False)
    return Rejected(f"the mail server refuses the message ({code})", certain=False)

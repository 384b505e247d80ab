"""What Discord's answers mean (pure): a reply in, an answer or a remedy out.

The error code of the body decides where there is one, the status elsewhere. Answers without JSON
come from Cloudflare in front of Discord and say nothing about the webhook.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal

from wireroom.delivery.channel import Answer, Gone, Rejected, Sent, TryLater

#: Ways to mend a request: send less of it, name a forum post, or stop naming one.
Remedy = Literal["reduce", "name_thread", "unname_thread"]

#: How long everything rests when Cloudflare has had enough of our address.
CLOUDFLARE_PAUSE: Final = timedelta(minutes=10)
LONGEST_REASON: Final = 300

_GONE: Final[dict[int, str]] = {
    10015: "the webhook was deleted",
    50027: "the webhook's token is not valid any more",
    10003: "the channel or thread was deleted",
    10004: "the server was deleted",
    50007: "the person takes no messages",
}
_PERHAPS_GONE: Final[dict[int, str]] = {
    50001: "no access to the channel",
    50013: "permissions are missing in the channel",
    50083: "the thread is archived",
    160005: "the thread is locked",
    40067: "the forum wants a tag on every post",
}
_TOO_LARGE: Final = frozenset((40005, 50045))
_UNREADABLE: Final = frozenset((50035, 50006, 50109))
_BLOCKED: Final = frozenset((200000, 200001))  # AutoMod: of the message, of its title
_TRANSIENT: Final = frozenset((130000, 160006, 30046))
_SECRETS = re.compile(r"webhooks/\d+/[\w-]+")


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer: lower-case header names, and the body if it was a JSON object."""

    status: int
    headers: Mapping[str, str]
    body: Mapping[str, Any] | None

    @classmethod
    def read(cls, status: int, headers: Mapping[str, str], raw: bytes) -> "Reply":
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            body = None
        lower = {name.lower(): value for name, value in headers.items()}
        return cls(status, lower, body if isinstance(body, dict) else None)

    @property
    def code(self) -> int:
        code = (self.body or {}).get("code")
        return code if isinstance(code, int) else 0

    @property
    def reason(self) -> str:
        """Discord's sentence and the fields it complains about, on one line without secrets."""
        said = str((self.body or {}).get("message", f"HTTP {self.status}"))
        fields = ", ".join(_complaints((self.body or {}).get("errors"), "", 8))
        text = f"{said} ({fields})" if fields else said
        return " ".join(_SECRETS.sub("webhooks/…", text).split())[:LONGEST_REASON]

    @property
    def retry_after(self) -> timedelta | None:
        """The body's seconds, which have decimals, else the header's."""
        values = ((self.body or {}).get("retry_after"), self.headers.get("retry-after"))
        return next((wait for wait in map(_seconds, values) if wait is not None), None)

    @property
    def exhausted_for(self) -> timedelta | None:
        """How long the bucket of this request stays empty; None when something is left in it."""
        if self.headers.get("x-ratelimit-remaining") != "0":
            return None
        return _seconds(self.headers.get("x-ratelimit-reset-after"))


def judged(reply: Reply) -> Answer | Remedy:
    """What an answer to execute-webhook asks of us."""
    if 200 <= reply.status < 300:
        return Sent(str((reply.body or {}).get("id", "")))
    if reply.status == 429:
        return _limited(reply)
    if reply.status >= 500 or reply.code in _TRANSIENT:
        return TryLater(reply.reason, reply.retry_after, maybe_sent=reply.status >= 500)
    if reply.body is None or reply.code == 40333:
        after = reply.retry_after or CLOUDFLARE_PAUSE
        return TryLater(f"HTTP {reply.status}, not from Discord's API", after, scope="channel")
    return _refused(reply)


def _refused(reply: Reply) -> Answer | Remedy:
    code = reply.code
    if code in _GONE:
        return Gone(_GONE[code])
    if code in _PERHAPS_GONE:
        return Gone(_PERHAPS_GONE[code], certain=False)
    if code in _BLOCKED:
        return Rejected(reply.reason)
    if code == 220001:
        return "name_thread"
    if code in (220002, 220003):
        return "unname_thread"
    if reply.status in (401, 403):
        return Gone(reply.reason, certain=False)
    if reply.status in (400, 413) or code in _UNREADABLE | _TOO_LARGE:
        return "reduce"
    return TryLater(f"unexpected: {reply.reason}", CLOUDFLARE_PAUSE)


def _limited(reply: Reply) -> TryLater:
    """A 429: of this webhook, of everything we send, or from Cloudflare, which speaks no JSON."""
    if reply.body is None or "via" not in reply.headers:
        after = max(reply.retry_after or CLOUDFLARE_PAUSE, timedelta(minutes=1))
        is_cloudflare = reply.body is None
        if is_cloudflare:
            return TryLater("Cloudflare's rate limit", after, scope="channel")
    is_global = (reply.body or {}).get("global") is True or "x-ratelimit-global" in reply.headers
    scope = "channel" if is_global else "destination"
    after = reply.retry_after or timedelta(seconds=5)
    return TryLater("Discord's rate limit", after, scope=scope)


def _complaints(errors: object, path: str, depth: int) -> list[str]:
    """Paths and codes such as "embeds.0.title BASE_TYPE_MAX_LENGTH", a few of them."""
    if not isinstance(errors, dict) or depth == 0:
        return []
    found = []
    for key, value in list(errors.items())[:5]:
        if key == "_errors" and isinstance(value, list):
            found += [f"{path} {e.get('code', '')}" for e in value[:2] if isinstance(e, dict)]
        else:
            found += _complaints(value, f"{path}.{key}" if path else str(key), depth - 1)
    return found[:5]


def _seconds(value: object) -> timedelta | None:
    try:
        seconds = float(value) if isinstance(value, int | float | str) else -1.0
    except ValueError:
        return None
    return timedelta(seconds=seconds) if 0 <= seconds < 1e8 else None

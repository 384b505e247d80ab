"""What is remembered of a login that is under way: in a cookie that only we can read or write."""

import base64
import binascii
import json
from typing import Any

from litestar import Response

from wireroom.accounts.passkeys import CHALLENGE_LASTS
from wireroom.errors import SettingsError
from wireroom.web.room import Room, WebRequest, room_of
from wireroom.web.session import cookie

#: How long somebody may take between two steps: no longer than answered challenges are remembered.
LASTS = CHALLENGE_LASTS


def remember(room: Room, answer: Response[Any], name: str, values: dict[str, Any]) -> None:
    """Send `values` along; `recall` gives them back for ten minutes, under the same name only."""
    until = (room.now() + LASTS).timestamp()
    sealed = room.vault.seal(json.dumps({**values, "until": until, "for": name}))
    text = base64.urlsafe_b64encode(sealed).decode()
    answer.set_cookie(cookie(room, _name(room, name), text, int(LASTS.total_seconds())))


def recall(request: WebRequest, name: str) -> dict[str, Any] | None:
    """What was remembered under this name; None when nothing was, or too long ago."""
    room = room_of(request)
    try:
        sealed = base64.urlsafe_b64decode(request.cookies.get(_name(room, name), ""))
        values: Any = json.loads(room.vault.open(sealed))
    except (binascii.Error, ValueError, SettingsError):
        return None
    if not isinstance(values, dict) or values.get("for") != name:  # ours, for something else
        return None
    return values if values["until"] > room.now().timestamp() else None


def forget(room: Room, answer: Response[Any], name: str) -> None:
    answer.set_cookie(cookie(room, _name(room, name), "", 0))


def _name(room: Room, name: str) -> str:
    return f"__Host-wireroom-{name}" if room.settings.is_https else f"wireroom-{name}"

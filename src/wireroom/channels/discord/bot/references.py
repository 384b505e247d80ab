"""What people type to name a feed, and to say how long (pure)."""

import contextlib
import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from wireroom.channels.discord import webhook_url
from wireroom.errors import InvalidURL, UserError
from wireroom.feeds import urls

#: More feeds than these are not added in one go.
MOST_AT_ONCE: Final = 10

_DURATION = re.compile(r"(\d{1,9})\s*(s|sec|m|min|h|d|w)?", re.IGNORECASE)
_SECONDS: Final = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800}


def reference(typed: str) -> int | str:
    """A number where all is digits (also behind a #), else the address as typed (DCC-24)."""
    typed = typed.strip()
    digits = typed.removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else typed


def is_same_address(typed: str, url: str) -> bool:
    """Whether somebody who typed the first may mean the second (C16)."""
    if typed == url:
        return True
    try:
        return urls.canonical(urls.checked(typed)) == urls.canonical(url)
    except InvalidURL:
        return False


def check_no_webhook(typed: str) -> None:
    """A webhook's address where a feed's belongs would be asked for, and shown to others.

    Raises UserError that repeats nothing of it.
    """
    with contextlib.suppress(InvalidURL):
        webhook_url.parse(typed)
        raise UserError(
            "This is the address of a webhook, and a secret: it belongs in `webhook_url`.",
            code="webhook_as_feed",
        )


def addresses(typed: str) -> tuple[str, ...]:
    """The addresses in a text, once each, in its order. Raises UserError for too many or none."""
    found = tuple(dict.fromkeys(each.strip("<>,;") for each in typed.split()))
    found = tuple(each for each in found if each)
    if not found:
        raise UserError("Type the address of a feed or of a website.", code="invalid_url")
    if len(found) > MOST_AT_ONCE:
        raise UserError(f"At most {MOST_AT_ONCE} feeds in one go.", code="too_many_feeds")
    return found


def interval(typed: str) -> timedelta | None:
    """`14400`, `4h`, `30 min`; None for `auto`. Raises UserError."""
    typed = typed.strip()
    if typed.lower() in ("auto", "automatic", "automatisch"):
        return None
    found = _DURATION.fullmatch(typed)
    if found is None or not int(found[1]):
        raise UserError(
            f"{typed!r} is no interval: write seconds (14400), 30m, 4h, 1d, or auto.",
            code="invalid_interval",
        )
    seconds = int(found[1]) * _SECONDS[(found[2] or "s").lower()]
    return timedelta(seconds=min(seconds, 366 * 86400))


def colour(typed: str) -> int:
    """`#ee802f`, `0xEE802F` or `ee802f`. Raises UserError."""
    digits = typed.strip().lower().removeprefix("#").removeprefix("0x")
    if not re.fullmatch(r"[0-9a-f]{6}", digits):
        raise UserError(f"{typed!r} is no colour: write it as #ee802f.", code="invalid_setting")
    return int(digits, 16)


def named(words: str, known: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The ids of names that somebody listed with commas, of those `known` as (id, name).

    Raises UserError that lists what there is.
    """
    known = list(known)
    ids = {name.casefold(): id_ for id_, name in known} | {id_: id_ for id_, _ in known}
    found = []
    for word in filter(None, (each.strip() for each in words.split(","))):
        if word.casefold() not in ids:
            if not known:
                raise UserError("There are no tags here.", code="unknown_tag")
            there_are = ", ".join(name for _, name in known)
            raise UserError(
                f"There is no tag {word!r} here; there are: {there_are}.", code="unknown_tag"
            )
        found.append(ids[word.casefold()])
    return tuple(dict.fromkeys(found))

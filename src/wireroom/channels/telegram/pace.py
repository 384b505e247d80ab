"""Telegram's unpublished limits, from its bot FAQ and from experience (pure)."""

from collections.abc import Iterable
from datetime import timedelta

from wireroom.delivery.pace import Limit, Pace, Rules

_SECOND = timedelta(seconds=1)


def telegram_pace(
    *,
    spacing: timedelta = timedelta(milliseconds=35),
    group_spacing: timedelta = timedelta(0),
    per_second: int = 30,
    group_per_minute: int = 20,
) -> Pace:
    """The pace of one bot token.

    A chat takes about one message a second with short bursts, a group or channel (negative id)
    twenty a minute, all together thirty a second. News use one less of the last two, so that
    an answer to a command fits in at any time. Where a group has no room left, answers wait too,
    since Telegram's refusal lasts up to a minute; one too many over all chats costs a second.
    `group_spacing` is for profiles that space groups evenly (TGD-11: 2.2 s).
    """
    return Pace(_rules(spacing, group_spacing, per_second, group_per_minute))


def _rules(
    spacing: timedelta, group_spacing: timedelta, per_second: int, group_per_minute: int
) -> Rules:
    # Thirty at once would not arrive at once, and the next thirty partly within the same second:
    # they go out by sixes, a 25th slower than is allowed, which the way there may vary by.
    some = max(1, per_second // 5)
    apart = Limit(some, 1.04 * _SECOND * some / per_second)

    def rules(chat: str) -> Iterable[tuple[str, Limit]]:
        yield "", Limit(per_second, _SECOND, reserve=1)
        yield "", apart
        is_group = chat.startswith(("-", "@"))
        least = max(spacing, group_spacing) if is_group else spacing
        if least:
            yield chat, Limit(1, least)
        yield chat, Limit(5, 5 * _SECOND)
        if is_group:
            yield chat, Limit(group_per_minute, 60 * _SECOND, reserve=1, strict=True)

    return rules

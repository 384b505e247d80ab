"""What is wished of a route, out of the settings of all who have a say (pure).

From most special to widest: the route, its subscription, the destination, the account, and the
operator for everyone; below them all the profile's defaults. A value counts at the most special
place that has it, but filters count together: what one of them drops is dropped (C28).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from wireroom.catalogue import DEFAULT, Language, language_of
from wireroom.delivery import rules
from wireroom.delivery.rules import Rule

#: Entries in one message of a digest; more make another message.
MOST_IN_A_DIGEST: Final = 30
LAYERS: Final = ("route", "subscription", "destination", "account", "everyone", "profile")


@dataclass(frozen=True, slots=True)
class Wishes:
    """How one route wants its messages."""

    #: All settings by precedence; channels read their own out of them.
    settings: Mapping[str, Any]
    #: Whose filter, and its text.
    filters: tuple[tuple[str, str], ...] = ()
    #: Whose rules, most special first.
    rules: tuple[tuple[str, tuple[Rule, ...]], ...] = ()
    #: What becomes of a message whose entry changed: "edit", "repost" or "nothing".
    on_update: str = "nothing"
    #: A story that two feeds tell goes to a destination once.
    once: bool = False
    #: A template's text; "" is the channel's layout.
    template: str = ""
    #: Words without a field are looked for in the message as it is shown (TGD-37).
    filter_shown: bool = False
    #: Most entries that are sent of a backlog; those before the newest so many are passed over.
    burst: int | None = None
    #: Say in a line of its own how many were passed over.
    more_line: bool = True
    #: Most entries within any 24 hours.
    per_day: int | None = None
    #: Times of day at which everything goes out in one message; empty: at once.
    digest: tuple[time, ...] = ()
    #: Feeds of one folder come in one digest, where it comes at times of day.
    digest_by_folder: bool = False
    #: So many entries go out in one message, whenever there are as many.
    digest_every: int | None = None
    #: Silent hours, from and to.
    quiet: tuple[time, time] | None = None
    zone: tzinfo = UTC
    #: Of the words in a post that are ours.
    language: Language = DEFAULT

    @property
    def follows(self) -> bool:
        """Whether something becomes of a message whose entry changed."""
        return self.on_update in ("edit", "repost")


def wishes(layers: Sequence[Mapping[str, Any]]) -> Wishes:
    """The wishes of a route; `layers` are those of LAYERS. Settings that are odd do not count."""
    merged: dict[str, Any] = {}
    for layer in reversed(layers):
        merged.update(layer)
    named = list(zip(LAYERS, layers, strict=False))
    filters = [(whose, layer["filter"]) for whose, layer in named if _is_text(layer, "filter")]
    if merged.get("filter_rule") == "widest":  # El Monitorro: the chat's replaces all others
        filters = filters[-1:]
    template = next((layer["template"] for layer in layers if _is_text(layer, "template")), "")
    return Wishes(
        settings=merged,
        filters=tuple(filters),
        template=template,
        rules=tuple(
            (whose, rules.stored(layer["rules"]))
            for whose, layer in named
            if _is_text(layer, "rules")
        ),
        on_update=str(merged.get("on_update", "nothing")),
        once=merged.get("once") is True,
        filter_shown=merged.get("filter_on") == "message",
        burst=_positive(merged.get("burst")),
        more_line=merged.get("more_line") is not False,
        per_day=_positive(merged.get("per_day")),
        digest=times(merged.get("digest")),
        digest_by_folder=merged.get("digest_by") == "folder",
        digest_every=every(merged.get("digest")),
        quiet=hours(merged.get("quiet")),
        zone=zone(merged),
        language=language_of(str(merged.get("language", ""))),
    )


def _is_text(layer: Mapping[str, Any], name: str) -> bool:
    return isinstance(layer.get(name), str) and bool(layer[name].strip())


def _positive(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def times(value: Any) -> tuple[time, ...]:
    """Times of day as "08:00,18:30"; what is none does not count."""
    found = [_time(each) for each in value.split(",")] if isinstance(value, str) else []
    return tuple(sorted({each for each in found if each is not None}))


def every(value: Any) -> int | None:
    """So many as "every 10" says, 2 to 30; None when it says something else."""
    word, _, number = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if word != "every" or not number.isascii() or not number.isdecimal() or len(number) > 2:
        return None
    return int(number) if 2 <= int(number) <= MOST_IN_A_DIGEST else None


def hours(value: Any) -> tuple[time, time] | None:
    """Hours as "22:00-07:00"; None when they are none, or none at all."""
    if not isinstance(value, str):
        return None
    start, end = (_time(each) for each in [*value.split("-"), ""][:2])
    return None if start is None or end is None or start == end else (start, end)


def _time(text: str) -> time | None:
    try:
        found = time.fromisoformat(text.strip())
    except ValueError:
        return None
    return None if found.tzinfo else found


def zone(settings: Mapping[str, Any]) -> tzinfo:
    """The zone by name (`zone`), or minutes east of UTC (`utc_offset_minutes`), or UTC."""
    name, minutes = settings.get("zone"), settings.get("utc_offset_minutes")
    if isinstance(name, str) and name:
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            return UTC
    if isinstance(minutes, int) and -24 * 60 < minutes < 24 * 60:
        return timezone(timedelta(minutes=minutes))
    return UTC


# -- when -----------------------------------------------------------------------------------------


def quiet_until(wanted: Wishes, now: datetime) -> datetime | None:
    """The end of the silent hours that `now` lies in; None outside of them."""
    if wanted.quiet is None:
        return None
    start, end = wanted.quiet
    clock = now.astimezone(wanted.zone).time()
    inside = start <= clock < end if start < end else clock >= start or clock < end
    return next_time((end,), wanted.zone, now) if inside else None


def next_time(at: Sequence[time], where: tzinfo, now: datetime) -> datetime:
    """The first of these times of day after `now`, on the clocks of `where`.

    A time that the clocks jump over comes at the jump's end; one that comes twice counts once.
    """
    today = now.astimezone(where).date()
    moments = [
        datetime.combine(today + timedelta(days=days), each, where).astimezone(UTC)
        for days in (-1, 0, 1, 2)
        for each in at
    ]
    return min(moment for moment in moments if moment > now)

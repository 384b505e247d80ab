"""All that may be wished of a route: its name, how it is written, and what it may be (pure).

One table, so that every front end offers, explains and refuses the same.
"""

import zoneinfo
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from wireroom.delivery import rules, template
from wireroom.delivery.wishes import every, hours, times
from wireroom.errors import UserError
from wireroom.feeds import filters
from wireroom.suggesting import nearest

#: Longest text of a setting that has no bound of its own.
MOST_CHARACTERS: Final = 200

#: Of a number; those beyond are text to us, which no number may be.
_MOST_DIGITS: Final = 9
_MOST_COUNT: Final = 10**_MOST_DIGITS


@dataclass(frozen=True, slots=True)
class Wish:
    """One setting; `can_be` may also raise UserError with a better sentence of its own."""

    meaning: str
    example: str
    can_be: Callable[[Any], bool]


def check(name: str, value: Any) -> None:
    """Raises UserError (`invalid_setting`, or a filter's or template's own code)."""
    wish = WISHES.get(name)
    if wish is None:
        near = nearest(name, WISHES)
        hint = f"did you mean {near}?" if near else f"there are {', '.join(sorted(WISHES))}."
        raise UserError(f"A route has no setting {name!r}: {hint}", code="invalid_setting")
    if not wish.can_be(value):
        raise UserError(f"{name} is written as {wish.example}.", code="invalid_setting")


def as_value(text: str) -> str | int | bool:
    """What somebody typed: numbers and on/off as such; everything else is text."""
    if text.removeprefix("-").isdecimal() and len(text) <= _MOST_DIGITS:
        return int(text)
    return {"on": True, "off": False}.get(text, text)


# -- what values may be ---------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_number(value) and 0 < value < _MOST_COUNT


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_CHARACTERS


def _is_filter(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and filters.parse(value) is not None


def _is_digest(value: Any) -> bool:
    is_times = isinstance(value, str) and len(times(value)) == value.count(",") + 1
    return is_times or every(value) is not None


def _is_template(value: Any) -> bool:
    return isinstance(value, str) and template.parse(value) is not None


def _one_of(*words: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in words


def _switch(meaning: str) -> Wish:
    return Wish(meaning, "on or off", _is_switch)


def _count(meaning: str) -> Wish:
    return Wish(meaning, "a number above 0", _is_count)


def _word(meaning: str, *words: str) -> Wish:
    return Wish(meaning, f"{', '.join(words[:-1])} or {words[-1]}", _one_of(*words))


WISHES: Final[Mapping[str, Wish]] = MappingProxyType(
    {
        # what goes out
        "filter": Wish("which entries are sent", 'rust -crypto title:"weekly news"', _is_filter),
        "filter_rule": _word("whether filters add up or the widest wins", "all", "widest"),
        "filter_on": _word("where words without a field are looked for", "entry", "message"),
        "rules": Wish(
            "what is done with entries that a filter finds, one rule a line",
            "title:sponsored -> drop",
            lambda value: isinstance(value, str) and rules.parse(value) is not None,
        ),
        "once": _switch("a story that several feeds tell is sent here once"),
        "on_update": _word(
            "what becomes of a message whose entry changes", "edit", "repost", "nothing"
        ),
        "burst": _count("most entries of a backlog; older ones are passed over"),
        "more_line": _switch("say how many entries of a backlog were passed over"),
        "per_day": _count("most entries within 24 hours"),
        # when
        "digest": Wish(
            "times of day at which all goes out in one message, or after how many entries",
            "08:00,18:30 or every 10",
            _is_digest,
        ),
        "digest_by": _word(
            "whether a digest at times of day holds one feed or all of a folder", "feed", "folder"
        ),
        "quiet": Wish("silent hours", "22:00-07:00", lambda value: hours(value) is not None),
        "zone": Wish(
            "zone of all times",
            "Europe/Berlin",
            lambda value: isinstance(value, str) and value in zoneinfo.available_timezones(),
        ),
        "utc_offset_minutes": Wish(
            "zone as minutes east of UTC, a multiple of 30",
            "a multiple of 30 from -720 to 840",
            lambda value: _is_number(value) and -720 <= value <= 840 and value % 30 == 0,
        ),
        # whom else it is told
        "notices": Wish(
            "who hears of trouble with what is sent here: you in private, everybody here, or the "
            "operator",
            "private, here, operator or off",
            _one_of("private", "here", "operator", "off"),
        ),
        "recovery": _switch("say when a feed can be read again after its trouble was told"),
        "language": _word("what Wireroom itself speaks", "en", "de"),
        # how it looks
        "template": Wish("layout", "{{ bold(title) }} {{ link }}", _is_template),
        "content": Wish(
            "most characters of the text; 0 is all of it",
            "a number from 0 up",
            lambda value: _is_number(value) and 0 <= value < _MOST_COUNT,
        ),
        "long": _word(
            "what becomes of a longer text: cut with a link to it, cut with a link to a page of "
            "ours, or several messages",
            "cut",
            "page",
            "split",
        ),
        "ellipsis": Wish("written where the text was cut", "…", _is_text),
        "at_words": _switch("cut at the last space"),
        "source": _word("which text is shown", "full", "summary"),
        "media": _word("what is shown beside the text", "auto", "all", "none"),
        "preview": _switch("show a preview of the link"),
        "silent": _switch("deliver without a sound"),
        "marks": _switch("buttons under posts: read, favourite, mute (Telegram)"),
        "rich": _switch("headings, lists and tables where Telegram can"),
        "color": Wish(
            "colour of Discord's embeds",
            "a number from 0 to 16777215",
            lambda value: _is_number(value) and 0 <= value <= 0xFFFFFF,
        ),
        "layout": _word("shape of Discord's messages", "embed", "text", "components"),
        "crosspost": _switch("publish to followers of a Discord announcement channel"),
        "tags": Wish(
            "tags of Discord's forum posts, by their numbers",
            "numbers with commas",
            lambda value: _is_text(value) and value.replace(",", "").isdecimal(),
        ),
        "empty": Wish("said instead of a message without any text", "Nothing to read", _is_text),
    }
)

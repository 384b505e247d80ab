"""Whom something is told, and in which words (pure; C10, C11, FAIL-19 … FAIL-29).

A wish `notices` says for each place what to do when a feed that is sent there has trouble:
"private" tells the person in a chat that nobody else reads, "here" writes into the place itself,
"operator" tells whoever runs this installation, "off" nobody.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any, Final

from wireroom.catalogue import DEFAULT, Language, language_of
from wireroom.catalogue.notices import NEXT_TRY, NOTICES
from wireroom.catalogue.refusals import in_words
from wireroom.delivery.message import Message
from wireroom.feeds.model import SafeHtml
from wireroom.store.notices import Place

POLICIES: Final = ("private", "here", "operator", "off")
#: Characters of what went wrong, and of what a server wrote, that are shown (FAIL-19, FAIL-27).
MOST_ERROR: Final = 200
MOST_EXCERPT: Final = 500
RED: Final = 0xE74C3C
GREEN: Final = 0x2ECC71


def wish(layers: Sequence[Mapping[str, Any]], name: str, default: str) -> str:
    """The value at the most special place that has one."""
    return next((each[name] for each in layers if isinstance(each.get(name), str)), default)


def is_private(place: Place) -> bool:
    """Whether only the account's owner reads there."""
    if place.channel == "telegram":
        return place.address.partition("/")[0].isdecimal()
    return place.channel in ("mail", "apprise", "webhook")


def private_of(places: Iterable[Place]) -> Place | None:
    """The first of an account's places that only its owner reads; one that takes messages."""
    return next((each for each in places if is_private(each) and not each.is_suspended), None)


def policy(place: Place, kind: str = "") -> str:
    """Where trouble of what is sent to this place is told; its end is told unless that is not
    wished (C11)."""
    if kind == "recovered" and not _tells_of_the_end(place):
        return "off"
    wished = wish(place.layers, "notices", "private")
    return wished if wished in POLICIES else "private"


def _tells_of_the_end(place: Place) -> bool:
    return next(
        (each["recovery"] is not False for each in place.layers if "recovery" in each), True
    )


def language_in(layers: Sequence[Mapping[str, Any]]) -> Language:
    """The language of whoever reads in a place with these wishes."""
    return language_of(wish(layers, "language", DEFAULT))


# -- words ----------------------------------------------------------------------------------------


def message(kind: str, facts: Mapping[str, Any], said_in: Language) -> Message:
    """A notice as it goes out; every value is escaped (FAIL-29)."""
    values = {
        "feed": facts.get("feed") or facts.get("url") or "",
        "url": facts.get("url", ""),
        "error": in_words(str(facts.get("error", "")), said_in)[:MOST_ERROR].rstrip("."),
        "failures": facts.get("failures", 0),
        "from_": facts.get("from", ""),
        "to": facts.get("to", ""),
        "place": facts.get("place", ""),
    }
    lines = [NOTICES[kind].html(said_in, **values).rstrip()]
    if kind in ("failing", "throttled", "given_up") and facts.get("next_at"):
        at = datetime.fromisoformat(facts["next_at"])
        lines.append(NEXT_TRY.html(said_in, at=f"{at:%Y-%m-%d %H:%M}"))
    if kind == "disabled" and facts.get("excerpt"):
        lines.append(f"<pre>{escape(str(facts['excerpt'])[:MOST_EXCERPT])}</pre>")
    return Message(
        feed_title=str(values["feed"]),
        title="",
        link="",
        body=SafeHtml(""),
        site_url=str(facts.get("site", "")),
        icon_url=str(facts.get("icon", "")),
        laid_out=SafeHtml("\n".join(lines)),
    )


def settings(kind: str, house: Iterable[Mapping[str, Any]] = ()) -> Mapping[str, Any]:
    """How a notice is shown, whatever the place wishes of its news; `house` may have its red."""
    red = next((each["error_color"] for each in house if "error_color" in each), RED)
    return {"preview": False, "color": GREEN if kind == "recovered" else red}

"""What people are told of their feeds and of the places their news go to (FAIL-19 … FAIL-29)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from wireroom.catalogue.text import Text

#: By kind. `feed` is the feed's title, `url` its address, `error` what went wrong last.
NOTICES: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "failing": Text(
            en="⚠️ <b>{feed}</b> cannot be read: {failures} errors in a row.\n{error}",
            de="⚠️ <b>{feed}</b> kann nicht gelesen werden: {failures} Fehler in Folge.\n{error}",
        ),
        "recovered": Text(
            en="✅ <b>{feed}</b> can be read again.",
            de="✅ <b>{feed}</b> kann wieder gelesen werden.",
        ),
        "throttled": Text(
            en="⚠️ <b>{feed}</b> is asked less often for a while: {error}.",
            de="⚠️ <b>{feed}</b> wird eine Weile seltener abgefragt: {error}.",
        ),
        "given_up": Text(
            en="🚫 <b>{feed}</b> has been failing for a long time and is asked only rarely now."
            "\n{error}",
            de="🚫 <b>{feed}</b> ist seit langem gestört und wird nur noch selten abgefragt."
            "\n{error}",
        ),
        "disabled": Text(
            en="🚫 <b>{feed}</b> is not asked any more: {error}.\n{url}",
            de="🚫 <b>{feed}</b> wird nicht mehr abgefragt: {error}.\n{url}",
        ),
        "moved": Text(
            en="ℹ️ <b>{feed}</b> has moved.\n{from_} → {to}",
            de="ℹ️ <b>{feed}</b> ist umgezogen.\n{from_} → {to}",
        ),
        "merged": Text(
            en="ℹ️ A feed of yours has moved to where <b>{feed}</b> lives; both are one now."
            "\n{from_} → {to}",
            de="ℹ️ Einer Ihrer Feeds ist dorthin umgezogen, wo <b>{feed}</b> steht; beide sind "
            "jetzt eins.\n{from_} → {to}",
        ),
        "suspended": Text(
            en="🚫 Nothing is sent to <b>{place}</b> any more: {error}. What comes meanwhile "
            "waits.",
            de="🚫 An <b>{place}</b> wird nichts mehr gesendet: {error}. Was inzwischen kommt, "
            "wartet.",
        ),
    }
)

NEXT_TRY: Final = Text(en="Next try: {at} UTC.", de="Nächster Versuch: {at} UTC.")

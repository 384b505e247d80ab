"""Buttons under posts, and their notes."""

from typing import Final

from wireroom.catalogue.text import Text

READ: Final = Text(en="Read.", de="Gelesen.")
UNREAD: Final = Text(en="Unread again.", de="Wieder ungelesen.")
FAVORITE: Final = Text(en="A favourite.", de="Ein Favorit.")
NO_FAVORITE: Final = Text(en="No favourite any more.", de="Kein Favorit mehr.")
UNKNOWN: Final = Text(
    en="I do not remember this entry any more.",
    de="An diesen Eintrag erinnere ich mich nicht mehr.",
)
MUTE_AUTHOR: Final = Text(en="🔇 by {name}", de="🔇 von {name}")
MUTE_CATEGORY: Final = Text(en="🔇 about {name}", de="🔇 über {name}")
MUTE_FEED: Final = Text(en="🔇 this feed for a day", de="🔇 diesen Feed einen Tag")
MUTED: Final = Text(en="No more of that: {filter}", de="Davon nichts mehr: {filter}")
PAUSED: Final = Text(en="Nothing of this feed for a day.", de="Einen Tag nichts von diesem Feed.")

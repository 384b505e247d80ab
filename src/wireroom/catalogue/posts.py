"""The few words of our own that stand in posts, among those of publishers (pure)."""

from typing import Final

from wireroom.catalogue.text import Plural, Text

DIGEST: Final = Plural(
    one=Text(en="<b>{feed}</b>: {n} new entry", de="<b>{feed}</b>: {n} neuer Eintrag"),
    other=Text(en="<b>{feed}</b>: {n} new entries", de="<b>{feed}</b>: {n} neue Einträge"),
)
MORE: Final = Plural(
    one=Text(
        en="<i>{n} more entry of {feed}: the newest follow.</i>",
        de="<i>{n} weiterer Eintrag von {feed}: die neuesten folgen.</i>",
    ),
    other=Text(
        en="<i>{n} more entries of {feed}: the newest follow.</i>",
        de="<i>{n} weitere Einträge von {feed}: die neuesten folgen.</i>",
    ),
)
NO_TITLE: Final = Text(en="No title", de="Ohne Titel")
EMPTY: Final = Text(
    en="This entry has no title and no text.", de="Dieser Eintrag hat weder Titel noch Text."
)
READ_ON: Final = Text(en="Read on {domain}", de="Weiterlesen auf {domain}")
IN_FULL: Final = Text(en="Read it in full", de="Ganz lesen")

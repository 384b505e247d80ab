"""What became of an entry on its way to a chat, and why: said alike by every front end."""

import re
from collections.abc import Mapping
from typing import Final

from wireroom.catalogue.text import Plural, Text

SENT: Final = Text(en="Sent.", de="Gesendet.")
SENT_BECAUSE: Final = Text(en="Sent: {why}.", de="Gesendet: {why}.")
NOT_SENT: Final = Text(en="Not sent.", de="Nicht gesendet.")
NOT_SENT_BECAUSE: Final = Text(en="Not sent: {why}.", de="Nicht gesendet: {why}.")
SENT_IN_PART: Final = Text(
    en="Sent in part; the rest follows.", de="Zum Teil gesendet; der Rest folgt."
)

SUSPENDED: Final = Text(
    en="It waits: the destination is suspended ({why}).",
    de="Er wartet: Das Ziel ist stillgelegt ({why}).",
)
PAUSED: Final = Text(
    en="It waits: paused until further notice.", de="Er wartet: angehalten bis auf Weiteres."
)
PAUSED_UNTIL: Final = Text(
    en="It waits: paused until {moment}.", de="Er wartet: angehalten bis {moment}."
)
TRIED: Final = Plural(
    one=Text(
        en="It waits: a try came to nothing; it is tried again.",
        de="Er wartet: Ein Versuch ging schief; es wird wieder versucht.",
    ),
    other=Text(
        en="It waits: {n} tries came to nothing; it is tried again.",
        de="Er wartet: {n} Versuche gingen schief; es wird wieder versucht.",
    ),
)
HELD_BACK: Final = Text(
    en="It waits: nothing goes out on this route before {moment}.",
    de="Er wartet: Auf diesem Weg geht vor {moment} nichts hinaus.",
)
QUEUED: Final = Text(en="It waits for its turn.", de="Er wartet, bis er an der Reihe ist.")
BEFORE: Final = Text(
    en="It came before this route began, or its record is too old to be kept.",
    de="Er kam, bevor dieser Weg begann, oder seine Notiz ist zu alt.",
)

#: Why an entry is sent that neither a filter nor a rule had a say in.
SHOWN_ON_ADDING: Final = Text(
    en="shown as a preview when the feed was added",
    de="als Vorschau gezeigt, als der Feed hinzukam",
)
BY_HAND: Final = Text(en="posted by hand", de="von Hand geschickt")


_WHOSE: Final = re.compile(r"(?:(?<=^)|(?<=; ))((?:filter|rule) (?:“[^”]*” )?)of the (\w+)(?=: )")


def here(written: str, names: Mapping[str, str]) -> str:
    """Reasons of the ledger as they are said where somebody stands: `names` tells what a place of
    `delivery.wishes` is called there ("account" may be "this chat")."""

    def called(found: re.Match[str]) -> str:
        name = names.get(found[2])
        return found[0] if name is None else f"{found[1]}of {name}"

    return _WHOSE.sub(called, written)

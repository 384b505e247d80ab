"""Reasons that the ledger keeps of entries: why each was sent, or was not."""

from typing import Final

from wireroom.catalogue.fates import BY_HAND, SHOWN_ON_ADDING
from wireroom.catalogue.text import Text

SENTENCES: Final = (
    SHOWN_ON_ADDING,
    BY_HAND,
    # -- filters and rules -----------------------------------------------------------------------
    Text("filter {why_whose}: {why}", "Filter {why_whose}: {why}"),
    Text("filter “{filter}” {why_whose}: {why}", "Filter „{filter}“ {why_whose}: {why}"),
    Text("rule {why_whose}: {rule}", "Regel {why_whose}: {rule}"),
    Text("of the route", "der Route"),
    Text("of the subscription", "des Abos"),
    Text("of the destination", "des Ziels"),
    Text("of the account", "des Kontos"),
    Text("of this chat", "dieses Chats"),
    Text("of this feed", "dieses Feeds"),
    Text("for everyone", "für alle"),
    Text("of the everyone", "für alle"),  # as it was written before
    Text("of the profile", "des Profils"),
    Text("matches {filter}", "passt zu {filter}"),
    Text("does not match {filter}", "passt nicht zu {filter}"),
    Text("left out by {filter}", "ausgelassen wegen {filter}"),
    Text("free of {filter}", "frei von {filter}"),
    Text("not used, since it cannot be read", "nicht benutzt, weil unlesbar"),
    # -- held back, gathered, passed over --------------------------------------------------------
    Text("digest", "in einer Zusammenfassung"),
    Text("digest; {why}", "in einer Zusammenfassung; {why}"),
    Text(
        "passed over: only the newest {n} of {m} that waited are sent",
        "übergangen: nur die neuesten {n} von {m} wartenden werden gesendet",
    ),
    Text(
        "passed over: came during a pause, and only the newest {n} were wanted",
        "übergangen: kam während einer Pause, und nur die neuesten {n} waren gewünscht",
    ),
    Text(
        "passed over: two feeds became one, and only the newest {n} of {m} that the other had met "
        "are sent",
        "übergangen: zwei Feeds wurden einer, und nur die neuesten {n} von {m}, die der andere "
        "schon kannte, werden gesendet",
    ),
    Text("{feed} told the same story", "{feed} erzählte dieselbe Geschichte"),
    Text("another feed told the same story", "ein anderer Feed erzählte dieselbe Geschichte"),
    Text("no longer kept", "nicht mehr aufbewahrt"),
    Text("dealt with before two feeds became one", "erledigt, bevor zwei Feeds einer wurden"),
    Text("cannot be composed; see the log", "lässt sich nicht verfassen; siehe Protokoll"),
    Text("cannot be rendered; see the log", "lässt sich nicht darstellen; siehe Protokoll"),
    Text("the channel failed on it; see the log", "der Kanal scheiterte daran; siehe Protokoll"),
    # -- no news ---------------------------------------------------------------------------------
    Text("not news", "keine Neuigkeit"),
    Text("not seen before", "neu"),
    Text("there when the feed was first read", "war beim ersten Lesen des Feeds schon da"),
    Text("there when the feed moved here", "war schon da, als der Feed hierher zog"),
    Text("came from a feed that moved here", "kam von einem Feed, der hierher zog"),
    Text("came while the feed was switched off", "kam, während der Feed abgeschaltet war"),
    Text("announced before the import", "vor dem Import schon gemeldet"),
    Text("not announced before the import", "vor dem Import nicht gemeldet"),
    Text(
        "above the last entry announced before the import",
        "über dem letzten Eintrag, der vor dem Import gemeldet wurde",
    ),
    Text(
        "older than the first subscription and below entries already seen",
        "älter als das erste Abo und unter schon gesehenen Einträgen",
    ),
    Text(
        "older than the last reading, in a feed that was renumbered",
        "älter als das letzte Lesen, in einem neu nummerierten Feed",
    ),
)

"""Why an entry was sent or not, as the ledger keeps it."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("filter of the route: {why}", "Filter dieses Abos: {why}"),
    Text("filter of the subscription: {why}", "Filter des Feeds: {why}"),
    Text("filter of the destination: {why}", "Filter dieses Chats: {why}"),
    Text("filter of the account: {why}", "Filter für alles: {why}"),
    Text("filter of the everyone: {why}", "Filter des Betreibers: {why}"),
    Text("filter of the profile: {why}", "Filter des Betreibers: {why}"),
    Text("matches {what}", "passt zu {what}"),
    Text("does not match {what}", "passt nicht zu {what}"),
    Text("not used, since it cannot be read", "zählt nicht, weil er nicht zu lesen ist"),
    Text("rule of the route: {what}", "Regel dieses Abos: {what}"),
    Text("rule of the subscription: {what}", "Regel des Feeds: {what}"),
    Text("rule of the destination: {what}", "Regel dieses Chats: {what}"),
    Text("rule of the account: {what}", "Regel für alles: {what}"),
    Text("rule of the everyone: {what}", "Regel des Betreibers: {what}"),
    Text("another feed told the same story", "ein anderer Feed brachte dieselbe Meldung"),
    Text("{feed} told the same story", "{feed} brachte dieselbe Meldung"),
    Text(
        "passed over: only the newest {n} of {m} that waited are sent",
        "übergangen: Von {m} wartenden kommen nur die neuesten {n}",
    ),
    Text("digest", "in einer Sammelnachricht"),
    Text("no longer kept", "nicht mehr aufbewahrt"),
    Text("not news", "nicht neu"),
    Text(
        "dealt with before two feeds became one",
        "erledigt, bevor aus zwei Feeds einer wurde",
    ),
    Text(
        "cannot be composed; see the log",
        "ließ sich nicht zusammenstellen; der Betreiber findet es im Protokoll",
    ),
    Text(
        "cannot be rendered; see the log",
        "ließ sich nicht zusammenstellen; der Betreiber findet es im Protokoll",
    ),
    Text("there when the feed was first read", "schon da, als der Feed zum ersten Mal kam"),
    Text(
        "above the last entry announced before the import",
        "über dem letzten Eintrag, der vor dem Import gemeldet war",
    ),
    Text("not announced before the import", "vor dem Import nicht gemeldet"),
    Text("announced before the import", "schon vor dem Import gemeldet"),
    Text("not seen before", "nie gesehen"),
    Text(
        "older than the first subscription and below entries already seen",
        "älter als das erste Abo und unter Einträgen, die schon bekannt sind",
    ),
    Text(
        "older than the last reading, in a feed that was renumbered",
        "älter als die letzte Lesung, in einem Feed mit neuen Nummern",
    ),
    Text("came while the feed was switched off", "kam, als der Feed abgeschaltet war"),
    Text("waiting for Telegram's rate limit", "Telegram nimmt nur so viele in der Minute"),
    Text("Telegram's flood control", "Telegram bremst uns"),
)

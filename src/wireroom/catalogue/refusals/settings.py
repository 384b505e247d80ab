"""Settings that are not written as they should be."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("A route has no setting {name}: {why}", "Die Einstellung {name} gibt es nicht: {why}"),
    Text("there are {names}.", "es gibt {names}."),
    Text("{name} is written as {why}.", "{name} schreibt man als {why}."),
    Text("on or off", "on oder off"),
    Text("a number above 0", "eine Zahl über 0"),
    Text("a number from 0 up", "eine Zahl ab 0"),
    Text("a number from 0 to {n}", "eine Zahl von 0 bis {n}"),
    Text("a multiple of 30 from -720 to 840", "ein Vielfaches von 30 zwischen -720 und 840"),
    Text("numbers with commas", "Zahlen mit Kommas"),
    Text("08:00,18:30 or every 10", "08:00,18:30 oder alle 10"),
    Text("{words} or {word}", "{words} oder {word}"),
    Text(
        "There is no type {name}; there are: {names}.",
        "Den Typ {name} gibt es nicht, nur {names}.",
    ),
    Text(
        "{typed} is no interval: write seconds (14400), 30m, 4h, 1d, or auto.",
        "{typed} ist kein Abstand: schreib Sekunden (14400), 30m, 4h, 1d oder auto.",
    ),
    Text(
        "{typed} is no colour: write it as #ee802f.",
        "{typed} ist keine Farbe: schreib sie als #ee802f.",
    ),
    Text(
        "There is no tag {name} here; there are: {names}.",
        "Das Tag {name} gibt es hier nicht, nur {names}.",
    ),
    Text("There are no tags here.", "Tags gibt es hier nicht."),
    Text(
        "@everyone is not called: choose another role.",
        "@everyone wird nicht gerufen: wähle eine andere Rolle.",
    ),
    Text(
        "`mention_when` says when a role is called: name the role as `mention`.",
        "`mention_when` sagt, wann eine Rolle gerufen wird: nenne sie als `mention`.",
    ),
    Text(
        "This is the address of a webhook, and a secret: it belongs in `webhook_url`.",
        "Das ist die Adresse eines Webhooks, und geheim: Sie gehört in `webhook_url`.",
    ),
    Text(
        "This forum wants a tag on every post: name one as `tags`; there are: {names}.",
        "Dieses Forum verlangt ein Tag an jedem Beitrag: nenne eines als `tags`; es gibt {names}.",
    ),
    Text(
        "This forum wants a tag on every post: follow the feed there by `/rss add` and `tags`.",
        "Dieses Forum verlangt ein Tag an jedem Beitrag: abonniere den Feed dort mit `/rss add` "
        "und `tags`.",
    ),
    Text(
        "Only messages in announcement channels can be published.",
        "Nur in Ankündigungskanälen lassen sich Nachrichten veröffentlichen.",
    ),
    Text("Choose at least one of: {names}.", "Wähl mindestens eines davon: {names}."),
    Text("The {name} is longer than {n} characters.", "Länger als {n} Zeichen: {name}."),
    Text(
        "The {name} holds line breaks or control characters.",
        "Zeilenumbrüche oder Steuerzeichen darin: {name}.",
    ),
    Text(
        "Validators go back as usual, or as both, or as the etag alone.",
        "Validatoren gehen zurück wie üblich, beide (both), oder das etag allein.",
    ),
    Text(
        "The proxy must be an address that begins with http://.",
        "Der Proxy ist eine Adresse, die mit http:// beginnt.",
    ),
    Text(
        "A user name for Basic authentication cannot hold a colon.",
        "Ein Name für Basic-Anmeldung kann keinen Doppelpunkt enthalten.",
    ),
    Text(
        "The certificate cannot be used: give PEM, the client's with its unlocked key.",
        "Das Zertifikat geht nicht: gib PEM an, das eigene mit seinem offenen Schlüssel.",
    ),
    Text("A pause ends in the future.", "Eine Pause endet in der Zukunft."),
    Text("Between 1 and {n} can be sent again.", "Zwischen 1 und {n} lassen sich wiederholen."),
    Text("That would be more than {n} messages.", "Das wären mehr als {n} Nachrichten."),
    Text("A title cannot hold control characters.", "Ein Titel hat keine Steuerzeichen."),
    Text("A folder needs a name.", "Ein Ordner braucht einen Namen."),
    Text("A name has at most {n} characters.", "Ein Name hat höchstens {n} Zeichen."),
    Text("A name has 1 to {n} characters.", "Ein Name hat 1 bis {n} Zeichen."),
    Text("A name cannot hold control characters.", "Ein Name hat keine Steuerzeichen."),
    Text("A folder cannot lie inside itself.", "Ein Ordner liegt nicht in sich selbst."),
    Text(
        "There is a folder “{name}” in this place already.",
        "Einen Ordner „{name}“ gibt es dort schon.",
    ),
    Text("{n} folders are enough.", "{n} Ordner sind genug."),
    Text("{n} searches are enough.", "{n} Suchen sind genug."),
    Text("{n} tags are enough.", "{n} Tags sind genug."),
    Text("A tag has 1 to {n} characters.", "Ein Tag hat 1 bis {n} Zeichen."),
    Text("Type what to look for.", "Gib an, wonach gesucht wird."),
    Text("A search has at most {n} characters.", "Eine Suche hat höchstens {n} Zeichen."),
    Text("A search holds at most {n} words.", "Eine Suche hat höchstens {n} Wörter."),
    Text(
        "{typed} is no date: write 2026-11-30, 2026-11, 2026, or 7d for seven days ago.",
        "{typed} ist kein Datum: schreib 2026-11-30, 2026-11, 2026 oder 7d für vor sieben Tagen.",
    ),
    Text(
        "is:{typed} is no state: write is:unread, is:read or is:favorite.",
        "is:{typed} gibt es nicht: schreib is:unread, is:read oder is:favorite.",
    ),
)

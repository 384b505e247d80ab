"""Answers that hold no document: statuses, sizes, compression."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("The host answered with status {n}.", "Der Host antwortet mit Status {n}."),
    Text(
        "The host answered with status {n} ({phrase}).",
        "Der Host antwortet mit Status {n} ({phrase}).",
    ),
    Text(
        'The host answered "not modified" (304) although nothing is known of the feed.',
        "Der Host antwortet „unverändert“ (304), obwohl vom Feed noch nichts bekannt ist.",
    ),
    Text(
        "The host answered with a redirect ({n}) that leads nowhere.",
        "Der Host antwortet mit einer Umleitung ({n}), die nirgendwohin führt.",
    ),
    Text(
        "The connection breaks off in the middle of the answer.",
        "Die Verbindung reißt mitten in der Antwort ab.",
    ),
    Text("The answer is larger than {size}.", "Die Antwort ist größer als {size}."),
    Text(
        "The head of the answer is larger than {size}.",
        "Der Kopf der Antwort ist größer als {size}.",
    ),
    Text(
        "The answer unpacks to more than a hundred times its size.",
        "Die Antwort wird entpackt mehr als hundertmal so groß.",
    ),
    Text(
        "The answer is compressed in a way that nobody asked for.",
        "Die Antwort ist auf eine Art gepackt, um die niemand gebeten hat.",
    ),
    Text("The answer is compressed more than once.", "Die Antwort ist mehr als einmal gepackt."),
    Text(
        "The compressed answer breaks off before its end.",
        "Die gepackte Antwort bricht vor dem Ende ab.",
    ),
    Text("The compressed answer is damaged.", "Die gepackte Antwort ist beschädigt."),
    Text(
        "The site holds automated readers back with a browser check. Its publisher can let this "
        "one through by its User-Agent; else look for another address of the same feed.",
        "Die Seite hält Programme mit einer Browserprüfung auf. Wer sie betreibt, kann dieses an "
        "seinem User-Agent erkennen und durchlassen; sonst such eine andere Adresse des Feeds.",
    ),
    Text(
        "The publisher says that this feed is gone for good (HTTP 410).",
        "Die Seite sagt, dass es diesen Feed nicht mehr gibt (HTTP 410).",
    ),
    Text(
        "The server asks for fewer requests (HTTP {n}); try again later.",
        "Der Server bittet um weniger Anfragen (HTTP {n}); versuch es später noch einmal.",
    ),
    Text("The host asked us to wait.", "Der Host lässt uns warten."),
    Text(
        "The host sends its answer in a transfer coding that nobody asked for.",
        "Der Host schickt seine Antwort in einer Transferkodierung, um die niemand gebeten hat.",
    ),
    Text("The host sent no page.", "Der Host schickt keine Seite."),
    Text("The page is gone.", "Die Seite gibt es nicht mehr."),
    Text("There is no web page at the link.", "Hinter dem Link liegt keine Webseite."),
    Text(
        "The page has no more text than the feed.", "Die Seite hat nicht mehr Text als der Feed."
    ),
    Text(
        "It could not be taken in; the log has the details.",
        "Sie ließ sich nicht aufnehmen; Näheres steht im Protokoll.",
    ),
    Text(
        "Wireroom could not take in the answer; its log has the details.",
        "Wireroom konnte die Antwort nicht aufnehmen; Näheres steht im Protokoll.",
    ),
    Text(
        "A feed with credentials needs the vault, and there is none here.",
        "Ein Feed mit Zugangsdaten braucht den Tresor, und hier ist keiner.",
    ),
)

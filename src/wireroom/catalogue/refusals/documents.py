"""Documents that are no feed, and lists of feeds that cannot be taken in."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text(
        "This address answers with an empty document.",
        "Diese Adresse antwortet mit einem leeren Dokument.",
    ),
    Text(
        "This address answers with JSON, but not with a JSON Feed.",
        "Diese Adresse antwortet mit JSON, aber nicht mit einem JSON Feed.",
    ),
    Text(
        "This address answers with XML (<{name}>) that is not a feed.",
        "Diese Adresse antwortet mit XML (<{name}>), das kein Feed ist.",
    ),
    Text(
        "This address answers with binary data, not with a feed.",
        "Diese Adresse antwortet mit Binärdaten, nicht mit einem Feed.",
    ),
    Text(
        "This address answers with plain text, not with a feed.",
        "Diese Adresse antwortet mit bloßem Text, nicht mit einem Feed.",
    ),
    Text(
        "This address answers with a page that keeps programs out (a bot check), not with a feed.",
        "Diese Adresse antwortet mit einer Seite, die Programme aussperrt, nicht mit einem Feed.",
    ),
    Text(
        "This address answers with a web page, not with a feed.",
        "Diese Adresse antwortet mit einer Webseite, nicht mit einem Feed.",
    ),
    Text(
        "This address answers with {why}, not with a feed.",
        "Diese Adresse antwortet mit {why}, nicht mit einem Feed.",
    ),
    Text("compressed data", "gepackten Daten"),
    Text("a ZIP archive", "einem ZIP-Archiv"),
    Text("a PDF document", "einem PDF-Dokument"),
    Text("a picture", "einem Bild"),
    Text("a media file", "einer Mediendatei"),
    Text("a sound file", "einer Tondatei"),
    Text(
        "The document could not be read within {n} s.",
        "Das Dokument war in {n} s nicht zu lesen.",
    ),
    Text(
        "Reading the document takes too much memory.",
        "Das Dokument zu lesen braucht zu viel Speicher.",
    ),
    Text("Reading the document ended its worker.", "Am Dokument ist der Leser gescheitert."),
    # -- OPML ------------------------------------------------------------------------------------
    Text(
        "The list holds more than {n} feeds; split it.",
        "Die Liste hat mehr als {n} Feeds; teile sie.",
    ),
    Text("It is commented out.", "Es ist auskommentiert."),
    Text(
        "It leads to another list or page, which is not fetched.",
        "Es führt zu einer anderen Liste oder Seite, die nicht abgerufen wird.",
    ),
    Text("It has no feed address.", "Es fehlt die Adresse eines Feeds."),
    Text(
        "The file declares entities, which lists never need; it was not read.",
        "Die Datei erklärt Entitäten, die keine Liste braucht; sie wurde nicht gelesen.",
    ),
    Text(
        "An element in the file has hundreds of attributes; it was not read.",
        "Ein Element der Datei hat Hunderte Attribute; sie wurde nicht gelesen.",
    ),
    Text(
        "Outlines in the file lie in each other more than 250 deep.",
        "Einträge der Datei liegen mehr als 250 Ebenen tief ineinander.",
    ),
    Text(
        "The file is no OPML: it cannot be read as XML.",
        "Die Datei ist kein OPML: Sie ist nicht als XML zu lesen.",
    ),
    Text(
        "The file is no OPML: its first element is not <opml>.",
        "Die Datei ist kein OPML: Ihr erstes Element ist nicht <opml>.",
    ),
    Text(
        "The compressed file is damaged or needs a password.",
        "Die gepackte Datei ist beschädigt oder braucht ein Passwort.",
    ),
    Text("The file is larger than {n} KB.", "Die Datei ist größer als {n} KB."),
    Text(
        "The zip file must hold one OPML file and nothing else.",
        "In der ZIP-Datei muss genau eine OPML-Datei liegen und sonst nichts.",
    ),
)

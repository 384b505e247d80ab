"""What single settings are called, and how their values are written."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from wireroom.catalogue.text import Text

NAMES: Final[dict[str, tuple[Text, Text]]] = {
    "preview": (
        Text(en="Link preview", de="Linkvorschau"),
        Text(en="on or off", de="an oder aus"),
    ),
    "silent": (
        Text(en="Without a sound", de="Lautlos"),
        Text(en="on or off", de="an oder aus"),
    ),
    "media": (
        Text(en="Media", de="Medien"),
        Text(
            en="auto: the picture; all: album, film and sound, too; none",
            de="automatisch: das Bild; alles: auch Album, Film und Ton; nichts",
        ),
    ),
    "content": (
        Text(en="Length of texts", de="Länge der Texte"),
        Text(
            en="Most characters of an entry's text; 0 is all of it.",
            de="Höchstens so viele Zeichen vom Text; 0 ist alles.",
        ),
    ),
    "source": (
        Text(en="Which text", de="Welcher Text"),
        Text(
            en="full: as much as there is; summary: the publisher's short form",
            de="ganz: so viel da ist; Kurzform: die des Verlags",
        ),
    ),
    "marks": (
        Text(en="Buttons under posts", de="Knöpfe unter Beiträgen"),
        Text(en="read, favourite, mute: on or off", de="gelesen, Favorit, stumm: an oder aus"),
    ),
    "rich": (
        Text(en="Rich messages", de="Reiche Nachrichten"),
        Text(
            en="headings, lists and tables, where Telegram can: on or off",
            de="Überschriften, Listen und Tabellen, wo Telegram kann: an oder aus",
        ),
    ),
    "burst": (
        Text(en="Of a backlog", de="Von einem Rückstau"),
        Text(
            en="When more than so many wait, only the newest so many are sent.",
            de="Warten mehr als so viele, kommen nur so viele der neuesten.",
        ),
    ),
    "per_day": (
        Text(en="Most per day", de="Höchstens am Tag"),
        Text(
            en="No 24 hours bring more than so many; the others wait.",
            de="In 24 Stunden kommen höchstens so viele; die anderen warten.",
        ),
    ),
    "digest": (
        Text(en="Digest", de="Sammelpost"),
        Text(
            en="Times at which all comes in one message, such as 08:00,18:30",
            de="Zeiten, zu denen alles in einer Nachricht kommt, etwa 08:00,18:30",
        ),
    ),
    "quiet": (
        Text(en="Silent hours", de="Ruhezeit"),
        Text(
            en="Hours in which nothing comes, such as 22:00-07:00",
            de="Stunden, in denen nichts kommt, etwa 22:00-07:00",
        ),
    ),
    "filter": (
        Text(en="Filter", de="Filter"),
        Text(
            en="Words or a rule; see /help filter", de="Wörter oder eine Regel; siehe /help filter"
        ),
    ),
    "rules": (
        Text(en="Rules", de="Regeln"),
        Text(
            en="One a line: a filter, ->, and keep, drop, mute, read, favourite or tag WORD",
            de="Je Zeile: ein Filter, ->, und keep, drop, mute, read, favourite oder tag WORT",
        ),
    ),
}

#: What stands for something in the help of commands.
USAGE_WORDS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        word: Text(en=word, de=german)
        for word, german in (
            ("@channel", "@kanal"),
            ("CODE", "CODE"),
            ("COMMAND", "BEFEHL"),
            ("FIELDS", "FELDER"),
            ("MINUTES", "MINUTEN"),
            ("NAME", "NAME"),
            ("NUMBER", "NUMMER"),
            ("PATTERN", "MUSTER"),
            ("TEMPLATE", "VORLAGE"),
            ("VALUE", "WERT"),
            ("WORDS", "WÖRTER"),
        )
    }
)

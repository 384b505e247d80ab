"""For whoever runs the bot: numbers, what is taken out of texts, what makes an entry new."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from wireroom.catalogue.text import Text

THEME: Final = Text(en="Running it", de="Betrieb")

INFO: Final = Text(
    en="Feeds: {feeds}\nIn trouble: {failing}\nChats: {chats}",
    de="Feeds: {feeds}\nIn Schwierigkeiten: {failing}\nChats: {chats}",
)
INFO_KIND: Final = Text(en="    {kind}: {n}", de="    {kind}: {n}")
KINDS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "private": Text(en="private", de="privat"),
        "group": Text(en="group", de="Gruppe"),
        "supergroup": Text(en="supergroup", de="Supergruppe"),
        "channel": Text(en="channel", de="Kanal"),
    }
)

ASK_REMOVAL: Final = Text(
    en="Which text shall be taken out of all messages?",
    de="Welcher Text soll aus allen Nachrichten herausgenommen werden?",
)
ASK_PATTERN: Final = Text(
    en="Which regular expression shall be taken out of all messages?",
    de="Welcher reguläre Ausdruck soll aus allen Nachrichten herausgenommen werden?",
)
ASK_NUMBER: Final = Text(
    en="Which one? Send its number; /repl_list shows them.",
    de="Welche? Schick die Nummer; /repl_list zeigt alle.",
)
ADDED: Final = Text(en="✅ Taken out from now on.", de="✅ Wird ab jetzt herausgenommen.")
NO_REMOVALS: Final = Text(en="Nothing is taken out yet.", de="Noch wird nichts herausgenommen.")
REMOVAL: Final = Text(en="<b>{id}</b> <code>{value}</code>", de="<b>{id}</b> <code>{value}</code>")
REMOVAL_REGEX: Final = Text(
    en="<b>{id}</b> <code>{value}</code> <i>RegEx</i>",
    de="<b>{id}</b> <code>{value}</code> <i>RegEx</i>",
)
NOT_A_NUMBER: Final = Text(en="That is no number: {typed}", de="Das ist keine Nummer: {typed}")
REMOVED: Final = Text(en="✅ Left in from now on.", de="✅ Bleibt ab jetzt stehen.")
CONTENT_FIELDS: Final = Text(
    en="Entries of {url} are told apart by: {fields}",
    de="Einträge von {url} werden unterschieden nach: {fields}",
)

ABOUT_INFO: Final = Text(en="how many feeds and chats", de="wie viele Feeds und Chats")
ABOUT_ADD: Final = Text(
    en="take a text out of all messages", de="einen Text aus allen Nachrichten nehmen"
)
ABOUT_ADD_RE: Final = Text(
    en="take a regular expression out of all messages",
    de="einen regulären Ausdruck aus allen Nachrichten nehmen",
)
ABOUT_REPL_LIST: Final = Text(en="what is taken out", de="was herausgenommen wird")
ABOUT_REPL_DEL: Final = Text(en="leave a text in again", de="einen Text wieder stehen lassen")
ABOUT_CONTENT_FIELDS: Final = Text(
    en="what makes an entry of a feed a new one", de="was einen Eintrag eines Feeds neu macht"
)

"""What the settings of a route mean, in a few words."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from wireroom.catalogue.text import Text

#: By the name of the setting; in English as the table of settings itself has it.
MEANINGS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "filter": Text("which entries are sent", "welche Beiträge erscheinen"),
        "filter_rule": Text(
            "whether filters add up or the widest wins",
            "ob Filter zusammen gelten oder der weiteste gewinnt",
        ),
        "filter_on": Text(
            "where words without a field are looked for", "wo Wörter ohne Feld gesucht werden"
        ),
        "rules": Text(
            "what is done with entries that a filter finds, one rule a line",
            "was mit Beiträgen geschieht, die ein Filter findet, eine Regel je Zeile",
        ),
        "once": Text(
            "a story that several feeds tell is sent here once",
            "was mehrere Feeds erzählen, erscheint hier einmal",
        ),
        "on_update": Text(
            "what becomes of a message whose entry changes",
            "was aus einer Nachricht wird, deren Beitrag sich ändert",
        ),
        "burst": Text(
            "most entries of a backlog; older ones are passed over",
            "höchstens so viele eines Rückstaus; ältere werden übergangen",
        ),
        "more_line": Text(
            "say how many entries of a backlog were passed over",
            "sagen, wie viele eines Rückstaus übergangen wurden",
        ),
        "per_day": Text("most entries within 24 hours", "höchstens so viele in 24 Stunden"),
        "digest": Text(
            "times of day at which all goes out in one message, or after how many entries",
            "Uhrzeiten, zu denen alles in einer Nachricht kommt, oder nach wie vielen Beiträgen",
        ),
        "digest_by": Text(
            "whether a digest at times of day holds one feed or all of a folder",
            "ob eine Sammelnachricht einen Feed oder einen ganzen Ordner enthält",
        ),
        "quiet": Text("silent hours", "Ruhezeit"),
        "zone": Text("zone of all times", "Zeitzone aller Uhrzeiten"),
        "utc_offset_minutes": Text(
            "zone as minutes east of UTC, a multiple of 30",
            "Zeitzone als Minuten östlich von UTC, ein Vielfaches von 30",
        ),
        "notices": Text(
            "who hears of trouble with what is sent here: you in private, everybody here, or "
            "the operator",
            "wer von Störungen hört: du allein, alle hier oder der Betreiber",
        ),
        "recovery": Text(
            "say when a feed can be read again after its trouble was told",
            "sagen, wenn ein Feed nach gemeldeter Störung wieder lesbar ist",
        ),
        "language": Text("what Wireroom itself speaks", "was Wireroom selbst spricht"),
        "template": Text("layout", "Vorlage"),
        "content": Text(
            "most characters of the text; 0 is all of it",
            "höchstens so viele Zeichen vom Text; 0 ist alles",
        ),
        "long": Text(
            "what becomes of a longer text: cut with a link to it, cut with a link to a page "
            "of ours, or several messages",
            "was aus einem längeren Text wird: gekürzt mit Link, mit einer Seite von uns, "
            "oder mehrere Nachrichten",
        ),
        "ellipsis": Text("written where the text was cut", "steht, wo der Text gekürzt wurde"),
        "at_words": Text("cut at the last space", "am letzten Leerzeichen kürzen"),
        "source": Text("which text is shown", "welcher Text gezeigt wird"),
        "media": Text("what is shown beside the text", "was neben dem Text gezeigt wird"),
        "preview": Text("show a preview of the link", "eine Vorschau des Links zeigen"),
        "silent": Text("deliver without a sound", "ohne Ton zustellen"),
        "marks": Text(
            "buttons under posts: read, favourite, mute (Telegram)",
            "Knöpfe unter Beiträgen: gelesen, Favorit, stumm (Telegram)",
        ),
        "rich": Text(
            "headings, lists and tables where Telegram can",
            "Überschriften, Listen und Tabellen, wo Telegram kann",
        ),
        "color": Text("colour of Discord's embeds", "Farbe von Discords Embeds"),
        "layout": Text("shape of Discord's messages", "Form der Nachrichten in Discord"),
        "crosspost": Text(
            "publish to followers of a Discord announcement channel",
            "in Ankündigungskanälen für deren Abonnenten veröffentlichen",
        ),
        "tags": Text(
            "tags of Discord's forum posts, by their numbers",
            "Tags der Forenbeiträge in Discord, mit ihren Nummern",
        ),
        "empty": Text(
            "said instead of a message without any text",
            "steht anstelle einer Nachricht ohne jeden Text",
        ),
    }
)

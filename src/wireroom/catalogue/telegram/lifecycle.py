"""Being let in and put out."""

from typing import Final

from wireroom.catalogue.text import Text

GREETING: Final = Text(
    en=(
        "Hello! I bring news of web sites into this group. An admin writes /sub and the address "
        "of a site; in a topic, that topic gets the news. /help shows everything."
    ),
    de=(
        "Hallo! Ich bringe Neues von Webseiten in diese Gruppe. Ein Admin schreibt /sub und die "
        "Adresse einer Seite; in einem Thema bekommt dieses Thema die Neuigkeiten. /help zeigt "
        "alles."
    ),
)
REMOVED: Final = Text(
    en=(
        "I was removed from <b>{chat}</b>. Its subscriptions are kept; they go on when I am let "
        "in again."
    ),
    de=(
        "Ich wurde aus <b>{chat}</b> entfernt. Die Abos bleiben; sie laufen weiter, wenn ich "
        "wieder hinein darf."
    ),
)
MAY_NOT_WRITE: Final = Text(
    en=(
        "I may not write in <b>{chat}</b> any more. What comes meanwhile waits until I may again."
    ),
    de="In <b>{chat}</b> darf ich nicht mehr schreiben. Was kommt, wartet, bis ich wieder darf.",
)

HIDDEN_IN_A_GROUP: Final = Text(
    en=(
        "I answer only whoever runs me, and cannot see who writes anonymously or as a channel. "
        "Write under your own name, or send me <code>/manage {chat}</code> in private."
    ),
    de=(
        "Ich antworte nur meinem Betreiber und sehe nicht, wer anonym oder als Kanal schreibt. "
        "Schreib unter deinem Namen oder schick mir privat <code>/manage {chat}</code>."
    ),
)
HIDDEN_IN_A_CHANNEL: Final = Text(
    en=(
        "Somebody posted /{name} in {title}. I cannot see who posts in a channel, so I did "
        "nothing. Send me <code>/manage {chat}</code> here, and then the command."
    ),
    de=(
        "Jemand hat /{name} in {title} geschrieben. Ich sehe nicht, wer in einem Kanal schreibt, "
        "und habe nichts getan. Schick mir hier <code>/manage {chat}</code> und dann den Befehl."
    ),
)

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

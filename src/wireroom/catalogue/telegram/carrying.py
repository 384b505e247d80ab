"""Lists of subscriptions in and out, and being one with a person's account."""

from typing import Final

from wireroom.catalogue.text import Plural, Text

THEME: Final = Text(en="Lists and accounts", de="Listen und Konten")

ASK_FILE: Final = Text(
    en="Send the OPML file here; in groups with /import as its caption.",
    de="Schick die OPML-Datei hierher; in Gruppen mit /import als Beschriftung.",
)
TOO_LARGE: Final = Text(
    en="This file is larger than the 5 MB that a list may have.",
    de="Diese Datei ist größer als die 5 MB, die eine Liste haben darf.",
)
TOO_MANY: Final = Text(
    en="This list has {have} feeds, and this chat can have {most} in all.",
    de="Diese Liste hat {have} Feeds, und dieser Chat kann insgesamt {most} haben.",
)
IMPORTED: Final = Plural(
    one=Text(en="✅ One feed comes here from now on.", de="✅ Ein Feed kommt ab jetzt hierher."),
    other=Text(
        en="✅ {n} feeds come here from now on.", de="✅ {n} Feeds kommen ab jetzt hierher."
    ),
)
IMPORTED_BEFORE: Final = Text(en="Here already: {n}", de="Schon hier: {n}")
IMPORT_REFUSED: Final = Text(en="❌ {url}: {reason}", de="❌ {url}: {reason}")
IMPORT_NOTHING: Final = Text(
    en="There is no feed in this list.", de="In dieser Liste ist kein Feed."
)
EXPORTED: Final = Plural(
    one=Text(en="One subscription", de="Ein Abo"),
    other=Text(en="{n} subscriptions", de="{n} Abos"),
)

ASK_CODE: Final = Text(
    en=(
        "In your Wireroom open Settings, Chats and servers, make a code and send it here. Or type "
        "mine there, which is good for 15 minutes: <code>{code}</code>"
    ),
    de=(
        "Öffne in deinem Wireroom Settings, Chats and servers, lass dir einen Code machen und "
        "schick ihn hierher. Oder gib dort meinen ein, er gilt 15 Minuten: <code>{code}</code>"
    ),
)
ASK_CODE_ALOUD: Final = Text(
    en=(
        "Take a code from your Wireroom (<code>wireroom account link</code>) and send it here. I "
        "show no code of mine where others read it: for one, use /manage in our private chat."
    ),
    de=(
        "Hol einen Code von deinem Wireroom (<code>wireroom account link</code>) und schick ihn "
        "hierher. Meinen zeige ich nicht, wo andere mitlesen: den gibt es mit /manage in unserem "
        "privaten Chat."
    ),
)
LINK_SURE: Final = Text(
    en=(
        "Shall this chat, with all that it follows, belong to the account whose code this is? Say "
        "yes only if you made it yourself."
    ),
    de=(
        "Soll dieser Chat mit allem, was er abonniert, zu dem Konto gehören, von dem dieser Code "
        "ist? Nur wenn du ihn selbst gemacht hast."
    ),
)
BUTTON_LINK: Final = Text(en="Yes, it is mine", de="Ja, er ist von mir")
LINKED: Final = Text(
    en="✅ This chat belongs to the account now: read marks and feeds are the same in both.",
    de="✅ Dieser Chat gehört jetzt zum Konto: Lesezeichen und Feeds sind in beiden gleich.",
)
UNLINKED: Final = Text(
    en="✅ This chat is by itself again. What came here still comes here.",
    de="✅ Dieser Chat steht wieder für sich. Was hierher kam, kommt weiterhin.",
)

MANAGE_HOW: Final = Text(
    en=(
        "Which channel or group? Send its @name, or choose it with the button. You and I both "
        "have to be admins there."
    ),
    de=(
        "Welcher Kanal, welche Gruppe? Schick den @Namen oder wähle mit dem Knopf. Du und ich "
        "müssen dort beide Admin sein."
    ),
)
CHOOSE_CHANNEL: Final = Text(en="Choose a channel", de="Kanal auswählen")
CHOOSE_GROUP: Final = Text(en="Choose a group", de="Gruppe auswählen")
MANAGING: Final = Text(
    en="From now on commands here are about <b>{chat}</b>. /here ends that.",
    de="Ab jetzt gelten Befehle hier für <b>{chat}</b>. /here beendet das.",
)
MANAGING_NOTHING: Final = Text(
    en="Commands here are about this chat.", de="Befehle hier gelten für diesen Chat."
)
OFFER_MANAGE: Final = Text(
    en="Shall I post into <b>{chat}</b>?", de="Soll ich in <b>{chat}</b> posten?"
)
BUTTON_MANAGE: Final = Text(en="Manage it from here", de="Von hier verwalten")
MOVED: Final = Text(
    en="✅ <b>{title}</b> comes here from now on, and nowhere else in this chat.",
    de="✅ <b>{title}</b> kommt ab jetzt hierher, sonst nirgends in diesem Chat.",
)

ABOUT_IMPORT: Final = Text(en="take in an OPML file", de="eine OPML-Datei einlesen")
ABOUT_EXPORT: Final = Text(en="subscriptions as an OPML file", de="Abos als OPML-Datei")
ABOUT_LINK: Final = Text(
    en="join this chat with your reader's account", de="diesen Chat mit deinem Konto verbinden"
)
ABOUT_UNLINK: Final = Text(
    en="give this chat an account of its own again", de="die Verbindung mit dem Konto lösen"
)
ABOUT_MANAGE: Final = Text(
    en="manage a channel or group from here", de="einen Kanal oder eine Gruppe von hier verwalten"
)
ABOUT_HERE: Final = Text(
    en="commands are about this chat again", de="Befehle gelten wieder für diesen Chat"
)
ABOUT_MOVE: Final = Text(
    en="let a feed come into this topic", de="einen Feed in dieses Thema holen"
)

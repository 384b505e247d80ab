"""Following feeds, and ceasing to."""

from typing import Final

from wireroom.catalogue.text import Plural, Text

THEME: Final = Text(en="Feeds", de="Feeds")

ASK_URL: Final = Text(
    en="Which site or feed? Send its address.",
    de="Welche Seite oder welcher Feed? Schick die Adresse.",
)
SUBSCRIBED: Final = Text(
    en="✅ <b>{title}</b> comes here from now on.\n{url}",
    de="✅ <b>{title}</b> kommt ab jetzt hierher.\n{url}",
)
SUBSCRIBED_ELSEWHERE: Final = Text(
    en="✅ <b>{title}</b> goes to <b>{chat}</b> from now on.\n{url}",
    de="✅ <b>{title}</b> geht ab jetzt an <b>{chat}</b>.\n{url}",
)
REVIVED: Final = Text(
    en="✅ <b>{title}</b> had been given up; it is asked again and comes here.\n{url}",
    de="✅ <b>{title}</b> war aufgegeben; der Feed wird wieder gefragt und kommt hierher.\n{url}",
)
ALREADY: Final = Text(
    en="✅ <b>{title}</b> is here already.\n{url}",
    de="✅ <b>{title}</b> ist schon hier.\n{url}",
)
SEND_OLDER: Final = Text(en="Send the newest {n}", de="Die neuesten {n} schicken")
SET_UP: Final = Text(en="Filter, layout, times …", de="Filter, Aussehen, Zeiten …")
LIMIT: Final = Plural(
    one=Text(
        en="This chat can have one subscription. /del ends it, and makes room.",
        de="Dieser Chat kann ein Abo haben. /del beendet es und macht Platz.",
    ),
    other=Text(
        en="This chat can have {n} subscriptions. /del ends one, and makes room.",
        de="Dieser Chat kann {n} Abos haben. /del beendet eines und macht Platz.",
    ),
)
CHOOSE: Final = Text(
    en="This page has several feeds. Which one?", de="Diese Seite hat mehrere Feeds. Welcher?"
)
OFFER_GONE: Final = Text(
    en="This offer is too old. Send the address again.",
    de="Dieses Angebot ist zu alt. Schick die Adresse noch einmal.",
)
FOUND: Final = Text(
    en="<b>{title}</b>\n{url}\n\nShall I send it here?",
    de="<b>{title}</b>\n{url}\n\nSoll ich das hierher schicken?",
)
OFFER_TEST: Final = Text(en="Show the newest", de="Das Neueste zeigen")
OFFER_SUBSCRIBE: Final = Text(en="Subscribe", de="Abonnieren")
OFFER_NO: Final = Text(en="No", de="Nein")

LIST: Final = Plural(
    one=Text(en="<b>{chat}</b>: one subscription", de="<b>{chat}</b>: ein Abo"),
    other=Text(en="<b>{chat}</b>: {n} subscriptions", de="<b>{chat}</b>: {n} Abos"),
)
LIST_LINE: Final = Text(en="<b>{id}</b> {title}\n{url}", de="<b>{id}</b> {title}\n{url}")
LIST_DISABLED: Final = Text(en="🚫 <i>{reason}</i>", de="🚫 <i>{reason}</i>")
LIST_FAILING: Final = Text(en="⚠️ <i>{reason}</i>", de="⚠️ <i>{reason}</i>")
LIST_PAUSED: Final = Text(en="⏸ <i>paused</i>", de="⏸ <i>angehalten</i>")
LIST_TOPIC: Final = Text(en="topic {topic}", de="Thema {topic}")
LIST_EMPTY: Final = Text(
    en="Nothing comes here yet. Send the address of a site or feed.",
    de="Hierher kommt noch nichts. Schick die Adresse einer Seite oder eines Feeds.",
)
MANAGE: Final = Text(en="As buttons", de="Als Knöpfe")
ALL_EMPTY: Final = Text(en="There are none yet.", de="Es gibt noch keine.")
ALL_CHAT: Final = Text(en="    <code>{id}</code> {title}", de="    <code>{id}</code> {title}")

WHICH: Final = Text(en="Which one?", de="Welches?")
WHICH_TO_END: Final = Text(en="Which subscription shall end?", de="Welches Abo soll enden?")
NO_SUCH: Final = Text(
    en="There is no “{typed}” among the subscriptions here. /list shows them with their numbers.",
    de="„{typed}“ ist unter den Abos hier nicht dabei. /list zeigt sie mit ihren Nummern.",
)
SEVERAL: Final = Text(
    en="“{typed}” fits several subscriptions. /list shows them with their numbers.",
    de="„{typed}“ passt auf mehrere Abos. /list zeigt sie mit ihren Nummern.",
)
ENDED: Final = Text(
    en="✅ <b>{title}</b> does not come here any more.",
    de="✅ <b>{title}</b> kommt nicht mehr hierher.",
)

NO_SUCH_CHAT: Final = Text(
    en="There is no chat {chat}, or I cannot see it.",
    de="Den Chat {chat} gibt es nicht, oder ich sehe ihn nicht.",
)
NOT_A_MEMBER: Final = Text(
    en="I am not in {chat}. Add me there first.",
    de="Ich bin nicht in {chat}. Nimm mich dort zuerst auf.",
)
MAY_NOT_POST: Final = Text(
    en="I may not post in {chat}. Make me an admin with the right to post messages.",
    de="In {chat} darf ich nichts posten. Mach mich zum Admin, der posten darf.",
)
NOT_YOUR_CHAT: Final = Text(en="You are no admin of {chat}.", de="Du bist kein Admin von {chat}.")

ABOUT_SUB: Final = Text(
    en="subscribe to a site or feed", de="eine Seite oder einen Feed abonnieren"
)
ABOUT_DEL: Final = Text(en="end a subscription", de="ein Abo beenden")
ABOUT_LIST: Final = Text(en="what comes here", de="was hierher kommt")
ABOUT_ALL: Final = Text(en="every feed with its chats", de="alle Feeds mit ihren Chats")

"""What the Discord bot says."""

from typing import Final

from wireroom.catalogue.text import Language, Plural, Text
from wireroom.errors import UserError

# -- descriptions of commands and their options, at most 100 characters each ---------------------

PING = Text(en="Is the bot there, and how fast?", de="Ist der Bot da, und wie schnell?")
HELLO = Text(en="Say hello.", de="Sag hallo.")
RSS = Text(en="Feeds that are posted in this server", de="Feeds, die auf diesem Server erscheinen")
ADD = Text(en="Post a feed here.", de="Einen Feed hier erscheinen lassen.")
REMOVE = Text(en="Post a feed no longer.", de="Einen Feed nicht mehr erscheinen lassen.")
LIST = Text(en="Show all feeds of this server.", de="Alle Feeds dieses Servers zeigen.")
EDIT = Text(
    en="Change a feed's name, place, interval or type.",
    de="Name, Ort, Abstand oder Art eines Feeds ändern.",
)

FEED_URL = Text(
    en="Address of a feed or of a website; several with blanks between them",
    de="Adresse eines Feeds oder einer Website; mehrere durch Leerzeichen getrennt",
)
WEBHOOK_URL = Text(
    en="Post through this webhook instead of one that the bot makes",
    de="Über diesen Webhook statt über einen, den der Bot anlegt",
)
CHANNEL = Text(
    en="Where to post: a channel, forum or thread; else right here",
    de="Wohin: ein Kanal, Forum oder Thread; sonst gleich hier",
)
INTERVAL = Text(
    en="How often to ask the feed: seconds, 30m, 4h, 1d, or auto",
    de="Wie oft der Feed gefragt wird: Sekunden, 30m, 4h, 1d oder auto",
)
FEED_TYPE = Text(en="A special reading of its publisher", de="Eine besondere Lesart des Anbieters")
NAME = Text(en="Name that is shown", de="Name, der gezeigt wird")
NEWEST = Text(
    en="How many of its newest entries to post now (1)",
    de="Wie viele der neuesten Beiträge jetzt erscheinen (1)",
)
WHICH_FEED = Text(en="The feed: its number or address", de="Der Feed: seine Nummer oder Adresse")

FILTER = Text(
    en="Only entries that fit: rust -crypto title:weekly",
    de="Nur passende Beiträge: rust -crypto title:weekly",
)
TEMPLATE = Text(
    en="How entries look: <b>{{ title }}</b> {{ link }}",
    de="Wie Beiträge aussehen: <b>{{ title }}</b> {{ link }}",
)
LAYOUT = Text(en="Shape of the messages", de="Form der Nachrichten")
COLOR = Text(en="Colour of the embeds: #ee802f", de="Farbe der Embeds: #ee802f")
MEDIA = Text(en="Whether pictures are shown", de="Ob Bilder gezeigt werden")
DIGEST = Text(
    en="All news in one message, at these times: 08:00,18:30",
    de="Alles Neue in einer Nachricht, zu diesen Zeiten: 08:00,18:30",
)
TAGS = Text(
    en="Tags of the forum posts, with commas between them",
    de="Tags der Forenbeiträge, durch Kommas getrennt",
)
CROSSPOST = Text(
    en="Publish to followers of this announcement channel",
    de="Für Folgende dieses Ankündigungskanals veröffentlichen",
)

# -- answers --------------------------------------------------------------------------------------

PONG = Text(en="🏓 Pong! {ms} ms to Discord.", de="🏓 Pong! {ms} ms bis Discord.")
GREETING = Text(en="Hello, {name}! 👋", de="Hallo, {name}! 👋")

ADDED = Text(en="Feed added", de="Feed hinzugefügt")
F_NAME = Text(en="Name", de="Name")
F_URL = Text(en="URL", de="URL")
F_INTERVAL = Text(en="Interval", de="Abstand")
F_TYPE = Text(en="Type", de="Art")
F_ID = Text(en="ID", de="ID")
F_PLACE = Text(en="Posts in", de="Erscheint in")
F_WEBHOOK = Text(en="Webhook", de="Webhook")
UPDATED_SECRET = Text(en="updated", de="geändert")
PREVIEW_SENT = Text(
    en="Its newest entry was posted as a preview.",
    de="Der neueste Beitrag ist als Vorschau erschienen.",
)
NOTHING_YET = Text(
    en="It has no entries yet; the first new one will be posted.",
    de="Er hat noch keine Beiträge; der erste neue erscheint.",
)
QUIET_START = Text(
    en="From now on every new entry is posted.", de="Ab jetzt erscheint jeder neue Beitrag."
)
BACKLOG = Plural(
    one=Text(en="Its newest entry is on its way.", de="Der neueste Beitrag ist unterwegs."),
    other=Text(
        en="Its newest {n} entries are on their way.",
        de="Die neuesten {n} Beiträge sind unterwegs.",
    ),
)
ALREADY_HERE = Text(
    en="❌ {url} is followed here already, as #{number}. To post it in a second place, use "
    "/rss clone.",
    de="❌ {url} gibt es hier schon, als #{number}. An einen zweiten Ort bringt ihn /rss clone.",
)
SEVERAL = Text(
    en="This page has several feeds. Which one?", de="Diese Seite hat mehrere Feeds. Welcher?"
)
CHOOSE_FEED = Text(en="Choose a feed", de="Feed wählen")
SEVERAL_LISTED = Text(
    en="❌ {url} has several feeds; add one of them by its address:",
    de="❌ {url} hat mehrere Feeds; füge einen davon mit seiner Adresse hinzu:",
)
NOT_ADDED = Text(
    en="❌ Not added: Discord refused the preview ({reason}).",
    de="❌ Nicht hinzugefügt: Discord hat die Vorschau abgelehnt ({reason}).",
)
TRY_AGAIN_SOON = Text(
    en="❌ Not added: Discord takes no messages right now ({reason}). Try again in a minute.",
    de="❌ Nicht hinzugefügt: Discord nimmt gerade nichts an ({reason}). Gleich noch einmal.",
)
REMOVED = Text(
    en="🗑️ No longer posted: **{name}** <{url}>", de="🗑️ Erscheint nicht mehr: **{name}** <{url}>"
)

LIST_TITLE = Text(en="Feeds of {server}", de="Feeds von {server}")
LIST_EMPTY = Text(
    en="No feeds yet. Try `/rss add` with the address of a website.",
    de="Noch keine Feeds. Versuche `/rss add` mit der Adresse einer Website.",
)
PAGE = Text(en="Page {page} of {pages}", de="Seite {page} von {pages}")
PREVIOUS = Text(en="◀ Previous", de="◀ Zurück")
FOLLOWING = Text(en="Next ▶", de="Weiter ▶")
EVERY = Text(en="every {interval}", de="alle {interval}")
BY_ITSELF = Text(en="automatic", de="automatisch")
POLLED = Text(en="asked {when}", de="gefragt {when}")
NEVER_POLLED = Text(en="never asked", de="nie gefragt")
FAILURES = Plural(
    one=Text(en="⚠️ {n} failure", de="⚠️ {n} Fehlschlag"),
    other=Text(en="⚠️ {n} failures", de="⚠️ {n} Fehlschläge"),
)
PAUSED_UNTIL = Text(en="⏸️ until {when}", de="⏸️ bis {when}")
PAUSED = Text(en="⏸️ paused", de="⏸️ angehalten")
NOT_SENT = Text(en="⛔ not sent: {reason}", de="⛔ nicht gesendet: {reason}")

UPDATED = Text(en="Feed updated", de="Feed geändert")
NOTHING_TO_CHANGE = Text(
    en="Nothing was changed: name at least one thing to change.",
    de="Nichts geändert: Nenne mindestens etwas, das sich ändern soll.",
)

# -- what cannot be done --------------------------------------------------------------------------

ONLY_IN_SERVERS = Text(
    en="This command works in servers only.", de="Dieser Befehl geht nur auf Servern."
)
NOT_YOURS = Text(
    en="You need the right to manage this server for that.",
    de="Dafür brauchst du das Recht, diesen Server zu verwalten.",
)
STORE_REFUSED = Text(
    en="The database is busy or away; try again in a minute.",
    de="Die Datenbank ist beschäftigt oder weg; versuche es gleich noch einmal.",
)
OUR_FAULT = Text(
    en="Something went wrong on our side; the log of Wireroom has the details.",
    de="Bei uns ging etwas schief; das Protokoll von Wireroom weiß mehr.",
)
TOO_SLOW = Text(en="That took too long; try again.", de="Das dauerte zu lange; versuch es erneut.")
UNKNOWN_FEED = Text(
    en="There is no such feed in this server; /rss list shows them.",
    de="Diesen Feed gibt es auf diesem Server nicht; /rss list zeigt alle.",
)
AMBIGUOUS = Text(
    en="Several feeds have this address; name one by its number: {numbers}.",
    de="Mehrere Feeds haben diese Adresse; nenne einen mit seiner Nummer: {numbers}.",
)
MAY_NOT_POST = Text(
    en="You may not post in {channel} yourself, so the bot will not do it for you.",
    de="Du darfst in {channel} selbst nicht schreiben, also tut es der Bot auch nicht für dich.",
)
NO_WEBHOOKS_ALLOWED = Text(
    en="The bot may not make a webhook in {channel}: give it “Manage Webhooks” there, or make one "
    "yourself and pass its address as `webhook`.",
    de="Der Bot darf in {channel} keinen Webhook anlegen: Gib ihm dort „Webhooks verwalten“, oder "
    "lege selbst einen an und gib seine Adresse als `webhook` an.",
)
TOO_MANY_WEBHOOKS = Text(
    en="{channel} has as many webhooks as Discord allows; delete one there.",
    de="{channel} hat so viele Webhooks, wie Discord erlaubt; lösche dort einen.",
)
WEBHOOK_UNUSABLE = Text(
    en="Discord does not know this webhook (any more); copy its address again.",
    de="Discord kennt diesen Webhook nicht (mehr); kopiere seine Adresse neu.",
)
DISCORD_REFUSED = Text(en="Discord refused: {reason}.", de="Discord hat abgelehnt: {reason}.")

#: Refusals of use cases by their code. Those with `{why}` end with the use case's own words.
_REFUSALS: Final[dict[str, Text]] = {
    "only_in_servers": ONLY_IN_SERVERS,
    "manage_server": NOT_YOURS,
    "unknown_feed": UNKNOWN_FEED,
    "unknown_subscription": UNKNOWN_FEED,
    "unknown_route": UNKNOWN_FEED,
    "not_a_feed": Text(en="{why}", de="Dort ist kein Feed: {why}"),
    "feed_gone": Text(en="{why}", de="Diesen Feed gibt es nicht mehr: {why}"),
    "needs_credentials": Text(en="{why}", de="Der Feed verlangt eine Anmeldung: {why}"),
    "not_https": Text(en="{why}", de="Der Feed ist nicht über https zu erreichen: {why}"),
    "unreachable": Text(en="{why}", de="Der Feed ist nicht zu erreichen: {why}"),
    "publisher_error": Text(en="{why}", de="Der Anbieter antwortet nicht, wie er soll: {why}"),
    "invalid_url": Text(en="{why}", de="Das ist keine brauchbare Adresse: {why}"),
    "invalid_webhook": Text(en="{why}", de="Das ist keine Webhook-Adresse: {why}"),
    "invalid_filter": Text(en="{why}", de="Diesen Filter verstehe ich nicht: {why}"),
    "invalid_template": Text(en="{why}", de="Diese Vorlage geht nicht: {why}"),
    "invalid_interval": Text(en="{why}", de="Das ist kein Abstand: {why}"),
    "invalid_setting": Text(en="{why}", de="So geht diese Einstellung nicht: {why}"),
    "invalid_code": Text(
        en="{why}", de="Dieser Code ist falsch, verbraucht oder zu alt. Hol dir einen neuen."
    ),
    "conflict": Text(en="{why}", de="Das geht gerade nicht: {why}"),
}


def refusal(error: UserError, language: Language) -> str:
    """Why something cannot be done, in the person's language as far as we know it in that."""
    told = _REFUSALS.get(error.code)
    return str(error) if told is None else told.say(language, why=str(error))

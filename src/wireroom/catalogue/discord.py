"""What the Discord bot says."""

from typing import Final

from wireroom.catalogue import refusals
from wireroom.catalogue.text import Language, Plural, Text
from wireroom.errors import UserError

# -- answers --------------------------------------------------------------------------------------


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
NOTHING_FITS = Text(
    en="None of its newest entries passes the filter, so none was posted; the next that does is.",
    de="Keiner der neuesten Beiträge passt zum Filter, also erschien keiner; der nächste passende "
    "erscheint.",
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
NOT_ADDED = Text(en="Not added. {why}", de="Nicht hinzugefügt. {why}")
MESSAGE_REFUSED = Text(
    en="Discord refused the message: {reason}.",
    de="Discord hat die Nachricht abgelehnt: {reason}.",
)
NO_MESSAGES_NOW = Text(
    en="Discord takes no messages right now ({reason}); try again in a minute.",
    de="Discord nimmt gerade keine Nachrichten an ({reason}); versuch es gleich noch einmal.",
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
LIST_DISABLED = Text(en="🚫 {reason}", de="🚫 {reason}")
NOT_SENT = Text(en="⛔ not sent: {reason}", de="⛔ nicht gesendet: {reason}")

UPDATED = Text(en="Feed updated", de="Feed geändert")
NOTHING_TO_CHANGE = Text(
    en="Nothing was changed: name at least one thing to change.",
    de="Nichts geändert: Nenne mindestens etwas, das sich ändern soll.",
)

INTERVAL_SET = Text(
    en="⏱️ #{number} **{name}**: {interval}", de="⏱️ #{number} **{name}**: {interval}"
)
RESET_DONE = Plural(
    one=Text(
        en="🔄 {n} feed is read in full once; only what is new will be posted.",
        de="🔄 {n} Feed wird einmal ganz gelesen; nur Neues erscheint.",
    ),
    other=Text(
        en="🔄 {n} feeds are read in full once; only what is new will be posted.",
        de="🔄 {n} Feeds werden einmal ganz gelesen; nur Neues erscheint.",
    ),
)
CLONE_WHAT = Text(
    en="❌ Say where to: a `channel`, a `feed_url`, or a feed of this server as `onto`.",
    de="❌ Sag, wohin: ein `channel`, eine `feed_url` oder ein Feed dieses Servers als `onto`.",
)
COPIED = Text(
    en="📋 **{other}** now has the settings of **{name}**.",
    de="📋 **{other}** hat jetzt die Einstellungen von **{name}**.",
)

# -- status, why, polls ---------------------------------------------------------------------------

ALL_WELL = Text(en="✅ All feeds are healthy.", de="✅ Alle Feeds sind gesund.")
STATUS_TITLE = Text(en="Feeds that need attention", de="Feeds, die Aufmerksamkeit brauchen")
NEXT_TRY = Text(en="next try {when}", de="nächster Versuch {when}")
NO_NEXT_TRY = Text(en="not tried again: {reason}", de="kein neuer Versuch: {reason}")
WAITING = Plural(
    one=Text(en="{n} entry waits", de="{n} Beitrag wartet"),
    other=Text(en="{n} entries wait", de="{n} Beiträge warten"),
)
POLL_FAILED = Text(en="❌ {name}: {reason}", de="❌ {name}: {reason}")
NO_ENTRIES = Text(en="⚠️ {name} has no entries.", de="⚠️ {name} hat keine Beiträge.")
NONE_POSTED = Text(
    en="➖ {name}: none of the newest entries passes the filter, so none was posted.",
    de="➖ {name}: Keiner der neuesten Beiträge passt zum Filter, also erschien keiner.",
)
PUSHED = Text(
    en="🔄 {name}: the newest entry was posted.",
    de="🔄 {name}: Der neueste Beitrag ist erschienen.",
)
ON_THEIR_WAY = Plural(
    one=Text(
        en="🔄 {name}: {n} new entry is on its way.",
        de="🔄 {name}: {n} neuer Beitrag ist unterwegs.",
    ),
    other=Text(
        en="🔄 {name}: {n} new entries are on their way.",
        de="🔄 {name}: {n} neue Beiträge sind unterwegs.",
    ),
)
REJECTED = Text(en="❌ {name}: {why}", de="❌ {name}: {why}")
HELD_BACK = Plural(
    one=Text(en="⏸️ {name}: {n} new entry. {why}", de="⏸️ {name}: {n} neuer Beitrag. {why}"),
    other=Text(en="⏸️ {name}: {n} new entries. {why}", de="⏸️ {name}: {n} neue Beiträge. {why}"),
)
TESTED = Text(en="📨 {name}: posted in {place}.", de="📨 {name}: erschienen in {place}.")
NEWEST_DROPPED = Text(
    en="➖ The newest entry, “{entry}”, would not be posted: {why}.",
    de="➖ Der neueste Beitrag, „{entry}“, würde nicht erscheinen: {why}.",
)
SHOWN_INSTEAD = Plural(
    one=Text(
        en="Of the newest {total} entries {n} would be:",
        de="Von den neuesten {total} Beiträgen erscheint {n}:",
    ),
    other=Text(
        en="Of the newest {total} entries {n} would be. The newest of them:",
        de="Von den neuesten {total} Beiträgen erscheinen {n}. Der neueste davon:",
    ),
)
NONE_PASSES = Plural(
    one=Text(en="It would look like this:", de="So sähe er aus:"),
    other=Text(
        en="None of the newest {n} would be. It would look like this:",
        de="Keiner der neuesten {n} erscheint. So sähe er aus:",
    ),
)
MORE_MESSAGES = Plural(
    one=Text(
        en="… and {n} more message, which would be posted as well.",
        de="… und {n} weitere Nachricht, die ebenfalls erschiene.",
    ),
    other=Text(
        en="… and {n} more messages, which would be posted as well.",
        de="… und {n} weitere Nachrichten, die ebenfalls erschienen.",
    ),
)
FOUND = Text(en="Feeds of {url}", de="Feeds von {url}")
WHY_TITLE = Text(en="The newest entries of {name}", de="Die neuesten Beiträge von {name}")
PAUSED_NOW = Plural(
    one=Text(en="⏸️ {n} feed is paused {until}.", de="⏸️ {n} Feed ruht {until}."),
    other=Text(en="⏸️ {n} feeds are paused {until}.", de="⏸️ {n} Feeds ruhen {until}."),
)
UNTIL = Text(en="until {when}", de="bis {when}")
UNTIL_RESUMED = Text(en="until /rss resume", de="bis /rss resume")
RESUMED = Plural(
    one=Text(en="▶️ {n} feed goes on.", de="▶️ {n} Feed geht weiter."),
    other=Text(en="▶️ {n} feeds go on.", de="▶️ {n} Feeds gehen weiter."),
)

# -- filters and templates ------------------------------------------------------------------------

FILTER_IS = Text(
    en="**{name}** posts what fits `{filter}`.",
    de="Von **{name}** erscheint, was zu `{filter}` passt.",
)
FILTER_NONE = Text(
    en="**{name}** has no filter: everything is posted.",
    de="**{name}** hat keinen Filter: Alles erscheint.",
)
FILTER_SET = Text(en="✅ Set.", de="✅ Gesetzt.")
WOULD_HAVE = Plural(
    one=Text(
        en="Of the {n} entry so far {sent} would be posted.",
        de="Von bisher {n} Beitrag würde {sent} erscheinen.",
    ),
    other=Text(
        en="Of its newest {n} entries {sent} would be posted.",
        de="Von den neuesten {n} Beiträgen erscheinen demnach: {sent}.",
    ),
)
TEMPLATE_TITLE = Text(en="Template", de="Vorlage")
TEMPLATE_FIELD = Text(
    en="HTML with fields; empty: our own layout", de="HTML mit Feldern; leer: unser Aussehen"
)
TEMPLATE_SET = Text(
    en="✅ From now on **{name}** looks like this:", de="✅ Ab jetzt sieht **{name}** so aus:"
)
TEMPLATE_REMOVED = Text(
    en="✅ **{name}** has our own layout again.", de="✅ **{name}** hat wieder unser Aussehen."
)
TEMPLATE_KEPT = Text(
    en="❌ {why}\nNothing was changed. What you wrote:\n```\n{template}\n```",
    de="❌ {why}\nNichts wurde geändert. Du schriebst:\n```\n{template}\n```",
)
TEMPLATE_TOO_LONG = Text(
    en="❌ This template is longer than the {most} characters that a form of Discord takes; "
    "change it in the web reader.",
    de="❌ Diese Vorlage ist länger als die {most} Zeichen, die ein Formular von Discord fasst; "
    "ändere sie im Web-Reader.",
)
SET_DONE = Text(
    en="✅ **{name}**: {setting} is `{value}`.", de="✅ **{name}**: {setting} ist `{value}`."
)
SET_BACK = Text(
    en="✅ **{name}**: {setting} is taken back.", de="✅ **{name}**: {setting} ist zurückgenommen."
)

CALLED = Text(
    en="📣 **{name}** calls {role} when an entry fits `{filter}`.",
    de="📣 **{name}** ruft {role}, wenn ein Beitrag zu `{filter}` passt.",
)
CALLED_ALWAYS = Text(
    en="📣 **{name}** calls {role} for every entry.",
    de="📣 **{name}** ruft {role} bei jedem Beitrag.",
)
CALLED_NO_MORE = Text(
    en="📣 **{name}** calls {role} no more.", de="📣 **{name}** ruft {role} nicht mehr."
)

# -- lists, links, menus --------------------------------------------------------------------------

IMPORTED = Plural(
    one=Text(
        en="📥 {n} feed is new here; here already: {known}; cannot be followed: {failed}.",
        de="📥 {n} Feed ist hier neu; schon da: {known}; nicht zu abonnieren: {failed}.",
    ),
    other=Text(
        en="📥 {n} feeds are new here; here already: {known}; cannot be followed: {failed}.",
        de="📥 {n} Feeds sind hier neu; schon da: {known}; nicht zu abonnieren: {failed}.",
    ),
)
EXPORTED = Plural(
    one=Text(en="📤 {n} feed", de="📤 {n} Feed"), other=Text(en="📤 {n} feeds", de="📤 {n} Feeds")
)
YOUR_CODE = Text(
    en="🔗 Within 15 minutes type this code in the settings of the web reader (“Chats and "
    "servers”): `{code}`. Or run `wireroom account link {code}`.",
    de="🔗 Gib diesen Code binnen 15 Minuten in den Einstellungen des Web-Readers ein („Chats and "
    "servers“): `{code}`. Oder rufe `wireroom account link {code}` auf.",
)
LINKED = Text(en="🔗 Linked.", de="🔗 Verbunden.")
UNLINKED = Text(
    en="✂️ This server has an account of its own again.",
    de="✂️ Dieser Server hat wieder ein eigenes Konto.",
)
FROM_FEED = Text(en="From", de="Von")
PUBLISHED_AT = Text(en="Published", de="Veröffentlicht")
MET_AT = Text(en="Found", de="Gefunden")
SENT_AT = Text(en="Posted", de="Erschienen")
BECAUSE = Text(en="Because", de="Weil")
NO_FILTER = Text(en="no filter is set", de="kein Filter gesetzt ist")
FITS_FILTER = Text(en="it fits the filter `{filter}`", de="es zum Filter `{filter}` passt")
MUTE_TITLE = Text(en="Mute like this", de="Ähnliches stumm")
MUTE_FIELD = Text(en="Not any more with these words", de="Nicht mehr mit diesen Wörtern")
MUTED = Text(
    en="🔇 **{name}** posts nothing with “{words}” any more.",
    de="🔇 **{name}** zeigt nichts mit „{words}“ mehr.",
)
SAVED = Text(en="⭐ Saved.", de="⭐ Gemerkt.")
SAVED_AND_FOLLOWED = Text(
    en="⭐ Saved; you follow {name} in your own account now.",
    de="⭐ Gemerkt; du folgst {name} jetzt in deinem eigenen Konto.",
)
LINK_YOURSELF = Text(
    en="To read it on the web, link yourself: /link me",
    de="Um es im Web zu lesen, verbinde dich: /link me",
)
WEBHOOK_ENDED = Text(
    en=(
        "⛔ A webhook that you added in {place} takes no messages any more: {reason}.\nIt "
        "concerns: {feeds}.\nMend it with `/rss edit`, or `/rss resume` once it works "
        "again. Nothing is lost: what comes meanwhile waits."
    ),
    de=(
        "⛔ Ein Webhook, den du in {place} eingerichtet hast, nimmt nichts mehr an: "
        "{reason}.\nEs betrifft: {feeds}.\nRepariere ihn mit `/rss edit`, oder `/rss "
        "resume`, sobald er wieder geht. Nichts geht verloren: Was kommt, wartet."
    ),
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
ANSWER_REFUSED = Text(
    en="Discord would not show the answer; `/rss list` shows how things stand.",
    de="Discord zeigt die Antwort nicht; `/rss list` zeigt, wie die Dinge stehen.",
)
COMMANDS_CHANGED = Text(
    en="This command has changed; reload Discord (Ctrl+R) and try again.",
    de="Dieser Befehl hat sich geändert; lade Discord neu (Strg+R) und versuch es erneut.",
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
    de=("Du darfst in {channel} selbst nicht schreiben, also tut es der Bot auch nicht für dich."),
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
    "linked": Text(
        en="{why}",
        de="Dieser Server ist mit jemandes Konto verbunden. Den Code macht, wem es gehört.",
    ),
    "not_linked": Text(
        en="This server is not linked with an account.",
        de="Dieser Server ist mit keinem Konto verbunden.",
    ),
    "conflict": Text(en="{why}", de="Das geht gerade nicht: {why}"),
}


def refusal(error: UserError, language: Language) -> str:
    """Why something cannot be done, in the person's language as far as we know it in that."""
    told = _REFUSALS.get(error.code)
    why = refusals.said(error, language)
    is_known = language != "en" and why != str(error)
    if told is None or (is_known and told.de.endswith("{why}")):
        return why
    return told.say(language, why=why)

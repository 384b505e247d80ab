"""Beginning, help, and what may happen anywhere in a conversation."""

from typing import Final

from wireroom.catalogue.text import Text

THEME: Final = Text(en="General", de="Allgemeines")

#: What people read before they start the bot (512 characters), and beside its picture (120).
DESCRIPTION: Final = Text(
    en=(
        "I bring news of web sites into chats, groups, topics and channels. Send me the address "
        "of a site or feed, or an OPML file. With filters, layouts, digests and silent hours for "
        "each feed."
    ),
    de=(
        "Ich bringe Neues von Webseiten in Chats, Gruppen, Themen und Kanäle. Schick mir die "
        "Adresse einer Seite oder eines Feeds oder eine OPML-Datei. Mit Filtern, Vorlagen, "
        "Sammelnachrichten und Ruhezeiten für jeden Feed."
    ),
)
SHORT_DESCRIPTION: Final = Text(
    en="News of web sites in your chats: send an address, and what is new comes.",
    de="Neues von Webseiten in deine Chats: schick eine Adresse, und das Neue kommt.",
)

START: Final = Text(
    en=(
        "<b>Wireroom</b> brings news of web sites into this chat.\n\n"
        "Send me the address of a site or feed, forward a post of a public channel, or send an "
        "OPML file. I ask the sites at the pace at which they publish, and send each story once."
    ),
    de=(
        "<b>Wireroom</b> bringt Neues von Webseiten in diesen Chat.\n\n"
        "Schick mir die Adresse einer Seite oder eines Feeds, leite einen Beitrag eines "
        "öffentlichen Kanals weiter oder schick eine OPML-Datei. Ich frage die Seiten so oft, wie "
        "sie veröffentlichen, und schicke jede Meldung einmal."
    ),
)
START_INITIAL: Final = Text(
    en="A new feed begins with its newest entries: {n}.",
    de="Ein neuer Feed beginnt mit seinen neuesten Einträgen: {n}.",
)
CONTACT: Final = Text(en="Contact: {contact}", de="Kontakt: {contact}")
START_GROUP: Final = Text(
    en="In groups only admins change what I send; in topics, each topic has its own feeds.",
    de=(
        "In Gruppen ändern nur Admins, was ich schicke; in Gruppen mit Themen hat jedes Thema "
        "seine eigenen Feeds."
    ),
)
NOT_SET_UP: Final = Text(
    en=(
        "This bot is not set up yet. Whoever runs it sets WIREROOM_TELEGRAM_ADMIN to the number "
        "of their account and starts it again. Yours is <code>{id}</code>."
    ),
    de=(
        "Dieser Bot ist noch nicht eingerichtet. Wer ihn betreibt, setzt WIREROOM_TELEGRAM_ADMIN "
        "auf die Nummer seines Kontos und startet ihn neu. Deine ist <code>{id}</code>."
    ),
)

HELP: Final = Text(
    en="<b>What I can do.</b> Choose a theme, or send /help COMMAND.",
    de="<b>Was ich kann.</b> Wähle ein Gebiet oder schick /help BEFEHL.",
)
HELP_LINE: Final = Text(en="<b>{typed}</b>\n{about}", de="<b>{typed}</b>\n{about}")
HELP_ALIASES: Final = Text(en="Also: {names}", de="Auch: {names}")
HELP_MANAGERS: Final = Text(
    en="In groups and channels for admins only.", de="In Gruppen und Kanälen nur für Admins."
)
HELP_OPERATORS: Final = Text(
    en="Only for whoever runs this bot.", de="Nur für den Betreiber dieses Bots."
)
HELP_ON_CHANNELS: Final = Text(
    en=(
        "Channels: make me an admin who may post there, then /manage @channel here, or write "
        "commands in the channel itself."
    ),
    de=(
        "Kanäle: mach mich dort zum Admin, der posten darf, dann hier /manage @kanal, oder "
        "schreib die Befehle im Kanal selbst."
    ),
)
NO_SUCH_COMMAND: Final = Text(
    en="I do not know /{name}. /help lists what I know.",
    de="/{name} kenne ich nicht. /help zeigt, was ich kann.",
)
DID_YOU_MEAN: Final = Text(
    en="I do not know /{name}. Did you mean /{near}?",
    de="/{name} kenne ich nicht. Meintest du /{near}?",
)
NOT_UNDERSTOOD: Final = Text(
    en="I did not understand that. Send the address of a site or feed, or /help.",
    de="Das habe ich nicht verstanden. Schick die Adresse eines Feeds oder /help.",
)
USAGE: Final = Text(en="Write it like this: <code>{typed}</code>", de="So: <code>{typed}</code>")

CANCEL: Final = Text(en="Cancel", de="Abbrechen")
CANCELLED: Final = Text(en="Cancelled.", de="Abgebrochen.")
NOTHING_TO_CANCEL: Final = Text(en="There is nothing to cancel.", de="Es gibt nichts abzubrechen.")
CLOSE: Final = Text(en="Close", de="Schließen")
BACK: Final = Text(en="‹ Back", de="‹ Zurück")

ONLY_ADMINS: Final = Text(
    en="Only admins of this group can do that.", de="Das können nur Admins dieser Gruppe."
)
ONLY_OPERATOR: Final = Text(
    en="Only whoever runs this bot can do that.", de="Das kann nur der Betreiber dieses Bots."
)
ONLY_PRIVATE: Final = Text(
    en="Ask me that in our private chat.", de="Frag mich das in unserem privaten Chat."
)
STALE: Final = Text(
    en="This is not here any more. Ask for the list again: /list",
    de="Das gibt es nicht mehr. Lass dir die Liste neu zeigen: /list",
)
BROKEN: Final = Text(
    en="Something went wrong on our side. Try again; whoever runs this bot finds it in the log.",
    de="Bei uns ging etwas schief. Versuch es noch einmal; der Betreiber findet es im Protokoll.",
)
BUSY: Final = Text(
    en="The database is busy. Try again in a minute.",
    de="Die Datenbank ist beschäftigt. Versuch es in einer Minute noch einmal.",
)
TELEGRAM_AWAY: Final = Text(
    en="Telegram did not answer me just now. Try again.",
    de="Telegram hat mir gerade nicht geantwortet. Versuch es noch einmal.",
)
SAID_ELSEWHERE: Final = Text(
    en="I cannot write in {chat} ({reason}), so I answer you here:",
    de="In {chat} kann ich nicht schreiben ({reason}), darum antworte ich dir hier:",
)
#: Begins a sentence that says what went wrong.
WRONG: Final = "❌"

LANGUAGE: Final = Text(
    en="Which language shall I speak here?", de="Welche Sprache soll ich hier sprechen?"
)
LANGUAGE_SET: Final = Text(en="I speak English here.", de="Ich spreche hier Deutsch.")
LANGUAGE_NAME: Final = Text(en="English", de="Deutsch")

ABOUT_START: Final = Text(en="what this bot does", de="was dieser Bot macht")
ABOUT_HELP: Final = Text(en="all commands", de="alle Befehle")
ABOUT_CANCEL: Final = Text(en="stop what I was asking", de="meine Frage vergessen")
ABOUT_CLOSE: Final = Text(en="take a menu away", de="ein Menü wegräumen")
ABOUT_LANGUAGE: Final = Text(en="language of this chat", de="Sprache dieses Chats")
ABOUT_COMMANDS: Final = Text(en="commands as buttons", de="Befehle als Knöpfe")

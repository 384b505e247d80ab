"""Things that are not there or not to be had: feeds, entries, chats, accounts."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("There is no such destination.", "Dieses Ziel gibt es nicht."),
    Text("There is no destination {n}.", "Das Ziel {n} gibt es nicht."),
    Text("There is no such folder.", "Diesen Ordner gibt es nicht."),
    Text("There is no such subscription.", "Dieses Abo gibt es nicht."),
    Text("There is no such feed.", "Diesen Feed gibt es nicht."),
    Text("There is no such route.", "Diesen Weg gibt es nicht."),
    Text("There is no such entry.", "Diesen Eintrag gibt es nicht."),
    Text("There is no such search.", "Diese Suche gibt es nicht."),
    Text("There is no such account.", "Dieses Konto gibt es nicht."),
    Text("There is no such {kind}.", "Das gibt es nicht ({kind})."),
    Text(
        "There is no such feed in this server; /rss list shows them.",
        "Diesen Feed gibt es auf diesem Server nicht; /rss list zeigt alle.",
    ),
    Text(
        "This message is no news of ours, a mere test, or too old.",
        "Diese Nachricht ist keine Meldung von uns, nur eine Probe oder zu alt.",
    ),
    Text("That entry is not kept any more.", "Dieser Eintrag ist nicht mehr da."),
    Text("A server has at most {n} webhooks.", "Ein Server hat höchstens {n} Webhooks."),
    Text(
        "Another server posts by this webhook already.",
        "Über diesen Webhook schreibt schon ein anderer Server.",
    ),
    Text("At most {n} feeds in one go.", "Höchstens {n} Feeds auf einmal."),
    Text("At most {n} entries in one go.", "Höchstens {n} Einträge auf einmal."),
    Text("That feed goes there already, as #{n}.", "Dieser Feed geht schon dorthin, als #{n}."),
    Text(
        "This feed is read like that already, as #{n}.",
        "Dieser Feed wird schon so gelesen, als #{n}.",
    ),
    Text("This is taken out already.", "Das wird schon herausgenommen."),
    Text(
        "There is no replacement with the number {n}.", "Eine Ersetzung Nummer {n} gibt es nicht."
    ),
    Text("Nothing is sent anywhere from there.", "Von dort wird nichts geschickt."),
    Text(
        "Only who runs this Wireroom can do that.",
        "Das kann nur, wer dieses Wireroom betreibt.",
    ),
    Text(
        "Only an operator may say how a feed is asked that others follow.",
        "Wie ein Feed gefragt wird, dem auch andere folgen, sagt nur, wer Wireroom betreibt.",
    ),
    Text(
        "The feed was forgotten at this very moment; try again.",
        "Der Feed wurde gerade eben vergessen; versuch es noch einmal.",
    ),
    # -- linking ---------------------------------------------------------------------------------
    Text(
        "This chat belongs to whoever runs Wireroom, and stays with them.",
        "Dieser Chat gehört zu dem, der Wireroom betreibt, und bleibt dort.",
    ),
    Text(
        "This is linked with somebody's account. They make a code there, in the web reader.",
        "Das gehört zu jemandes Konto. Einen Code macht er oder sie dort, im Web-Reader.",
    ),
    Text(
        "This code is wrong, was used already, or is too old. Ask for a new one.",
        "Dieser Code ist falsch, verbraucht oder zu alt. Lass dir einen neuen geben.",
    ),
    Text(
        "This chat is linked with another account already. Unlink it there first.",
        "Dieser Chat ist schon mit einem anderen Konto verbunden. Löse ihn zuerst dort.",
    ),
    Text(
        "This code belongs to an account that people log in to, not to a chat.",
        "Dieser Code gehört zu einem Konto, in das man sich einloggt, nicht zu einem Chat.",
    ),
    Text(
        "This chat is not linked with an account.",
        "Dieser Chat ist mit keinem Konto verbunden.",
    ),
    Text(
        "A message is on its way right now. Try again in a few seconds.",
        "Gerade ist eine Nachricht unterwegs. Versuch es in ein paar Sekunden noch einmal.",
    ),
)

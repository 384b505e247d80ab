"""What Telegram and Discord answer when they take nothing any more, and samples refused."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("The chat did not take the sample: {why}.", "Der Chat nimmt die Probe nicht: {why}."),
    Text(
        "The sample could not be sent now ({why}); try again in a while.",
        "Die Probe ließ sich nicht schicken ({why}); versuch es später noch einmal.",
    ),
    Text("Forbidden: {why}", "{why}"),
    Text("Bad Request: {why}", "{why}"),
    Text("bot was blocked by the user", "der Bot ist blockiert"),
    Text("user is deactivated", "das Konto ist gelöscht"),
    Text(
        "bot can't initiate conversation with a user",
        "der Bot kann niemanden von sich aus anschreiben",
    ),
    Text("bot was kicked from the group chat", "der Bot wurde aus der Gruppe entfernt"),
    Text("bot was kicked from the supergroup chat", "der Bot wurde aus der Gruppe entfernt"),
    Text("bot was kicked from the channel chat", "der Bot wurde aus dem Kanal entfernt"),
    Text("bot is not a member of the supergroup chat", "der Bot ist nicht in der Gruppe"),
    Text("bot is not a member of the channel chat", "der Bot ist nicht im Kanal"),
    Text("the group chat was deleted", "die Gruppe wurde gelöscht"),
    Text("chat not found", "den Chat gibt es nicht"),
    Text("there is no such chat", "den Chat gibt es nicht"),
    Text(
        "not enough rights to send text messages to the chat", "der Bot darf dort nicht schreiben"
    ),
    Text("the bot has to be an admin there", "der Bot muss dort Admin sein"),
    Text("the topic is not there any more", "das Thema gibt es nicht mehr"),
    Text("the topic is closed", "das Thema ist geschlossen"),
    Text("the topic was deleted", "das Thema wurde gelöscht"),
    Text("the bot may not write there", "der Bot darf dort nicht schreiben"),
    Text("the bot was removed", "der Bot wurde entfernt"),
    Text("the webhook was deleted", "der Webhook wurde gelöscht"),
    Text("the webhook's token is not valid any more", "das Token des Webhooks gilt nicht mehr"),
    Text("the channel or thread was deleted", "der Kanal oder Thread wurde gelöscht"),
    Text("the server was deleted", "der Server wurde gelöscht"),
    Text("the person takes no messages", "die Person nimmt keine Nachrichten an"),
    Text("no access to the channel", "der Kanal ist nicht zugänglich"),
    Text("permissions are missing in the channel", "im Kanal fehlen Rechte"),
    Text("the thread is archived", "der Thread ist archiviert"),
    Text("the thread is locked", "der Thread ist gesperrt"),
    Text("the forum wants a tag on every post", "das Forum verlangt ein Tag an jedem Beitrag"),
    Text("Discord's rate limit", "Discord bremst uns"),
    Text("Cloudflare's rate limit", "Cloudflare bremst uns"),
    Text("HTTP {n}, not from Discord's API", "HTTP {n}, nicht von Discord selbst"),
    Text("unexpected: {why}", "unerwartet: {why}"),
    Text("waiting for Telegram's rate limit", "Telegram nimmt nur so viele in der Minute"),
    Text("Telegram's flood control", "Telegram bremst uns"),
)

"""Addresses that are not dialled: how they are written, and where they lead."""

from typing import Final

from wireroom.catalogue.text import Text

_BLANKS: Final = "In der Adresse stehen Leer- oder Steuerzeichen."

SENTENCES: Final = (
    Text("No address was given.", "Es fehlt die Adresse."),
    Text("This is not a web address.", "Das ist keine Webadresse."),
    Text(
        "That is not a web address: host or port cannot be read.",
        "Das ist keine Webadresse: Host oder Port sind nicht zu lesen.",
    ),
    Text(
        "Addresses must not hold a user name or password; give them as the feed's credentials.",
        "In Adressen stehen weder Name noch Passwort; sie gehören zu den Zugangsdaten des Feeds.",
    ),
    Text("The address holds blanks or control characters.", _BLANKS),
    Text("The address contains blanks, backslashes or control characters.", _BLANKS),
    Text(
        "The address holds the character {character}; if it belongs there, write it "
        "percent-encoded.",
        "In der Adresse steht das Zeichen {character}; gehört es dorthin, schreib es "
        "prozentkodiert.",
    ),
    Text(
        "Addresses must begin with https:// or http://, not with {scheme}:.",
        "Adressen beginnen mit https:// oder http://, nicht mit {scheme}:.",
    ),
    Text(
        "Only https:// and http:// addresses are fetched.",
        "Nur Adressen mit https:// und http:// werden abgerufen.",
    ),
    Text("Port 0 cannot be dialled.", "Port 0 lässt sich nicht anwählen."),
    Text(
        "Port {n} is not one that feeds are fetched from.",
        "Von Port {n} werden keine Feeds abgerufen.",
    ),
    Text(
        "Port {n} is not fetched from here; 80, 443, 8080 and 8443 are.",
        "Von Port {n} wird hier nichts abgerufen, nur von 80, 443, 8080 und 8443.",
    ),
    Text(
        "The host name {name} has no domain, such as .org.",
        "Dem Hostnamen {name} fehlt die Endung, etwa .org.",
    ),
    Text(
        "The host name has an empty or overlong part.",
        "Ein Teil des Hostnamens ist leer oder zu lang.",
    ),
    Text(
        "The host name is too long or has an empty part.",
        "Der Hostname ist zu lang, oder ein Teil davon ist leer.",
    ),
    Text("The address names no host.", "In der Adresse steht kein Host."),
    Text("The address is longer than {n} characters.", "Die Adresse ist länger als {n} Zeichen."),
    Text(
        "This address is not on the public internet, and only public addresses are fetched.",
        "Diese Adresse liegt nicht im öffentlichen Internet, und nur von dort wird abgerufen.",
    ),
    Text(
        "{why}, and plain http is not fetched here (the operator can allow it with "
        "WIREROOM_ALLOW_HTTP=1).",
        "{why}, und ohne https wird hier nichts abgerufen (wer Wireroom betreibt, kann es mit "
        "WIREROOM_ALLOW_HTTP=1 erlauben).",
    ),
    Text("The address redirects to plain http", "Die Adresse leitet auf http ohne TLS um"),
    Text(
        "The address redirects to one that is not fetched: {why}",
        "Die Adresse leitet auf eine um, die nicht abgerufen wird: {why}",
    ),
    Text("The address redirects more than {n} times.", "Die Adresse leitet mehr als {n}-mal um."),
    Text(
        "The address redirects in a circle, as sites do that want cookies.",
        "Die Adresse leitet im Kreis um, wie es Seiten tun, die Cookies wollen.",
    ),
    Text(
        "That is not a Discord webhook address; it looks like "
        "https://discord.com/api/webhooks/<number>/<token>.",
        "Das ist keine Webhook-Adresse von Discord; so sieht eine aus: "
        "https://discord.com/api/webhooks/<Nummer>/<Token>.",
    ),
    Text("A webhook address begins with https://.", "Eine Webhook-Adresse beginnt mit https://."),
    Text("A webhook's address begins with https://.", "Ein Webhook beginnt mit https://."),
    Text("A webhook address is on discord.com.", "Eine Webhook-Adresse liegt auf discord.com."),
    Text(
        "The thread_id of a webhook address is a number.",
        "Die thread_id einer Webhook-Adresse ist eine Zahl.",
    ),
    Text(
        "Type the address of a feed or of a website.",
        "Gib die Adresse eines Feeds oder einer Website an.",
    ),
)

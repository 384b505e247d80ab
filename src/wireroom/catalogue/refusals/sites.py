"""What a host does instead of answering: names, connections, TLS."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("There is no host named {host}.", "Einen Host namens {host} gibt es nicht."),
    Text(
        "The name {host} cannot be looked up at the moment.",
        "Der Name {host} lässt sich gerade nicht nachschlagen.",
    ),
    Text("{host} refuses the connection.", "{host} weist die Verbindung ab."),
    Text("{host} breaks the connection off.", "{host} bricht die Verbindung ab."),
    Text("{host} cannot be reached.", "{host} ist nicht zu erreichen."),
    Text(
        "{host} cannot be reached from this network.",
        "{host} ist aus diesem Netz nicht zu erreichen.",
    ),
    Text("{host} does not take the connection.", "{host} nimmt die Verbindung nicht an."),
    Text(
        "{host} does not take the connection in time.",
        "{host} nimmt die Verbindung nicht rechtzeitig an.",
    ),
    Text("{host} keeps silent for too long.", "{host} schweigt zu lange."),
    Text(
        "{host} has not finished its answer within {n} seconds.",
        "{host} ist nach {n} Sekunden noch nicht mit der Antwort fertig.",
    ),
    Text(
        "{host} breaks off in the middle of its answer.",
        "{host} bricht mitten in der Antwort ab.",
    ),
    Text("{host} hangs up without an answer.", "{host} legt ohne Antwort auf."),
    Text(
        "{host} answers with something that is not proper HTTP.",
        "{host} antwortet mit etwas, das kein richtiges HTTP ist.",
    ),
    Text(
        "{host} says in two ways where its answer ends (Content-Length beside "
        "Transfer-Encoding), which is refused as unsafe.",
        "{host} sagt auf zwei Arten, wo die Antwort endet (Content-Length neben "
        "Transfer-Encoding); das ist unsicher und wird abgelehnt.",
    ),
    Text(
        "{host} answers without TLS where https is expected.",
        "{host} antwortet ohne TLS, wo https zu erwarten ist.",
    ),
    Text(
        "{host} speaks only TLS versions that are no longer safe.",
        "{host} spricht nur TLS-Versionen, die nicht mehr sicher sind.",
    ),
    Text(
        "{host} and this program cannot agree on a TLS connection.",
        "{host} und dieses Programm einigen sich auf keine TLS-Verbindung.",
    ),
    Text(
        "This machine cannot open another connection at the moment.",
        "Dieser Rechner kann gerade keine weitere Verbindung öffnen.",
    ),
    Text("The TLS certificate of {host} {why}.", "Das TLS-Zertifikat von {host} {why}."),
    Text("is not signed by whom it names", "ist nicht von dem signiert, den es nennt"),
    Text("is not valid yet", "gilt noch nicht"),
    Text("has expired", "ist abgelaufen"),
    Text("is signed by nobody but itself", "hat sich selbst signiert"),
    Text("comes from an authority that nobody knows", "kommt von einer Stelle, die niemand kennt"),
    Text(
        "comes from an authority that is unknown here, or the server forgot to send its chain",
        "kommt von einer Stelle, die hier unbekannt ist, oder der Server schickt die Kette nicht",
    ),
    Text(
        "cannot be verified, since the server sends no chain",
        "lässt sich nicht prüfen, weil der Server die Kette nicht schickt",
    ),
    Text("cannot be verified", "lässt sich nicht prüfen"),
    Text("has been revoked", "ist widerrufen"),
    Text("is for another name", "gilt für einen anderen Namen"),
    Text("is for another address", "gilt für eine andere Adresse"),
    Text(
        "Polling is paused, so nobody is asked; `wireroom resume-polling` goes on.",
        "Das Abfragen ruht, also wird niemand gefragt; `wireroom resume-polling` setzt es fort.",
    ),
    Text(
        "{host} is busy with other requests; try again in a minute.",
        "{host} hat mit anderen Anfragen zu tun; versuch es in einer Minute noch einmal.",
    ),
    Text(
        "{host} asked us to wait; the next request may go out in {n} min.",
        "{host} lässt uns warten; die nächste Anfrage darf in {n} Min. hinaus.",
    ),
    Text(
        "{host}, where the feed redirects to, is busy with another request",
        "{host}, wohin der Feed umleitet, hat mit einer anderen Anfrage zu tun",
    ),
    Text(
        "{host}, where the feed redirects to, asked us to wait",
        "{host}, wohin der Feed umleitet, lässt uns warten",
    ),
)

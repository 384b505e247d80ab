"""Why a feed is asked when it is: paces, waits and what ended them."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("every {why_wait}: {why}", "alle {why_wait}: {why}"),
    Text("in {why_wait}: {why}", "in {why_wait}: {why}"),
    Text("{why} (quiet hours kept)", "{why} (Ruhezeit beachtet)"),
    Text("disabled: {why}", "abgeschaltet: {why}"),
    Text("waits: {why}", "wartet: {why}"),
    # -- waits -----------------------------------------------------------------------------------
    Text("{n} s", "{n} s"),
    Text("{n} min", "{n} Min."),
    Text("{n} h", "{n} Std."),
    Text("{n} h {m} min", "{n} Std. {m} Min."),
    Text("{n} days", "{n} Tage"),
    Text("{n} days {m} h", "{n} Tage {m} Std."),
    # -- paces -----------------------------------------------------------------------------------
    Text("fixed interval", "fester Takt"),
    Text("there was news", "es gab Neues"),
    Text("last poll without news", "zuletzt nichts Neues"),
    Text("last {n} polls in a row without news", "zuletzt {n}-mal nichts Neues"),
    Text("no items lately", "zuletzt keine Einträge"),
    Text("hardly any items", "kaum Einträge"),
    *(
        Text(f"about {{n}} item{s} {en}", f"etwa {{n}} {one} {de}")
        for en, de in (
            ("a day", "am Tag"),
            ("a week", "in der Woche"),
            ("a month", "im Monat"),
            ("a year", "im Jahr"),
        )
        for s, one in (("", "Eintrag"), ("s", "Einträge"))
    ),
    Text("{why}, mostly nights UTC", "{why}, meist nachts (UTC)"),
    Text("{why}, mostly mornings UTC", "{why}, meist vormittags (UTC)"),
    Text("{why}, mostly afternoons UTC", "{why}, meist nachmittags (UTC)"),
    Text("{why}, mostly evenings UTC", "{why}, meist abends (UTC)"),
    Text("the server's Retry-After", "Retry-After des Servers"),
    Text("the server's max-age", "max-age des Servers"),
    Text("the feed's ttl", "ttl des Feeds"),
    Text("the feed's update period", "Takt, den der Feed nennt"),
    Text("the server asked us to wait (HTTP {n})", "der Server lässt uns warten (HTTP {n})"),
    Text(
        "the server gets too many requests (HTTP {n})",
        "der Server bekommt zu viele Anfragen (HTTP {n})",
    ),
    Text("given up, still probed", "aufgegeben, noch versucht"),
    Text("after an error", "nach einem Fehler"),
    Text("after {n} errors in a row", "nach {n} Fehlern in Folge"),
    Text("{n} errors in a row, last: {why}", "{n} Fehler in Folge, zuletzt: {why}"),
    Text(
        "{n} errors in a row over {m} days, last: {why}",
        "{n} Fehler in Folge in {m} Tagen, zuletzt: {why}",
    ),
    Text(
        "the publisher says that the feed is finished",
        "die Seite sagt, dass der Feed zu Ende ist",
    ),
    Text(
        "its hub tells us of news; asked in case the hub goes silent",
        "sein Hub meldet Neues; gefragt, falls der Hub schweigt",
    ),
    Text("its hub says that there is news", "sein Hub meldet Neues"),
    Text("new: its first reading", "neu: zum ersten Mal gelesen"),
    Text("as subscribed", "neu abonniert"),
    Text("read in full once more", "noch einmal ganz gelesen"),
    Text("asked in another way now", "jetzt anders gefragt"),
    Text("asked for by hand", "von Hand verlangt"),
)

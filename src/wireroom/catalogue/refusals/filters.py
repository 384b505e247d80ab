"""Filters, regular expressions, templates and rules that cannot be read."""

from typing import Final

from wireroom.catalogue.text import Text

SENTENCES: Final = (
    Text("At character {n}: {why}", "Bei Zeichen {n}: {why}"),
    Text("At character {n} ({near}): {why}", "Bei Zeichen {n} ({near}): {why}"),
    Text(
        "A filter has at most {n} characters; this one has {m}.",
        "Ein Filter hat höchstens {n} Zeichen; dieser hat {m}.",
    ),
    Text("A filter needs at least one word.", "Ein Filter braucht mindestens ein Wort."),
    Text("a filter needs at least one word.", "ein Filter braucht mindestens ein Wort."),
    Text("A filter has at most {n} words.", "Ein Filter hat höchstens {n} Wörter."),
    Text("Type the words that are not wanted.", "Gib die Wörter an, die du nicht willst."),
    Text(
        "this cannot be read; put it into quotes to look for it.",
        "das ist nicht zu lesen; setz es in Anführungszeichen, um danach zu suchen.",
    ),
    Text(
        "nothing stands behind {what} (write it without a blank).",
        "hinter {what} steht nichts (schreib es ohne Leerzeichen).",
    ),
    Text("there is nothing between the quotes.", "zwischen den Anführungszeichen steht nichts."),
    Text("there is nothing between the slashes.", "zwischen den Schrägstrichen steht nichts."),
    Text(
        "there is no field {field}: — {why} Put it into quotes to look for the text itself.",
        "das Feld {field}: gibt es nicht — {why} Setz es in Anführungszeichen, um nach dem Text "
        "selbst zu suchen.",
    ),
    Text("did you mean {near}?", "meinst du {near}?"),
    Text(
        "fields are title, text, author, category, url, feed, lang and has.",
        "Felder sind title, text, author, category, url, feed, lang und has.",
    ),
    Text(
        "a language is written as lang:en or lang:pt-br.",
        "eine Sprache schreibt man als lang:en oder lang:pt-br.",
    ),
    Text("has: knows {things}.", "has: kennt {things}."),
    Text('the closing " is missing.', 'das schließende " fehlt.'),
    Text(
        'the closing / is missing; put it into " " to look for a /.',
        'der schließende / fehlt; setz es in " ", um nach einem / zu suchen.',
    ),
    Text("the closing ) is missing.", "das schließende ) fehlt."),
    Text("there is no ( for this ).", "zu diesem ) gibt es kein (."),
    Text("this is nested too deeply.", "das ist zu tief verschachtelt."),
    Text("something is missing at the end.", "am Ende fehlt etwas."),
    Text("a word is missing before a comma.", "vor einem Komma fehlt ein Wort."),
    Text("a word is missing before {what}.", "vor {what} fehlt ein Wort."),
    Text(
        "A regular expression has at most {n} characters.",
        "Ein regulärer Ausdruck hat höchstens {n} Zeichen.",
    ),
    Text(
        "/{pattern}/ is no regular expression that we can use: {why}. "
        "Look-around and back-references are not available.",
        "/{pattern}/ ist kein regulärer Ausdruck, der hier geht: {why}. "
        "Umschau und Rückbezüge gibt es nicht.",
    ),
    Text("a ( is never closed", "ein ( wird nie geschlossen"),
    Text("a [ is never closed", "ein [ wird nie geschlossen"),
    Text("a ) closes nothing", "ein ) schließt nichts"),
    Text(
        "before {near} stands nothing that could be repeated",
        "vor {near} steht nichts, was sich wiederholen ließe",
    ),
    Text("{near} repeats a repetition", "{near} wiederholt eine Wiederholung"),
    Text(
        "{near} repeats too often (1000 times are the most)",
        "{near} wiederholt zu oft (höchstens 1000-mal)",
    ),
    Text("{near} is not available", "{near} gibt es nicht"),
    Text(
        "{near} is no name of a group, such as (?P<name>…)",
        "{near} ist kein Name einer Gruppe wie (?P<name>…)",
    ),
    Text("{near} is no range of characters", "{near} ist kein Bereich von Zeichen"),
    Text("{near} means nothing here", "{near} bedeutet hier nichts"),
    Text(
        "a \\ at the end stands before nothing",
        "hinter dem \\ am Ende steht nichts",
    ),
    Text("/{pattern}/ holds half a character.", "In /{pattern}/ steht ein halbes Zeichen."),
    Text(
        "\\{letter} cannot stand inside [ ]; write what is meant the other way round.",
        "\\{letter} kann nicht in [ ] stehen; schreib es andersherum.",
    ),
    Text(
        "\\b beside letters that are not ASCII can stand only at the beginning or the end of a "
        "pattern or of an alternative.",
        "\\b neben Buchstaben außerhalb von ASCII kann nur am Anfang oder Ende eines Ausdrucks "
        "oder einer Alternative stehen.",
    ),
    # -- templates -------------------------------------------------------------------------------
    Text("The template cannot be used: {why}.", "Die Vorlage geht nicht: {why}."),
    Text(
        "it has {n} characters, and {m} are the most",
        "sie hat {n} Zeichen, und {m} sind das Höchste",
    ),
    Text("what it writes is too long", "was sie schreibt, ist zu lang"),
    Text("a comment has no end", "ein Kommentar hat kein Ende"),
    Text("a tag has no end", "ein Tag hat kein Ende"),
    Text("{near} cannot be read", "{near} ist nicht zu lesen"),
    Text("{near} cannot stand there", "{near} kann dort nicht stehen"),
    Text("{near} cannot be called", "{near} lässt sich nicht aufrufen"),
    Text(
        "{{% {name} %}} is not known here; if and for are",
        "{{% {name} %}} ist hier unbekannt; es gibt if und for",
    ),
    Text("it is empty", "sie ist leer"),
    Text("The template cannot be used: {why}?", "Die Vorlage geht nicht: {why}?"),
    Text(
        "there is no field {name}; did you mean {near}",
        "das Feld {name} gibt es nicht; meinst du {near}",
    ),
    Text(
        "there is no filter {name}; did you mean {near}",
        "den Filter {name} gibt es nicht; meinst du {near}",
    ),
    Text(
        "an {{% if %}} or {{% for %}} has no end", "ein {{% if %}} oder {{% for %}} hat kein Ende"
    ),
    Text("{{% {word} %}} in line {n} ends nothing", "{{% {word} %}} in Zeile {n} beendet nichts"),
    Text("line {n} cannot be read ({detail})", "Zeile {n} ist nicht zu lesen ({detail})"),
    Text(
        "it takes too long: loops in loops have too much to do",
        "sie braucht zu lange: Schleifen in Schleifen haben zu viel zu tun",
    ),
    Text(
        "a helper was given something that it cannot use",
        "ein Helfer bekam etwas, womit er nichts anfangen kann",
    ),
    Text(
        "a loop is written {{% for each in categories %}}",
        "eine Schleife schreibt man {{% for each in categories %}}",
    ),
    Text(
        "nothing can be taken out of a value with a dot",
        "mit einem Punkt lässt sich aus einem Wert nichts herausnehmen",
    ),
    Text("a {{{{ has no }}}}", "ein {{{{ hat kein }}}}"),
    Text("a tag is empty", "ein Tag ist leer"),
    Text("an action is empty", "ein Tag ist leer"),
    Text("a lone dot means nothing here", "ein einzelner Punkt bedeutet hier nichts"),
    Text("with takes one field", "with nimmt ein Feld"),
    Text("there is an {{{{end}}}} too many", "ein {{{{end}}}} ist zu viel"),
    Text("{name} takes {n} values, not {m}", "{name} nimmt {n} Werte, nicht {m}"),
    Text(
        "{name} is not known here; #if and #unless are",
        "{name} ist hier unbekannt; es gibt #if und #unless",
    ),
    Text(
        "{name} is not known here; if and with are",
        "{name} ist hier unbekannt; es gibt if und with",
    ),
    Text(
        "{name} is not known here; eq, ne, lt, le, gt, ge, and, or, not and len are",
        "{name} ist hier unbekannt; es gibt eq, ne, lt, le, gt, ge, and, or, not und len",
    ),
    Text("{name} is not known here", "{name} ist hier unbekannt"),
    Text(
        "there is no field {name}; fields are {words}",
        "das Feld {name} gibt es nicht; Felder sind {words}",
    ),
    Text(
        "there is no filter {name}; filters are {words}",
        "den Filter {name} gibt es nicht; Filter sind {words}",
    ),
    Text("{name} needs its values in brackets", "{name} braucht seine Werte in runden Klammern"),
    Text("a closing ) is missing", "ein schließendes ) fehlt"),
    Text("{name} is one word too many", "{name} ist ein Wort zu viel"),
    # -- rules -----------------------------------------------------------------------------------
    Text(
        "There are 1 to {n} rules, one a line, in {m} characters.",
        "Es sind 1 bis {n} Regeln, eine je Zeile, in {m} Zeichen.",
    ),
    Text("The rule {rule} cannot be read: {why}.", "Die Regel {rule} ist nicht zu lesen: {why}."),
    Text("it is written FILTER -> ACTION", "man schreibt FILTER -> AKTION"),
    Text("the actions are {names}", "die Aktionen sind {names}"),
    Text("{action} needs a value", "{action} braucht einen Wert"),
    Text("{action} takes no value", "{action} nimmt keinen Wert"),
    Text(
        "route needs a destination's number, mention a role or @name, tag a word",
        "route braucht die Nummer eines Ziels, mention eine Rolle oder @Name, tag ein Wort",
    ),
    Text(
        "What is to be removed has 1 to {n} characters.",
        "Was herausgenommen wird, hat 1 bis {n} Zeichen.",
    ),
)

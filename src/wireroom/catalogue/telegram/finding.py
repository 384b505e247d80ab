"""Looking: at feeds before following them, at entries, at why something came."""

from typing import Final

from wireroom.catalogue.text import Plural, Text

THEME: Final = Text(en="Finding out", de="Herausfinden")

ASK_TEST: Final = Text(
    en="Which site or feed? I show what I would send of it.",
    de="Welche Seite oder welcher Feed? Ich zeige, was ich davon schicken würde.",
)
TEST_HEAD: Final = Plural(
    one=Text(
        en="<b>{title}</b>, one entry. Its newest comes like this:",
        de="<b>{title}</b>, ein Eintrag. Er käme so:",
    ),
    other=Text(
        en="<b>{title}</b>, {n} entries. The newest comes like this:",
        de="<b>{title}</b>, {n} Einträge. Der neueste käme so:",
    ),
)
TEST_FILTERED: Final = Plural(
    one=Text(
        en="<b>{title}</b>: of {n} entry {passing} would come.",
        de="<b>{title}</b>: Von {n} Eintrag käme {passing}.",
    ),
    other=Text(
        en="<b>{title}</b>: of the newest {n} entries {passing} would come.",
        de="<b>{title}</b>: Von den neuesten {n} Einträgen durchgelassen: {passing}.",
    ),
)
TEST_DROPPED: Final = Text(
    en="The newest, “{entry}”, would not: {reason}.",
    de="Der neueste, „{entry}“, käme nicht: {reason}.",
)
TEST_NEWEST_PASSING: Final = Text(
    en="The newest that would come looks like this:", de="Der neueste, der käme, sieht so aus:"
)
TEST_NONE_PASSES: Final = Text(
    en="Without the filter it would look like this:", de="Ohne Filter sähe er so aus:"
)
TEST_DIGEST: Final = Text(
    en="⏰ In one message with what else there is, at {clock}.",
    de="⏰ In einer Nachricht mit allem, was es dann gibt, um {clock}.",
)
TEST_DIGEST_EVERY: Final = Text(
    en="⏰ In one message with others, once {n} have come together.",
    de="⏰ In einer Nachricht mit anderen, sobald {n} beisammen sind.",
)
TEST_QUIET: Final = Text(
    en="⏰ At {clock}, when the silent hours are over.",
    de="⏰ Um {clock}, wenn die Ruhezeit vorbei ist.",
)
TEST_PER_DAY: Final = Plural(
    one=Text(
        en="⏰ One comes in 24 hours; the others wait.",
        de="⏰ In 24 Stunden kommt einer; die anderen warten.",
    ),
    other=Text(
        en="⏰ At most {n} come in 24 hours; the others wait.",
        de="⏰ In 24 Stunden kommen höchstens {n}; die anderen warten.",
    ),
)
TEST_LATER: Final = Text(
    en="Telegram does not take the post just now ({reason}). Try again in a minute.",
    de="Telegram nimmt den Beitrag gerade nicht an ({reason}). Versuch es in einer Minute noch "
    "einmal.",
)
TEST_REFUSED: Final = Text(
    en="Telegram did not take the post: {reason}.",
    de="Telegram hat den Beitrag nicht angenommen: {reason}.",
)
TEST_EMPTY: Final = Text(
    en="<b>{title}</b> is a feed, and has no entries yet.",
    de="<b>{title}</b> ist ein Feed und hat noch keine Einträge.",
)

ASK_SEARCH: Final = Text(
    en="What shall I look for among the entries that came here?",
    de="Wonach soll ich in den Einträgen suchen, die hierher kamen?",
)
NOTHING_FOUND: Final = Text(
    en="Nothing found among the entries that came here. Try fewer or other words.",
    de="Unter den Einträgen von hier ist nichts zu finden. Versuch weniger oder andere Wörter.",
)
SEARCH_GONE: Final = Text(
    en="This search is too old. Search again: /search WORDS",
    de="Diese Suche ist zu lange her. Such noch einmal: /search WÖRTER",
)
HIT: Final = Text(
    en='• <a href="{link}">{title}</a> <i>{feed}, {date}</i>',
    de='• <a href="{link}">{title}</a> <i>{feed}, {date}</i>',
)
HIT_BARE: Final = Text(en="• {title} <i>{feed}, {date}</i>", de="• {title} <i>{feed}, {date}</i>")

WHY_HOW: Final = Text(
    en=(
        "Reply with /why to a message of mine, and I tell where it came from. /why FEED shows "
        "what became of a feed's newest entries."
    ),
    de=(
        "Antworte mit /why auf eine Nachricht von mir, dann sage ich, woher sie kam. /why FEED "
        "zeigt, was aus den neuesten Einträgen eines Feeds wurde."
    ),
)
WHY_UNKNOWN: Final = Text(
    en="That message is none of my news, or too old to be remembered.",
    de="Diese Nachricht ist keine Meldung von mir, oder sie ist zu lange her.",
)
WHY_HEAD: Final = Text(
    en="<b>{title}</b>\nFrom {feed}: {url}", de="<b>{title}</b>\nAus {feed}: {url}"
)
WHY_PUBLISHED: Final = Text(en="Published {moment}", de="Veröffentlicht {moment}")
WHY_FOUND: Final = Text(en="Found {moment}", de="Gefunden {moment}")
WHY_SENT: Final = Text(
    en="Sent {moment}, {delay} after it was found", de="Gesendet {moment}, {delay} danach"
)
WHY_NO_FILTER: Final = Text(
    en="No filter and no rule spoke of it: all of this feed came.",
    de="Kein Filter und keine Regel sprach davon: Von diesem Feed kam alles.",
)
WHY_LINE: Final = Text(en="{mark} {title} <i>{detail}</i>", de="{mark} {title} <i>{detail}</i>")
WHY_NOTHING: Final = Text(
    en="Nothing of <b>{title}</b> was dealt with yet.",
    de="Von <b>{title}</b> war noch nichts zu tun.",
)

STATUS: Final = Text(en="<b>{chat}</b>\nSubscriptions: {n}", de="<b>{chat}</b>\nAbos: {n}")
STATUS_PAUSED: Final = Text(en="Paused: {n}", de="Angehalten: {n}")
STATUS_WAITING: Final = Text(en="Entries that wait: {n}", de="Wartende Einträge: {n}")
STATUS_NEXT: Final = Text(
    en="The next feed is asked {when}.", de="Der nächste Feed wird {when} gefragt."
)
STATUS_FAILING: Final = Text(en="<b>In trouble</b>", de="<b>In Schwierigkeiten</b>")
STATUS_WELL: Final = Text(en="All feeds are well.", de="Allen Feeds geht es gut.")
STATUS_LINE: Final = Text(
    en="• {title}: {reason} (asked again {when})",
    de="• {title}: {reason} (nächster Versuch {when})",
)
NEVER: Final = Text(en="never by itself", de="nie von selbst")

ABOUT_TEST: Final = Text(
    en="what would come of a site, without subscribing",
    de="was von einer Seite käme, ohne Abo",
)
ABOUT_SEARCH: Final = Text(en="find entries again", de="Einträge wiederfinden")
ABOUT_WHY: Final = Text(
    en="why a message came (in reply to it)", de="warum eine Nachricht kam (als Antwort darauf)"
)
ABOUT_STATUS: Final = Text(en="how the feeds here are doing", de="wie es den Feeds hier geht")

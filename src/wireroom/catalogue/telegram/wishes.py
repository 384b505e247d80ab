"""Settings of a chat and of its subscriptions: how messages look, which come, and when."""

from typing import Final

from wireroom.catalogue.text import Plural, Text

THEME: Final = Text(en="Settings", de="Einstellungen")
THEME_FILTERS: Final = Text(en="Filters", de="Filter")
THEME_LAYOUT: Final = Text(en="Layout", de="Aussehen")
THEME_FEED: Final = Text(en="One feed", de="Ein Feed")
THEME_TIMES: Final = Text(en="Times", de="Zeiten")

# -- menus ----------------------------------------------------------------------------------------

CHAT_MENU: Final = Text(
    en="<b>{chat}</b>: settings of all its feeds", de="<b>{chat}</b>: Einstellungen aller Feeds"
)
FEED_MENU: Final = Text(
    en="<b>{title}</b>: what differs from the chat", de="<b>{title}</b>: was vom Chat abweicht"
)
FEED_HEAD: Final = Text(
    en="<b>{title}</b>\n{url}\nNumber <b>{id}</b>",
    de="<b>{title}</b>\n{url}\nNummer <b>{id}</b>",
)
FEED_NEXT: Final = Text(en="Asked next {when} ({reason}).", de="Nächste Frage {when} ({reason}).")
FEED_DISABLED: Final = Text(
    en="🚫 Given up: {reason}. /sub with its address revives it.",
    de="🚫 Aufgegeben: {reason}. /sub mit der Adresse belebt den Feed wieder.",
)
FEED_FAILING: Final = Text(en="⚠️ Last time in vain: {reason}", de="⚠️ Zuletzt vergeblich: {reason}")
FEED_WAITING: Final = Text(en="Waiting to be sent: {n}", de="Wartet aufs Senden: {n}")
FEED_PAUSED: Final = Text(en="⏸ Paused {until}", de="⏸ Angehalten {until}")
FEED_SUSPENDED: Final = Text(
    en="🚫 Nothing is sent here: {reason}. /resume tries again.",
    de="🚫 Hierher wird nichts gesendet: {reason}. /resume versucht es wieder.",
)
FEED_OWN: Final = Text(en="{name}: <b>{value}</b>", de="{name}: <b>{value}</b>")
BUTTON_FILTER: Final = Text(en="Filter", de="Filter")
BUTTON_TEMPLATE: Final = Text(en="Template", de="Vorlage")
BUTTON_SETTINGS: Final = Text(en="Settings", de="Einstellungen")
BUTTON_PAUSE: Final = Text(en="⏸ Pause", de="⏸ Anhalten")
BUTTON_RESUME: Final = Text(en="▶️ Resume", de="▶️ Weiter")
BUTTON_REFRESH: Final = Text(en="🔄 Ask now", de="🔄 Jetzt fragen")
BUTTON_PREVIEW: Final = Text(en="👁 Preview", de="👁 Vorschau")
BUTTON_END: Final = Text(en="🗑 Unsubscribe", de="🗑 Abbestellen")
BUTTON_FEEDS: Final = Text(en="Feeds", de="Feeds")
REMOVE_VALUE: Final = Text(en="Take it back", de="Zurücknehmen")
WRITE_VALUE: Final = Text(en="Write it", de="Schreiben")
NOT_SET: Final = Text(en="not set", de="nicht gesetzt")
CHOOSE_VALUE: Final = Text(en="<b>{name}</b>\n{help}", de="<b>{name}</b>\n{help}")
IS_NOW: Final = Text(en="Now: <b>{value}</b>", de="Jetzt: <b>{value}</b>")
SAVED: Final = Text(en="✅ {name}: {value}", de="✅ {name}: {value}")
TAKEN_BACK: Final = Text(en="✅ {name}: taken back.", de="✅ {name}: zurückgenommen.")
NO_SUCH_SETTING: Final = Text(
    en="There is no setting “{name}”. There are: {names}",
    de="Die Einstellung „{name}“ gibt es nicht. Es gibt: {names}",
)
NOT_A_VALUE: Final = Text(
    en="“{value}” is no value for “{name}”. {help}",
    de="„{value}“ geht nicht für „{name}“. {help}",
)
SET_HOW: Final = Text(
    en="Write it like this: <code>/set marks on</code>. /settings shows all settings as buttons.",
    de="So: <code>/set marks an</code>. /settings zeigt alle Einstellungen als Knöpfe.",
)
ASK_VALUE: Final = Text(en="<b>{name}</b>\n{help}", de="<b>{name}</b>\n{help}")

# -- filters --------------------------------------------------------------------------------------

ASK_FILTER: Final = Text(
    en=(
        "Which entries shall come? Write words separated by commas: any of them must be there, "
        "none with ! may. Or a rule such as <code>title:rust -crypto</code>."
    ),
    de=(
        "Welche Einträge sollen kommen? Schreib Wörter mit Kommas dazwischen: eines davon muss "
        "vorkommen, keines mit ! darf. Oder eine Regel wie <code>title:rust -crypto</code>."
    ),
)
FILTER_SET: Final = Plural(
    one=Text(
        en="✅ Of the {n} entry so far {passing} would pass:",
        de="✅ Von bisher {n} Eintrag käme {passing} durch:",
    ),
    other=Text(
        en="✅ Of the newest {n} entries {passing} would pass:",
        de="✅ Von den neuesten {n} Einträgen durchgelassen: {passing}",
    ),
)
FILTER_SET_PLAIN: Final = Text(en="✅ The filter is set.", de="✅ Der Filter ist gesetzt.")
FILTER_LINE_YES: Final = Text(en="• {title}", de="• {title}")
FILTER_LINE_NO: Final = Text(en="<s>{title}</s>", de="<s>{title}</s>")
FILTER_IS: Final = Text(en="<code>{filter}</code>", de="<code>{filter}</code>")
NO_FILTER: Final = Text(en="There is no filter.", de="Es gibt keinen Filter.")
FILTER_REMOVED: Final = Text(en="✅ The filter is gone.", de="✅ Der Filter ist weg.")
TOO_MANY_WORDS: Final = Text(
    en="A filter list has at most {n} words.", de="Eine Filterliste hat höchstens {n} Wörter."
)
PERHAPS: Final = Text(en="(no title)", de="(ohne Titel)")

# -- templates ------------------------------------------------------------------------------------

ASK_TEMPLATE: Final = Text(
    en=(
        "How shall a message look? For example:\n"
        "<code>&lt;b&gt;{{{{ title }}}}&lt;/b&gt;\n{{{{ text }}}}\n{{{{ link }}}}</code>\n"
        "Fields: title, text, summary, author, published, categories, feed, link, domain."
    ),
    de=(
        "Wie soll eine Nachricht aussehen? Zum Beispiel:\n"
        "<code>&lt;b&gt;{{{{ title }}}}&lt;/b&gt;\n{{{{ text }}}}\n{{{{ link }}}}</code>\n"
        "Felder: title, text, summary, author, published, categories, feed, link, domain."
    ),
)
TEMPLATE_SET: Final = Text(
    en="✅ Messages look like the sample from now on.",
    de="✅ Nachrichten sehen ab jetzt aus wie die Probe.",
)
TEMPLATE_IS: Final = Text(en="<code>{template}</code>", de="<code>{template}</code>")
NO_TEMPLATE: Final = Text(en="There is no template.", de="Es gibt keine Vorlage.")
TEMPLATE_REMOVED: Final = Text(en="✅ The template is gone.", de="✅ Die Vorlage ist weg.")
PREVIEW_IS: Final = Text(en="Link previews: {value}", de="Linkvorschau: {value}")

# -- times ----------------------------------------------------------------------------------------

ASK_ZONE: Final = Text(
    en=(
        "Which time zone? A name such as <code>Europe/Berlin</code>, or minutes east of UTC "
        "(a multiple of 30 from -720 to 840)."
    ),
    de=(
        "Welche Zeitzone? Ein Name wie <code>Europe/Berlin</code> oder Minuten östlich von UTC "
        "(ein Vielfaches von 30 zwischen -720 und 840)."
    ),
)
ZONE_SET: Final = Text(
    en="✅ Time zone: {zone}. It is {clock} there.", de="✅ Zeitzone: {zone}. Dort ist es {clock}."
)
ZONE_IS: Final = Text(en="Time zone: {zone}", de="Zeitzone: {zone}")
BAD_ZONE: Final = Text(
    en="“{typed}” is no time zone: a multiple of 30 from -720 to 840, or Europe/Berlin.",
    de="„{typed}“ ist keine Zeitzone: ein Vielfaches von 30 von -720 bis 840 oder Europe/Berlin.",
)
PAUSED: Final = Text(
    en="⏸ Nothing of <b>{title}</b> comes {until}. What is published meanwhile waits.",
    de="⏸ Von <b>{title}</b> kommt {until} nichts. Was erscheint, wartet.",
)
PAUSED_ALL: Final = Text(
    en="⏸ Nothing comes here {until}. What is published meanwhile waits.",
    de="⏸ Hierher kommt {until} nichts. Was erscheint, wartet.",
)
UNTIL_FURTHER: Final = Text(en="until further notice", de="bis auf weiteres")
UNTIL: Final = Text(en="until {moment}", de="bis {moment}")
BAD_PAUSE: Final = Text(
    en="Write how long: 2h, 3d, 1w, or a day such as 2026-12-24.",
    de="Schreib, wie lange: 2h, 3d, 1w oder einen Tag wie 2026-12-24.",
)
RESUMED: Final = Text(en="▶️ <b>{title}</b> comes again.", de="▶️ <b>{title}</b> kommt wieder.")
RESUMED_ALL: Final = Text(en="▶️ Everything comes again.", de="▶️ Alles kommt wieder.")
NOT_PAUSED: Final = Text(en="Nothing is paused here.", de="Hier ist nichts angehalten.")
WAITED: Final = Text(
    en="{n} entries waited. Send all of them?", de="{n} Einträge haben gewartet. Alle schicken?"
)
SEND_ALL: Final = Text(en="All", de="Alle")
SEND_NEWEST: Final = Text(en="The newest {n}", de="Die neuesten {n}")
SEND_NONE: Final = Text(en="None", de="Keinen")
REPLAYING: Final = Plural(
    one=Text(
        en="✅ The newest entry of <b>{title}</b> comes again.",
        de="✅ Der neueste Eintrag von <b>{title}</b> kommt noch einmal.",
    ),
    other=Text(
        en="✅ The newest {n} entries of <b>{title}</b> come again.",
        de="✅ Die neuesten {n} Einträge von <b>{title}</b> kommen noch einmal.",
    ),
)
REFRESHED: Final = Text(
    en="✅ <b>{title}</b> is asked as soon as its site lets us.",
    de="✅ <b>{title}</b> wird gefragt, sobald die Seite uns lässt.",
)
REFRESHED_ALL: Final = Text(
    en="✅ All feeds here are asked as soon as their sites let us: {n}.",
    de="✅ Alle Feeds hier werden gefragt, sobald ihre Seiten uns lassen: {n}.",
)

TOO_MANY_AGAIN: Final = Text(
    en="Between 1 and {n} entries can be sent again, such as <code>/replay FEED 5</code>.",
    de="Zwischen 1 und {n} Einträge lassen sich wiederholen, etwa <code>/replay FEED 5</code>.",
)
IN: Final = Text(en="in {amount}", de="in {amount}")
NOW: Final = Text(en="now", de="jetzt")

# -- commands -------------------------------------------------------------------------------------

ABOUT_SETTINGS: Final = Text(
    en="settings of this chat or of a feed", de="Einstellungen dieses Chats oder eines Feeds"
)
ABOUT_SET: Final = Text(
    en="one setting: of a feed, or of the chat", de="eine Einstellung: eines Feeds oder des Chats"
)
ABOUT_FEED: Final = Text(en="all about one subscription", de="alles über ein Abo")
ABOUT_FILTER: Final = Text(
    en="which entries of a feed come", de="welche Einträge eines Feeds kommen"
)
ABOUT_GET_FILTER: Final = Text(en="show a feed's filter", de="Filter eines Feeds zeigen")
ABOUT_REMOVE_FILTER: Final = Text(
    en="take a feed's filter away", de="Filter eines Feeds entfernen"
)
ABOUT_GLOBAL_FILTER: Final = Text(
    en="which entries come into this chat at all", de="welche Einträge überhaupt hierher kommen"
)
ABOUT_GET_GLOBAL_FILTER: Final = Text(en="show the chat's filter", de="Filter des Chats zeigen")
ABOUT_REMOVE_GLOBAL_FILTER: Final = Text(
    en="take the chat's filter away", de="Filter des Chats entfernen"
)
ABOUT_TEMPLATE: Final = Text(
    en="how messages of a feed look", de="wie Nachrichten eines Feeds aussehen"
)
ABOUT_GET_TEMPLATE: Final = Text(en="show a feed's template", de="Vorlage eines Feeds zeigen")
ABOUT_REMOVE_TEMPLATE: Final = Text(
    en="take a feed's template away", de="Vorlage eines Feeds entfernen"
)
ABOUT_GLOBAL_TEMPLATE: Final = Text(
    en="how all messages here look", de="wie alle Nachrichten hier aussehen"
)
ABOUT_GET_GLOBAL_TEMPLATE: Final = Text(
    en="show the chat's template", de="Vorlage des Chats zeigen"
)
ABOUT_REMOVE_GLOBAL_TEMPLATE: Final = Text(
    en="take the chat's template away", de="Vorlage des Chats entfernen"
)
ABOUT_TOGGLE_PREVIEW: Final = Text(
    en="switch link previews on or off", de="Linkvorschau an- oder ausschalten"
)
ABOUT_GET_PREVIEW: Final = Text(
    en="whether links are previewed", de="ob Links eine Vorschau haben"
)
ABOUT_SET_ZONE: Final = Text(en="time zone of this chat", de="Zeitzone dieses Chats")
ABOUT_GET_ZONE: Final = Text(en="show the time zone", de="Zeitzone zeigen")
ABOUT_PAUSE: Final = Text(
    en="send nothing for a while, of a feed or at all",
    de="eine Weile nichts schicken, von einem Feed oder überhaupt",
)
ABOUT_RESUME: Final = Text(en="send again", de="wieder schicken")
ABOUT_REPLAY: Final = Text(en="send a feed's newest again", de="das Neueste noch einmal schicken")
ABOUT_REFRESH: Final = Text(en="ask sites now", de="Seiten jetzt fragen")
ABOUT_PREVIEW: Final = Text(
    en="how the newest entry of a feed looks", de="wie der neueste Eintrag eines Feeds aussieht"
)

"""What Discord shows of the commands: descriptions of at most 100 characters, and choices."""

from wireroom.catalogue.text import Text

PING = Text(en="Is the bot there, and how fast?", de="Ist der Bot da, und wie schnell?")
HELLO = Text(en="Say hello.", de="Sag hallo.")
RSS = Text(en="Feeds that are posted in this server", de="Feeds, die auf diesem Server erscheinen")
ADD = Text(en="Post a feed here.", de="Einen Feed hier erscheinen lassen.")
REMOVE = Text(en="Post a feed no longer.", de="Einen Feed nicht mehr erscheinen lassen.")
LIST = Text(en="Show all feeds of this server.", de="Alle Feeds dieses Servers zeigen.")
EDIT = Text(
    en="Change a feed's name, place, interval or type.",
    de="Name, Ort, Abstand oder Art eines Feeds ändern.",
)
FEED_URL = Text(
    en="Address of a feed or of a website; several with blanks between them",
    de="Adresse eines Feeds oder einer Website; mehrere durch Leerzeichen getrennt",
)
WEBHOOK_URL = Text(
    en="Post through this webhook instead of one that the bot makes",
    de="Über diesen Webhook statt über einen, den der Bot anlegt",
)
CHANNEL = Text(
    en="Where to post: a channel, forum or thread; else right here",
    de="Wohin: ein Kanal, Forum oder Thread; sonst gleich hier",
)
INTERVAL = Text(
    en="How often to ask the feed: seconds, 30m, 4h, 1d, or auto",
    de="Wie oft der Feed gefragt wird: Sekunden, 30m, 4h, 1d oder auto",
)
FEED_TYPE = Text(en="A special reading of its publisher", de="Eine besondere Lesart des Anbieters")
NAME = Text(en="Name that is shown", de="Name, der gezeigt wird")
NEWEST = Text(
    en="How many of its newest entries to post now (1)",
    de="Wie viele der neuesten Beiträge jetzt erscheinen (1)",
)
ANY_FEED = Text(
    en="A feed of the server, or any address", de="Ein Feed des Servers oder irgendeine Adresse"
)
WHICH_FEED = Text(en="The feed: its number or address", de="Der Feed: seine Nummer oder Adresse")
FILTER = Text(
    en="Only entries that fit: rust -crypto title:weekly",
    de="Nur passende Beiträge: rust -crypto title:weekly",
)
TEMPLATE = Text(
    en="How entries look: <b>{{ title }}</b> {{ link }}",
    de="Wie Beiträge aussehen: <b>{{ title }}</b> {{ link }}",
)
LAYOUT = Text(en="Shape of the messages", de="Form der Nachrichten")
COLOR = Text(en="Colour of the embeds: #ee802f", de="Farbe der Embeds: #ee802f")
MEDIA = Text(en="Whether pictures are shown", de="Ob Bilder gezeigt werden")
DIGEST = Text(
    en="All news in one message, at these times: 08:00,18:30",
    de="Alles Neue in einer Nachricht, zu diesen Zeiten: 08:00,18:30",
)
TAGS = Text(
    en="Tags of the forum posts, with commas between them",
    de="Tags der Forenbeiträge, durch Kommas getrennt",
)
CROSSPOST = Text(
    en="Publish to followers of this announcement channel",
    de="Für Folgende dieses Ankündigungskanals veröffentlichen",
)
MENTION = Text(
    en="Call a role when an entry fits.", de="Eine Rolle rufen, wenn ein Beitrag passt."
)
MENTION_ROLE = Text(en="The role that is called", de="Die Rolle, die gerufen wird")
MENTION_WHEN = Text(
    en="Only when this filter fits: rust or zig; - calls it no more",
    de="Nur wenn dieser Filter passt: rust or zig; - ruft sie nicht mehr",
)
LAYOUTS = {
    "embed": Text(en="Embed", de="Embed"),
    "text": Text(en="Text", de="Text"),
    "components": Text(en="Components", de="Komponenten"),
}
MEDIA_CHOICES = {
    "auto": Text(en="Pictures", de="Bilder"),
    "none": Text(en="No pictures", de="Keine Bilder"),
}
PONG = Text(en="🏓 Pong! {ms} ms to Discord.", de="🏓 Pong! {ms} ms bis Discord.")
GREETING = Text(en="Hello, {name}! 👋", de="Hallo, {name}! 👋")
STATUS = Text(
    en="What is wrong here, and when it is tried again.",
    de="Was hier klemmt, und wann es weitergeht.",
)
POLL = Text(
    en="Ask a feed now and post its newest entry.",
    de="Einen Feed jetzt fragen und sein Neuestes zeigen.",
)
PREVIEW = Text(
    en="Show the newest entry as it would be posted, to you alone.",
    de="Den neuesten Beitrag zeigen, wie er erschiene, nur dir.",
)
TEST = Text(
    en="Post the newest entry once more.", de="Den neuesten Beitrag noch einmal erscheinen lassen."
)
FIND = Text(en="Which feeds does a website have?", de="Welche Feeds hat eine Website?")
WHY = Text(en="Why were entries posted, or not?", de="Warum ist etwas erschienen oder nicht?")
WHICH_ENTRY = Text(en="One entry, by its number", de="Ein Beitrag, mit seiner Nummer")
PAUSE = Text(
    en="Post nothing for a while; what comes meanwhile waits.",
    de="Eine Weile nichts zeigen; was kommt, wartet.",
)
HOW_LONG = Text(
    en="How long: 2h, 3d, 1w; without it until /rss resume",
    de="Wie lange: 2h, 3d, 1w; ohne Angabe bis /rss resume",
)
RESUME = Text(
    en="End a pause, or use a mended webhook again.",
    de="Eine Pause beenden, oder einen reparierten Webhook wieder nutzen.",
)
KEEP_NEWEST = Text(
    en="Of what waited post only so many; 0 is none",
    de="Vom Wartenden nur so viele zeigen; 0 heißt keine",
)
FEED_OR_ALL = Text(
    en="The feed; without it all of this server", de="Der Feed; ohne Angabe alle dieses Servers"
)
INTERVAL_COMMAND = Text(en="How often a feed is asked.", de="Wie oft ein Feed gefragt wird.")
RESET = Text(
    en="Read all feeds of this server in full once.",
    de="Alle Feeds dieses Servers einmal ganz lesen.",
)
CLONE = Text(
    en="Use a feed's settings once more.", de="Die Einstellungen eines Feeds noch einmal nutzen."
)
CLONE_URL = Text(
    en="Another feed that gets the same settings",
    de="Ein anderer Feed, der dieselben Einstellungen bekommt",
)
ONTO = Text(
    en="A feed of this server that gets the same settings",
    de="Ein Feed dieses Servers, der dieselben Einstellungen bekommt",
)
FILTER_COMMAND = Text(
    en="Show or set which entries of a feed are posted.",
    de="Zeigen oder bestimmen, welche Beiträge erscheinen.",
)
FILTER_TEXT = Text(
    en="The new filter; - takes it away; nothing shows it",
    de="Der neue Filter; - nimmt ihn weg; ohne Angabe wird er gezeigt",
)
TEMPLATE_COMMAND = Text(
    en="Edit how entries of a feed look.", de="Bearbeiten, wie Beiträge eines Feeds aussehen."
)
SET = Text(
    en="Set one of the finer settings of a feed.",
    de="Eine der feineren Einstellungen eines Feeds ändern.",
)
SET_NAME = Text(en="The setting", de="Die Einstellung")
SET_VALUE = Text(
    en="Its value; without one it is taken back",
    de="Ihr Wert; ohne Angabe wird sie zurückgenommen",
)
IMPORT = Text(en="Follow all feeds of an OPML file.", de="Allen Feeds einer OPML-Datei folgen.")
EXPORT = Text(
    en="All feeds of this server as an OPML file.", de="Alle Feeds dieses Servers als OPML-Datei."
)
OPML_FILE = Text(en="The OPML file", de="Die OPML-Datei")
FILE_TOO_LARGE = Text(
    en="❌ That file is too large: at most 2 MB.", de="❌ Diese Datei ist zu groß: höchstens 2 MB."
)
LINK = Text(en="Bring accounts together.", de="Konten zusammenbringen.")
LINK_SERVER = Text(
    en="Link this server with an account of the web reader.",
    de="Diesen Server mit einem Konto des Web-Readers verbinden.",
)
LINK_ME = Text(
    en="Link yourself with an account of the web reader.",
    de="Dich mit einem Konto des Web-Readers verbinden.",
)
LINK_UNDO = Text(
    en="Give this server an account of its own again.",
    de="Diesem Server wieder ein eigenes Konto geben.",
)
LINK_CODE = Text(
    en="The code that the web reader shows; without it you get one for there",
    de="Der Code aus dem Web-Reader; ohne Angabe bekommst du einen für dort",
)
MENU_WHY = Text(en="Why is this here?", de="Warum steht das hier?")
MENU_MUTE = Text(en="Mute like this", de="Ähnliches stumm")
MENU_SAVE = Text(en="Save to my account", de="In mein Konto")

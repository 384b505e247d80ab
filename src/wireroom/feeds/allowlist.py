"""What HTML may hold once it is ours: elements, attributes and schemes, as closed tables.

Nothing here decides; `feeds.sanitize` does. Whoever adds a row asks: can it run, fetch, navigate,
take a name in the page's script, or switch the parser into another namespace?
"""

_TEXT = """
    a abbr b bdi bdo br cite code del dfn em i ins kbd mark q rp rt ruby s samp small span strike
    strong sub sup time tt u var wbr
"""
_BLOCKS = """
    address article aside blockquote caption center col colgroup dd details div dl dt figcaption
    figure footer h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table
    tbody td tfoot th thead tr ul
"""
_MEDIA = "audio iframe img picture source track video"
# MathML Core without anything that links, acts, switches back to HTML or carries style.
_MATH = """
    math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms
    mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics
"""
_ACTIVE = """
    annotation annotation-xml applet button canvas datalist embed frame frameset input maction
    noembed noframes noscript object option plaintext script select style svg template textarea
    title xmp
"""

TAGS = frozenset(f"{_TEXT} {_BLOCKS} {_MEDIA} {_MATH}".split())

#: Elements that go with everything in them; of all others only the tags go and the text stays. A
#: form is among the others: whole articles stand inside the one form of some sites' pages.
DROPPED_WITH_CONTENT = frozenset(_ACTIVE.split())

#: Attributes by element. No id and no name (they would become names in the page's script), no
#: style, no events; class only as a code block's language.
ATTRIBUTES: dict[str, frozenset[str]] = {
    "*": frozenset({"lang", "dir"}),
    "a": frozenset({"href", "title"}),
    "abbr": frozenset({"title"}),
    "audio": frozenset({"src"}),
    "blockquote": frozenset({"cite"}),
    "code": frozenset({"class"}),
    "col": frozenset({"span"}),
    "colgroup": frozenset({"span"}),
    "del": frozenset({"cite", "datetime"}),
    "details": frozenset({"open"}),
    "iframe": frozenset({"src", "width", "height", "title"}),
    "img": frozenset({"src", "srcset", "sizes", "alt", "title", "width", "height", "loading"}),
    "ins": frozenset({"cite", "datetime"}),
    "li": frozenset({"value"}),
    "math": frozenset({"display"}),
    "mo": frozenset({"stretchy", "fence", "separator"}),
    "mtd": frozenset({"columnspan", "rowspan"}),
    "ol": frozenset({"start", "reversed", "type"}),
    "q": frozenset({"cite"}),
    "source": frozenset({"src", "srcset", "sizes", "type", "media"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan", "scope"}),
    "time": frozenset({"datetime"}),
    "track": frozenset({"src", "kind", "srclang", "label"}),
    "video": frozenset({"src", "poster", "width", "height"}),
}

#: What every element of a name gets, whatever the publisher wrote; never a key of `ATTRIBUTES`.
IMPOSED: dict[str, str] = {
    "a": 'rel="noopener noreferrer nofollow ugc" target="_blank"',
    "audio": 'controls="" preload="none"',
    "iframe": 'sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"'
    ' referrerpolicy="no-referrer" loading="lazy"',
    "video": 'controls="" preload="none"',
}

LINK_SCHEMES = frozenset({"http", "https", "mailto", "tel", "magnet"})
#: Image types that cannot hold script, whatever opens them (so not SVG), with the size allowed.
DATA_IMAGES = ("png", "jpeg", "jpg", "gif", "webp", "avif")
MAX_DATA_IMAGE = 100_000

#: Players that may be embedded, by exact host and path prefix.
EMBEDS: dict[str, str] = {
    "www.youtube-nocookie.com": "/embed/",
    "player.vimeo.com": "/video/",
    "player.twitch.tv": "/",
    "open.spotify.com": "/embed/",
    "w.soundcloud.com": "/player/",
    "bandcamp.com": "/EmbeddedPlayer/",
    "www.dailymotion.com": "/embed/",
    "framatube.org": "/videos/embed/",
    "player.bilibili.com": "/",
}
#: Hosts that serve YouTube's player, all of which become youtube-nocookie.com.
YOUTUBE = frozenset({"www.youtube.com", "youtube.com", "m.youtube.com", "youtube-nocookie.com"})

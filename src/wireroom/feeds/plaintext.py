"""Markup and entities become plain text on one line, in linear time."""

import re
from html import unescape

_BLOCK_NAMES = """
    address article aside audio blockquote body br center dd details div dl dt figcaption figure
    footer form h1 h2 h3 h4 h5 h6 head header hr html iframe img li main nav ol p pre section
    summary table tbody td tfoot th thead title tr ul video
"""
_INLINE_NAMES = """
    a abbr acronym b bdi bdo big button caption cite code col colgroup del dfn em embed font i
    input ins kbd label link mark math meta nobr noscript o:p object option param path picture q rp
    rt ruby s samp select small source span strike strong sub sup svg textarea time track tt u var
    wbr
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_INLINES = frozenset(_INLINE_NAMES.split())
# No class of characters in here holds "<": a match ends at the next tag, so time stays linear.
_TAG = re.compile(
    r"</?([a-z][a-z0-9:]*+)(?=[\s/>])(?:(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+>|[^<>]*+>)"
    r"|<!--(?:[^-]++|-(?!->))*+(?:-->|\Z)|<!\[CDATA\[|\]\]>|<![a-z][^<>]*+>",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    r"<(?P<name>script|style|template)(?=[\s/>])(?:[^<]++|<(?!/(?P=name)[\s/>]))*+"
    r"(?:</(?P=name)[^<>]*+>?|\Z)",
    re.IGNORECASE,
)

#: A CDATA section written inside another: the outer one took the ">" of its end.
_INNER_CDATA = re.compile(r"<!\[CDATA\[|\]\](?:>|\s*\Z)")

#: Letters (with their marks) of scripts in which a joiner changes how neighbours are drawn, and so
#: how a word is read: Arabic and its supplements, Syriac, Mandaic, N'Ko, all of India and Sri
#: Lanka, Tibetan, Myanmar, Khmer, Mongolian (Unicode §23.2). Persian words would fall apart
#: without U+200C. PRS-31 speaks of characters that show nothing; between these letters they show.
_JOINED = (
    "\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed\u06fa-\u06ff\u0700-\u07ff\u0840-\u08ff\u0900-\u0dff"
    "\u0f00-\u109f\u1780-\u17d3\u1820-\u18aa\ua840-\ua8ff\ufb50-\ufdfb\ufe70-\ufefc"
)
_VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
#: What emoji sequences are made of (UTS #51): pictographs, skin tones, signs, U+FE0F.
_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff"
_INVISIBLE = re.compile(
    "[\u200b\u2060\ufeff]"
    f"|(?<![{_JOINED}])\u200c|\u200c(?![{_JOINED}])"
    f"|(?<![{_JOINED}{_EMOJI}])\u200d"
    f"|(?<![{_VIRAMAS}{_EMOJI}])\u200d(?![{_JOINED}])"
    f"|(?<=[{_EMOJI}])\u200d(?![{_EMOJI}])"
)
#: Overrides and isolates turn a title around to look like another; soft hyphens show in chats.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069\u00ad]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_BARE_TAG = re.compile(r"<[a-z][a-z0-9]*>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
#: What frames or holds the parts of a page: nobody sets a title in it, but some write of it.
_SPOKEN_OF = re.compile(
    r"<(?!/)(?:a|address|article|aside|audio|body|button|canvas|details|div|footer|form|head|header"
    r"|html|iframe|img|input|label|link|main|meta|nav|object|option|section|select|summary|svg"
    r"|table|textarea|title|video)>",
    re.IGNORECASE,
)
#: Characters behind such a tag in which an end tag is looked for; titles are short.
_LOOKED_AT = 256
#: Feeds escape titles twice often, and three times only when they mean it.
_MAX_DECODINGS = 2


def text(raw: str) -> str:
    """`raw` as plain text: known tags gone, entities decoded, blanks collapsed, all of it visible.

    What only looks like markup stays ("1 < 2 & <b", "vector<int>"); so does a bare tag that would
    be the whole text. Entities are decoded at most twice, for publishers who escape twice.
    """
    if "<" in raw or "&" in raw:
        raw = _decoded(unwrapped(raw))
    return line(raw)


def unwrapped(raw: str) -> str:
    """`raw` without the marks of a CDATA section that was written inside another."""
    return _INNER_CDATA.sub("", raw) if "<![CDATA[" in raw else raw


def line(raw: str) -> str:
    """`raw`, which holds no markup, with blanks collapsed and all of it visible."""
    if raw.isprintable() and "  " not in raw:  # of all blanks only the space is printable
        return raw.strip()
    raw = " ".join(raw.split())
    if raw.isprintable():  # controls and all that is invisible are not
        return raw
    if not raw.isascii():
        raw = _INVISIBLE.sub(" ", _TURNING.sub("", raw))
    return " ".join(_CONTROLS.sub(" ", raw).split())


def _decoded(raw: str) -> str:
    for _ in range(_MAX_DECODINGS):
        stripped = without_tags(raw)
        is_the_text = not stripped.strip() and _BARE_TAG.fullmatch(raw.strip())
        decoded = unescape(raw if is_the_text else stripped)
        if decoded == raw:
            break
        raw = decoded
        if "&" not in raw and "<" not in raw:
            break
    return raw


def as_html(escaped: str) -> str:
    """Plain text, in which "<" and "&" are escaped, as HTML.

    Blank lines part paragraphs, other line ends are kept (PRS-19).
    """
    text = escaped.strip().replace("\r\n", "\n").replace("\r", "\n")
    html = "".join(f"<p>{each}</p>" for each in _BLANK_LINES.split(text))
    return html.replace("\n", "<br>")


def paragraphs(raw: str) -> list[str]:
    """The texts between the block tags of `raw`, for HTML that no parser should see."""
    texts = unescape(_TAG.sub(_form_feed_or_nothing, _UNSEEN.sub(" ", raw))).split("\f")
    return [line for text in texts if (line := " ".join(_CONTROLS.sub(" ", text).split()))]


def without_tags(raw: str) -> str:
    """`raw` without the tags of HTML; those of blocks leave a blank. Entities stay as they are.

    A "<script>" that nothing ends is spoken of, not written: it stays with all behind it.
    """
    if "<" not in raw:
        return raw
    seen = _UNSEEN.sub(" ", raw) if "</" in raw else raw
    return _TAG.sub(_blank_or_nothing, seen)


def _blank_or_nothing(tag: re.Match[str]) -> str:
    return _in_place_of(tag, " ")


def _form_feed_or_nothing(tag: re.Match[str]) -> str:
    return _in_place_of(tag, "\f")


def _in_place_of(tag: re.Match[str], block: str) -> str:
    """What stands where `tag` stood: `block`, nothing, or the tag itself if HTML has none such."""
    name = (tag[1] or "").lower()
    if len(tag.string) - tag.end() < _LOOKED_AT and _is_spoken_of(tag, name):
        return tag[0]
    if name in _BLOCKS:
        return block
    return "" if not name or name in _INLINES else tag[0]


def _is_spoken_of(tag: re.Match[str], name: str) -> bool:
    """Whether nothing ends what a bare tag begins: "How to center a <div>"."""
    if not _SPOKEN_OF.fullmatch(tag[0]):
        return False
    return f"</{name}" not in tag.string[tag.end() :].lower()

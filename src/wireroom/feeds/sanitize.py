"""Publishers' HTML becomes `SafeHtml`, and markup becomes plain text.

The walk of a body: `tagscan` looks large ones over, `mending` puts right what waits for scripts,
nh3 (an HTML5 parser) applies the tables of `allowlist`, and in its output addresses are resolved
and what is left of trackers and empty links is cut out. That output has one spelling for
everything and an angle bracket nowhere but around tags (the HTML standard escapes them in texts
and in attributes), which is why regular expressions may do the last step. A callback of nh3 for
each attribute costs twice as much.
"""

import re
from html import escape

import nh3

from wireroom.feeds import allowlist, mending, tagscan
from wireroom.feeds.attributes import with_checked_attributes
from wireroom.feeds.model import SafeHtml
from wireroom.feeds.plaintext import paragraphs, text, unwrapped
from wireroom.feeds.removals import removed

__all__ = ["html", "removed", "text"]

#: Elements around which an HTML5 parser moves others, so that its output, once they are taken out
#: of it, is read differently the next time; then it is cleaned again until it stays as it is.
_UNSETTLED = frozenset(
    {"table", "form", "math", "marquee", "fieldset", "menu", "dir", "listing", "search", "nobr"}
)
_TABLE = frozenset({"table"})
_IMPOSED_ON_MEDIA = {tag: words for tag, words in allowlist.IMPOSED.items() if tag != "a"}
_MEDIA = frozenset({*_IMPOSED_ON_MEDIA, *mending.PLAYERS})
_WORTH_NOTING = re.compile(f"<({'|'.join(sorted({*_UNSETTLED, *_MEDIA}))})(?![a-z])")
_MAX_PASSES = 4
#: A tag of a table behind which neither a row nor a cell begins or ends.
_MISPLACED = re.compile(
    r"<(?:table|thead|tbody|tfoot|tr|/t[drh]|/thead|/tbody|/tfoot|/caption|/colgroup|col)"
    r"(?![a-z])[^<>]*+>?"
    r"(?!\s*<(?:/table|/?(?:thead|tbody|tfoot|t[rdh]|caption|colgroup)|col)[\s/>])"
)

# Below: patterns for nh3's output only.
_ATTRIBUTES = r'(?: [a-z]+="[^"]*")*'
#: A tag of a table that has something else behind it than the standard wants there.
_OUT_OF_ORDER = re.compile(
    rf"<table{_ATTRIBUTES}>(?!\s*(?:<(?:caption|colgroup|thead|tbody|tfoot)[ >]|</table>))"
    rf"|(?:<(?:tbody|thead|tfoot){_ATTRIBUTES}>|</tr>)(?!\s*(?:<tr[ >]|</(?:tbody|thead|tfoot)>))"
    rf"|(?:<tr{_ATTRIBUTES}>|</t[dh]>)(?!\s*(?:<t[dh][ >]|</tr>))"
    r"|</(?:caption|colgroup|thead|tbody|tfoot)>"
    r"(?!\s*(?:<(?:colgroup|thead|tbody|tfoot)[ >]|</table>))"
)
_SHOWS_SOMETHING = re.compile(r' (?:src|srcset)="[^"]')
_EMPTY_LINK = re.compile(rf"<a{_ATTRIBUTES}>\s*</a>")
_PLAYER = re.compile(rf"(<iframe{_ATTRIBUTES}>).*?</iframe>", re.DOTALL)
_PREFORMATTED = re.compile(rf"(<pre{_ATTRIBUTES}>)\n")


_CLEANER = nh3.Cleaner(
    tags=set(allowlist.TAGS),
    clean_content_tags=set(allowlist.DROPPED_WITH_CONTENT),
    attributes={tag: set(names) for tag, names in allowlist.ATTRIBUTES.items()},
    link_rel=None,
    url_schemes={*allowlist.LINK_SCHEMES, "data"},
)


def html(raw: str, *, base_url: str) -> SafeHtml:
    """`raw` reduced to the allow-list, its addresses made absolute against `base_url`.

    Never raises, and what it gives back reads back as itself. HTML that would choke a parser comes
    out as paragraphs of its text.
    """
    if "<" not in raw and "&" not in raw:
        return SafeHtml(_escaped(raw))
    raw = unwrapped(raw)  # a parser of HTML takes a CDATA section and its text for a comment
    for _ in range(_MAX_PASSES):
        parsable = tagscan.parsable(raw)
        if parsable is None:
            return SafeHtml("".join(f"<p>{_escaped(line)}</p>" for line in paragraphs(raw)))
        lowered = parsable.lower()
        found = frozenset(_WORTH_NOTING.findall(lowered))
        players = found.intersection(mending.PLAYERS)
        if players or mending.is_lazy(lowered):
            parsable = mending.mended(parsable, players=players, base_url=base_url)
        cleaned = _finished(_cleaned(parsable, base_url), found)
        unsettled = found & _UNSETTLED
        if not unsettled or cleaned == raw:
            break
        if unsettled == _TABLE and _is_in_order(lowered, cleaned):
            break
        raw = cleaned
    return SafeHtml(cleaned)


def _escaped(plain: str) -> str:
    """As nh3 writes text."""
    return (
        escape(plain, quote=False)
        .replace("\xa0", "&nbsp;")
        .replace("\r\n", "\n")
        .replace("\r", "\n")
    )


def _cleaned(raw: str, base_url: str) -> str:
    try:
        cleaned = _CLEANER.clean(raw)
    except UnicodeEncodeError:  # half a surrogate pair, from JSON
        cleaned = _CLEANER.clean(raw.encode("utf-8", "replace").decode())
    return with_checked_attributes(cleaned, base_url)


def _is_in_order(lowered: str, cleaned: str) -> bool:
    """Whether a parser moved nothing out of the tables of a body, and will not again."""
    return not (_MISPLACED.search(lowered) or _OUT_OF_ORDER.search(cleaned))


def _finished(cleaned: str, found: frozenset[str]) -> str:
    """Without what shows nothing, and with what every link and player must have."""
    if "iframe" in found or "<iframe" in cleaned:
        cleaned = _PLAYER.sub(_shown_player, cleaned)
    if "</a>" in cleaned:
        cleaned = _EMPTY_LINK.sub("", cleaned)
    if "<pre" in cleaned:  # a parser drops the first line break of each
        cleaned = _PREFORMATTED.sub("\\1\n\n", cleaned)
    return cleaned


def _shown_player(player: re.Match[str]) -> str:
    """The player without its inside, which is raw text to some readers and markup to others."""
    return f"{player[1]}</iframe>" if _SHOWS_SOMETHING.search(player[1]) else ""

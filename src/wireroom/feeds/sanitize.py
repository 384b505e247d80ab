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
_NOTED = sorted({*_UNSETTLED, *mending.PLAYERS})
_FIRST, _SECOND = ("".join({name[at] for name in _NOTED}) for at in (0, 1))
#: Their names in any case, behind a quick look at three letters that rejects nearly all others.
_WORTH_NOTING = re.compile(
    f"<(?=[{_FIRST}{_FIRST.upper()}][{_SECOND}{_SECOND.upper()}][a-zA-Z])"
    f"((?i:{'|'.join(_NOTED)}))(?!(?i:[a-z]))"
)
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
_PLAYER_OR_PREFORMATTED = re.compile(
    rf"<(?:(iframe{_ATTRIBUTES}>).*?</iframe>|pre{_ATTRIBUTES}>\n)", re.DOTALL
)


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
        found = frozenset(map(str.lower, _WORTH_NOTING.findall(parsable)))
        players = found.intersection(mending.PLAYERS)
        if players or mending.is_lazy(parsable):
            parsable = mending.mended(parsable, players=players, base_url=base_url)
        cleaned = _finished(_cleaned(parsable, base_url))
        unsettled = found & _UNSETTLED
        if not unsettled or cleaned == raw:
            break
        if unsettled == _TABLE and _is_in_order(parsable, cleaned):
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


def _is_in_order(raw: str, cleaned: str) -> bool:
    """Whether a parser moved nothing out of the tables of a body, and will not again."""
    return not (_MISPLACED.search(raw.lower()) or _OUT_OF_ORDER.search(cleaned))


def _finished(cleaned: str) -> str:
    """Without players and links that show nothing, and so that it reads back as itself."""
    cleaned = _PLAYER_OR_PREFORMATTED.sub(_finished_tag, cleaned)
    return _EMPTY_LINK.sub("", cleaned) if "</a>" in cleaned else cleaned


def _finished_tag(found: re.Match[str]) -> str:
    """A player without its inside, which is raw text to some readers and markup to others; or a
    `pre` with the line break behind it twice, since a parser drops the first."""
    player = found[1]
    if player is None:
        return f"{found[0]}\n"
    return f"<{player}</iframe>" if _SHOWS_SOMETHING.search(player) else ""

"""Large HTML is looked over, in one linear pass, before an HTML5 parser may see it.

HTML5 parsers take quadratic time and memory for some inputs: deep nesting (100 000 open ``div``
are half a minute), formatting elements that are opened again in every block, thousands of
attributes on one tag. None of that can be interrupted once it runs, so it is found out before. The
pass cuts the text into tags as the standard's tokeniser does. It also takes out what cuts
differently in different places (comments, declarations, raw text such as scripts), so that the
parser behind it cannot see other tags than were counted here.
"""

import re
from dataclasses import dataclass, field

#: Characters and start tags; below both the worst input costs some ten milliseconds.
SMALL = 16_384
FEW_TAGS = 500
#: Characters. Longer bodies exist, but nobody reads them as one item.
MAX_SIZE = 512 * 1024
MAX_DEPTH = 500
MAX_ATTRIBUTES = 256
#: Tags times formatting elements that are open at once: nodes that a parser may have to make.
MAX_REOPENED = 60_000

_BLANK = r"[ \t\n\f\r]"
_ATTRIBUTE = (
    r"(?:[ \t\n\f\r/]*+[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"
    rf"(?:{_BLANK}*+={_BLANK}*+"
    r"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^ \t\n\f\r>"'][^ \t\n\f\r>]*+)?+)?+)"""
)
_REST_OF_TAG = rf"{_ATTRIBUTE}{{0,{MAX_ATTRIBUTES}}}+(?P<more>{_ATTRIBUTE})?[ \t\n\f\r/]*+>?"
_RAW = "script|style|textarea|title|xmp|noembed|noframes|iframe"
_TOKEN = re.compile(
    r"<(?:"
    r"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
    rf"|(?P<slash>/?)(?P<name>[a-z][^ \t\n\f\r/>]*+){_REST_OF_TAG}"
    r"|[!?/][^>]*+>?"
    r")",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)([a-z][^ \t\n\f\r/>]*+)")
_RAW_END = {
    name: re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE) for name in _RAW.split("|")
}

# Text that every tokeniser cuts alike: quotes where they belong, no angle in a tag, no raw text.
_NAME = r"[^ \t\n\f\r<>\"'/=]"
_VALUE = r"(?:\"[^\"<>]*+\"|'[^'<>]*+'|[^ \t\n\f\r<>\"'=`]++)"
_REFUSED = f"{_RAW}|plaintext|svg|math"
_INITIALS = "".join({name[0] for name in _REFUSED.split("|")})
_TAME = re.compile(
    r"[^<]*+(?:<(?:"
    rf"/?+(?!(?=[{_INITIALS}{_INITIALS.upper()}])(?i:{_REFUSED})\b)[a-zA-Z]{_NAME}*+"
    rf"(?:>|(?:[ \t\n\f\r/]++(?:{_NAME}++(?:{_BLANK}*+={_BLANK}*+{_VALUE})?+)?+){{0,200}}+>)"
    r"|!--(?!-?>)(?:[^-]++|-(?!-!?>))*+-->"
    r"|(?i:iframe) (?:[^<>\"'/=]++=\"[^\"<>]*+\"){0,20}+ ?></(?i:iframe)>"
    r")[^<]*+)*+"
)

_VOIDS = "area base br col embed hr img input link meta param source track wbr"
_VOID = frozenset(_VOIDS.split())
_FORMATS = "a b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATS.split())
_OPTIONAL_ENDS = "p li dt dd td th tr tbody thead tfoot option rp rt"
#: Elements that a parser closes by itself, when one named in `_CLOSED_BY` opens or a parent ends.
_CLOSES_BY_ITSELF = frozenset(_OPTIONAL_ENDS.split())
_BLOCKS = (
    "address article aside blockquote center details div dl fieldset figcaption figure footer form"
    " h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section ul"
)
_CELLS = frozenset({"p", "td", "th"})
#: Element -> what its start closes when it is open innermost.
_CLOSED_BY: dict[str, frozenset[str]] = {
    "li": frozenset({"p", "li"}),
    **dict.fromkeys(("dt", "dd"), frozenset({"p", "dt", "dd"})),
    **dict.fromkeys(("td", "th"), _CELLS),
    "tr": _CELLS | {"tr"},
    **dict.fromkeys(("tbody", "thead", "tfoot"), _CELLS | {"tr", "tbody", "thead", "tfoot"}),
    "option": frozenset({"option"}),
    **dict.fromkeys(("rp", "rt"), frozenset({"rp", "rt"})),
    **dict.fromkeys(_BLOCKS.split(), frozenset({"p"})),
}
#: Elements whose end tag may close those of `_CLOSES_BY_ITSELF` that stand open inside.
_CONTAINERS = frozenset(_CLOSED_BY) | {"table", "select", "ruby"}


@dataclass(slots=True)
class _Nesting:
    """What is open, never less than a parser would have open: a stray end tag closes nothing."""

    open: list[str] = field(default_factory=list)
    formatting: int = 0
    tags: int = 0

    def start(self, name: str) -> None:
        self.tags += 1
        closed = _CLOSED_BY.get(name, ())
        while self.open and self.open[-1] in closed:
            self.open.pop()
        if name not in _VOID:
            self.open.append(name)
            self.formatting += name in _FORMATTING

    def end(self, name: str) -> None:
        opened, depth = self.open, len(self.open)
        if name in _CONTAINERS:
            while depth and (last := opened[depth - 1]) != name and last in _CLOSES_BY_ITSELF:
                depth -= 1
        if depth and opened[depth - 1] == name:
            del opened[depth - 1 :]
            self.formatting -= name in _FORMATTING

    def too_much(self) -> bool:
        return len(self.open) > MAX_DEPTH or self.formatting * self.tags > MAX_REOPENED


def parsable(raw: str) -> str | None:
    """`raw`, or what of it a parser may see; None when it must not see any of it."""
    if len(raw) > MAX_SIZE:
        return None
    few = (brackets := raw.count("<")) <= FEW_TAGS or brackets - raw.count("</") <= FEW_TAGS
    if few and len(raw) <= SMALL:
        return raw
    if not _TAME.fullmatch(raw):
        return _looked_over(raw)
    return raw if few or _is_shallow(raw) else None


def _is_shallow(tame: str) -> bool:
    nesting = _Nesting()
    opened = nesting.open
    for slash, name in _TAG.findall(tame.lower()):
        if not slash:
            nesting.start(name)
            if nesting.too_much():
                return False
        elif opened and opened[-1] == name and name not in _FORMATTING:  # nearly always
            opened.pop()
        else:
            nesting.end(name)
    return True


def _looked_over(raw: str) -> str | None:
    kept: list[str] = []
    nesting = _Nesting()
    position = 0
    while match := _TOKEN.search(raw, position):
        kept.append(raw[position : match.start()])
        position = match.end()
        name = (match["name"] or "").lower()
        if match["more"]:
            return None
        if not name or name == "plaintext":
            _leave_out(kept)
        elif match["slash"]:
            nesting.end(name)
            kept.append(match[0])
        elif end := _RAW_END.get(name):
            closing = end.search(raw, position)
            position = closing.start() if closing else len(raw)
            if name == "iframe":
                kept.append(f"{match[0]}</iframe>")
            _leave_out(kept)
        else:
            nesting.start(name)
            if nesting.too_much():
                return None
            kept.append(match[0])
    kept.append(raw[position:])
    return "".join(kept)


def _leave_out(kept: list[str]) -> None:
    """Note that a token is gone, so that a ``<`` before it does not meet a letter behind it."""
    if kept and kept[-1].endswith("<"):
        kept.append(" ")

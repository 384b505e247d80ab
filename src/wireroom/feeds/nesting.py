"""Tags of broken XML are put together anew, so that they nest and all text is kept.

For what is never closed, closed in the wrong order, cut off, or badly quoted. The characters
between the tags have been mended by `repair`.
"""

import re
from itertools import islice

#: Deeper elements lose their tags and keep their text; libxml2 gives up at 256.
MAX_DEPTH = 200
#: Attributes kept of one element.
MAX_ATTRIBUTES = 64

_NAME = r"[^\W\d][\w.-]*(?::[\w.-]+)*"
_TAG = re.compile(
    rf"""<(/\s*+|)({_NAME})((?:[\s/](?>"[^"<]*"|'[^'<]*'|[^<>"']+)*+)?)>"""
    # what is left over: a quote that is never closed, or no ">" at all
    rf"""|<(/\s*+|)({_NAME})((?:[\s/][^<>]*+)?)(?:>|(?=<)|\Z)"""
)
_SOUND_ATTRIBUTES = re.compile(
    rf"""(?:\s+{_NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*+\s*/?""",
)
#: A value whose closing quote was forgotten ends before the next attribute, or with the tag.
_ATTRIBUTE = re.compile(
    rf"""({_NAME})\s*(?:=\s*(?:"([^"<]*?)(?=\s[\w:.-]+\s*=\s*")"""
    rf"""|"([^"<]*+)(?:"|\Z)|'([^'<]*+)(?:'|\Z)|([^\s"'<>]+)))?"""
)
_VOID = frozenset(
    {"br", "hr", "img", "input", "wbr", "area", "col", "embed", "param", "enclosure"}
)
_ITEMS = frozenset({"item", "entry"})

#: Elements of items and feeds that hold text and nothing else.
_PLAIN = frozenset(
    {
        "title", "link", "guid", "id", "pubdate", "published", "updated", "issued", "modified",
        "created", "lastbuilddate", "category", "comments", "author", "generator", "language",
        "copyright", "rights", "docs", "ttl", "managingeditor", "webmaster", "dc:creator",
        "dc:date", "dc:subject", "dc:publisher", "dc:language", "dc:rights", "dc:title",
    }
)  # fmt: skip
#: Those that may hold HTML.
_BODIES = frozenset(
    {"description", "content:encoded", "summary", "content", "subtitle", "tagline"}
)
#: What HTML has elements of the same name for. A `link` of HTML has attributes.
_ALSO_HTML = frozenset({"title", "link", "summary", "source", "rights"})
_FIELDS = _PLAIN | _BODIES | _ITEMS | {"enclosure", "source", "image"}
_FIELD_PREFIXES = frozenset(
    {
        "atom", "content", "dc", "dcterms", "feedburner", "georss", "itunes", "media", "podcast",
        "slash", "sy", "thr", "wfw",
    }
)  # fmt: skip
#: Where fields stand: an open one beyond is not looked for.
_HOLDERS = frozenset(
    {"item", "entry", "channel", "feed", "rss", "rdf:rdf", "image", "source", "textinput"}
)
#: Feeds themselves, whose children may be items.
_FEEDS = frozenset({"channel", "feed", "rss", "rdf:rdf"})
#: A feed has each of these once, and without attributes: the second is an item's.
_ONCE = frozenset({"title", "link", "description", "id"})
#: Fields of which items may have several in a row.
_REPEATED = frozenset({"category", "dc:subject"})
#: No item is without one of these, and what has one of them alone is none.
_TELLING = re.compile(r"<(?:title|link|guid|id|description|content:encoded)[\s>]", re.IGNORECASE)
#: What an item begins with, behind its start or, where that was forgotten, the end of another.
_FIRST_FIELD = re.compile(
    r"</?(?:item|entry)(?:\s[^<>]*+)?>\s*+<(?!item\b|entry\b)([\w:.-]++)", re.IGNORECASE
)
_ITEM_TAG = re.compile(r"</?(?:item|entry)[\s/>]", re.IGNORECASE)


def markup(text: str) -> tuple[str, int]:
    """Rebuild the tags of `text`, already mended by `characters`, so that they nest.

    Returns the new text and how many tags had to be added, moved or dropped.
    """
    first = _FIRST_FIELD.search(text)
    rebuilt = _Rebuilt(first[1].lower() if first else "")
    position = 0
    while True:
        opening = text.find("<", position)
        if opening < 0:
            rebuilt.text(text[position:])
            break
        rebuilt.text(text[position:opening])
        position = _construct(text, opening, rebuilt)
    rebuilt.close(0)
    return "".join(rebuilt.pieces), rebuilt.mended


class _Rebuilt:
    """The document as it is put together again, and which elements are open."""

    __slots__ = (
        "_dropped",
        "_first_field",
        "_item_depth",
        "_item_start",
        "_last_field",
        "_may_start",
        "_met",
        "_open",
        "_stack",
        "comment_end",
        "mended",
        "pieces",
    )

    def __init__(self, first_field: str) -> None:
        self.pieces: list[str] = []
        self.mended = 0
        #: Where the next comment ends; none of the others behind it are looked for until then.
        self.comment_end = -1
        self._stack: list[str] = []
        self._open: dict[str, int] = {}
        self._dropped: dict[str, int] = {}
        #: Where an item begins whose start tag was forgotten, if its end tag is to come, and how
        #: many elements are open there: the place of an empty piece, or -1.
        self._item_start = -1
        self._item_depth = 0
        #: Fields of the feed itself so far, of those that it has once.
        self._met: set[str] = set()
        #: What other items begin with. Where it stands last before the first of them, as piece and
        #: depth: that one begins there if a field behind it tells that it has begun.
        self._first_field = first_field if first_field not in _ONCE else ""
        self._last_field = ""
        self._may_start = (-1, 0)

    @property
    def innermost(self) -> str:
        return self._stack[-1] if self._stack else ""

    def text(self, text: str) -> None:
        # Text outside the root has no place in XML.
        if text and (self._stack or not text.strip()):
            self.pieces.append(text)

    def start(self, name: str, attributes: str) -> None:
        folded = name.lower()
        is_void = folded in _VOID or (folded.endswith("link") and "href" in attributes)
        # A value without its closing quote may well end with a slash.
        empty = attributes.endswith("/") and (is_void or attributes.count('"') % 2 == 0)
        if folded in _ITEMS and self._open.get(folded):
            self.end(name)
            self.mended += 1
        elif folded in _FIELDS or folded.partition(":")[0] in _FIELD_PREFIXES:
            self._end_field(
                is_never_html=folded not in _ALSO_HTML or _is_bare_link(folded, attributes)
            )
        self._note_start(folded, attributes)
        if len(self._stack) >= MAX_DEPTH:
            self._dropped[folded] = self._dropped.get(folded, 0) + (not empty)
            self.mended += 1
            return
        if not _SOUND_ATTRIBUTES.fullmatch(attributes) or attributes.count("=") > MAX_ATTRIBUTES:
            attributes = _sound(attributes.removesuffix("/" * empty)) + "/" * empty
            self.mended += 1
        if is_void and not empty:
            attributes += "/"
            empty = True
        self.pieces.append(f"<{name}{attributes}>")
        if not empty:
            self._stack.append(name)
            self._open[folded] = self._open.get(folded, 0) + 1

    def _end_field(self, *, is_never_html: bool) -> None:
        """Close the field that stands open where another one begins: its end was forgotten."""
        for depth in range(len(self._stack) - 1, 0, -1):
            folded = self._stack[depth].lower()
            if folded in _PLAIN or (is_never_html and folded in _BODIES):
                self.mended += len(self._stack) - depth
                if not self.pieces[-1].startswith("<"):  # blanks before the tag are no text
                    self.pieces[-1] = self.pieces[-1].rstrip()
                self.close(depth)
                return
            if folded in _HOLDERS:
                return

    def end(self, name: str) -> None:
        folded = name.lower()
        if self._dropped.get(folded):
            self._dropped[folded] -= 1
            return
        if not self._open.get(folded):
            self.mended += 1
            if folded in _ITEMS:
                self._end_item(name)
            elif folded in _FIELDS and self.innermost.lower() in _HOLDERS:
                self._make_field(name)
            return
        if len(self._stack) > 1 and self._stack[0].lower() == folded:
            # The root's end before that of its children: whatever follows still belongs to it.
            self.mended += 1
        depth = len(self._stack) - 1
        while self._stack[depth].lower() != folded:
            depth -= 1
            self.mended += 1
        self.close(max(depth, 1))
        if folded in _ITEMS:
            self._item_may_start()

    def _note_start(self, folded: str, attributes: str) -> None:
        """Remember where an item may begin without its start tag: behind the item before, or, in
        front of all others, with what the feed itself has already and what items begin with.
        """
        if folded in _ITEMS:
            self._item_start = -1
            self._met |= _ONCE
        elif self._item_start < 0 and self.innermost.lower() in _FEEDS:
            if folded == "guid" or (folded in self._met and not attributes):
                self._item_has_begun()
            elif folded in _ONCE and not attributes:
                self._met.add(folded)
                self._may_start = -1, 0
            elif folded == self._first_field and folded != self._last_field:
                self._may_start = len(self.pieces), len(self._stack)
                self.pieces.append("")
            self._last_field = folded if folded in _REPEATED else ""

    def _item_has_begun(self) -> None:
        start, depth = self._may_start
        if start >= 0 and depth == len(self._stack):
            self._item_start, self._item_depth = start, depth
        else:
            self._item_may_start()

    def _item_may_start(self) -> None:
        self._item_start, self._item_depth = len(self.pieces), len(self._stack)
        self.pieces.append("")

    def _end_item(self, name: str) -> None:
        """Make an item of what stands before an end tag that nothing began."""
        start = self._item_start
        if start < 0:
            return
        self.close(self._item_depth)
        if any(map(_TELLING.match, self.pieces[start + 1 :])):
            self.pieces[start] = f"<{name}>"
            self.pieces.append(f"</{name}>")
        self._item_may_start()

    def _make_field(self, name: str) -> None:
        """Make a field of the text before an end tag that nothing began."""
        text = self.pieces[-1].strip()
        if text and (text[0] != "<" or text.startswith("<![CDATA[")):
            self.pieces[-1] = f"<{name}>{text}</{name}>"

    def close(self, depth: int) -> None:
        """Close all elements but the outermost `depth`; the root itself stays open to the end."""
        while len(self._stack) > depth:
            name = self._stack.pop()
            self._open[name.lower()] -= 1
            self.pieces.append(f"</{name}>")
        if depth < self._item_depth:
            self._item_start = -1


def _construct(text: str, opening: int, rebuilt: _Rebuilt) -> int:
    """Take over what begins with "<" at `opening`; returns where it ends."""
    following = text[opening + 1 : opening + 2]
    if following == "!":
        return _declaration(text, opening, rebuilt)
    if following == "?":
        end = text.find(">", opening)
        return end + 1 if end >= 0 else len(text)
    match = _TAG.match(text, opening)
    if match is None:
        rebuilt.text("&#60;")
        return opening + 1
    slash, name, attributes = match.group(1, 2, 3) if match[2] else match.group(4, 5, 6)
    if slash:
        rebuilt.end(name)
    else:
        rebuilt.start(name, attributes)
    return match.end()


def _declaration(text: str, opening: int, rebuilt: _Rebuilt) -> int:
    if text.startswith("<!--", opening):
        return _comment(text, opening, rebuilt)
    if text[opening : opening + 9].upper() == "<![CDATA[":
        end = text.find("]]>", opening)
        length = 3
        if end < 0:
            # Never closed: it ends where the element around it does.
            end = text.find(f"</{rebuilt.innermost}", opening)
            length = 0
            rebuilt.mended += 1
        end = len(text) if end < 0 else end
        rebuilt.text(f"<![CDATA[{text[opening + 9 : end]}]]>")
        return end + length
    end = text.find(">", opening)
    return end + 1 if end >= 0 else len(text)


def _comment(text: str, opening: int, rebuilt: _Rebuilt) -> int:
    """Where a comment ends; behind its mark alone when it is never closed.

    Nor is one with an item in it and another comment behind that: the end is the other's.
    """
    if rebuilt.comment_end < opening:
        end = text.find("-->", opening)
        rebuilt.comment_end = end if end >= 0 else len(text)
    end = rebuilt.comment_end
    if end == len(text):
        return opening + 4
    other = text.find("<!--", opening + 4, end)
    is_open = other >= 0 and _ITEM_TAG.search(text, opening, other) is not None
    return opening + 4 if is_open else end + 3


def _is_bare_link(folded: str, attributes: str) -> bool:
    return folded == "link" and not attributes.strip()


def _sound(attributes: str) -> str:
    """The attributes that can be made out, quoted, each once."""
    found: dict[str, str] = {}
    for match in islice(_ATTRIBUTE.finditer(attributes), 4 * MAX_ATTRIBUTES):
        name, *quoted, bare = match.groups("")
        value = next(filter(None, quoted), bare.rstrip("/"))
        found.setdefault(name, value.replace('"', "&#34;"))
        if len(found) == MAX_ATTRIBUTES:
            break
    return "".join(f' {name}="{value}"' for name, value in found.items())
